"""What the sections of the kernel regression compute, beside the exact values of the worked examples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.arrays import Array
from models.errors import LabError
from models.job import DirectJob
from models.prepared import Prepared
from models.regression_data import DataSet, drawn, own_data, points_of
from models.regression_errors import ErrorsResult
from models.regression_fit import QUERIES, FitQuestion, FitResult, naive_quotient
from models.regression_kernels import KernelsResult
from models.regression_panel import compute_regression, question_of
from models.regression_spread import SpreadResult
from models.regression_state import SECTIONS, FitPin, Learning, RegressionState, data_of
from models.scene import Column, Scene
from tests.reference import golden


def answer(state: RegressionState) -> object:
    return compute_regression(question_of(state, state.data), DirectJob())


def fit(**changes: object) -> FitResult:
    result = answer(replace(RegressionState(), **changes))
    assert isinstance(result, FitResult)
    return result


@pytest.mark.parametrize("width", ["0.1", "0.5", "2.0"])
def test_map_and_estimates_are_the_books(width: str) -> None:
    entry = next(e for e in golden("nw", "nw_curve") if e["id"] == f"nw_gaussian_{width}")
    shown = fit(bandwidth=float(width)).map
    assert shown is not None
    _, y = points_of(DataSet())
    # The book's queries are single-precision numbers, 2e-7 away from these at the most.
    np.testing.assert_allclose(
        shown.weights @ y[shown.order], [float(e) for e in entry["expected"]["estimate"]], atol=1e-5
    )


def test_errors_are_least_where_the_book_finds_them() -> None:
    result = answer(RegressionState(section="errors"))
    assert isinstance(result, ErrorsResult)
    found = {curve.name: curve for curve in result.curves}
    best = golden("nw", "nw_loo_best")[0]["expected"]
    assert found["leave_one_out"].best == pytest.approx(float(best["sigma"]), rel=1e-3)
    assert found["leave_one_out"].best_error == pytest.approx(float(best["loo_mse"]), rel=1e-7)
    truth = golden("nw", "nw_best_gaussian_width")[0]["expected"]
    assert found["truth"].best == pytest.approx(float(truth["sigma"]), rel=1e-3)
    assert found["truth"].best_error == pytest.approx(float(truth["mse"]), rel=1e-5)
    assert found["training"].at_edge
    assert found["training"].best == result.widths[0]


@pytest.mark.parametrize(
    ("objective", "identifier"), [("training", "nw_train_descent"), ("leave_one_out", "nw_loo_descent")]
)
def test_learning_follows_the_worked_descent(objective: str, identifier: str) -> None:
    entry = next(e for e in golden("nw", "nw_sigma_descent") if e["id"] == identifier)
    result = answer(RegressionState(section="errors", learning=Learning(objective, 1.0, 0.5, 200)))
    assert isinstance(result, ErrorsResult)
    for row in entry["expected"]["rows"]:
        assert result.path.widths[row["step"]] == pytest.approx(float(row["sigma"]), rel=1e-5)


def test_kernels_compared_as_in_the_exercise() -> None:
    result = answer(RegressionState(section="kernels"))
    assert isinstance(result, KernelsResult)
    row = golden("nw", "nw_kernel_vs_width")[0]["expected"]["rows"][0]
    for curve in result.curves:
        if curve.kernel in row:
            assert curve.best == pytest.approx(float(row[curve.kernel]["best_width"]))
            assert curve.best_error == pytest.approx(float(row[curve.kernel]["best_mse"]), rel=1e-4)
            assert curve.range == pytest.approx(float(row[curve.kernel]["spread_over_widths"]), rel=1e-3)


def test_beyond_the_data_levels_off_and_the_naive_quotient_breaks() -> None:
    entry = golden("nw", "nw_underflow")[0]
    result = fit(beyond=True, naive=True)
    assert result.naive is not None
    assert len(result.queries) == QUERIES
    assert np.isfinite(result.estimate.y).all()
    assert result.estimate.y[-1] == pytest.approx(points_of(DataSet())[1][-1], abs=0.2)
    # A processor may round the smallest numbers to 0 a little earlier.
    low, high = (float(entry["expected"][f"float32_all_{kind}_beyond_q"]) for kind in ("subnormal", "zero"))
    assert low - 0.01 < result.breaks_at < high + 0.01
    np.testing.assert_array_equal(np.isnan(result.naive[result.queries > high + 0.02]), True)
    near = np.abs(result.queries - 2.5) < 4
    np.testing.assert_allclose(result.naive[near], result.estimate.y[near], atol=1e-4)


def test_naive_quotient_of_a_window_is_nan_where_it_is_empty() -> None:
    x, y = np.array([0.0, 1.0]), np.array([1.0, 3.0])
    np.testing.assert_array_equal(naive_quotient(np.array([0.5, 9.0]), x, y, 1.0, "boxcar"), [2.0, np.nan])


def test_empty_windows_are_gaps_and_counted() -> None:
    result = fit(kernel="boxcar", bandwidth=0.05)
    assert result.summary.undefined == np.count_nonzero(np.isnan(result.estimate.y)) > 0
    asked = fit(kernel="boxcar", bandwidth=0.01, query=3.0).asked
    assert np.isnan(asked.estimate)
    assert asked.weights is None


def test_weights_of_the_query_give_its_estimate() -> None:
    result = fit(bandwidth=0.3, query=1.7)
    assert result.asked.weights is not None
    assert result.asked.weights @ result.y == pytest.approx(result.asked.estimate)
    assert 1 / (result.asked.weights**2).sum() == pytest.approx(result.asked.effective_number)


def test_pins_are_curves_of_their_own_kernel() -> None:
    result = fit(pins=(FitPin(0.3, "boxcar"),))
    expected = Prepared.of(result.x, result.y).estimate(result.queries, 0.3, "boxcar").y
    np.testing.assert_array_equal(result.pins[0], expected)


def test_spread_is_as_predicted_at_unit_noise() -> None:
    result = answer(RegressionState(section="spread"))
    assert isinstance(result, SpreadResult)
    assert result.is_known
    assert result.measured is not None
    # The worked example allows a quarter at every query for 200 redraws.
    np.testing.assert_allclose(result.measured / result.predicted, 1, atol=0.25)


def test_spread_of_own_data_takes_the_noise_from_what_is_left_out() -> None:
    x = np.linspace(0, 1, 60)
    noise = np.random.default_rng(5).standard_normal(60)
    state = RegressionState(
        data=own_data(x, 3 + 0.2 * noise, Column("x"), Column("y")), section="spread", bandwidth=0.3
    )
    result = answer(state)
    assert isinstance(result, SpreadResult)
    assert not result.is_known
    assert result.noise == pytest.approx(0.2, rel=0.3)


def test_only_the_open_section_asks() -> None:
    state = RegressionState()
    kinds = {type(question_of(replace(state, section=section), state.data)) for section in SECTIONS}
    assert len(kinds) == len(SECTIONS)
    kernels = replace(state, section="kernels")
    moved = replace(kernels, bandwidth=0.1, query=1.0)
    assert question_of(kernels, state.data) == question_of(moved, state.data)


def test_many_points_have_marks_no_more_and_errors_of_a_sample() -> None:
    data = drawn(DataSet("sine", n=30_000))
    result = fit(data=data)
    assert result.map is None
    assert result.asked.weights is None
    assert (result.summary.rows, result.summary.n) == (2_000, 30_000)


def scene_of(keys: list[list[float]]) -> Scene:
    columns = tuple(Column(f"k{number}") for number in range(len(keys[0])))
    values = Array([[5.0], [6.0]])
    return Scene("own", "t", Array(keys), values, ("a", "b"), columns, (Column("v"),), Array([1.5] * len(keys[0])))


def test_scene_in_one_dimension_is_data() -> None:
    state = RegressionState(source="scene")
    data = data_of(state, scene_of([[1.0], [2.0]]))
    assert points_of(data)[1].tolist() == [5.0, 6.0]
    assert data.truth is None
    with pytest.raises(LabError, match="have 2"):
        data_of(state, scene_of([[1.0, 2.0], [3.0, 4.0]]))


@pytest.mark.parametrize("section", ["fit", "errors", "spread"])
@pytest.mark.parametrize(
    ("x", "y"), [([1.0], [2.0]), ([3.0] * 3, [1.0, 2.0, 6.0]), ([1.0, 2.0], [5.0, 5.0]), ([-1e200, 1e200], [0.0, 1.0])]
)
def test_odd_data_are_answered(section: str, x: list[float], y: list[float]) -> None:
    data = own_data(np.array(x), np.array(y), Column("x"), Column("y"))
    state = RegressionState(data=data, section=section, bandwidth=0.5, query=x[0])
    assert answer(state) is not None


def test_comparing_kernels_needs_two_points() -> None:
    data = own_data(np.array([1.0]), np.array([2.0]), Column("x"), Column("y"))
    with pytest.raises(LabError, match="needs 2 points"):
        answer(RegressionState(data=data, section="kernels"))


def test_boxcar_is_not_learned() -> None:
    result = answer(RegressionState(section="errors", kernel="boxcar"))
    assert isinstance(result, ErrorsResult)
    assert len(result.path.widths) == 0


def test_fit_question_is_the_whole_of_what_counts() -> None:
    question = question_of(RegressionState(), DataSet())
    assert isinstance(question, FitQuestion)
    assert hash(question) == hash(question_of(RegressionState(learning=Learning(start=0.2)), DataSet()))
