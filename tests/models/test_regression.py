"""Kernel regression against the worked examples and the known pitfalls."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.errors import LabError
from models.regression import Prepared, attention_weights, nadaraya_watson
from models.weightings import WEIGHTINGS
from tests.cases import case
from tests.reference import assert_close, golden, load, numbers

D2L = load("d2l_data.json")
X, Y, GRID = (np.array(D2L[name]) for name in ("x_train", "y_train", "x_val"))
TRUTH = numbers(D2L["y_val_exact"])


def ids(entries):
    return [entry["id"] for entry in entries]


SMALL = golden("nw", "nw_small")
CURVES = golden("nw", "nw_curve")


@pytest.mark.parametrize("entry", SMALL, ids=ids(SMALL))
def test_small_examples(entry):
    given = entry["inputs"]
    estimate = nadaraya_watson(given["xq"], given["xs"], given["ys"], given["bandwidth"])
    assert_close(entry, "estimate", estimate.y)
    assert_close(entry, "weights", attention_weights(given["xq"], given["xs"], given["bandwidth"]))


@pytest.mark.parametrize("entry", CURVES, ids=ids(CURVES))
def test_curves(entry):
    kernel, width, expected = entry["inputs"]["kernel"], entry["inputs"]["width"], entry["expected"]
    estimate = nadaraya_watson(GRID, X, Y, width, kernel)
    assert estimate.undefined == expected["empty_queries"]
    assert np.flatnonzero(~estimate.defined).tolist() == expected["empty_query_indices"]
    assert_close(entry, "estimate", estimate.y)
    assert_close(entry, "n_eff", estimate.effective_number)
    assert_close(entry, "predicted_sd_unit_noise", estimate.effective_number**-0.5)
    assert_close(entry, "mse_excluding_empty", np.nanmean((estimate.y - TRUTH) ** 2))
    for index, row in expected["weights_at_query_index"].items():
        weights = attention_weights(GRID[int(index)], X, width, kernel)
        if row is None:
            assert np.isnan(weights).all()
        else:
            assert_close(entry, "weights", weights, expected=row)
    if "keys_with_positive_weight" in expected:
        counts = (attention_weights(GRID, X, width, kernel) > 0).sum(axis=1)
        assert counts.tolist() == expected["keys_with_positive_weight"]


@pytest.mark.parametrize("entry", golden("nw", "nw_extrapolate"), ids=lambda entry: entry["id"])
def test_beyond_the_data_the_estimate_levels_off(entry):
    sigma, queries, expected = entry["inputs"]["sigma"], entry["inputs"]["queries"], entry["expected"]
    estimate = nadaraya_watson(queries, X, Y, sigma)
    weights = attention_weights(queries, X, sigma)
    for name, found in (
        ("estimate", estimate.y),
        ("n_eff", estimate.effective_number),
        ("largest_weight", weights.max(axis=1)),
    ):
        assert_close(entry, name, found, expected=[row[name] for row in expected["rows"]])
    assert weights.argmax(axis=1).tolist() == [row["argmax"] for row in expected["rows"]]
    far = nadaraya_watson([1e6, -1e6], X, Y, sigma).y
    assert_close(entry, "limits", far, expected=[expected["limit_plus_inf"], expected["limit_minus_inf"]])
    constant = nadaraya_watson([0.0, 1e6], X, Y, sigma, "constant").y
    assert_close(entry, "constant", constant, expected=[expected["constant_kernel_everywhere"]] * 2)


def test_where_the_single_precision_quotient_breaks():
    (entry,) = golden("nw", "nw_underflow")
    sigma, q, expected = entry["inputs"]["sigma"], entry["inputs"]["q"], entry["expected"]
    largest = np.exp(-((q - X.max()) ** 2) / (2 * sigma**2))
    assert_close(entry, "largest_kernel_value_at_q", largest)
    naive = torch.exp(-((torch.tensor(float(q)) - torch.tensor(X, dtype=torch.float32)) ** 2) / (2 * sigma**2))
    assert naive.sum() == 0
    assert_close(entry, "estimate_softmax_form", nadaraya_watson(q, X, Y, sigma).y)
    edge = float(expected["float32_all_zero_beyond_q"])
    assert np.isfinite(nadaraya_watson([edge - 1e-3, edge + 1e-3], X, Y, sigma).y).all()


def test_cover_radius():
    (entry,) = golden("nw", "nw_cover_radius")
    radius = float(entry["expected"]["smallest_boxcar_radius_without_empty_windows"])
    assert nadaraya_watson(GRID, X, Y, radius, "boxcar").undefined == 0
    below = nadaraya_watson(GRID, X, Y, np.nextafter(radius, 0), "boxcar")
    assert np.flatnonzero(~below.defined).tolist() == [entry["expected"]["worst_query_index"]]


@pytest.mark.parametrize("entry", golden("n_eff", "n_eff_of_weights"), ids=lambda entry: entry["id"])
def test_effective_number_of_weighted_points(entry):
    weights = np.array([eval_fraction(w) for w in entry["inputs"]["weights"]])
    estimate = Prepared.of(np.arange(len(weights)), weights, weights).estimate(0.0, 1.0, "constant")
    assert_close(entry, "n_eff", estimate.effective_number)


def eval_fraction(text):
    top, _, bottom = str(text).partition("/")
    return float(top) / float(bottom or 1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_k01_queries_beyond_the_data(dtype):
    given = case("K-01")
    a, b = given["input"]["a"], given["input"]["b"]
    x, y, q = (torch.tensor(a[name], dtype=dtype) for name in "xyq")
    np.testing.assert_allclose(nadaraya_watson(q, x, y, a["sigma"]).y, given["expected"]["a"], atol=1e-9)
    np.testing.assert_allclose(nadaraya_watson(b["q"], b["x"], b["y"], b["sigma"]).y, given["expected"]["b"], atol=1e-9)


def test_k02_an_empty_window_is_undefined():
    given = case("K-02")
    data = given["input"]
    estimate = nadaraya_watson(data["q"], data["x"], data["y"], data["h"], "boxcar")
    np.testing.assert_allclose(estimate.y, numbers(given["expected"]["output"]), atol=1e-12)
    grid = nadaraya_watson(np.arange(-2, 13.25, 0.5), data["x"], data["y"], data["h"], "boxcar")
    assert grid.undefined == given["expected"]["empty grid points"]


def test_k04_no_spread_and_few_points():
    _, equal, single, constant, nothing = case("K-04")["input"]
    expected = case("K-04")["expected"]
    for data, right in ((equal, expected[1]), (single, expected[2]), (constant, expected[3])):
        for kernel in ("gaussian", "constant"):
            found = nadaraya_watson(data["q"], data["x"], data["y"], 0.7, kernel).y
            np.testing.assert_allclose(found, right["prediction"], atol=1e-9)
    with pytest.raises(LabError, match="no data"):
        nadaraya_watson([0.0], nothing["x"], nothing["y"], 1.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_k05_repeated_x(dtype):
    given = case("K-05")
    x, y = np.array(given["input"]["x"], dtype), np.array(given["input"]["y"], dtype)
    for part in "ab":
        data = given["input"][part]
        found = nadaraya_watson(data["q"], x, y, data["sigma"]).y
        np.testing.assert_allclose(found, given["expected"][part], atol=1e-9)


def test_k06_unsorted_x_and_missing_pairs():
    given = case("K-06")
    data, expected = given["input"]["a"], given["expected"]["a"]
    x, y = (np.array([float(number) for number in data[name]]) for name in "xy")
    prepared = Prepared.of(x, y)
    assert prepared.points.dropped == expected["dropped"]
    assert [[x[row], y[row]] for row in prepared.points.rows] == expected["rows used"]
    assert prepared.points.positions.tolist() == [1, 2, 3]
    turned = Prepared.of(x[::-1], y[::-1])
    for one in (prepared, turned):
        np.testing.assert_allclose(one.estimate(data["q"], data["sigma"]).y, expected["prediction"], atol=1e-9)


def test_k07_the_bandwidth_is_a_standard_deviation():
    given = case("K-07")
    data, expected = given["input"], given["expected"]
    found = [nadaraya_watson(data["q"], data["x"], data["y"], sigma).y for sigma in data["sigma"]]
    np.testing.assert_allclose(found, expected["output (weights exp(-d^2/(2 sigma^2)))"], atol=1e-9)
    np.testing.assert_allclose(attention_weights(data["q"], data["x"], 10), expected["weights at sigma 10"], atol=1e-12)
    rooms = data["bedrooms"]
    sigma = (1 / 3) ** 0.5
    np.testing.assert_allclose(
        nadaraya_watson(3, rooms["keys"], rooms["values"], sigma).y, expected["bedrooms"]["output"], atol=1e-9
    )


def test_k08_many_points_without_a_large_matrix():
    given = case("K-08")
    x = np.arange(60_000) / 6000
    for dtype, tolerance in ((np.float64, 1e-9), (np.float32, 1e-5)):
        prepared = Prepared.of(x.astype(dtype), np.sin(x).astype(dtype))
        found = prepared.estimate(given["input"]["q"], 0.1).y
        np.testing.assert_allclose(found, given["expected"]["output"], atol=tolerance)
    assert np.isfinite(prepared.estimate(np.linspace(0, 10, 5000), 0.1).y).all()


def test_k09_large_offsets():
    given = case("K-09")
    x = 700001 + 13 * np.arange(30)
    for dtype in (torch.float32, torch.float64):
        q = torch.tensor(given["input"]["q"], dtype=dtype)
        found = nadaraya_watson(q, torch.tensor(x, dtype=dtype), torch.arange(30, dtype=dtype), 10).y
        np.testing.assert_allclose(found, given["expected"]["output"], atol=1e-9)


def test_the_weights_are_the_softmax_of_the_lookup():
    q, x = np.linspace(-3, 8, 23), X
    scores = -((q[:, None] - x) ** 2) / (2 * 0.4**2)
    wanted = WEIGHTINGS["softmax"](torch.tensor(scores))
    np.testing.assert_allclose(attention_weights(q, x, 0.4), wanted, atol=1e-13)


@pytest.mark.parametrize(
    ("x", "y", "bandwidth", "kernel", "said"),
    [
        ([1, 2], [1, 2, 3], 1, "gaussian", "one length"),
        ([1, 2], [1, 2], 0, "gaussian", "positive"),
        ([1, 2], [1, 2], float("nan"), "boxcar", "positive"),
        ([1, 2], [1, 2], -1, "boxcar", "positive"),
        ([1, 2], [1, 2], 1, "gausian", "gaussian, boxcar"),
        ([1, 1e308], [1, 2], 1, "gaussian", "another unit"),
        ([1, 2], ["a", 2], 1, "gaussian", "numbers"),
        ([float("nan")], [2], 1, "gaussian", "no data"),
    ],
)
def test_what_has_no_answer_gets_a_sentence(x, y, bandwidth, kernel, said):
    with pytest.raises(LabError, match=said):
        nadaraya_watson([0.0], x, y, bandwidth, kernel)


def test_a_query_that_is_no_number_is_undefined():
    estimate = nadaraya_watson([0.0, float("nan"), float("inf")], X, Y, 0.5)
    assert estimate.defined.tolist() == [True, False, False]
    assert estimate.undefined == 2
    assert np.isnan(estimate.y[1:]).all()


def test_results_have_the_shape_of_the_queries():
    assert nadaraya_watson(2.0, X, Y, 0.5).y.shape == ()
    assert nadaraya_watson(np.zeros((2, 3)), X, Y, 0.5).defined.shape == (2, 3)
    assert attention_weights(2.0, X, 0.5).shape == (40,)
    assert nadaraya_watson([], X, Y, 0.5).y.shape == (0,)
