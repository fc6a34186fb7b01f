"""Errors over the bandwidth: each as the functions for one width say, and the best between the widths."""

from __future__ import annotations

import numpy as np
import pytest

from models.bandwidth import truth_errors
from models.data_recipes import draw, recipe
from models.error_curves import error_curves
from models.regression import Prepared, best_bandwidth, leave_one_out, nadaraya_watson

WIDTHS = np.geomspace(0.01, 5, 60)
GRID = np.linspace(0, 5, 50, endpoint=False)


def test_each_curve_is_the_error_at_each_width() -> None:
    data = draw("book")
    points, truth = Prepared.of(data.x, data.y), recipe("book").truth(GRID)
    training, left_out, against = error_curves(points, WIDTHS, "gaussian", GRID, truth)
    assert [curve.name for curve in (training, left_out, against)] == ["training", "leave_one_out", "truth"]
    off = [np.mean((nadaraya_watson(data.x, data.x, data.y, width).y - data.y) ** 2) for width in WIDTHS]
    np.testing.assert_allclose(training.errors, off, rtol=1e-9)
    np.testing.assert_allclose(left_out.errors, leave_one_out(data.x, data.y, WIDTHS), rtol=1e-12)
    np.testing.assert_allclose(against.errors, truth_errors(points, GRID, truth, WIDTHS).error, rtol=1e-12)
    assert training.at_edge
    assert left_out.best == pytest.approx(best_bandwidth(data.x, data.y), rel=1e-3)
    assert left_out.best_error <= np.nanmin(left_out.errors)


def test_without_a_truth_or_a_second_point_there_are_fewer() -> None:
    assert [curve.name for curve in error_curves(Prepared.of([0.0, 1.0], [1.0, 2.0]), WIDTHS)] == [
        "training",
        "leave_one_out",
    ]
    assert [curve.name for curve in error_curves(Prepared.of([0.0], [1.0]), WIDTHS)] == ["training"]


def test_a_kernel_without_a_width_has_no_best() -> None:
    data = draw("step", 30)
    assert all(np.isnan(curve.best) for curve in error_curves(Prepared.of(data.x, data.y), WIDTHS, "constant"))
