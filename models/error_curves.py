"""Errors over the bandwidth, each with the bandwidth where it is least."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.bandwidth import truth_errors
from models.job import Job
from models.leave_one_out import Errors
from models.points import Floats, Integers
from models.prepared import Prepared
from models.row_errors import row_errors

FINER = 3
"""Times that the best width is searched for between its neighbours, 17 widths each."""


@dataclass(frozen=True)
class ErrorCurve:
    """One mean squared error over the widths, with its best; NaN where nothing is defined."""

    name: str
    errors: Floats
    undefined: Integers
    best: float
    best_error: float
    at_edge: bool
    """The least error lies at the end of the range: there is no best width, only a narrowest or a widest."""


def error_curves(
    prepared: Prepared,
    widths: Floats,
    kernel: str = "gaussian",
    grid: Floats | None = None,
    truth: Floats | None = None,
    *,
    job: Job | None = None,
) -> tuple[ErrorCurve, ...]:
    """Training error, leave-one-out error and error against the truth over rising widths (b,).

    "leave_one_out" needs 2 points, "truth" the values (n,) of the truth at queries ``grid`` (n,). Points beyond 20,000
    are measured at a sample of their rows.
    """
    training = partial(row_errors, prepared, kernel=kernel, leave_out=False, job=job)
    curves = [_curve("training", training, widths, kernel)]
    if len(prepared.points.z) > 1:
        left_out = partial(row_errors, prepared, kernel=kernel, leave_out=True, job=job)
        curves.append(_curve("leave_one_out", left_out, widths, kernel))
    if grid is not None and truth is not None:
        against = partial(truth_errors, prepared, grid, truth, kernel=kernel, job=job)
        curves.append(_curve("truth", against, widths, kernel))
    return tuple(curves)


def _curve(name: str, measure: Callable[[Floats], Errors], widths: Floats, kernel: str) -> ErrorCurve:
    found = measure(widths)
    errors = found.error
    if np.isnan(errors).all() or kernel == "constant":
        return ErrorCurve(name, errors, found.undefined, np.nan, np.nan, False)
    best = int(np.nanargmin(errors))
    at_edge = best in (0, len(widths) - 1)
    width, error = float(widths[best]), float(errors[best])
    if not at_edge:
        width, error = _finer(measure, (widths[best - 1], widths[best + 1]), width, error)
    return ErrorCurve(name, errors, found.undefined, width, error, at_edge)


def _finer(
    measure: Callable[[Floats], Errors], near: tuple[float, float], width: float, error: float
) -> tuple[float, float]:
    """The best width between two others, and its error."""
    low, high = near
    for _ in range(FINER):
        finer = np.geomspace(low, high, 17)
        errors = measure(finer).error
        i = int(np.nanargmin(errors))
        if errors[i] < error:
            width, error = float(finer[i]), float(errors[i])
        low, high = float(finer[max(0, i - 1)]), float(finer[min(16, i + 1)])
    return width, error
