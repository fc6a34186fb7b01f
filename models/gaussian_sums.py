"""Gaussian kernel sums at any size: a sketch of the points that doesn't depend on the bandwidth.

The keys are spread once onto a uniform grid (a ``Level``) with Lagrange weights of order 10; a bandwidth then costs one
convolution by FFT, and order-10 interpolation reads it at any query (the idea of the non-uniform FFT, Dutt & Rokhlin
1993). A Gaussian of width σ/√2 on the squared masses gives Σw². Cells have a width of 2^k and edges at whole multiples
of it, so that finding a cell and the place in it makes no rounding error, wherever zero lies.

The rule of choice, by which the estimate keeps a relative error below 1e-10 (of max |y|) and the effective number too:

- up to ``FEW_KEYS`` keys: exact, over all keys;
- the sketch where it is cheaper than the exact windows, with cells of 0.0175 σ to 0.035 σ. Gaps in the data are
  shortened to what a kernel can't reach across, so that a far outlier costs nothing. Lagrange's error is then below
  1e-10 of Σw² wherever that is above ``TAIL`` of all mass; the FFT's rounding is below ``FFT_SAFETY``⁻¹ of it;
- queries with less than either, and whatever lies far from all keys: the exact shifted softmax on the sorted keys in
  reach, or, where they are many, on the nodes of a level that is finer by the distance.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from models.kernel_sums import Sums, dense_sums, gaussian_windows, nearest_distance, window_sums
from models.points import Floats, Integers, Points

ORDER = 10
NODES = np.arange(ORDER) - 4
"""Grid nodes that a point in cell 0 touches: −4 … 5."""
FEW_KEYS = 300
CELL = 0.035
"""Largest cell width in σ."""
GAP, NEAR = 832, 288
"""Longest gap kept, and how far from a key a query may be, in cells: (832 − 288)·0.0175 σ = 9.5 σ from the next."""
ROWS = 1 << 15
"""Queries interpolated at once."""
TAIL = 1e-6
FFT_SAFETY = 2e11
MOST_NODES = 1 << 20
LARGE = 1 << 17
"""A level of so many nodes is kept only until the next such is made."""


def _lagrange() -> Floats:
    """(10, 10): coefficient of s^p, s = t − ½ with t the place in the cell, in the Lagrange weight of node j."""
    at = NODES - 0.5
    polynomials = [np.poly(np.delete(at, j))[::-1] / np.prod(at[j] - np.delete(at, j)) for j in range(ORDER)]
    return np.array(polynomials).T


LAGRANGE = _lagrange()


def interpolation_weights(t: Floats) -> Floats:
    """(n, 10) Lagrange weights for places t ∈ [0, 1) in a cell."""
    powers = np.empty((ORDER, len(t)))
    powers[0] = 1
    s = t - 0.5
    for p in range(1, ORDER):
        np.multiply(powers[p - 1], s, out=powers[p])
    return powers.T @ LAGRANGE


def fast_length(least: int) -> int:
    """A length ≥ ``least`` with small factors."""
    octave = max(0, int(least - 1).bit_length() - 4)
    return min(c << octave for c in (8, 9, 10, 12, 15, 16) if c << octave >= least)


@dataclass(frozen=True)
class Level:
    """Masses (3, length) at the nodes of a grid of cell width h, long gaps shortened to GAP cells.

    Segment s starts at cell ``first[s]``; cell c of it is node c + ``shift[s]``. The first node lies NEAR cells in.
    """

    h: float
    masses: Floats
    first: Integers
    shift: Integers

    @classmethod
    def of(cls, positions: Floats, masses: Floats, exponent: int) -> Level:
        """Spread sorted positions (u,) with masses (3, u) onto cells of 2^exponent."""
        h = 2.0**exponent
        scaled = positions / h
        cells = np.floor(scaled)
        starts = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]]))
        scaled -= cells
        moments = _cell_moments(scaled, masses, starts)
        cells = cells[starts].astype(np.int64)
        gaps = np.diff(cells)
        cuts = np.flatnonzero(gaps > GAP) + 1
        node = NEAR + np.concatenate([[0], np.cumsum(np.minimum(gaps, GAP))])
        heads = np.concatenate([[0], cuts])
        spread = np.zeros((3, int(node[-1]) + NEAR + 1))
        for j, offset in enumerate(NODES):
            spread[:, node + offset] += LAGRANGE[:, j] @ moments
        return cls(h, spread, cells[heads], node[heads] - cells[heads])

    def place(self, q: Floats) -> tuple[Integers, Floats, Floats]:
        """Node (n,) left of each query, the place t in its cell, and whether the level reaches there."""
        scaled = q / self.h
        cells = np.floor(scaled)
        t = scaled - cells
        cells = np.clip(cells, float(self.first[0]) - 2 * NEAR, 2.0**62).astype(np.int64)
        shift, last = self.shift[0], self.masses.shape[1] - NEAR - 1
        if len(self.first) > 1:
            segment = (np.searchsorted(self.first - NEAR, cells, side="right") - 1).clip(0)
            shift, last = self.shift[segment], self._last[segment]
        node = cells + shift
        reached = (node >= 5) & (node <= last + NEAR - 6)
        return np.where(reached, node, 5), t, reached

    @cached_property
    def _last(self) -> Integers:
        """Last occupied node of each segment."""
        ends = self.first[1:] + self.shift[1:] - GAP
        return np.concatenate([ends, [self.masses.shape[1] - NEAR - 1]])

    @cached_property
    def length(self) -> int:
        """Length of the FFT: the next copy of the data is as far as the next segment would be."""
        return fast_length(self.masses.shape[1] + GAP - 2 * NEAR)

    @cached_property
    def spectrum(self) -> npt.NDArray[np.complex128]:
        return np.fft.rfft(self.masses, self.length, axis=1)

    @cached_property
    def norms(self) -> tuple[float, float]:
        """Euclidean norms of the masses and of the squared masses."""
        return float(np.linalg.norm(self.masses[0])), float(np.linalg.norm(self.masses[2]))

    @cached_property
    def nodes(self) -> tuple[Floats, Floats]:
        """Sorted positions and masses of the nodes that hold something."""
        filled = np.flatnonzero(self.masses.any(axis=0))
        segment = (np.searchsorted(self.first + self.shift - GAP // 2, filled, side="right") - 1).clip(0)
        return (filled - self.shift[segment]) * self.h, self.masses[:, filled]

    def convolved(self, sigma: float, squares: bool, slopes: bool) -> Floats:
        """Σaw, Σazw, then Σa²w² and the two slopes where asked for, at the nodes: (2 … 5, length).

        The transform of u²·exp(−u²/2) is (1 − ω²s²)·ĝ(ω).
        """
        s = sigma / self.h
        count = min(self.length // 2 + 1, int(self.length * 12.5 / (2 * np.pi * s)) + 2)
        omega = np.arange(count) * (2 * np.pi * s / self.length)
        omega *= omega
        narrow = np.exp(-0.25 * omega)
        wide = narrow * narrow * (s * np.sqrt(2 * np.pi))
        narrow *= s * np.sqrt(np.pi)
        spectrum = self.spectrum[:, :count]
        product = np.empty((2 + squares + 2 * slopes, count), dtype=complex)
        np.multiply(spectrum[:2], wide, out=product[:2])
        if squares:
            np.multiply(spectrum[2], narrow, out=product[2])
        if slopes:
            np.multiply(product[:2], 1 - omega, out=product[-2:])
        return np.fft.irfft(product, self.length, axis=1)

    def rounding(self, sigma: float) -> tuple[float, float]:
        """The FFT's rounding errors of Σaw and of Σa²w²: machine epsilon times the norms of what is convolved."""
        kernel = np.sqrt(np.sqrt(np.pi) * sigma / self.h) * 1.1e-16
        return self.norms[0] * float(kernel), self.norms[1] * float(kernel)


def _cell_moments(t: Floats, masses: Floats, starts: Integers) -> Floats:
    """(10, 3, cells) moments Σ a·s^p of each cell, s = t − ½; unit weights share their sums with the squares."""
    same = np.array_equal(masses[0], masses[2])
    moments = np.empty((ORDER, 3, len(starts)))
    s = t - 0.5
    for channel in (0, 1) if same else (0, 1, 2):
        term = masses[channel].copy()
        for p in range(ORDER):
            if p:
                term *= s
            np.add.reduceat(term, starts, out=moments[p, channel])
    if same:
        moments[:, 2] = moments[:, 0]
    return moments.transpose(1, 0, 2).copy()


@dataclass
class Sketch:
    """The levels of one set of points, made when a bandwidth first needs them."""

    points: Points
    levels: dict[int, Level] = field(default_factory=dict)
    lengths: dict[int, float] = field(default_factory=dict)

    def length_at(self, exponent: int) -> float:
        """Nodes of a level, before it is made; infinite where cells are too fine for whole numbers."""
        if exponent not in self.lengths:
            h = 2.0 ** max(exponent, -1000)
            possible = exponent > -1000 and self.points.farthest / h < 2.0**52
            steps = np.minimum(np.diff(self.points.positions) / h, GAP) if possible else 0
            self.lengths[exponent] = float(np.sum(steps)) + 2 * NEAR if possible else np.inf
        return self.lengths[exponent]

    def level(self, exponent: int) -> Level:
        """The level with cells of 2^exponent, from a finer one if the points are many."""
        if exponent not in self.levels:
            positions, masses = self._source(exponent)
            if self.length_at(exponent) > LARGE:
                large = [known for known, level in self.levels.items() if level.masses.shape[1] > LARGE]
                for known in large:
                    del self.levels[known]
            self.levels[exponent] = Level.of(positions, masses, exponent)
        return self.levels[exponent]

    def _source(self, exponent: int) -> tuple[Floats, Floats]:
        finer = [known for known in self.levels if known < exponent]
        if finer:
            positions, masses = self.levels[max(finer)].nodes
            if len(positions) < len(self.points.positions):
                return positions, masses
        base = exponent - 5
        if not finer and self.length_at(base) * 4 < len(self.points.positions):
            return self.level(base).nodes
        return self.points.positions, self.points.masses


def exponent_for(width: float) -> int:
    """k of the widest cell 2^k with at most CELL·width."""
    return int(np.floor(np.log2(CELL * width)))


def gaussian_sums(sketch: Sketch, q: Floats, sigma: float, slopes: bool = False) -> Sums:
    """The five sums at queries (n,) by the rule of choice; scaled by a factor of its own in each row."""
    if len(sketch.points.positions) <= FEW_KEYS:
        return dense_sums(sketch.points, q, sigma, slopes)
    exponent = exponent_for(sigma)
    if not sketch_pays(sketch, q, sigma, exponent):
        return far_sums(sketch, q, sigma)
    level = sketch.level(exponent)
    sums, sound = sketch_sums(level, q, sigma, slopes)
    least = max(TAIL * sketch.points.total_square, FFT_SAFETY * max(level.rounding(sigma)))
    rest = np.flatnonzero(~(sound & (sums[2] > least)))
    if len(rest):
        sums[:, rest] = np.array(far_sums(sketch, q[rest], sigma))[: len(sums)]
    return Sums.of(sums if slopes else np.concatenate([sums, np.zeros((2, len(q)))]))


def sketch_pays(sketch: Sketch, q: Floats, sigma: float, exponent: int) -> bool:
    """Whether convolving costs less than the exact windows (a pair costs as much as a node)."""
    length = sketch.length_at(exponent)
    if length > MOST_NODES:
        return False
    keys = sketch.points.positions
    some = q if len(q) <= 64 else q[:: len(q) // 64]
    low, high = gaussian_windows(keys, np.zeros(len(some)), some, sigma)
    return float(np.mean(high - low)) * len(q) > length


def sketch_sums(level: Level, q: Floats, sigma: float, slopes: bool) -> tuple[Floats, Floats]:
    """Unscaled sums (3 or 5, n) off the convolved grid, and which of them a level reaches at all."""
    node, t, reached = level.place(q)
    return interpolated(level.convolved(sigma, True, slopes), node, t), reached


def interpolated(grid: Floats, node: Integers, t: Floats) -> Floats:
    """The rows of ``grid`` (r, length) at places t behind nodes (n,): (r, n)."""
    out = np.empty((len(grid), len(t)))
    for start in range(0, len(t), ROWS):
        rows = slice(start, start + ROWS)
        read(grid, interpolation_weights(t[rows]), node[rows, None] + NODES, out[:, rows])
    return out


def read(grid: Floats, weights: Floats, around: Integers, out: Floats) -> None:
    """Σ weights·grid over the nodes ``around`` (n, 10) of each query, into ``out`` (r, n)."""
    for row, target in zip(grid, out, strict=True):
        np.einsum("nj,nj->n", row[around], weights, out=target)


def far_sums(sketch: Sketch, q: Floats, sigma: float) -> Sums:
    """Exact sums, scaled by the weight of the nearest key, however far it is."""
    if len(q) > ROWS:
        lots = [_far_block(sketch, q[start : start + ROWS], sigma) for start in range(0, len(q), ROWS)]
        return Sums.of(np.concatenate(lots, axis=1))
    return Sums.of(_far_block(sketch, q, sigma))


def _far_block(sketch: Sketch, q: Floats, sigma: float) -> Floats:
    keys, masses = sketch.points.positions, sketch.points.masses
    nearest = nearest_distance(keys, q)
    low, high = gaussian_windows(keys, nearest, q, sigma)
    out = np.zeros((5, len(q)))
    exponents = _node_exponents(sketch, nearest, high - low, sigma)
    for exponent in np.unique(exponents):
        rows = np.flatnonzero(exponents == exponent)
        at, mass, first, last = keys, masses, low[rows], high[rows]
        if exponent < NO_LEVEL:
            at, mass = sketch.level(int(exponent)).nodes
            first, last = gaussian_windows(at, nearest[rows], q[rows], sigma)
        out[:, rows] = window_sums(at, mass, q[rows], sigma, first, last, nearest=nearest[rows])
    return out


NO_LEVEL = 1 << 20
MANY_KEYS = 3000


def _node_exponents(sketch: Sketch, nearest: Floats, counts: Integers, sigma: float) -> Integers:
    """Per query the level that stands in for its keys, or NO_LEVEL: finer by the distance in σ, where keys are many."""
    exponents = np.full(len(nearest), NO_LEVEL)
    many = np.flatnonzero(counts > MANY_KEYS)
    if len(many):
        fine = CELL * sigma / np.maximum(1, nearest[many] / sigma)
        exponents[many] = np.floor(np.log2(fine))
        for exponent in np.unique(exponents[many]):
            if sketch.length_at(int(exponent)) * 4 > min(4 * LARGE, len(sketch.points.positions)):
                exponents[exponents == exponent] = NO_LEVEL
    return exponents
