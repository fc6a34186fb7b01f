"""Sums under kernels with a window: boxcar, triangular, Epanechnikov, exact at any size by prefix sums of powers of x.

Inside the window the kernel is a polynomial of q − x, so that a sum is a difference of prefix sums of x^p·a. Powers are
taken about the middle of tiles of 2.1 to 8.4 bandwidths (a window touches at most two), and each prefix sum carries its
rounding errors along (two-sum, Knuth 1969): no digits are lost to far data. Queries whose window holds next to nothing
(all keys near its edge) are summed term by term.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb

import numpy as np

from models.kernel_sums import COMPACT_POWERS, Sums, window_sums
from models.points import Floats, Integers, Points

ROWS = 1 << 15
"""Queries summed at once."""
FAINT = 1e-2
"""Σa²w² below this share of Σa² of the window is summed term by term: the differences have lost digits there."""


MANY = 200_000
"""Above so many keys the tables of one tile width are kept, else of two."""


def prefix_sums(terms: Floats, out: Floats) -> None:
    """Running sums (u+1,) of terms (u,), as rounded and as carried errors, into the columns of ``out`` (u+1, 2)."""
    main = np.concatenate([[0.0], np.cumsum(terms)])
    before, after = main[:-1], main[1:]
    part = after - before
    errors = before - (after - part)
    errors += terms - part
    out[:, 0] = main
    out[0, 1] = 0
    np.cumsum(errors, out=out[1:, 1])


@dataclass(frozen=True)
class Table:
    """Prefix sums (u+1, columns, 2) of a·s^p with s = x/width − ⌊x/width⌋ − ½; ``column`` by (channel, power)."""

    sums: Floats
    column: dict[tuple[int, int], int]

    @classmethod
    def of(cls, points: Points, width: float, power: int) -> Table:
        """For a kernel 1 − |u|^power: the powers that the sums need, squares up to twice of it."""
        shared = bool((points.masses[0] == points.masses[2]).all())
        wanted = [(0, p) for p in range((2 if shared else 1) * power + 1)] + [(1, p) for p in range(power + 1)]
        wanted += [] if shared else [(2, p) for p in range(2 * power + 1)]
        column = {which: i for i, which in enumerate(wanted)}
        sums = np.empty((len(points.positions) + 1, len(wanted), 2))
        scaled = points.positions / width
        s = scaled - np.floor(scaled) - 0.5
        for (channel, p), i in column.items():
            prefix_sums(points.masses[channel] * s**p, sums[:, i])
        column.update({(2, p): column[0, p] for p in range(2 * power + 1) if shared})
        return cls(sums, column)

    def moments(self, cuts: Integers) -> Floats:
        """Moments (columns, k−1, n) of the stretches between rows of cuts (k, n)."""
        steps = np.diff(self.sums[cuts], axis=0)
        return np.moveaxis(steps[..., 0] + steps[..., 1], -1, 0)


@dataclass
class Windows:
    """The tables of one set of points, made when first needed."""

    points: Points
    tables: dict[tuple[float, int], Table] = field(default_factory=dict)

    def counting(self) -> Table:
        """Of the masses alone, for the boxcar."""
        return self._table(np.inf, 0)

    def of_width(self, bandwidth: float, power: int) -> tuple[float, Table]:
        """Tiles of a power of 4 from 2.1 to 8.4 bandwidths: few widths, so that a drag seldom needs a new one."""
        width = float(4.0 ** np.ceil(np.log2(bandwidth * 2.1) / 2))
        return width, self._table(width, power)

    def _table(self, width: float, power: int) -> Table:
        if (width, power) not in self.tables:
            while len(self.tables) > (1 if len(self.points.positions) <= MANY else 0):
                del self.tables[next(iter(self.tables))]
            self.tables[width, power] = Table.of(self.points, width, power)
        return self.tables[width, power]


def window_edges(keys: Floats, q: Floats, bandwidth: float) -> tuple[Integers, Integers]:
    """First and last + 1 key with |q − x|/bandwidth ≤ 1 as float64 has it: the edge is inside."""
    low = np.searchsorted(keys, q - bandwidth, side="left")
    high = np.searchsorted(keys, q + bandwidth, side="right")
    moved = True
    # q ± bandwidth is rounded: let the quotient itself decide, as the kernel does.
    while moved:
        wider = (low > 0) & (np.abs(q - keys[low - 1]) / bandwidth <= 1)
        narrower = (low < high) & (np.abs(q - keys[np.minimum(low, len(keys) - 1)]) / bandwidth > 1)
        low = low - wider + narrower
        taller = (high < len(keys)) & (np.abs(q - keys[np.minimum(high, len(keys) - 1)]) / bandwidth <= 1)
        shorter = (high > low) & (np.abs(q - keys[high - 1]) / bandwidth > 1)
        high = high + taller - shorter
        moved = bool((wider | narrower | taller | shorter).any())
    return low, high


def compact_sums(windows: Windows, q: Floats, bandwidth: float, kernel: str) -> Sums:
    """The five unscaled sums at queries (n,); all zero where the window is empty."""
    if len(q) <= ROWS:
        return _compact_block(windows, q, bandwidth, kernel)
    blocks = [_compact_block(windows, q[i : i + ROWS], bandwidth, kernel) for i in range(0, len(q), ROWS)]
    return Sums.of(np.concatenate(blocks, axis=1))


def _compact_block(windows: Windows, q: Floats, bandwidth: float, kernel: str) -> Sums:
    low, high = window_edges(windows.points.positions, q, bandwidth)
    if kernel == "boxcar":
        table = windows.counting()
        moments = table.moments(np.array([low, high]))[:, 0]
        mass, value, square = (moments[table.column[channel, 0]] for channel in range(3))
        return Sums(mass, value, square, np.zeros(len(q)), np.zeros(len(q)))
    if not _tiles_fit(windows, q, bandwidth):
        return exact_window_sums(windows.points, q, bandwidth, kernel, low, high)
    return _polynomial_sums(windows, q, bandwidth, kernel, low, high)


def _tiles_fit(windows: Windows, q: Floats, bandwidth: float) -> bool:
    """Whether places are whole numbers of tiles that float64 tells apart."""
    return max(windows.points.farthest, float(np.abs(q).max(initial=0))) / bandwidth < 2.0**50


def exact_window_sums(
    points: Points,
    q: Floats,
    bandwidth: float,
    kernel: str,
    low: Integers,
    high: Integers,
    exclude: Integers | None = None,
) -> Sums:
    """The same term by term, without key ``exclude`` of each query where given."""
    nearest = np.zeros(len(q))
    return window_sums(
        points.positions, points.masses, q, bandwidth, low, high, kernel=kernel, nearest=nearest, exclude=exclude
    )


def _polynomial_sums(windows: Windows, q: Floats, bandwidth: float, kernel: str, low: Integers, high: Integers) -> Sums:
    """A window falls into three stretches, cut at the query and at the border of two tiles.

    In each |u| = r·(place − s) with r = ± width/bandwidth, and Σa·w = Σa − Σa·|u|^p, Σa²·w² = Σa² − 2Σa²·|u|^p +
    Σa²·|u|^2p; the slope by log of the bandwidth is that of |u|^p, which is p·|u|^p.
    """
    power = COMPACT_POWERS[kernel]
    width, table = windows.of_width(bandwidth, power)
    keys = windows.points.positions
    tile = np.floor((q - bandwidth) / width)
    border = np.searchsorted(keys, (tile + 1) * width).clip(low, high)
    middle = np.searchsorted(keys, q).clip(low, high)
    crossed = border < middle
    moments = table.moments(np.array([low, np.minimum(border, middle), np.maximum(border, middle), high]))
    zeros, ones = np.zeros(len(q)), np.ones(len(q))
    place = (q / width - tile - 0.5) - np.array([zeros, crossed, ones])
    r = np.array([ones, np.where(crossed, 1.0, -1.0), -ones]) * (width / bandwidth)
    by_power = [[moments[table.column[channel, p]] for p in range(power + 1)] for channel in range(2)]
    squares = [moments[table.column[2, p]] for p in range(2 * power + 1)]
    plain = np.array([terms[0].sum(axis=0) for terms in (*by_power, squares)])
    far = np.array([(_shifted(terms, place, power) * r**power).sum(axis=0) for terms in (*by_power, squares)])
    farther = (_shifted(squares, place, 2 * power) * r ** (2 * power)).sum(axis=0)
    out = np.array([*(plain[:2] - far[:2]), plain[2] - 2 * far[2] + farther, *(power * far[:2])])
    faint = np.flatnonzero((out[2] < FAINT * plain[2]) & (high > low))
    if len(faint):
        out[:, faint] = exact_window_sums(windows.points, q[faint], bandwidth, kernel, low[faint], high[faint])
    return Sums.of(out)


def _shifted(moments: list[Floats], place: Floats, power: int) -> Floats:
    """Σ a·(place − s)^power from the moments Σ a·s^p, by Horner's rule."""
    out = moments[0]
    for p in range(1, power + 1):
        out = out * place + (comb(power, p) * (-1) ** p) * moments[p]
    return out
