"""Errors of an estimate at its own rows: training error, leave-one-out error, and their slopes by log bandwidth.

Leaving out row i changes the sums at x_i by that row alone: ŷ₋ᵢ = (Σwy − yᵢ)/(Σw − 1), since its own kernel value is 1.
Where Σw − 1 is small the difference has lost its digits: those rows are summed again without the row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from models.compact_sums import exact_window_sums, window_edges
from models.errors import LabError
from models.gaussian_sums import (
    FEW_KEYS,
    FFT_SAFETY,
    NODES,
    ROWS,
    exponent_for,
    far_sums,
    gaussian_sums,
    interpolated,
    interpolation_weights,
    read,
    sketch_pays,
)
from models.job import DirectJob, Job
from models.kernel_sums import Sums, gaussian_windows, window_sums
from models.points import Floats, Integers, check_bandwidth
from models.prepared import COMPACT, Prepared

SMALL = 1e-3
"""Σw − 1 below it is summed again without the row …"""
SOUND = 1e9
"""… as is Σw − 1 below so many times the rounding errors of the sketch."""
LARGEST_SCALE = 1e150
"""Values further from their centre have squares beyond float64."""


@dataclass(frozen=True)
class Errors:
    """Per bandwidth (b,): the mean squared error, its slope d/dlog σ, and how many rows or queries had no estimate.

    Those are not in the mean, which is NaN where that is all of them. Slopes are NaN where not asked for.
    """

    bandwidths: Floats
    error: Floats
    slope: Floats
    undefined: Integers


def training_errors(
    prepared: Prepared, bandwidths: Floats, kernel: str = "gaussian", *, slopes: bool = False, job: Job | None = None
) -> Errors:
    """Mean of (ŷ(x_i) − y_i)² for bandwidths (b,): each row takes part in its own estimate."""
    return _errors(prepared, bandwidths, kernel, False, slopes, job or DirectJob())


def leave_one_out_errors(
    prepared: Prepared, bandwidths: Floats, kernel: str = "gaussian", *, slopes: bool = False, job: Job | None = None
) -> Errors:
    """Mean of (ŷ₋ᵢ(x_i) − y_i)² for bandwidths (b,), each row left out by its index.

    Raises ``LabError`` below two points.
    """
    if len(prepared.points.z) < 2:
        raise LabError("Leaving one out needs 2 points; there is 1. Add a point.")
    return _errors(prepared, bandwidths, kernel, True, slopes, job or DirectJob())


def leave_one_out_estimates(prepared: Prepared, bandwidth: float, kernel: str = "gaussian") -> Floats:
    """ŷ₋ᵢ(x_i) at the n rows that were kept, NaN where nobody else is in the window."""
    sums = _Rows(prepared).sums(check_bandwidth(bandwidth), kernel, True, False)
    with np.errstate(invalid="ignore", divide="ignore"):
        return prepared.points.values(sums[1], np.where(sums[0] > 0, sums[0], np.nan))


def _errors(prepared: Prepared, bandwidths: Floats, kernel: str, without: bool, slopes: bool, job: Job) -> Errors:
    widths = np.array([check_bandwidth(width) for width in np.ravel(bandwidths)])
    if prepared.points.scale > LARGEST_SCALE:
        raise LabError(f"The values spread over more than {LARGEST_SCALE:g}: their squares overflow. Use another unit.")
    rows = _Rows(prepared, job)
    found = np.empty((3, len(widths)))
    for i, width in enumerate(widths):
        job.check()
        found[:, i] = rows.error(width, kernel, without, slopes)
        job.progress((i + 1) / len(widths))
    return Errors(widths, found[0], found[1], found[2].astype(np.int64))


def error_and_slope(points_z: Floats, a: Floats, sums: Floats, slopes: bool) -> tuple[float, float, float]:
    """Weighted mean squared error of value/mass against z, its slope by log σ (NaN if not asked), and Σ undefined."""
    defined = sums[0] > 0
    undefined = len(defined) - int(np.count_nonzero(defined))
    if undefined:
        sums, points_z, a = sums[:, defined], points_z[defined], a[defined]
    if not len(points_z):
        return np.nan, np.nan, float(undefined)
    fit = sums[1] / sums[0]
    residual = fit - points_z
    total = float(a.sum())
    weighted = a * residual
    slope = np.nan
    if slopes:
        slope = float(2 * (weighted @ ((sums[3] - fit * sums[2]) / sums[0])) / total)
    return float(weighted @ residual / total), slope, float(undefined)


@dataclass
class _Rows:
    """The rows of a data set as its own queries; interpolation weights are kept from one bandwidth to the next."""

    prepared: Prepared
    job: Job = field(default_factory=DirectJob)
    _reader: dict[int, tuple[Integers, Floats]] = field(default_factory=dict)

    def error(self, sigma: float, kernel: str, without: bool, slopes: bool) -> tuple[float, float, float]:
        points = self.prepared.points
        sums = self.sums(sigma, kernel, without, slopes)
        error, slope, undefined = error_and_slope(points.z, points.row_masses, sums, slopes)
        return error * points.scale**2, slope * points.scale**2, undefined

    def sums(self, sigma: float, kernel: str, without: bool, slopes: bool) -> Floats:
        """(2 or 4, n): Σw, Σwz and their slopes at the rows, with or without the row itself; a row may be scaled."""
        points = self.prepared.points
        at_keys, least = self._at_keys(sigma, kernel, slopes)
        sums = at_keys[:, points.key]
        if not without:
            return sums
        own = points.row_masses
        sums[0] -= own
        sums[1] -= own * points.z
        alone = points.rows_per_key[points.key] == 1
        redo = np.flatnonzero(alone & (sums[0] < np.maximum(SMALL * own, least)))
        if len(redo) and len(points.positions) > 1:
            exact = self._without(points.key[redo], sigma, kernel)
            if exact is not None:
                sums[:, redo] = exact[: len(sums)]
        return sums

    def _at_keys(self, sigma: float, kernel: str, slopes: bool) -> tuple[Floats, float]:
        """Unscaled sums (2 or 4, u) at the keys, and the mass below which a difference of them isn't to be trusted."""
        keys, sketch = self.prepared.points.positions, self.prepared.sketch
        if kernel != "gaussian":
            found = self.prepared.sums(keys, sigma, kernel, slopes)
        elif len(keys) <= FEW_KEYS:
            found = gaussian_sums(sketch, keys, sigma, slopes)
        elif sketch_pays(sketch, keys, sigma, exponent_for(sigma)):
            return self._off_grid(sigma, slopes)
        else:
            found = Sums.of(np.concatenate([far_sums(sketch, keys[lot], sigma) for lot in self._lots()], axis=1))
        return np.array([found[i] for i in ((0, 1, 3, 4) if slopes else (0, 1))]), 0.0

    def _off_grid(self, sigma: float, slopes: bool) -> tuple[Floats, float]:
        sketch = self.prepared.sketch
        level = sketch.level(exponent_for(sigma))
        grid = level.convolved(sigma, False, slopes)
        keys = self.prepared.points.positions
        if len(keys) > ROWS:
            node, t, _ = level.place(keys)
            sums = np.concatenate([interpolated(grid, node[lot], t[lot]) for lot in self._lots()], axis=1)
        else:
            around, weights = self._reading(exponent_for(sigma))
            sums = np.empty((len(grid), len(keys)))
            read(grid, weights, around, sums)
        rounding = level.rounding(sigma)[0]
        poor = np.flatnonzero(sums[0] < FFT_SAFETY * rounding)
        if len(poor):
            exact = far_sums(sketch, keys[poor], sigma)
            sums[:, poor] = [exact[i] for i in ((0, 1, 3, 4) if slopes else (0, 1))]
        return sums, SOUND * rounding

    def _lots(self) -> Iterator[slice]:
        """The keys in lots, between which the run may be stopped."""
        for start in range(0, len(self.prepared.points.positions), ROWS):
            self.job.check()
            yield slice(start, start + ROWS)

    def _reading(self, exponent: int) -> tuple[Integers, Floats]:
        """Nodes and weights (u, 10) by which the keys read the grid of a level."""
        if exponent not in self._reader:
            node, t, _ = self.prepared.sketch.level(exponent).place(self.prepared.points.positions)
            self._reader = {exponent: (node[:, None] + NODES, interpolation_weights(t))}
        return self._reader[exponent]

    def _without(self, key: Integers, sigma: float, kernel: str) -> Floats | None:
        """Exact sums (4, r) at keys of one row each, without that row; None for kernels that have no such form."""
        points = self.prepared.points
        keys = points.positions
        q = keys[key]
        if kernel == "gaussian":
            gaps = np.diff(keys, prepend=-np.inf, append=np.inf)
            nearest = np.minimum(gaps[key], gaps[key + 1])
            low, high = gaussian_windows(keys, nearest, q, sigma)
            found = window_sums(keys, points.masses, q, sigma, low, high, nearest=nearest, exclude=key)
        elif kernel in COMPACT:
            low, high = window_edges(keys, q, sigma)
            found = exact_window_sums(points, q, sigma, kernel, low, high, exclude=key)
        else:
            return None
        return np.array([found[i] for i in (0, 1, 3, 4)])
