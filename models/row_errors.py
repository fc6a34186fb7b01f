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


def row_errors(prepared: Prepared, widths: Floats, kernel: str, *, leave_out: bool, job: Job | None = None) -> Errors:
    """Mean squared error of training, or of leaving each row out, for widths (b,)."""
    if len(prepared.points.z) <= MOST_ROWS:
        measure = leave_one_out_errors if leave_out else training_errors
        return measure(prepared, widths, kernel, job=job)
    sample = _Sample.of(prepared)
    job = job or DirectJob()
    found = np.empty((2, len(widths)))
    for i, width in enumerate(widths):
        job.check()
        found[:, i] = sample.error(float(width), kernel, leave_out)
    return Errors(np.asarray(widths), found[0], np.full(len(widths), np.nan), found[1].astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Sample:
    """Some rows of a data set as its queries."""

    prepared: Prepared
    rows: Integers

    @classmethod
    def of(cls, prepared: Prepared) -> _Sample:
        return cls(prepared, np.linspace(0, len(prepared.points.z) - 1, SAMPLE).astype(np.int64))

    def error(self, width: float, kernel: str, leave_out: bool) -> tuple[float, float]:
        points, rows = self.prepared.points, self.rows
        keys, own, z = points.key[rows], points.row_masses[rows], points.z[rows]
        found = self.prepared.sums(points.positions[keys], width, kernel)
        sums = np.array([found.mass, found.value])
        if leave_out:
            sums -= own * np.array([np.ones_like(z), z])
            lonely = np.flatnonzero((points.rows_per_key[keys] == 1) & (sums[0] < SMALL * own))
            if len(lonely) and kernel != "constant":
                sums[:, lonely] = self._without(keys[lonely], width, kernel)
        error, _, undefined = error_and_slope(z, own, sums, False)
        return error * points.scale**2, undefined

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
