"""Errors of an estimate at its own rows; where the rows are many, at a sample of them.

A sampled row is asked for with all the data: only the mean is taken over fewer rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.compact_sums import exact_window_sums, window_edges
from models.job import DirectJob, Job
from models.kernel_sums import gaussian_windows, window_sums
from models.leave_one_out import SMALL, Errors, error_and_slope, leave_one_out_errors, training_errors
from models.points import Floats, Integers
from models.prepared import Prepared

MOST_ROWS = 20_000
"""Data sets of more rows are measured at ``SAMPLE`` of them, evenly spread over the list."""
SAMPLE = 2_000


def rows_measured(prepared: Prepared) -> int:
    """How many rows the errors are a mean of."""
    n = len(prepared.points.z)
    return n if n <= MOST_ROWS else SAMPLE


@dataclass(frozen=True)
class RowErrors:
    """Mean squared errors at one bandwidth; ``alone`` rows have an empty window, out of the second."""

    training: float
    leave_one_out: float
    alone: int


def errors_at(prepared: Prepared, width: float, kernel: str) -> RowErrors:
    """Both errors at one bandwidth; NaN for leaving one out of one point."""
    if len(prepared.points.z) > MOST_ROWS:
        return _Sample.of(prepared).errors(width, kernel)
    widths = np.array([width])
    training = float(training_errors(prepared, widths, kernel).error[0])
    if len(prepared.points.z) < 2:
        return RowErrors(training, np.nan, 1)
    others = leave_one_out_errors(prepared, widths, kernel)
    return RowErrors(training, float(others.error[0]), int(others.undefined[0]))


def row_errors(prepared: Prepared, widths: Floats, kernel: str, *, leave_out: bool, job: Job | None = None) -> Errors:
    """Mean squared error of training, or of leaving each row out, for widths (b,)."""
    if len(prepared.points.z) <= MOST_ROWS:
        measure = leave_one_out_errors if leave_out else training_errors
        return measure(prepared, widths, kernel, job=job)
    sample, job = _Sample.of(prepared), job or DirectJob()
    found = np.empty((2, len(widths)))
    for i, width in enumerate(widths):
        job.check()
        errors = sample.errors(float(width), kernel)
        found[:, i] = (errors.leave_one_out, errors.alone) if leave_out else (errors.training, 0)
    return Errors(np.asarray(widths), found[0], np.full(len(widths), np.nan), found[1].astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Sample:
    """Some rows of a data set as its queries."""

    prepared: Prepared
    rows: Integers

    @classmethod
    def of(cls, prepared: Prepared) -> _Sample:
        return cls(prepared, np.linspace(0, len(prepared.points.z) - 1, SAMPLE).astype(np.int64))

    def errors(self, width: float, kernel: str) -> RowErrors:
        """Both errors from the sums at the rows; the row's own kernel value is 1."""
        points, rows = self.prepared.points, self.rows
        keys, z = points.key[rows], points.z[rows]
        own = np.ones(len(rows)) if points.weights is None else points.weights[rows]
        found = self.prepared.sums(points.positions[keys], width, kernel)
        sums = np.array([found.mass, found.value])
        training, _, _ = error_and_slope(z, own, sums, False)
        sums -= own * np.array([np.ones_like(z), z])
        lonely = np.flatnonzero(sums[0] < SMALL * own)
        lonely = lonely[points.rows_per_key[keys[lonely]] == 1]
        if len(lonely) and kernel != "constant":
            sums[:, lonely] = self._without(keys[lonely], width, kernel)
        others, _, alone = error_and_slope(z, own, sums, False)
        return RowErrors(training * points.scale**2, others * points.scale**2, int(alone))

    def _without(self, keys: Integers, width: float, kernel: str) -> Floats:
        """Sums (2, r) at keys of one row each, without that row."""
        points = self.prepared.points
        q = points.positions[keys]
        if kernel == "gaussian":
            gaps = np.diff(points.positions, prepend=-np.inf, append=np.inf)
            nearest = np.minimum(gaps[keys], gaps[keys + 1])
            low, high = gaussian_windows(points.positions, nearest, q, width)
            found = window_sums(points.positions, points.masses, q, width, low, high, nearest=nearest, exclude=keys)
        else:
            low, high = window_edges(points.positions, q, width)
            found = exact_window_sums(points, q, width, kernel, low, high, exclude=keys)
        return np.array([found.mass, found.value])
