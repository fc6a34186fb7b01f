"""What the gradient flow panel computes, against the reference values, on paper, and against itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from models.arrays import Array
from models.backend import CPU, Backend
from models.errors import LabError
from models.flow_book import book_of
from models.flow_descent import DescentQuestion, compute_descent
from models.flow_field import POINTS, SIDE, Field, Line, field_of
from models.flow_memory import compute_memory, memory_question
from models.flow_panel import compute_flow, question_of
from models.flow_presets import FLOW_PRESETS
from models.flow_saturation import compute_saturation, saturation_question, standing
from models.flow_signal import SignalQuestion, compute_signal
from models.flow_state import SECTIONS, Descent, Target, scene_of, target_of, with_target
from models.flow_verify import VerifyQuestion, compute_verify
from models.job import DirectJob
from models.scene_edit import move_query
from models.similarities import SIMILARITIES
from tests.models.flow_questions import asked, shown


@pytest.mark.parametrize("name", FLOW_PRESETS)
@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_answers_its_question_about_every_preset(name: str, section: str) -> None:
    state, scene = shown(name)
    question = question_of(replace(state, section=section), scene)
    assert compute_flow(question, DirectJob()).inputs == question


def test_only_the_open_section_is_asked_for() -> None:
    state, scene = shown("tokens")
    closed = replace(state, paths=replace(state.paths, length=7), memory=replace(state.memory, steps=3))
    assert question_of(state, scene) == question_of(closed, scene)
    assert question_of(state, scene) != question_of(replace(state, section="signal"), scene)


def test_the_playhead_asks_for_nothing_while_the_query_alone_is_learned() -> None:
    assert asked("tokens", shown=3) == asked("tokens", shown=70)
    assert asked("tokens", shown=3, keys=True) != asked("tokens", shown=70, keys=True)


def test_scene_is_followed_unless_the_panel_has_its_own() -> None:
    state, own = shown("tied")
    other = shown("rents")[1]
    assert scene_of(replace(state, source="scene"), other) is other
    assert scene_of(state, other) is own


def test_target_of_another_scene_does_not_count() -> None:
    """Rents and token values have other units and sizes; a target half-way between two values can be reached."""
    state, scene = shown("tokens")
    moved = with_target(state, scene, np.array([0.3, 0.4]))
    assert target_of(moved, scene) == Array([0.3, 0.4])
    rents = shown("rents")[1]
    assert target_of(moved, rents) == Array([1050.0])
    wrong = replace(state, target=Target(scene.id, Array([1.0])))
    assert target_of(wrong, scene).shape == (2,)


def test_what_is_learned_is_the_query_where_nothing_is_chosen() -> None:
    assert Descent(query=False).learn == ("query",)
    assert Descent(keys=True, temperature=True).learn == ("query", "keys", "temperature")


def test_field_is_the_gradient_of_the_loss_at_every_point_of_the_grid() -> None:
    _, scene = shown("tokens")
    target = Array([0.2, -0.1])
    field = field_of(scene, target, CPU)
    assert isinstance(field, Field)
    assert field.losses.shape == (SIDE, SIDE)
    _, book = book_of(scene, CPU)
    for row, column in ((0, 0), (7, 31), (39, 20)):
        query = torch.tensor([field.x[column], field.y[row]], requires_grad=True)
        loss = (torch.softmax(query @ book.k.mT, -1) @ book.v - torch.tensor(target.values.copy())).square().sum() / 2
        loss.backward()
        assert field.losses[row, column] == pytest.approx(loss.item(), rel=1e-12)
        np.testing.assert_allclose(field.down[row, column], -query.grad.numpy(), rtol=1e-9, atol=1e-14)


def test_field_is_found_again_while_the_query_moves_inside_it() -> None:
    _, scene = shown("tokens")
    target = Array([0.2, -0.1])
    field = field_of(scene, target, CPU)
    assert field_of(move_query(scene, [0.1, 0.2]), target, CPU) is field
    far = field_of(move_query(scene, [9.0, 0.2]), target, CPU)
    assert isinstance(far, Field)
    assert far.x[-1] > 9.0


def test_line_has_the_loss_its_slope_and_a_staircase_that_jumps_half_way_between_keys() -> None:
    _, scene = shown("rents")
    line = field_of(scene, Array([1050.0]), CPU)
    assert isinstance(line, Line)
    np.testing.assert_allclose(line.losses, (line.outputs[:, 0] - 1050) ** 2 / 2, rtol=1e-12)
    numeric = np.gradient(line.losses, line.x)
    np.testing.assert_allclose(line.slopes[2:-2], numeric[2:-2], atol=2e-3 * np.abs(numeric).max())
    assert len(line.x) == POINTS
    np.testing.assert_allclose(line.steps_x[1:-1:2], [50.0, 70.0, 90.0], atol=1e-6)
    np.testing.assert_allclose(line.steps[::2, 0], [900.0, 1200.0, 1500.0, 2100.0])


def test_signal_is_the_weight_times_the_way_to_the_value_and_sums_to_nothing() -> None:
    _, scene = shown("tokens")
    result = compute_signal(SignalQuestion(scene), DirectJob())
    expected = result.weights[:, None] * (scene.values.values - result.output)
    np.testing.assert_allclose(result.signal, expected, atol=1e-15)
    np.testing.assert_allclose(result.signal.sum(0), 0.0, atol=1e-15)
    covariance = (result.signal[:, :, None] * (scene.keys.values - result.mean_key)[:, None]).sum(0)
    np.testing.assert_allclose(result.jacobian, covariance, atol=1e-14)
    assert result.responses is not None
    assert result.responses.linear == pytest.approx(result.responses.answers, abs=0.1)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_parts_of_the_jacobian_sum_to_it_for_every_similarity(similarity: str) -> None:
    _, scene = shown("tokens")
    chosen = replace(scene.similarity, name=similarity, matrix=Array([[1.0, 0.4], [-0.2, 0.7]]))
    wide = Array([[0.5, 1.0], [1.0, -0.3], [0.2, 0.9]])
    chosen = replace(chosen, query_weights=wide, key_weights=wide, out_weights=Array([1.0, -2.0, 0.5]))
    result = compute_signal(SignalQuestion(replace(scene, similarity=chosen)), DirectJob())
    parts = result.signal[:, :, None] * (result.slopes - result.mean_slope)[:, None]
    np.testing.assert_allclose(parts.sum(0), result.jacobian, atol=1e-13)


def test_tied_keys_and_values_have_a_jacobian_without_negative_eigenvalues() -> None:
    _, scene = shown("tied")
    result = compute_signal(SignalQuestion(scene), DirectJob())
    assert result.eigenvalues is not None
    assert (result.eigenvalues >= 0).all()
    assert compute_signal(SignalQuestion(shown("tokens")[1]), DirectJob()).eigenvalues is None


def test_hard_lookup_sends_no_signal() -> None:
    result = compute_signal(SignalQuestion(shown("hard_lookup")[1]), DirectJob())
    assert not result.signal.any()
    assert not result.jacobian.any()


def test_masked_entries_get_no_signal() -> None:
    scene = replace(shown("tokens")[1], mask=Array([True, False, True, True, False]))
    result = compute_signal(SignalQuestion(scene), DirectJob())
    assert not result.signal[[1, 4]].any()
    assert result.weights.sum() == pytest.approx(1.0)
    field = field_of(scene, Array([0.0, 0.0]), CPU)
    assert isinstance(field, Field)
    inside = compute_descent(DescentQuestion(scene, Array([0.0, 0.0]), Descent(steps=5)), DirectJob())
    assert np.isfinite(inside.path.losses).all()


def test_a_scene_of_which_nothing_takes_part_says_so() -> None:
    scene = replace(shown("tokens")[1], mask=Array([False] * 5))
    with pytest.raises(LabError, match="takes part"):
        compute_descent(DescentQuestion(scene, Array([0.0, 0.0]), Descent(steps=5)), DirectJob())


def test_saturation_names_the_zones_and_finds_the_present_temperature_on_the_curve() -> None:
    _, scene = shown("tokens")
    question = saturation_question(scene)
    assert question == saturation_question(replace(scene, temperature=7.0))
    result = compute_saturation(question, DirectJob())
    zones = [standing(result, tau).zone for tau in (1e-3, 1.0, 1e3)]
    assert zones == ["cold, saturated", "healthy", "hot, averaged"]
    here = standing(result, 1.0)
    exact = compute_signal(SignalQuestion(scene), DirectJob())
    assert here.norm == pytest.approx(np.linalg.norm(exact.jacobian), rel=2e-3)
    assert here.slope == pytest.approx(exact.score_slope, rel=2e-3)


def test_verify_agrees_in_both_precisions_and_for_every_similarity() -> None:
    result = compute_verify(VerifyQuestion(shown("tied")[1]), DirectJob())
    double, single = result.checks["float64"], result.checks["float32"]
    assert double.autograd_error < 1e-10
    assert single.autograd_error < 1e-5
    assert double.numeric_error < 1e-8
    assert double.eigenvalues is not None
    assert (double.eigenvalues >= 0).all()
    assert [one.name for one in result.similarities] == list(SIMILARITIES)
    assert all(one.autograd_error < 1e-10 for one in result.similarities)


def test_recall_never_raises_the_energy_and_every_basin_holds_its_fixed_point() -> None:
    _, scene = shown("tied")
    result = compute_memory(memory_question(replace(scene, temperature=0.2), 30, True), DirectJob())
    assert (np.diff(result.energies) <= 1e-12).all()
    assert result.landscape is not None
    assert result.landscape.basins is not None
    for number in np.flatnonzero(result.stable):
        x, y = result.points[number]
        row, column = np.abs(result.landscape.y - y).argmin(), np.abs(result.landscape.x - x).argmin()
        assert result.landscape.basins[row, column] == number
    assert result.stable.sum() == 4


def test_memory_of_a_hot_temperature_has_one_basin() -> None:
    _, scene = shown("tied")
    result = compute_memory(memory_question(replace(scene, temperature=50.0), 5, True), DirectJob())
    assert result.landscape is not None
    assert result.landscape.basins is not None
    assert len(np.unique(result.landscape.basins)) == 1


def test_random_preset_is_the_same_for_a_seed() -> None:
    again = FLOW_PRESETS["random"](3)
    assert again == FLOW_PRESETS["random"](3)
    assert again != FLOW_PRESETS["random"](4)


@pytest.mark.device
def test_device_gives_the_numbers_of_the_processor() -> None:
    backend = Backend("auto")
    if backend.place.device == "cpu":
        pytest.skip("no accelerator that torch can use")
    near = 1e-10 if backend.place.dtype == "float64" else 1e-4
    _, scene = shown("random")
    target = Array([0.1, 0.2])
    here, there = (field_of(scene, target, place) for place in (CPU, backend.place))
    assert isinstance(here, Field)
    assert isinstance(there, Field)
    np.testing.assert_allclose(there.down, here.down, rtol=near, atol=near)
    signals = [compute_signal(SignalQuestion(scene), DirectJob(one)) for one in (Backend("cpu"), backend)]
    np.testing.assert_allclose(signals[1].jacobian, signals[0].jacobian, rtol=near, atol=near)
