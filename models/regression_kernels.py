"""Kernel against bandwidth: the error of every kernel over 20 widths. The width matters more than the shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.bandwidth import truth_errors
from models.checked_job import CheckedJob
from models.errors import LabError
from models.job import Job
from models.kept import Kept
from models.kernels import KERNELS
from models.points import Floats, Integers
from models.regression_data import DataSet, domain_of
from models.regression_fit import grid_of, prepare, prepared_of
from models.row_errors import row_errors

WIDTHS = 20
NARROW, WIDE = 0.01, 0.6
"""The range of widths, in ranges of x: 0.05 to 3 for the book's data."""


@dataclass(frozen=True)
class KernelsQuestion:
    """All that the section depends on."""

    data: DataSet


@dataclass(frozen=True)
class KernelCurve:
    """The error of one kernel over the widths; NaN where no window holds anybody."""

    kernel: str
    errors: Floats
    undefined: Integers
    best: float
    best_error: float

    @property
    def range(self) -> float:
        """How much the width changes the error."""
        return float(np.nanmax(self.errors) - np.nanmin(self.errors))


@dataclass(frozen=True)
class KernelsResult:
    """What the section draws. ``against_truth``: the errors are those against the truth, else leave-one-out errors."""

    question: KernelsQuestion
    widths: Floats
    curves: tuple[KernelCurve, ...]
    against_truth: bool


_results = Kept(4)


def compute_kernels(question: KernelsQuestion, job: Job) -> KernelsResult:
    """Every kernel at the same 20 widths; at empty windows the nearest point answers."""
    found = _results.get(question)
    if found is None:
        found = _compared(question, job)
        _results.put(question, found)
    assert isinstance(found, KernelsResult)
    return found


def _compared(question: KernelsQuestion, job: Job) -> KernelsResult:
    data = question.data
    if len(prepare(data, job).points.z) < 2:
        raise LabError("Comparing kernels needs 2 points; there is 1. Add a point.")
    low, high = domain_of(data)
    widths = np.geomspace(NARROW * (high - low), WIDE * (high - low), WIDTHS)
    curves = []
    for done, kernel in enumerate(KERNELS):
        job.progress(done / len(KERNELS))
        curves.append(_curve(data, kernel, widths, job))
    return KernelsResult(question, widths, tuple(curves), data.truth is not None)


def _curve(data: DataSet, kernel: str, widths: Floats, job: Job) -> KernelCurve:
    grid, truth = grid_of(data)
    if truth is not None:
        found = truth_errors(prepared_of(data), grid, truth, widths, kernel, job=CheckedJob(job))
    else:
        found = row_errors(prepared_of(data), widths, kernel, leave_out=True, job=CheckedJob(job))
    best = int(np.nanargmin(found.error)) if np.isfinite(found.error).any() else 0
    return KernelCurve(kernel, found.error, found.undefined, float(widths[best]), float(found.error[best]))
