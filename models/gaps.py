"""Scores as their gaps below the winner, g = max s − s: all that a softmax sees of them.

Gaps are kept in units of the largest one (``scale``), so that their powers don't overflow; without the ``winners`` (the
tied largest scores; a gap below 1e-90 of the largest counts as a tie), so that what is left over from a nearly hard
lookup keeps its relative precision; and without scores of −inf, which take no part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import LabError

Floats = npt.NDArray[np.float64]

# Up to this many scores plain Python costs less than the fixed price of the numpy calls.
FEW = 16
TIE = 1e-90


class Facts:
    """What a solver asks of one row: ``winners`` k, ``entries`` n that take part, ``span`` = ln(n/k), ``variance``."""

    def __init__(self, winners: int, size: int, scale: float, total: float, squares: float) -> None:
        self.winners = winners
        self.size = size
        self.scale = scale
        entries = self.entries = winners + size
        self.span = math.log(entries / winners)
        self.variance = squares / entries - (total / entries) ** 2


class FewGaps(Facts):
    """One row with a handful of gaps, in plain Python."""

    def __init__(self, scores: Sequence[float]) -> None:
        top = max(scores, default=-math.inf)
        if not math.isfinite(sum(scores)) or not scores:
            _check(0.0, top if all(score == score for score in scores) else math.nan)
            scores = [score for score in scores if score > -math.inf]
        scale = top - min(scores)
        _check(scale, top)
        floor = TIE * scale
        gaps = [gap / scale for score in scores if (gap := top - score) > floor]
        super().__init__(len(scores) - len(gaps), len(gaps), scale, sum(gaps), sum([gap * gap for gap in gaps]))
        self.gaps = gaps

    def sums(self, beta: float) -> tuple[float, float, float, float]:
        """Σe^{−x}, Σx e^{−x}, Σx² e^{−x}, Σx³ e^{−x} over the entries that don't win, x = βg."""
        rest = first = second = third = 0.0
        for gap in self.gaps:
            x = gap * beta
            e = math.exp(-x)
            rest += e
            e *= x
            first += e
            e *= x
            second += e
            third += e * x
        return rest, first, second, third


class ManyGaps(Facts):
    """One row with many gaps. ``each`` says how many entries a gap stands for, where the row is a sample."""

    def __init__(self, scores: Floats) -> None:
        top = scores.max(initial=-math.inf)
        _check(0.0, float(top))
        with np.errstate(over="ignore"):
            gaps = top - (scores if scores.min() > -math.inf else scores[scores > -math.inf])
        entries, scale = len(gaps), float(gaps.max())
        _check(scale, 0.0)
        gaps = gaps[gaps > TIE * scale]
        self.powers = np.empty((4, len(gaps)))
        self.powers[0] = 1.0
        np.divide(gaps, scale, out=self.powers[1])
        np.multiply(self.powers[1], self.powers[1], out=self.powers[2])
        np.multiply(self.powers[2], self.powers[1], out=self.powers[3])
        total, squares = self.powers[1].sum(), self.powers[2].sum()
        super().__init__(entries - len(gaps), len(gaps), scale, float(total), float(squares))
        self.each = 1.0
        self._e = np.empty(len(gaps))

    def sample(self, size: int) -> ManyGaps:
        """About ``size`` of the gaps, each standing for several: a cheap likeness of the row, for a first guess."""
        small = object.__new__(ManyGaps)
        small.__dict__.update(self.__dict__)
        small.powers = np.ascontiguousarray(self.powers[:, :: max(1, self.size // size)])
        small._e = np.empty(small.powers.shape[1])
        small.each = self.size / small.powers.shape[1]
        return small

    def sums(self, beta: float) -> tuple[float, float, float, float]:
        """As ``FewGaps.sums``."""
        e = self._e
        np.multiply(self.powers[1], -beta, out=e)
        np.exp(e, out=e)
        rest, first, second, third = (self.powers @ e).tolist()
        n = self.each
        beta_n = beta * n
        return rest * n, first * beta_n, second * beta * beta_n, third * beta * beta * beta_n


class RowGaps:
    """Rows of the same length, every fact an array (n,). Winners and −inf keep their place with the weight 0."""

    def __init__(self, scores: Floats) -> None:
        n, m = scores.shape
        self.powers = np.empty((n, 4, m))
        live, gaps, squares, cubes = (self.powers[:, power] for power in range(4))
        self.entries, self.scale = _row_gaps(scores, gaps)
        wins = gaps <= TIE * self.scale[:, None]
        self.winners = self.entries - m + wins.sum(axis=1)
        gaps /= self.scale[:, None]
        np.logical_not(wins, out=live)
        gaps *= live
        np.multiply(gaps, gaps, out=squares)
        np.multiply(squares, gaps, out=cubes)
        self.span = np.log(self.entries / self.winners)
        self.variance = squares.sum(axis=1) / self.entries - (gaps.sum(axis=1) / self.entries) ** 2

    def __len__(self) -> int:
        return len(self.span)

    def rows(self, chosen: npt.NDArray[Any]) -> RowGaps:
        """The rows that a boolean or index array chooses."""
        some = object.__new__(RowGaps)
        some.__dict__.update({name: value[chosen] for name, value in self.__dict__.items()})
        return some

    def sums(self, beta: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """As ``FewGaps.sums``, (n,) each."""
        e = np.exp(self.powers[:, 1] * -beta[:, None])
        rest, first, second, third = (self.powers @ e[:, :, None])[:, :, 0].T
        return rest, first * beta, second * beta * beta, third * beta * beta * beta


def _row_gaps(scores: Floats, gaps: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Fills ``gaps`` (n, m), 0 for −inf; gives how many entries take part and the largest gap (or 1) of each row."""
    n, m = scores.shape
    top = scores.max(axis=1, initial=-math.inf)
    _check(0.0, float(top.max()))
    _check(0.0, float(top.min()))
    with np.errstate(over="ignore"):
        np.subtract(top[:, None], scores, out=gaps)
    entries = np.full(n, m)
    if scores.min(initial=math.inf) == -math.inf:
        blocked = scores == -math.inf
        gaps[blocked] = 0.0
        entries -= blocked.sum(axis=1)
    scale = gaps.max(axis=1, initial=0.0)
    _check(float(scale.max(initial=0.0)), 0.0)
    scale[scale == 0.0] = 1.0
    return entries, scale


def _check(scale: float, top: float) -> None:
    """Refuses scores whose largest gap or largest score is no finite number."""
    if math.isnan(top) or top == math.inf:
        raise LabError("Every score must be a number below infinity; one that came is not. Correct or remove it.")
    if top == -math.inf:
        raise LabError(
            "No score takes part: all are blocked (−inf) or there is none. Let at least one score take part."
        )
    if scale == math.inf:
        raise LabError("The scores differ by more than 1.8e308, the largest number there is. Give smaller scores.")
