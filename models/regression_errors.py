"""Error against bandwidth: the trap of the training error, leave-one-out, the truth; and learning the bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.bandwidth import descend_bandwidth, truth_errors
from models.job import Job
from models.kept import Kept
from models.points import Floats, Integers
from models.regression_data import DataSet, domain_of
from models.regression_fit import Summary, grid_of, prepare, prepared_of, summary_of
from models.regression_state import Learning
from models.row_errors import MOST_ROWS, row_errors

WIDTHS = 60
NARROW, WIDE = 1 / 500, 1.0
"""The range of widths, in ranges of x."""
FINER = 3
"""Times that the best width is searched for between its neighbours, 17 widths each."""


@dataclass(frozen=True)
class ErrorsQuestion:
    """All that the section depends on."""

    data: DataSet
    kernel: str
    bandwidth: float
    learning: Learning


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


@dataclass(frozen=True)
class Path:
    """A bandwidth learned step by step, (steps+1,) each; empty where it can't be."""

    widths: Floats
    errors: Floats


@dataclass(frozen=True)
class ErrorsResult:
    """What the section draws."""

    question: ErrorsQuestion
    widths: Floats
    curves: tuple[ErrorCurve, ...]
    path: Path
    summary: Summary


def compute_errors(question: ErrorsQuestion, job: Job) -> ErrorsResult:
    """The curves don't depend on the bandwidth and are kept; a descent is kept for its start, rate and length."""
    data, kernel = question.data, question.kernel
    prepare(data, job)
    curves = _kept_curves(data, kernel, job)
    path = _kept_path(data, kernel, question.learning, job)
    summary = summary_of(data, kernel, question.bandwidth)
    return ErrorsResult(question, widths_of(data), curves, path, summary)


@lru_cache(maxsize=8)
def widths_of(data: DataSet) -> Floats:
    """60 widths from 1/500 of the range of x to all of it."""
    low, high = domain_of(data)
    return np.geomspace(NARROW * (high - low), WIDE * (high - low), WIDTHS)


_curves, _paths = Kept(8), Kept(8)


def _kept_curves(data: DataSet, kernel: str, job: Job) -> tuple[ErrorCurve, ...]:
    found = _curves.get((data, kernel))
    if found is None:
        found = tuple(_error_curves(data, kernel, job))
        _curves.put((data, kernel), found)
    assert isinstance(found, tuple)
    return found


def _error_curves(data: DataSet, kernel: str, job: Job) -> list[ErrorCurve]:
    curves = [_curve("training", data, kernel, job)]
    if len(prepared_of(data).points.z) > 1:
        curves.append(_curve("leave_one_out", data, kernel, job))
    if data.truth is not None:
        curves.append(_curve("truth", data, kernel, job))
    return curves


def _curve(name: str, data: DataSet, kernel: str, job: Job) -> ErrorCurve:
    widths = widths_of(data)
    errors, undefined = _measure(name, data, kernel, widths, job)
    if np.isnan(errors).all() or kernel == "constant":
        return ErrorCurve(name, errors, undefined, np.nan, np.nan, False)
    best = int(np.nanargmin(errors))
    at_edge = best in (0, len(widths) - 1)
    width, error = float(widths[best]), float(errors[best])
    low, high = float(widths[max(0, best - 1)]), float(widths[min(len(widths) - 1, best + 1)])
    for _ in range(0 if at_edge else FINER):
        finer = np.geomspace(low, high, 17)
        found, _ = _measure(name, data, kernel, finer, job)
        i = int(np.nanargmin(found))
        if found[i] < error:
            width, error = float(finer[i]), float(found[i])
        low, high = float(finer[max(0, i - 1)]), float(finer[min(16, i + 1)])
    return ErrorCurve(name, errors, undefined, width, error, at_edge)


def _measure(name: str, data: DataSet, kernel: str, widths: Floats, job: Job) -> tuple[Floats, Integers]:
    prepared = prepared_of(data)
    if name == "truth":
        grid, truth = grid_of(data)
        found = truth_errors(prepared, grid, truth, widths, kernel, job=job)
    else:
        found = row_errors(prepared, widths, kernel, leave_out=name == "leave_one_out", job=job)
    return found.error, found.undefined


def can_learn(data: DataSet, kernel: str) -> str:
    """Why the bandwidth can't be learned by gradient descent, in a sentence; empty where it can."""
    if kernel == "boxcar":
        return "The boxcar's error is a staircase of slope 0, so gradient descent can't move. Choose a sloping kernel."
    if kernel == "constant":
        return "The constant kernel has no width to learn."
    if not 2 <= data.n <= MOST_ROWS:
        return f"The bandwidth is learned on 2 to {MOST_ROWS:,} points; this set has {data.n:,}."
    return ""


def _kept_path(data: DataSet, kernel: str, learning: Learning, job: Job) -> Path:
    if can_learn(data, kernel):
        return Path(np.empty(0), np.empty(0))
    found = _paths.get((data, kernel, learning))
    if found is None:
        descent = descend_bandwidth(
            prepared_of(data),
            learning.start,
            objective=learning.objective,
            kernel=kernel,
            learning_rate=learning.rate,
            steps=learning.steps,
            job=job,
        )
        found = Path(descent.bandwidths, descent.error)
        _paths.put((data, kernel, learning), found)
    assert isinstance(found, Path)
    return found
