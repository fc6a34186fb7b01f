"""What holds of every estimate, whichever way it is computed; and that the ways agree."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from models.compact_sums import exact_window_sums, window_edges
from models.gaussian_sums import Sketch, exponent_for, far_sums, sketch_sums
from models.kernels import KERNELS
from models.leave_one_out import leave_one_out_errors
from models.regression import Prepared, nadaraya_watson

SMOOTH = ("gaussian", "boxcar", "triangular", "epanechnikov")
numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 6))
pairs = st.integers(1, 30).flatmap(lambda n: hnp.arrays(float, (2, n), elements=numbers))
widths = st.floats(1e-6, 1e6)


def direct(x, y, q, sigma, kernel="gaussian"):
    """Estimate and effective number term by term, relative to the nearest key."""
    estimates, counts = [], []
    for one in q:
        d = np.abs(one - x)
        if kernel == "gaussian":
            w = np.exp((d.min() - d) / sigma * ((d.min() + d) / sigma) / 2)
        else:
            w = KERNELS[kernel](d / sigma).numpy()
        total = w.sum()
        estimates.append(w @ y / total if total else np.nan)
        counts.append(total**2 / (w @ w) if total else np.nan)
    return np.array(estimates), np.array(counts)


def data_sets(n):
    rng = np.random.default_rng(n)
    yield "even", rng.uniform(0, 5, n)
    yield "clusters", np.concatenate([rng.uniform(0, 1, n // 2), rng.uniform(100, 101, n - n // 2)])
    yield "outlier", np.concatenate([rng.uniform(0, 1, n - 1), [1e6]])
    yield "repeats", rng.integers(0, 400, n) / 100
    yield "offset", 1.7e9 + rng.uniform(0, 100, n)
    yield "heavy tails", rng.standard_cauchy(n)


@pytest.mark.parametrize("kernel", SMOOTH)
@pytest.mark.parametrize("n", [40, 350, 2000, 40_000])
def test_every_way_agrees_with_the_sum_term_by_term(n, kernel):
    rng = np.random.default_rng(1)
    for name, x in data_sets(n):
        y = 3 + 2 * np.sin(x) + rng.normal(size=n)
        prepared = Prepared.of(x, y)
        low, high = np.quantile(x, [0.01, 0.99])
        span = high - low
        q = np.concatenate([np.linspace(low - 0.5 * span, high + 0.5 * span, 37), x[:8], [x.min(), x.max()]])
        for factor in (1e-6, 1e-4, 1e-3, 0.01, 0.06, 0.4, 2, 1000):
            found = prepared.estimate(q, span * factor, kernel)
            y_right, count_right = direct(x, y, q, span * factor, kernel)
            assert (found.defined == ~np.isnan(y_right)).all(), (name, factor)
            scale = np.abs(y).max()
            np.testing.assert_allclose(found.y, y_right, rtol=0, atol=1e-10 * scale, err_msg=f"{name} {factor}")
            np.testing.assert_allclose(found.effective_number, count_right, rtol=1e-10, err_msg=f"{name} {factor}")


def test_the_sketch_agrees_with_the_refuge():
    for _, x in data_sets(3000):
        points = Prepared.of(x, np.cos(x)).points
        sketch = Sketch(points)
        sigma = float(np.subtract(*np.quantile(x, [0.75, 0.25]))) / 10
        q = np.quantile(x, np.linspace(0.05, 0.95, 50))
        gridded, reached = sketch_sums(sketch.level(exponent_for(sigma)), q, sigma, True)
        exact = far_sums(sketch, q, sigma)
        assert reached.all()
        for i in (1, 3, 4):
            ratio, right = gridded[i] / gridded[0], exact[i] / exact[0]
            np.testing.assert_allclose(ratio, right, rtol=0, atol=1e-10)


def test_weights_count_a_row_more_than_once():
    rng = np.random.default_rng(2)
    x, counts = rng.uniform(0, 5, 900), rng.integers(1, 4, 900)
    y, q = np.sin(x), np.linspace(-1, 6, 60)
    for kernel in (*SMOOTH, "constant"):
        weighted = Prepared.of(x, y, counts).estimate(q, 0.2, kernel)
        repeated = nadaraya_watson(q, np.repeat(x, counts), np.repeat(y, counts), 0.2, kernel)
        np.testing.assert_allclose(weighted.y, repeated.y, atol=1e-11)
    w = counts * np.exp(-((q[:, None] - x) ** 2) / (2 * 0.2**2))
    right = w.sum(axis=1) ** 2 / (w**2).sum(axis=1)
    np.testing.assert_allclose(Prepared.of(x, y, counts).estimate(q, 0.2).effective_number, right, rtol=1e-10)


def test_rows_of_weight_zero_take_no_part():
    weighted = Prepared.of([0, 1, 2], [5, 7, 100], [1, 1, 0])
    assert weighted.estimate(2.0, 1e-3).y == 7


def test_a_registered_kernel_needs_no_code_here():
    @KERNELS.add("cosine bump", label="Cosine bump", tex="")
    def bump(u):
        return (1 + (u.clamp(-1, 1) * np.pi).cos()) / 2

    try:
        x = np.linspace(0, 1, 500)
        found = nadaraya_watson([0.3, 3.0], x, x, 0.1, "cosine bump")
        assert found.y[0] == pytest.approx(0.3, abs=1e-3)
        assert found.defined.tolist() == [True, False]
    finally:
        del KERNELS._entries["cosine bump"]


@settings(max_examples=60, deadline=None)
@given(pairs, widths, st.sampled_from(SMOOTH), numbers)
def test_estimates_stay_inside_the_data(data, width, kernel, q):
    x, y = data
    estimate = nadaraya_watson([q, *x], x, y, width, kernel)
    inside = estimate.y[estimate.defined]
    assert (inside >= y.min()).all()
    assert (inside <= y.max()).all()
    assert (estimate.effective_number[estimate.defined] >= 1 - 1e-9).all()
    assert (estimate.effective_number[estimate.defined] <= len(x) * (1 + 1e-9)).all()
    assert kernel != "gaussian" or estimate.defined.all()


@settings(max_examples=40, deadline=None)
@given(pairs, st.floats(0.01, 100), st.randoms(use_true_random=False))
def test_order_and_shift_change_nothing(data, width, random):
    x, y = np.round(data / 1e4)
    order = list(range(len(x)))
    random.shuffle(order)
    q = np.append(x, 0.25)
    for kernel in SMOOTH:
        first = nadaraya_watson(q, x, y, width, kernel).y
        shuffled = nadaraya_watson(q, x[order], y[order], width, kernel).y
        np.testing.assert_allclose(shuffled, first, atol=1e-9)
        moved = nadaraya_watson(q + 4096, x + 4096, y + 128, width, kernel).y - 128
        np.testing.assert_allclose(moved, first, atol=1e-9)


@pytest.mark.parametrize("n", [30, 5000])
def test_wide_gives_the_mean_and_narrow_the_nearest(n):
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-1, 1, n), rng.normal(size=n)
    q = np.linspace(-3, 3, 41)
    wide = nadaraya_watson(q, x, y, 1e9)
    np.testing.assert_allclose(wide.y, y.mean(), atol=1e-12)
    np.testing.assert_allclose(wide.effective_number, n, rtol=1e-10)
    narrow = nadaraya_watson(q, x, y, 1e-12)
    np.testing.assert_allclose(narrow.y, y[np.abs(q[:, None] - x).argmin(axis=1)], atol=1e-12)
    np.testing.assert_allclose(nadaraya_watson(0.5, [0, 1], [10, 20], 1e-9).y, 15, atol=1e-12)


@pytest.mark.parametrize("kernel", SMOOTH)
@pytest.mark.parametrize("n", [3, 500])
def test_huge_and_tiny_numbers(n, kernel):
    t = np.linspace(-1, 1, n)
    for size in (1e300, 1e-300):
        found = nadaraya_watson(t * size, t * size, t * size, 0.5 * size if size > 1 else 1e-299, kernel)
        assert found.defined.all()
        right = nadaraya_watson(t, t, t, 0.5 if size > 1 else 10, kernel)
        np.testing.assert_allclose(found.y / size, right.y, atol=1e-9)
    lone = nadaraya_watson([-1e300, 0, 1e300], [-1e300, 1e300], [1, 2], 1e-3, "gaussian")
    np.testing.assert_allclose(lone.y, [1, 1.5, 2])


def test_the_edge_of_a_window_is_the_kernels_own():
    x = np.arange(1, 400) * 0.1
    q = np.arange(1, 400) * 0.1
    low, high = window_edges(x, q, 0.3)
    counts = (np.abs(q[:, None] - x) / 0.3 <= 1).sum(axis=1)
    assert (high - low == counts).all()


def test_windows_with_all_keys_near_the_edge_keep_their_digits():
    x = np.concatenate([np.linspace(0, 1, 5000), [10.0]])
    points = Prepared.of(x, x).points
    for kernel in ("triangular", "epanechnikov"):
        q = np.array([1.999, 2 - 1e-6, -0.9999])
        exact = exact_window_sums(points, q, 1.0, kernel, *window_edges(points.positions, q, 1.0))
        found = Prepared(points).estimate(q, 1.0, kernel)
        np.testing.assert_allclose(found.effective_number, exact.mass**2 / exact.square, rtol=1e-10)


def test_a_million_points_take_less_than_400_megabytes():
    rng = np.random.default_rng(8)
    x, y = rng.uniform(0, 5, 10**6), rng.normal(size=10**6)
    tracemalloc.start()
    try:
        prepared = Prepared.of(x, y)
        for sigma in (1e-3, 0.2):
            prepared.estimate(np.linspace(-5, 10, 500), sigma)
        prepared.estimate(np.linspace(-5, 10, 500), 0.2, "epanechnikov")
        leave_one_out_errors(prepared, np.array([0.1]))
        assert tracemalloc.get_traced_memory()[1] < 400e6
    finally:
        tracemalloc.stop()


def test_large_levels_are_let_go():
    x = np.linspace(0, 1, 200_000)
    sketch = Sketch(Prepared.of(x, x).points)
    for exponent in (-19, -18, -10):
        sketch.level(exponent)
    assert sorted(sketch.levels) == [-18, -10]
