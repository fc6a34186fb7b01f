"""The best bandwidth, errors against the truth, and learning the bandwidth."""

from __future__ import annotations

import numpy as np
import pytest

from models.bandwidth import descend_bandwidth, minimise, rule_of_thumb, search_bandwidth, truth_errors
from models.errors import LabError
from models.regression import Prepared, best_bandwidth
from tests.cases import case
from tests.models.test_regression import D2L, GRID, TRUTH, X, Y
from tests.reference import assert_close, golden

PREPARED = Prepared.of(X, Y)


def widths_of(given):
    spaced = np.linspace if given.get("spacing") == "linear" else np.geomspace
    return spaced(given["lo"], given["hi"], given["count"])


@pytest.mark.parametrize("entry", golden("nw", "nw_sweep"), ids=lambda entry: entry["id"])
def test_error_against_width(entry):
    given, expected = entry["inputs"], entry["expected"]
    found = truth_errors(PREPARED, GRID, TRUTH, widths_of(given), given["kernel"])
    assert_close(entry, "mse", found.error, expected=[row["mse"] for row in expected["rows"]])
    assert found.undefined.tolist() == [row["empty_queries"] for row in expected["rows"]]
    assert found.error.argmin() == expected["best_index"]
    for name, empty in (("mse_excluding_empty", "left_out"), ("mse_empty_as_mean_of_y", "mean")):
        for row in expected["rows"]:
            if name in row:
                one = truth_errors(PREPARED, GRID, TRUTH, float(row["width"]), given["kernel"], empty=empty)
                assert_close(entry, name, one.error[0], expected=row[name])


def test_the_width_matters_more_than_the_kernel():
    (entry,) = golden("nw", "nw_kernel_vs_width")
    widths = widths_of({**entry["inputs"]})
    redraws = [np.array(redraw["noise"]) for redraw in D2L["noise_redraws_for_exercise_7d"]]
    for row in entry["expected"]["rows"]:
        if row["noise"] == "original":
            prepared = PREPARED
        else:
            noise = redraws[int(row["noise"].split("_")[1]) - 1]
            prepared = Prepared.of(X, 2 * np.sin(X) + X + noise)
        for kernel in ("gaussian", "boxcar", "triangular"):
            error = truth_errors(prepared, GRID, TRUTH, widths, kernel).error
            assert error.argmin() == row[kernel]["best_index"]
            np.testing.assert_allclose(error.min(), float(row[kernel]["best_mse"]), rtol=1e-5)
            np.testing.assert_allclose(error.max(), float(row[kernel]["worst_mse"]), rtol=1e-5)


def test_best_width_against_the_truth():
    (entry,) = golden("nw", "nw_best_gaussian_width")

    def errors(widths, slopes):
        return truth_errors(PREPARED, GRID, TRUTH, widths, slopes=slopes)

    best = minimise(errors, (entry["inputs"]["lo"], entry["inputs"]["hi"]))
    assert_close(entry, "sigma", best.bandwidth)
    assert_close(entry, "mse", best.error)


def test_best_width_by_leaving_one_out():
    (entry,) = golden("nw", "nw_loo_best")
    bounds = entry["inputs"]["lo"], entry["inputs"]["hi"]
    best = search_bandwidth(PREPARED, bounds=bounds)
    assert_close(entry, "sigma", best.bandwidth)
    assert_close(entry, "loo_mse", best.error)
    assert not best.at_edge
    assert_close(entry, "mse_vs_truth", truth_errors(PREPARED, GRID, TRUTH, best.bandwidth).error[0])
    assert_close(entry, "sigma", best_bandwidth(X, Y))


def test_k03_the_choice_is_a_true_minimum_and_an_edge_is_reported():
    given = case("K-03")
    data, expected = given["input"], given["expected"]
    prepared = Prepared.of(data["x"], data["y"])
    best = search_bandwidth(prepared)
    assert best.bandwidth == pytest.approx(expected["best sigma"], abs=1e-6)
    assert best.error == pytest.approx(expected["best LOO MSE"], abs=1e-9)
    assert best.bounds[0] < best.bandwidth < best.bounds[1]
    edge = search_bandwidth(prepared, bounds=(2.0, 20.0))
    assert edge.at_edge
    assert edge.bandwidth == pytest.approx(2.0)


@pytest.mark.parametrize("kernel", ["boxcar", "triangular", "epanechnikov"])
def test_windows_have_a_best_width_too(kernel):
    best = search_bandwidth(PREPARED, kernel, (0.2, 3.0))
    scan = np.geomspace(0.2, 3, 300)
    from models.leave_one_out import leave_one_out_errors

    assert best.error <= leave_one_out_errors(PREPARED, scan, kernel).error.min() * 1.02


@pytest.mark.parametrize("entry", golden("nw", "nw_sigma_descent"), ids=lambda entry: entry["id"])
def test_descent(entry):
    given = entry["inputs"]
    objective = {"train": "training", "loo": "leave_one_out"}[given["objective"]]
    steps = given["report_steps"]
    path = descend_bandwidth(
        PREPARED, given["sigma0"], objective=objective, learning_rate=given["lr"], steps=max(steps)
    )
    rows = entry["expected"]["rows"]
    assert_close(entry, "sigma", path.bandwidths[steps], expected=[row["sigma"] for row in rows])
    assert_close(entry, "objective", path.error[steps], expected=[row["objective"] for row in rows])


def test_the_training_error_runs_off_and_leave_one_out_settles():
    training = descend_bandwidth(PREPARED, 1.0, objective="training", steps=300)
    assert (np.diff(training.bandwidths) < 0).all()
    assert training.bandwidths[-1] < 0.03
    settled = descend_bandwidth(PREPARED, 1.0, steps=300)
    assert settled.bandwidths[-1] == pytest.approx(0.3206916838, rel=1e-4)


def test_k04_rule_of_thumb():
    given = case("K-04")
    assert rule_of_thumb(given["input"][0]["x"]) == pytest.approx(given["expected"][0]["sigma"], abs=1e-9)
    for x in (given["input"][1]["x"], [5.0]):
        with pytest.raises(LabError, match="All x are equal"):
            rule_of_thumb(x)
    with pytest.raises(LabError, match="All x are equal"):
        best_bandwidth([3, 3, 3], [1, 2, 6])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: search_bandwidth(PREPARED, "constant"), "no width"),
        (lambda: search_bandwidth(PREPARED, bounds=(2, 1)), "small to large"),
        (lambda: search_bandwidth(PREPARED, "boxcar", bounds=(1e-9, 1e-8)), "every window is empty"),
        (lambda: descend_bandwidth(PREPARED, 1, objective="guess"), "training, leave_one_out"),
        (lambda: truth_errors(PREPARED, GRID, TRUTH, 1, empty="zero"), "nearest, mean"),
    ],
)
def test_what_has_no_answer_gets_a_sentence(call, said):
    with pytest.raises(LabError, match=said):
        call()
