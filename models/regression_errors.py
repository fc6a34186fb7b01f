"""Error against bandwidth: the trap of the training error, leave-one-out, the truth; and learning the bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.bandwidth import descend_bandwidth
from models.error_curves import ErrorCurve, error_curves
from models.job import Job
from models.kept import Kept
from models.points import Floats
from models.regression_data import DataSet, domain_of
from models.regression_fit import Summary, grid_of, prepare, prepared_of, summary_of
from models.regression_state import Learning
from models.row_errors import MOST_ROWS

WIDTHS = 60
NARROW, WIDE = 1 / 500, 1.0
"""The range of widths, in ranges of x."""


@dataclass(frozen=True)
class ErrorsQuestion:
    """All that the section depends on."""

    data: DataSet
    kernel: str
    bandwidth: float
    learning: Learning


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
        grid, truth = grid_of(data)
        found = error_curves(prepared_of(data), widths_of(data), kernel, grid, truth, job=job)
        _curves.put((data, kernel), found)
    assert isinstance(found, tuple)
    return found


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
