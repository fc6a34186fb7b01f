"""States, rows of scores and the computation of the temperature panel."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.app_state import AppState
from models.arrays import Array
from models.backend import CPU
from models.errors import LabError
from models.job import DirectJob
from models.scene import Column, Scene, Similarity
from models.scene_edit import stretch_query
from models.score_presets import PRESETS, show_preset
from models.score_row import OwnRow, names_of, row_of, temperature_of
from models.temperature_curves import POINTS, Curves, are_known, curves_of, temperatures
from models.temperature_panel import MOST_BARS, MOST_CELLS, TemperatureResult, compute_temperature, corner_entries
from models.temperature_state import (
    Corners,
    Inverse,
    Recipe,
    Sampling,
    TemperatureState,
    Why,
    with_pin,
    with_score,
    with_scores,
)
from tests.reference import assert_close, golden, numbers

INF = math.inf


def run(scores: object, tau: float = 1.0, job: object | None = None, **asked: object) -> TemperatureResult:
    """The result for own scores; ``asked`` replaces inverse, why, corners or sampling."""
    parts = {"inverse": Inverse(), "why": Why(), "corners": Corners(), "sampling": Sampling(), **asked}
    row = scores if isinstance(scores, np.ndarray) else numbers(scores)
    return compute_temperature(OwnRow(Array(row)), tau, *parts.values(), job or DirectJob())


def of(topic: str, kind: str):
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


@of("temperature", "softmax_tau")
def test_measures_are_those_of_the_reference(entry):
    result = run(entry["inputs"]["s"], float(entry["inputs"]["tau"]))
    assert_close(entry, "weights", result.weights)
    assert_close(entry, "entropy", result.measures.entropy)
    assert_close(entry, "d_entropy_d_tau", result.measures.slope)
    assert_close(entry, "n_eff", result.measures.effective_number)
    assert_close(entry, "perplexity", result.measures.perplexity)


@of("temperature", "softmax_limits")
def test_limits_and_ties(entry):
    result = run(entry["inputs"]["s"])
    assert_close(entry, "cold_weights", result.cold)
    assert_close(entry, "hot_weights", result.hot)
    assert list(result.winners) == entry["expected"]["tied_indices"]


@of("temperature", "entropy_temperature")
def test_target_entropy(entry):
    target = float(entry["inputs"]["H_target"])
    solution = run(entry["inputs"]["s"], inverse=Inverse("entropy", target)).solution
    if not entry["expected"]["reachable"]:
        assert solution.refusal
        assert solution.steps is None
        return
    assert_close(entry, "tau", solution.temperature)
    assert solution.error <= 1e-6
    assert solution.steps.middle[-1] == pytest.approx(solution.temperature, rel=1e-3)
    assert (np.diff(solution.steps.high - solution.steps.low) < 0).all()


@of("softmax", "lse_bounds")
def test_log_sum_exp_between_its_bounds(entry):
    measures = run(entry["inputs"]["s"]).measures
    assert_close(entry, "lse", measures.log_sum_exp)
    assert_close(entry, "max", measures.log_sum_exp_low)
    assert_close(entry, "upper", measures.log_sum_exp_high)


@of("softmax", "shift_invariance")
def test_shift_and_division_by_the_sum(entry):
    result = run(entry["inputs"]["s"], why=Why(shift=float(entry["inputs"]["c"])))
    assert result.reasons.change <= 1e-12
    wanted = entry["expected"].get("divide_by_sum_shifted")
    if wanted is not None and result.reasons.divided is not None:
        np.testing.assert_allclose(result.reasons.divided, numbers(wanted), rtol=1e-12)


@of("gradients", "softmax_jacobian")
def test_jacobian(entry):
    result = run(entry["inputs"]["s"], float(entry["inputs"]["tau"]))
    assert_close(entry, "jacobian", result.jacobian)
    assert result.measures.largest_derivative == pytest.approx(np.abs(result.jacobian).max(), rel=1e-12)


@of("sparse", "sparse_weights")
def test_other_weightings(entry):
    tau = float(entry["inputs"]["tau"])
    result = run(entry["inputs"]["s"], tau)
    assert_close(entry, "sparsemax", result.sparsemax)
    assert_close(entry, "entmax15", result.entmax15)


@settings(max_examples=40)
@given(
    st.lists(st.floats(-50, 50) | st.just(-INF), min_size=2, max_size=60).filter(lambda s: max(s) > -INF),
    st.floats(1e-3, 1e3),
)
def test_no_result_is_ever_not_a_number(scores, tau):
    result = run(np.array(scores), tau, inverse=Inverse("entropy", 0.3))
    for name in ("weights", "cold", "hot", "sparsemax", "entmax15", "jacobian"):
        assert np.isfinite(getattr(result, name)).all(), name
    for field in fields(Curves):
        assert np.isfinite(getattr(result.curves, field.name)).all(), field.name
    for field in fields(result.measures):
        assert math.isfinite(getattr(result.measures, field.name)), field.name
    assert result.weights.sum() == pytest.approx(1.0)
    assert (np.diff(result.curves.entropy) >= -1e-12).all()
    assert (result.curves.slope >= 0).all()
    assert result.counts.sum() == 100
    assert result.counts[np.isneginf(scores)].sum() == 0


@pytest.mark.parametrize("scores", [[1e30, -1e30, 0.0], [1e30, 1e30, 1.0], [-1e30, -1e30]])
def test_huge_scores(scores):
    result = run(np.array(scores))
    assert np.isfinite(result.weights).all()
    assert np.isfinite(result.curves.entropy).all()
    np.testing.assert_allclose(result.weights, result.cold)


def test_every_entry_masked():
    result = run(np.array([-INF, -INF, -INF]), inverse=Inverse("entropy", 0.3))
    assert not result.found
    assert result.weights.tolist() == [0.0, 0.0, 0.0]
    assert result.counts is None
    assert result.triangle is None
    assert result.reasons is None
    assert result.solution.refusal


@pytest.mark.parametrize("target", [-0.1, 0.0, math.log(3), 5.0])
def test_targets_out_of_reach_are_said_in_words(target):
    assert run([2, 1, 0.1], inverse=Inverse("entropy", target)).solution.refusal.endswith("came.)")


def test_tied_winners_bound_the_entropy_from_below():
    assert "tied" in run([2, 2, 1], inverse=Inverse("entropy", 0.5)).solution.refusal
    assert "equal" in run([1, 1, 1], inverse=Inverse("entropy", 0.5)).solution.refusal


@pytest.mark.parametrize("quantity", ["perplexity", "effective_number"])
def test_counts_are_targets_too(quantity):
    solution = run([2, 1, 0.1], inverse=Inverse(quantity, 1.9)).solution
    at = run([2, 1, 0.1], solution.temperature)
    assert getattr(at.measures, quantity) == pytest.approx(1.9, abs=1e-9)
    assert solution.steps.entropy[-1] == pytest.approx(solution.entropy, abs=1e-6)


def test_the_rest_of_the_jacobian_is_one_entry():
    scores = np.random.default_rng(1).standard_normal(100)
    result = run(scores, 0.7)
    a = result.weights
    whole = (np.diag(a) - np.outer(a, a)) / 0.7
    best = np.argsort(-scores)[: MOST_CELLS - 1]
    assert result.jacobian.shape == (MOST_CELLS, MOST_CELLS)
    assert result.jacobian_names[-1] == "the rest"
    np.testing.assert_allclose(result.jacobian[:-1, :-1], whole[np.ix_(best, best)], atol=1e-14)
    rest = np.setdiff1d(np.arange(100), best)
    np.testing.assert_allclose(result.jacobian[:-1, -1], whole[np.ix_(best, rest)].sum(1), atol=1e-14)
    np.testing.assert_allclose(result.jacobian.sum(0), 0.0, atol=1e-14)


class Keeper(DirectJob):
    """Keeps what a job was told."""

    def __init__(self) -> None:
        super().__init__()
        self.partials: list[TemperatureResult] = []
        self.fractions: list[float] = []
        self.checks = 0

    def check(self) -> None:
        self.checks += 1

    def partial(self, result: TemperatureResult) -> None:
        self.partials.append(result)

    def progress(self, fraction: float) -> None:
        self.fractions.append(fraction)


def test_a_hundred_thousand_scores():
    scores = np.random.default_rng(0).standard_normal(100_000)
    job = Keeper()
    result = run(scores, job=job)
    assert len(job.partials[0].curves.temperature) < POINTS == len(result.curves.temperature)
    np.testing.assert_array_equal(job.partials[0].weights, result.weights)
    assert job.fractions[-1] == 1.0
    assert job.checks >= len(job.fractions) > 5
    assert result.is_sorted
    assert len(result.order) <= MOST_BARS + 200
    assert (np.diff(scores[result.order]) <= 0).all()
    assert result.order[0] == scores.argmax()
    again = Keeper()
    run(scores, 0.5, job=again)
    assert again.partials == []


def test_curves_of_many_pieces_are_those_of_one():
    scores = np.random.default_rng(0).standard_normal(30_000)
    curves = curves_of(Array(scores), CPU, DirectJob())
    assert are_known(Array(scores), CPU)
    np.testing.assert_allclose(curves.temperature, temperatures())
    middle = POINTS // 2
    assert curves.entropy[middle] == pytest.approx(run(scores, curves.temperature[middle]).measures.entropy)


def test_triangle():
    three = run([2, 1, 0.1]).triangle
    assert three.entries == (0, 1, 2)
    np.testing.assert_allclose(three.path[0], [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(three.path[-1], [0.5, math.sqrt(0.75) / 3], atol=1e-3)
    two = run([1, 2]).triangle
    assert two.entries == (0, 1)
    assert two.contours == ()
    four = np.array([1.0, -INF, 3.0, 2.0])
    assert corner_entries(four, Corners()) == (0, 2, 3)
    assert corner_entries(four, Corners("chosen", (3, 0, 1))) == (3, 0, 1)
    assert corner_entries(four, Corners("chosen", (0, 1, 9))) == (0, 2, 3)
    assert run(four, corners=Corners("none")).triangle is None
    assert run(four, corners=Corners("chosen", (3, 0, 1))).triangle.weights[2] == 0.0


def test_ratio_rule():
    result = run([2, 1, 0.1], 0.5, why=Why(first=0, second=2))
    assert result.reasons.ratio == pytest.approx(math.exp(1.9 / 0.5))
    assert result.reasons.ratio == pytest.approx(result.weights[0] / result.weights[2])
    assert run([1.0, -INF], why=Why(first=0, second=1)).reasons.ratio is None
    assert run([1.0, 2.0], why=Why(first=0, second=7)).reasons.ratio is None


def test_division_by_the_sum_fails_where_it_should():
    assert run([1, -1], why=Why()).reasons.divided is None
    assert "division by zero" in run([1, -1]).reasons.problems[0]
    reasons = run([2, 1, 0.1], why=Why(shift=-1.0)).reasons
    assert (reasons.divided < 0).any()
    assert reasons.divided_change > 0.1
    assert reasons.change < 1e-12


def test_sampling_follows_its_seed():
    first = run([2, 1, 0.1], sampling=Sampling(1000, 3)).counts
    assert first.tolist() == run([2, 1, 0.1], sampling=Sampling(1000, 3)).counts.tolist()
    assert first.tolist() != run([2, 1, 0.1], sampling=Sampling(1000, 4)).counts.tolist()


def scene(**changes: object) -> Scene:
    given = {
        "query": Array([0.6, -0.4]),
        "keys": Array([[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1], [0.7, 0.9]]),
        "values": Array([[1.0], [2.0], [3.0], [4.0]]),
        "entries": ("a", "b", "c", "d"),
        **changes,
    }
    columns = (Column("x"), Column("y")), (Column("v"),)
    return Scene("own", "Own", given.pop("keys"), given.pop("values"), given.pop("entries"), *columns, **given)


def compute_for(state: AppState) -> TemperatureResult:
    own = state.temperature
    row = row_of(own, state.scene)
    tau = temperature_of(own, state.scene)
    return compute_temperature(row, tau, own.inverse, own.why, own.corners, own.sampling, DirectJob())


def app(shown: Scene, **panel: object) -> AppState:
    state = AppState()
    sweep = replace(state.lookup.sweep, start=shown.query, end=shown.query)
    return AppState(shown, replace(state.lookup, sweep=sweep), replace(state.temperature, **panel))


@of("similarities", "query_norm_as_temperature")
def test_query_length_is_an_inverse_temperature(entry):
    base = scene(query=Array(entry["inputs"]["q"]), keys=Array(entry["inputs"]["K"]))
    length = float(np.linalg.norm(base.query.values))
    for row in entry["expected"]["rows"]:
        c = float(row["c"])
        if c == 0:
            continue
        stretched = stretch_query(base, c * length)
        plain = compute_for(app(stretched))
        per_length = compute_for(app(stretched, per_length=True))
        np.testing.assert_allclose(plain.weights, numbers(row["weights"]), rtol=1e-12)
        np.testing.assert_allclose(per_length.weights, numbers(row["weights"]), rtol=1e-9)
        assert per_length.temperature == pytest.approx(1 / (c * length))
        assert per_length.measures.entropy == pytest.approx(float(row["entropy"]), rel=1e-9)


def test_length_moves_the_marker_along_one_curve():
    results = [compute_for(app(stretch_query(scene(), length), per_length=True)) for length in (0.5, 2.0)]
    np.testing.assert_allclose(results[0].curves.entropy, results[1].curves.entropy, rtol=1e-12)
    assert results[0].temperature == 4 * results[1].temperature


def test_length_of_other_similarities_is_no_temperature():
    far = scene(similarity=Similarity("squared_distance"))
    assert row_of(app(far, per_length=True).temperature, far).length == 1.0
    still = scene(query=Array([0.0, 0.0]))
    assert compute_for(app(still, per_length=True)).weights.tolist() == [0.25] * 4


def test_scores_of_the_scene_with_its_mask():
    shown = scene(
        mask=Array([[True, True, False, True], [False] * 4]), queries=Array(np.zeros((2, 2))), row=0, temperature=0.5
    )
    result = compute_for(app(shown))
    wanted = shown.keys.values @ shown.query.values
    np.testing.assert_allclose(result.scores[[0, 1, 3]], wanted[[0, 1, 3]])
    assert result.scores[2] == -INF
    assert result.temperature == 0.5
    assert result.names == ("a", "b", "c", "d")
    assert not compute_for(app(replace(shown, row=1))).found


def test_values_and_query_names_do_not_ask_for_a_computation():
    first, second = scene(), scene(values=Array(np.ones((4, 1))), temperature=3.0)
    panel = TemperatureState()
    assert row_of(panel, first) == row_of(panel, second)
    assert row_of(panel, first) != row_of(panel, stretch_query(first, 9.0))


def test_own_scores():
    state = with_scores(TemperatureState(), [3, 1], ("left", "right"))
    assert state.source == "own"
    assert state.own.recipe == ""
    assert with_score(state, 1, 7.0).own.scores.values.tolist() == [3.0, 7.0]
    assert names_of(OwnRow(Array([1.0, 2.0]))) == ("1", "2")
    assert names_of(row_of(state, scene())) == ("left", "right")
    assert temperature_of(state, scene(temperature=9.0)) == 1.0


@pytest.mark.parametrize("scores", [[1.0], np.zeros(100_001), [1.0, math.nan], [1.0, INF], [[1.0, 2.0]]])
def test_rows_that_are_none(scores):
    with pytest.raises(LabError):
        with_scores(TemperatureState(), scores)


@pytest.mark.parametrize("chosen", [(0, 1), (0, 1, 2, 3), (0, 1, -1)])
def test_corners_are_three(chosen):
    with pytest.raises(LabError, match="Three"):
        Corners("chosen", chosen)


def test_a_name_for_every_score():
    with pytest.raises(LabError, match="name"):
        with_scores(TemperatureState(), [1.0, 2.0], ("one",))


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets(name):
    state = show_preset(TemperatureState(), name)
    assert state.own.recipe == name
    assert len(state.own.scores) >= 3
    assert show_preset(TemperatureState(), name) == state


def test_random_dot_products_spread_like_the_root_of_their_size():
    for size in (4, 256):
        recipe = Recipe(key_size=size, entries=20_000, seed=2)
        scores, _ = PRESETS["dot_products"](recipe)
        query = np.random.default_rng(2).standard_normal(size)
        assert scores.std() == pytest.approx(np.linalg.norm(query), rel=0.03)


def test_pins_are_four_at_most():
    from models.explorer_state import Pin

    state = TemperatureState()
    for number in range(6):
        state = with_pin(state, Pin(str(number), Array([0.0]), Array([0.0])))
    assert [pin.label for pin in state.pins] == ["2", "3", "4", "5"]
