"""The explorer's computation at the scenes of ``assets/scenes``, against the reference numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labapp.scenes import Shelf
from models.app_state import AppState
from models.arrays import Array
from models.errors import LabError
from models.explorer import MOST_MAP_ROWS, ExplorerResult, compute_explorer
from models.explorer_state import Sweep
from models.job import DirectJob
from models.scene import Column, Scene
from models.scene_edit import allow_entry, choose_query, list_query, move_query, own_scene
from models.similarities import sigma_of
from models.weightings import WEIGHTINGS
from tests.reference import assert_close, golden

SHELF = Shelf(AppState, Array)


def look(scene: Scene, sweep: Sweep | None = None) -> ExplorerResult:
    """The result for a scene; the sweep runs over its first axis where none is given."""
    d_k = scene.keys.shape[1]
    return compute_explorer(scene, sweep or Sweep(Array(np.zeros(d_k)), Array(np.ones(d_k))), DirectJob())


def named(name: str) -> tuple[Scene, ExplorerResult]:
    state = SHELF.state(name)
    return state.scene, look(state.scene, state.lookup.sweep)


def per_cent(weights: Any) -> list[int]:
    return [round(100 * float(weight)) for weight in weights]


def entries(topic: str, kind: str) -> Any:
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


@entries("rent", "rent_soft")
def test_rents_soft(entry: dict[str, Any]) -> None:
    scene = move_query(SHELF.state("rents").scene, [float(entry["inputs"]["q"])])
    similarity = replace(scene.similarity, sigma=float(entry["inputs"]["sigma"]))
    result = look(replace(scene, similarity=similarity))
    assert_close(entry, "scores", result.scores)
    assert_close(entry, "weights", result.soft.weights)
    assert_close(entry, "output", result.soft.output[0])
    assert_close(entry, "entropy", result.entropy)
    assert_close(entry, "n_eff", result.effective_number)


@entries("rent", "rent_hard")
def test_rents_hard(entry: dict[str, Any]) -> None:
    result = look(move_query(SHELF.state("rents").scene, [float(entry["inputs"]["q"])]))
    assert_close(entry, "one_hot", result.nearest.weights)
    assert_close(entry, "output", result.nearest.output[0])
    assert list(result.tied) == entry["expected"]["tied_indices"]


def test_rents_as_opened() -> None:
    scene, result = named("rents")
    assert scene.query.values.tolist() == [75.0]
    assert round(float(result.soft.output[0])) == 1442
    assert not result.exact.found
    assert np.isnan(result.exact.output).all()


@entries("house", "house_soft")
def test_houses_soft(entry: dict[str, Any]) -> None:
    scene = SHELF.state("houses").scene
    sigma = sigma_of(float(entry["inputs"]["sharpness"]))
    scene = replace(scene, similarity=replace(scene.similarity, sigma=sigma))
    for row in entry["expected"]["rows"]:
        result = look(move_query(scene, [float(row["q"])]))
        assert_close(entry, "weights", result.soft.weights, expected=row["weights"])
        assert_close(entry, "answer", result.soft.output[0], expected=row["answer"])


def test_houses_as_opened() -> None:
    (entry,) = golden("house", "house_display")
    _, result = named("houses")
    assert_close(entry, "weights", result.soft.weights)
    assert_close(entry, "answer", result.soft.output[0])
    assert_close(entry, "products", result.soft.weights * [150, 210, 340, 420])
    assert per_cent(result.soft.weights) == [1, 49, 49, 1]
    assert result.tied == (1, 2)
    assert result.nearest.output.tolist() == [210.0]


@entries("tokens", "token_scene")
def test_tokens(entry: dict[str, Any]) -> None:
    result = look(move_query(SHELF.state("tokens").scene, np.array(entry["inputs"]["q"], dtype=float)))
    assert_close(entry, "scores", result.scores)
    assert_close(entry, "weights", result.soft.weights)
    assert_close(entry, "entropy", result.entropy)


def test_tokens_as_opened() -> None:
    _, result = named("tokens")
    assert per_cent(result.soft.weights) == [1, 78, 15, 2, 4]


@entries("d2l_small", "two_entry")
def test_two_entries(entry: dict[str, Any]) -> None:
    scene = move_query(SHELF.state("two-entries").scene, [float(entry["inputs"]["q"])])
    result = look(replace(scene, temperature=float(entry["inputs"]["scale"])))
    assert_close(entry, "weights", result.soft.weights)
    assert_close(entry, "output", result.soft.output[0])


@entries("d2l_small", "average_of_two")
def test_a_query_of_c_times_two_orthonormal_keys(entry: dict[str, Any]) -> None:
    scene = SHELF.state("orthonormal").scene
    query = float(entry["inputs"]["c"]) * (scene.keys.values[1] + scene.keys.values[3])
    result = look(move_query(scene, query))
    for selected in (1, 3):
        assert_close(entry, "selected_weight_each", result.soft.weights[selected])
    assert_close(entry, "other_weight_each", result.soft.weights[0])


def test_unequal_lengths_let_the_long_key_win_the_dot_product_alone() -> None:
    scene, result = named("unequal-lengths")
    assert result.soft.weights.argmax() == 3
    distance = look(replace(scene, similarity=replace(scene.similarity, name="squared_distance")))
    assert distance.soft.weights.argmax() == 0
    assert result.same_as_distance < 1e-12
    assert result.without_norms > 0.5


def test_equal_lengths_make_distance_and_dot_product_the_same() -> None:
    _, result = named("orthonormal")
    assert result.same_as_distance < 1e-12
    assert result.without_norms < 1e-12


def test_the_padding_weighs_exactly_nothing_for_every_query() -> None:
    _, result = named("padding")
    assert result.soft.weights[3:].tolist() == [0.0, 0.0]
    assert (result.map.weights[:, 3:] == 0).all()
    assert np.isneginf(result.scores[3:]).all()
    assert result.soft.weights.sum() == pytest.approx(1, abs=1e-15)


def test_causal_rows() -> None:
    (entry,) = golden("masks", "causal_self_attention")
    scene, result = named("causal")
    assert_close(entry, "weights", result.map.weights)
    assert_close(entry, "output", result.soft.output, expected=entry["expected"]["output"][3])
    for row, expected in enumerate(entry["expected"]["weights"]):
        asked = look(choose_query(scene, scene.keys.values[row], row))
        assert_close(entry, "weights", asked.soft.weights, expected=expected)


def test_the_identity_looks_up_itself() -> None:
    _, result = named("identity")
    assert (result.map.weights == np.eye(10)).all()
    assert result.map.source == "list"
    assert result.exact.output.tolist() == [4.0]


def test_the_database_finds_the_record_that_was_asked_for() -> None:
    scene, result = named("database")
    assert int(result.nearest.weights.argmax()) == 42
    assert scene.entries[42] == "record 42"
    assert result.nearest.output.tolist() == [42.0]
    assert result.map.weights.shape == (200, 200)
    assert result.map.source == "keys"


@pytest.mark.parametrize("weighting", [name for name in WEIGHTINGS if name != "exact"])
def test_every_row_of_the_map_sums_to_one(weighting: str) -> None:
    state = SHELF.state("tokens")
    result = look(replace(state.scene, weighting=weighting), state.lookup.sweep)
    np.testing.assert_allclose(result.map.weights.sum(1), 1, atol=1e-12)


def test_a_map_of_many_entries_stays_small() -> None:
    keys = np.random.default_rng(0).standard_normal((1500, 2))
    result = look(own_scene(keys, keys[:, :1], [Column("a"), Column("b")], [Column("v")]))
    assert len(result.map.queries) <= MOST_MAP_ROWS
    assert result.map.weights.shape == (len(result.map.queries), 1500)


def test_listed_queries_are_the_rows_of_the_map() -> None:
    state = SHELF.state("rents")
    result = look(list_query(list_query(state.scene)), state.lookup.sweep)
    assert result.map.source == "list"
    assert result.map.queries.tolist() == [[75.0], [75.0]]


def test_the_staircase_jumps_in_the_middle_between_two_keys() -> None:
    _, result = named("rents")
    corners = result.curve.steps_x
    np.testing.assert_allclose(corners[1:-1:2], [50, 70, 90], atol=1e-6)
    assert result.curve.steps[:, 0].tolist() == [900, 900, 1200, 1200, 1500, 1500, 2100, 2100]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6), st.integers(-60, 60), st.floats(0.05, 20))
def test_the_soft_curve_passes_through_the_answer_and_never_leaves_the_values(
    keys: list[int], query: int, sigma: float
) -> None:
    values = np.arange(len(keys), dtype=float)
    scene = own_scene(np.array(keys, dtype=float), values, [Column("k")], [Column("v")])
    scene = replace(move_query(scene, [query]), similarity=replace(scene.similarity, sigma=sigma))
    result = look(scene, Sweep(Array([float(query)]), Array([query + 1.0])))
    assert result.curve.soft[0] == pytest.approx(result.soft.output)
    assert result.curve.soft.min() >= -1e-9
    assert result.curve.soft.max() <= values[-1] + 1e-9
    assert result.same_as_distance < 1e-6


def test_everything_masked_is_undefined_and_not_a_number_of_equal_entries() -> None:
    scene = SHELF.state("rents").scene
    for entry in range(4):
        scene = allow_entry(scene, entry, False)
    result = look(scene)
    assert not result.soft.found
    assert not result.nearest.found
    assert not result.exact.found
    assert result.effective_number == 0
    assert result.tied == ()
    assert result.same_as_distance == 0
    assert np.isnan(result.curve.soft).all()
    assert not result.map.found.any()


def test_one_entry_has_all_the_weight_and_a_straight_staircase() -> None:
    result = look(own_scene([[3.0]], [[7.0]], [Column("k")], [Column("v")]))
    assert result.soft.weights.tolist() == [1.0]
    assert result.curve.steps.tolist() == [[7.0], [7.0]]


def test_equal_keys_share_the_weight_and_are_tied() -> None:
    result = look(own_scene([[3.0], [3.0]], [[1.0], [2.0]], [Column("k")], [Column("v")]))
    assert result.soft.weights.tolist() == [0.5, 0.5]
    assert result.tied == (0, 1)
    assert result.nearest.output.tolist() == [1.0]


def test_the_hull_is_that_of_the_values() -> None:
    _, result = named("orthonormal")
    assert result.hull.shape == (10, 2)
    assert named("rents")[1].hull.shape == (0, 2)


def test_what_does_not_depend_on_the_query_is_computed_once() -> None:
    state = SHELF.state("database")
    first = look(state.scene, state.lookup.sweep)
    second = look(move_query(state.scene, state.scene.query.values + 0.1), state.lookup.sweep)
    assert second.map is first.map
    assert second.curve is first.curve
    assert second.inputs[0] != first.inputs[0]


def test_a_way_knows_where_the_query_is_on_it() -> None:
    way = Sweep(Array([0.0, 0.0]), Array([4.0, 0.0]))
    assert way.at([0.0, 0.5, 1.0]).tolist() == [[0, 0], [2, 0], [4, 0]]
    assert way.fraction(Array([1.0, 9.0])) == 0.25
    assert way.fraction(Array([-3.0, 0.0])) == 0
    assert Sweep(Array([1.0]), Array([1.0])).fraction(Array([5.0])) == 0


def test_a_way_between_points_of_two_sizes_is_refused() -> None:
    with pytest.raises(LabError, match="two points of one size"):
        Sweep(Array([0.0]), Array([0.0, 1.0]))
    with pytest.raises(LabError, match="needs points of 1 number"):
        AppState(lookup=SHELF.state("tokens").lookup)
