"""The bandwidth: its errors against the truth, the best one, a rule of thumb, and learning it by gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.errors import LabError
from models.job import DirectJob, Job
from models.leave_one_out import Errors, error_and_slope, leave_one_out_errors, training_errors
from models.points import Floats, as_numbers, check_bandwidth
from models.prepared import Prepared

OBJECTIVES = {"training": training_errors, "leave_one_out": leave_one_out_errors}
EMPTY = ("nearest", "mean", "left_out")
"""What stands for the estimate of an empty window in an error: the nearest key's value, the mean of y, or nothing."""


@dataclass(frozen=True)
class Best:
    """The bandwidth with the least error in ``bounds``; ``at_edge`` where it is the end of the range itself."""

    bandwidth: float
    error: float
    bounds: tuple[float, float]
    at_edge: bool


@dataclass(frozen=True)
class Descent:
    """A bandwidth learned step by step: (steps+1,) each, the start included. ``error`` is the objective there."""

    bandwidths: Floats
    error: Floats


def truth_errors(
    prepared: Prepared,
    xq: Any,
    truth: Any,
    bandwidths: Any,
    kernel: str = "gaussian",
    *,
    empty: str = "nearest",
    slopes: bool = False,
    job: Job | None = None,
) -> Errors:
    """Mean of (ŷ(q) − truth)² over queries (n,) for bandwidths (b,); ``empty`` says what an empty window counts as."""
    if empty not in EMPTY:
        raise LabError(f"An empty window may count as {', '.join(EMPTY)}; {empty!r} came.")
    job = job or DirectJob()
    points = prepared.points
    q, wanted = as_numbers(xq, "The queries"), (as_numbers(truth, "The truth") - points.centre) / points.scale
    widths = np.array([check_bandwidth(width) for width in np.ravel(bandwidths)])
    found = np.empty((3, len(widths)))
    for i, width in enumerate(widths):
        job.check()
        sums = prepared.sums(q, width, kernel, slopes)
        rows = np.array([sums.mass, sums.value, sums.mass_slope, sums.value_slope])
        gone = np.flatnonzero(~(rows[0] > 0))
        if empty != "left_out":
            rows[:, gone] = _stand_in(prepared, q[gone], empty)
        error, slope, _ = error_and_slope(wanted, np.ones(len(q)), rows, slopes)
        found[:, i] = error * points.scale**2, slope * points.scale**2, len(gone)
        job.progress((i + 1) / len(widths))
    return Errors(widths, found[0], found[1], found[2].astype(np.int64))


def _stand_in(prepared: Prepared, q: Floats, empty: str) -> Floats:
    """Sums (4, n) whose ratio is the nearest key's value, the mean of nearest keys in a tie, or the mean of all."""
    masses, keys = prepared.points.masses, prepared.points.positions
    out = np.zeros((4, len(q)))
    if empty == "mean":
        out[:2] = masses[:2].sum(axis=1)[:, None]
        return out
    right = np.searchsorted(keys, q).clip(0, len(keys) - 1)
    left = (right - 1).clip(0)
    ahead, behind = np.abs(keys[right] - q), np.abs(q - keys[left])
    out[:2] = masses[:2, right] * (ahead <= behind) + masses[:2, left] * ((behind <= ahead) & (left != right))
    return out


def nearest_neighbour_bounds(prepared: Prepared) -> tuple[float, float]:
    """The range searched by default: from a quarter of the mean gap (at least range/5,000) to twice the range of x.

    Raises ``LabError`` where all x are equal: then every bandwidth gives the same estimate.
    """
    keys = prepared.points.positions
    span = float(keys[-1] - keys[0])
    if not span > 0:
        raise LabError("All x are equal, so every bandwidth gives the same estimate: there is none to suggest.")
    return max(span / (4 * len(keys)), span / 5000), 2 * span


def search_bandwidth(
    prepared: Prepared,
    kernel: str = "gaussian",
    bounds: tuple[float, float] | None = None,
    *,
    job: Job | None = None,
) -> Best:
    """The bandwidth with the least leave-one-out error; by default inside ``nearest_neighbour_bounds``.

    Raises ``LabError`` where there is nothing to choose: one point, all x equal, or the constant kernel.
    """
    if kernel == "constant":
        raise LabError("The constant kernel has no width: every bandwidth gives the plain mean. Choose another kernel.")
    bounds = bounds or nearest_neighbour_bounds(prepared)

    def errors(widths: Floats, slopes: bool) -> Errors:
        # The grid is most of the work: its progress is shown, that of the few steps after it is not.
        shown = job if len(widths) > 2 else None
        if job is not None:
            job.check()
        return leave_one_out_errors(prepared, widths, kernel, slopes=slopes, job=shown)

    return minimise(errors, bounds, smooth=kernel == "gaussian")


def minimise(
    errors: Callable[[Floats, bool], Errors], bounds: tuple[float, float], *, smooth: bool = True, grid: int = 40
) -> Best:
    """The least of ``errors(widths, slopes)`` in bounds: a log grid, then the root of the slope beside its best.

    Without a smooth slope (boxcar) finer and finer grids find the best step instead.
    """
    low, high = check_bandwidth(bounds[0]), check_bandwidth(bounds[1])
    if low >= high:
        raise LabError(f"The range of bandwidths must run from small to large; {low:g} to {high:g} came.")
    widths = np.geomspace(low, high, grid)
    found = errors(widths, False)
    if np.isnan(found.error).all():
        raise LabError("No bandwidth of this range gives an estimate: every window is empty. Choose wider ones.")
    best = int(np.nanargmin(found.error))
    near = float(widths[max(0, best - 1)]), float(widths[min(grid - 1, best + 1)])
    width = _slope_root(errors, near) if smooth else _finer(errors, near)
    error = float(errors(np.array([width]), False).error[0])
    if not error <= found.error[best]:
        width, error = float(widths[best]), float(found.error[best])
    return Best(width, error, (low, high), bool(width <= low * 1.000001 or width >= high * 0.999999))


def _slope_root(errors: Callable[[Floats, bool], Errors], near: tuple[float, float]) -> float:
    """Where d error/dlog σ changes sign between two widths (Illinois rule, Dowell & Jarratt 1971), or the lower end."""
    a, b = np.log(near[0]), np.log(near[1])
    slopes = errors(np.exp([a, b]), True).slope
    fa, fb = float(slopes[0]), float(slopes[1])
    if not fa < 0 < fb:
        return near[0] if fa >= 0 else near[1]
    side = 0
    for _ in range(60):
        c = float((a * fb - b * fa) / (fb - fa))
        fc = float(errors(np.array([np.exp(c)]), True).slope[0])
        if abs(b - a) < 1e-12 or abs(fc) < 1e-14 * abs(slopes).max():
            break
        if fc > 0:
            b, fb, fa, side = c, fc, fa / 2 if side > 0 else fa, 1
        else:
            a, fa, fb, side = c, fc, fb / 2 if side < 0 else fb, -1
    return float(np.exp(c))


def _finer(errors: Callable[[Floats, bool], Errors], near: tuple[float, float]) -> float:
    low, high = near
    for _ in range(4):
        widths = np.geomspace(low, high, 17)
        error = errors(widths, False).error
        best = int(np.nanargmin(error)) if not np.isnan(error).all() else 8
        low, high = float(widths[max(0, best - 1)]), float(widths[min(16, best + 1)])
    return float(widths[best])


def descend_bandwidth(
    prepared: Prepared,
    start: float,
    *,
    objective: str = "leave_one_out",
    kernel: str = "gaussian",
    learning_rate: float = 0.5,
    steps: int = 50,
    job: Job | None = None,
) -> Descent:
    """Gradient descent on ρ = log σ of the mean squared error: ρ ← ρ − rate·dE/dρ, so that σ stays positive."""
    if objective not in OBJECTIVES:
        raise LabError(f"There is no objective named {objective!r}; choose one of {', '.join(OBJECTIVES)}.")
    job = job or DirectJob()
    widths, found = np.empty(steps + 1), np.empty(steps + 1)
    rho = np.log(check_bandwidth(start))
    for step in range(steps + 1):
        widths[step] = np.exp(rho)
        errors = OBJECTIVES[objective](prepared, widths[step : step + 1], kernel, slopes=True)
        found[step] = errors.error[0]
        job.check()
        job.progress(step / max(1, steps))
        rho = float(np.clip(rho - learning_rate * np.nan_to_num(errors.slope[0]), -690, 690))
    return Descent(widths, found)


def rule_of_thumb(x: Any) -> float:
    """0.9·min(sd, IQR/1.34)·n^(−1/5) (Silverman, 1986), with sd alone where the quartiles coincide.

    Raises ``LabError`` where all x are equal.
    """
    numbers = as_numbers(x, "x")
    numbers = numbers[np.isfinite(numbers)]
    if len(numbers) < 2 or numbers.min() == numbers.max():
        raise LabError("All x are equal, so their spread suggests no bandwidth: any of them gives the same estimate.")
    deviation = float(np.std(numbers, ddof=1))
    quartiles = np.percentile(numbers, [25, 75])
    spread = float(quartiles[1] - quartiles[0]) / 1.34
    return 0.9 * (min(deviation, spread) if spread > 0 else deviation) * len(numbers) ** -0.2
