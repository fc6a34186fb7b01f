"""Exact kernel sums, term by term in bounded chunks: the yardstick of the fast ways and their refuge.

All sums are over keys x_i of mass a_i and value z_i (see ``models.points``) with weights w_i = K((q − x_i)/σ).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from models.points import Floats, Integers, Points

CHUNK = 1 << 18
"""Most kernel values held at once."""

COMPACT_POWERS = {"triangular": 1, "epanechnikov": 2}
"""The kernel is 1 − |u|^p inside its window."""


class Sums(NamedTuple):
    """Per query: Σa·w, Σa·z·w and Σa²·w², and the slopes by log σ of the first two where asked for.

    A common factor of one row is left open: every use is a ratio. It is 1 where a function says "unscaled".
    """

    mass: Floats
    value: Floats
    square: Floats
    mass_slope: Floats
    value_slope: Floats

    @classmethod
    def of(cls, rows: Floats) -> Sums:
        """From an array (5, n)."""
        return cls(*rows)


def scores_beyond_nearest(offset: Floats, nearest: Floats, sigma: float) -> Floats:
    """(d₀² − d²)/(2σ²) for d = ``offset`` and d₀ = ``nearest`` ≥ 0, without squares that overflow."""
    distance = np.abs(offset)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = (nearest - distance) / sigma * ((nearest + distance) / sigma) * 0.5
    # 0·inf: as near as the nearest.
    return np.nan_to_num(scores, copy=False, nan=0.0, posinf=np.inf, neginf=-np.inf)


def kernel_weights(kernel: str, offset: Floats, bandwidth: float, nearest: Floats) -> tuple[Floats, Floats]:
    """w and its slope dw/dlog σ for offsets q − x; the Gaussian relative to that of the nearest key."""
    if kernel == "gaussian":
        with np.errstate(over="ignore", invalid="ignore"):
            weights = np.exp(scores_beyond_nearest(offset, nearest, bandwidth))
            spread = np.minimum((offset / bandwidth) ** 2, 1e300)
            return weights, weights * spread
    with np.errstate(over="ignore"):
        u = np.abs(offset) / bandwidth
    if kernel == "boxcar":
        return (u <= 1).astype(float), np.zeros_like(u)
    power = COMPACT_POWERS[kernel]
    inside = np.minimum(u, 1) ** power
    return 1 - inside, np.where(u < 1, power * inside, 0.0)


def dense_sums(points: Points, q: Floats, sigma: float, slopes: bool = False) -> Sums:
    """Gaussian sums over all keys, for few keys: one matrix product a chunk; scaled by the nearest key's weight."""
    keys, masses = points.positions, points.masses
    rows = max(1, CHUNK // len(keys))
    if len(q) <= rows:
        return Sums.of(_dense_block(keys, masses, q, sigma, slopes))
    blocks = [_dense_block(keys, masses, q[start : start + rows], sigma, slopes) for start in range(0, len(q), rows)]
    return Sums.of(np.concatenate(blocks, axis=1))


def _dense_block(keys: Floats, masses: Floats, q: Floats, sigma: float, slopes: bool) -> Floats:
    offset = q[:, None] - keys
    out = np.zeros((5, len(q)))
    with np.errstate(over="ignore", invalid="ignore"):
        scores = offset * (1 / sigma)
        scores *= scores
        nearest = scores.min(axis=1)
        if not nearest.max() < 600:
            # Some row would underflow whole: relative to its nearest key.
            near = np.abs(offset).min(axis=1)
            weights = np.exp(scores_beyond_nearest(offset, near[:, None], sigma))
        else:
            weights = np.exp(scores * -0.5)
    out[:2] = (weights @ masses[:2].T).T
    if slopes:
        weights_slope = weights * np.minimum(scores, 1e300)
        out[3:] = (weights_slope @ masses[:2].T).T
    weights *= weights
    out[2] = weights @ masses[2]
    return out


def nearest_distance(positions: Floats, q: Floats) -> Floats:
    """Distance of each query to its nearest position."""
    right = np.searchsorted(positions, q).clip(1, max(1, len(positions) - 1))
    left_gap = np.abs(q - positions[right - 1])
    return np.minimum(left_gap, np.abs(q - positions[np.minimum(right, len(positions) - 1)]))


def window_sums(
    positions: Floats,
    masses: Floats,
    q: Floats,
    bandwidth: float,
    low: Integers,
    high: Integers,
    *,
    kernel: str = "gaussian",
    nearest: Floats,
    exclude: Integers | None = None,
) -> Sums:
    """Sums over positions[low:high] of each query, without position ``exclude`` where given; slopes included."""
    out = np.zeros((5, len(q)))
    counts = high - low
    for rows in _chunks(counts):
        sizes = counts[rows]
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        index = np.arange(int(sizes.sum())) + np.repeat(low[rows] - starts, sizes)
        offset = np.repeat(q[rows], sizes) - positions[index]
        weights, slope = kernel_weights(kernel, offset, bandwidth, np.repeat(nearest[rows], sizes))
        if exclude is not None:
            others = index != np.repeat(exclude[rows], sizes)
            # The one left out may be nearer than the nearest, and overflow.
            weights, slope = np.where(others, weights, 0.0), np.where(others, slope, 0.0)
        a, az, aa = masses[:, index]
        terms = (weights * a, weights * az, weights * weights * aa, slope * a, slope * az)
        for row, term in zip(out, terms, strict=True):
            row[rows] = np.add.reduceat(term, starts)
    return Sums.of(out)


def _chunks(counts: Integers) -> Iterator[Integers]:
    """Rows with a window that holds something, in lots of at most CHUNK terms (or one row)."""
    filled = np.flatnonzero(counts > 0)
    lots = np.cumsum(counts[filled]) // CHUNK
    edges = np.flatnonzero(np.diff(lots)) + 1
    return iter([rows for rows in np.split(filled, edges) if len(rows)])


def gaussian_windows(positions: Floats, nearest: Floats, q: Floats, sigma: float) -> tuple[Integers, Integers]:
    """First and last + 1 of the keys whose weights can be seen in float64 beside that of the nearest.

    The rest, all together, is below e^−37 of it: d² ≤ d₀² + 2σ²(37 + ln u).
    """
    with np.errstate(over="ignore"):
        reach = np.hypot(nearest, sigma * np.sqrt(2 * (37 + np.log(len(positions)))))
        # q ± reach is rounded, and must not lose the nearest.
        reach += 5e-16 * (reach + np.abs(q))
        low = np.searchsorted(positions, q - reach, side="left")
        high = np.searchsorted(positions, q + reach, side="right")
    return low, high
