"""The learning that the gradient flow panel shows: paths, streams, starts, and why it stops."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.arrays import Array
from models.flow_book import automatic_rate
from models.flow_descent import DescentQuestion, compute_descent, descent_question
from models.flow_runs import run_of
from models.flow_state import Descent, FlowState
from models.job import DirectJob
from models.scene import Column, Scene
from tests.models.flow_questions import StoppedError, Watched, asked, shown
from tests.reference import assert_close, golden, numbers


def test_queries_of_many_numbers_have_no_field_and_still_learn() -> None:
    _, scene = shown("tokens")
    generator = np.random.default_rng(0)
    keys, values = generator.standard_normal((6, 5)), generator.standard_normal((6, 3))
    columns = tuple(scene.key_columns[:1]) * 5
    wide = Scene("wide", "", Array(keys), Array(values), tuple("abcdef"), columns, columns[:3], Array(keys[0]))
    result = compute_descent(descent_question(FlowState(), wide), DirectJob())
    assert result.field is None
    assert result.path.losses[-1, 0] < result.path.losses[0, 0]


@pytest.mark.parametrize("entry", golden("query_learning", "query_descent"), ids=lambda entry: entry["id"])
def test_path_is_the_reference_step_by_step(entry: dict[str, Any]) -> None:
    given = entry["inputs"]
    descent = Descent(learning_rate=float(given["lr"]), steps=max(given["report_steps"]))
    path = compute_descent(
        DescentQuestion(_scene_of(given), Array(numbers(given["target"])), descent), DirectJob()
    ).path
    for row in entry["expected"]["rows"]:
        at = row["step"]
        for field, found in {"q": path.queries, "output": path.outputs, "loss": path.losses}.items():
            assert_close(entry, "rows", found[at, 0], expected=row[field])
        assert path.gradients[at, 0] == pytest.approx(float(np.linalg.norm(numbers(row["grad"]))), rel=1e-9)


def _scene_of(given: dict[str, Any]) -> Scene:
    keys, values = numbers(given["K"]), numbers(given["V"])
    names = tuple(str(number) for number in range(len(keys)))
    columns = (Column("k"),) * keys.shape[1], (Column("v"),) * values.shape[1]
    query, tau = Array(numbers(given["q0"])), float(given["tau"])
    return Scene("golden", "", Array(keys), Array(values), names, *columns, query, temperature=tau)


def test_more_steps_are_the_same_as_all_at_once() -> None:
    """A descent that goes on gives the bits of one that was never stopped."""
    short = compute_descent(asked("tokens", steps=130, optimiser="adam"), DirectJob())
    longer = compute_descent(asked("tokens", steps=300, optimiser="adam"), DirectJob())
    run_of.cache_clear()
    fresh = compute_descent(asked("tokens", steps=300, optimiser="adam"), DirectJob())
    assert np.array_equal(longer.path.queries[:131], short.path.queries)
    assert np.array_equal(longer.path.queries, fresh.path.queries)
    fewer = compute_descent(asked("tokens", steps=77, optimiser="adam"), DirectJob())
    assert np.array_equal(fewer.path.losses, fresh.path.losses[:78])


def test_a_long_descent_is_shown_as_it_grows_and_stops_when_it_is_asked_to() -> None:
    job = Watched()
    result = compute_descent(asked("orthonormal", steps=1000), job)
    lengths = [len(part.path) for part in job.shown]
    assert len(lengths) > 5
    assert lengths == sorted(lengths)
    assert all(part.diagnosis is None for part in job.shown)
    assert result.diagnosis is not None
    run_of.cache_clear()
    stopped = Watched(stop_after=3)
    with pytest.raises(StoppedError):
        compute_descent(asked("orthonormal", steps=1000), stopped)
    again = compute_descent(asked("orthonormal", steps=1000), DirectJob())
    assert np.array_equal(again.path.losses, result.path.losses)


def test_several_starts_are_drawn_by_seed_and_the_first_is_the_query() -> None:
    result = compute_descent(asked("tokens", starts=5), DirectJob())
    other = compute_descent(asked("tokens", starts=5, seed=1), DirectJob())
    assert result.path.queries.shape[1] == 5
    assert np.array_equal(result.path.queries[0, 0], result.scene.query.values)
    assert np.array_equal(other.path.queries[:, 0], result.path.queries[:, 0])
    assert not np.array_equal(other.path.queries[0, 1:], result.path.queries[0, 1:])
    assert 1 <= result.reached <= 5


def test_learned_keys_values_and_temperature_move_the_field_to_the_step_that_is_shown() -> None:
    learn = {"keys": True, "values": True, "temperature": True, "steps": 60}
    start = compute_descent(asked("tokens", shown=0, **learn), DirectJob())
    end = compute_descent(asked("tokens", shown=60, **learn), DirectJob())
    assert start.scene.keys == start.inputs.scene.keys
    assert end.scene.keys != start.scene.keys
    assert end.scene.values != start.scene.values
    assert end.scene.temperature == pytest.approx(end.path.temperatures[-1])
    assert end.scene.temperature != 1.0
    assert end.field is not start.field


def test_automatic_rate_is_stable_in_every_unit() -> None:
    """Rents are in hundreds and sizes in tens: the rate follows the units, so that the loss falls."""
    _, scene = shown("rents")
    assert automatic_rate(scene) < 0.01
    larger = replace(scene, values=Array(10 * scene.values.values))
    assert automatic_rate(larger) == pytest.approx(automatic_rate(scene) / 100)
    losses = compute_descent(asked("rents"), DirectJob()).path.losses[:, 0]
    assert (np.diff(losses) <= 0).all()


WHY = {
    "cold_lock": ("cold_lock", "raise_temperature"),
    "hard_lookup": ("hard_lookup", "soften"),
    "tied": ("converged", "none"),
    "rents": ("converged", "none"),
}


@pytest.mark.parametrize(("name", "expected"), WHY.items())
def test_presets_stop_for_the_reason_that_they_teach(name: str, expected: tuple[str, str]) -> None:
    result = compute_descent(asked(name), DirectJob())
    assert result.diagnosis is not None
    assert result.remedy is not None
    assert (result.diagnosis.kind, result.remedy.kind) == expected


def test_cold_lock_learns_at_the_temperature_of_its_remedy() -> None:
    question = asked("cold_lock")
    result = compute_descent(question, DirectJob())
    assert result.remedy is not None
    assert result.remedy.value is not None
    warm = replace(question.scene, temperature=float(result.remedy.value.values[0]))
    losses = compute_descent(replace(question, scene=warm), DirectJob()).path.losses[:, 0]
    assert result.path.losses[-1, 0] == pytest.approx(result.path.losses[0, 0])
    assert losses[-1] < 0.5 * losses[0]


def test_target_outside_the_hull_is_answered_by_the_nearest_point_inside() -> None:
    question = replace(asked("orthonormal"), target=Array([2.0, 2.0]))
    result = compute_descent(question, DirectJob())
    assert result.diagnosis is not None
    assert result.diagnosis.kind == "unreachable"
    assert result.remedy is not None
    assert result.remedy.value is not None
    np.testing.assert_allclose(result.remedy.value.values, [0.5, 0.5], atol=1e-9)


def test_too_large_a_step_is_answered_by_a_smaller_one() -> None:
    result = compute_descent(asked("orthonormal", learning_rate=200.0), DirectJob())
    assert result.remedy is not None
    assert result.remedy.kind == "smaller_steps"
    assert result.remedy.value == Array([20.0])


@pytest.mark.parametrize("name", ["tokens", "rents"])
def test_exact_lookup_without_a_match_has_no_loss_and_is_softened(name: str) -> None:
    question = asked(name)
    result = compute_descent(replace(question, scene=replace(question.scene, weighting="exact")), DirectJob())
    assert np.isnan(result.path.losses).all()
    assert result.field is not None
    assert np.isnan(result.field.losses).all()
    assert result.remedy is not None
    assert result.remedy.kind == "soften"
