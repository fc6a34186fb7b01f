"""The temperature panel's computation: all that it shows of a row of scores at a temperature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from models.arrays import Array
from models.backend import CPU, Place
from models.bisection import Bisection, bisection_steps
from models.boltzmann import Boltzmann
from models.errors import LabError
from models.inverse import temperature_for_effective_number, temperature_for_entropy, temperature_for_perplexity
from models.job import Job
from models.sampling import draw_counts
from models.score_row import ScoreRow, as_numbers, names_of
from models.simplex import entropy_contour, simplex_coordinates, simplex_path
from models.temperature_curves import (
    MANY,
    Curves,
    Numbers,
    are_known,
    curves_of,
    place_for,
    rough_curves,
    temperatures,
)
from models.temperature_state import Corners, Inverse, Sampling, Why
from models.weightings import WEIGHTINGS, ties
from models.why_softmax import divide_by_sum, shift_difference, softmax_jacobian, weight_ratio

MOST_CELLS = 40
"""Entries of the Jacobian; the rest of more is one entry of its own."""
MOST_BARS = 2000
"""Entries that are drawn as bars."""
LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9, 1.05)
"""Entropies in nats of the lines in the triangle; ln 3 = 1.0986 is its centre."""
SOLVERS = {
    "entropy": temperature_for_entropy,
    "perplexity": temperature_for_perplexity,
    "effective_number": temperature_for_effective_number,
}


Inputs = tuple[ScoreRow, float, Inverse, Why, Corners, Sampling]


@dataclass(frozen=True)
class Measures:
    """Single numbers at the present temperature; entropy and slope in nats."""

    entropy: float
    slope: float
    perplexity: float
    effective_number: float
    log_sum_exp: float
    log_sum_exp_low: float
    """max s"""
    log_sum_exp_high: float
    """max s + τ ln n"""
    largest_derivative: float


@dataclass(frozen=True, eq=False)
class Solution:
    """The one temperature for a target, or in words why there is none."""

    target: float
    temperature: float = math.nan
    entropy: float = math.nan
    """Of that temperature, in nats."""
    error: float = math.nan
    """How far the quantity at that temperature is from its target, for entropies in nats."""
    steps: Bisection | None = None
    refusal: str = ""


@dataclass(frozen=True)
class Triangle:
    """Two or three entries in the plane of their weights."""

    entries: tuple[int, ...]
    temperatures: Numbers
    path: Numbers
    """(t, 2): where the point lies at ``temperatures`` (t,)"""
    point: Numbers
    """(2,)"""
    weights: Numbers
    """Of the entries, renormalised among themselves."""
    contours: tuple[Numbers, ...]
    """(p, 2) each: lines of equal entropy, with gaps outside the triangle; none for two entries"""


@dataclass(frozen=True)
class Reasons:
    """Why softmax, in numbers: softmax and division by the sum of the scores as they are, and shifted by c."""

    change: float
    """The largest change of a softmax weight by the shift: 0 to rounding."""
    ratio: float | None
    """a_i/a_j, None where an entry takes no part."""
    divided: Numbers | None
    """s/Σs of the shifted scores, None where they sum to 0"""
    divided_change: float | None
    """The largest change of s/Σs by the shift."""
    problems: tuple[str, ...]


@dataclass(frozen=True)
class TemperatureResult:
    """All that the panel draws, for the ``inputs`` (row, temperature, inverse, why, corners, sampling).

    ``temperature`` is that of the picture: the given one, over ‖q‖ where scores are per unit of query length.
    """

    inputs: Inputs
    temperature: float
    names: tuple[str, ...]
    scores: Numbers
    """(m,), −∞ for entries that take no part"""
    weights: Numbers
    """(m,), all 0 where no entry takes part"""
    cold: Numbers
    """(m,): the limit τ → 0, shared by tied winners"""
    hot: Numbers
    """(m,): the limit τ → ∞, uniform over the entries that take part"""
    winners: tuple[int, ...]
    sparsemax: Numbers
    entmax15: Numbers
    measures: Measures
    curves: Curves
    solution: Solution | None
    triangle: Triangle | None
    reasons: Reasons | None
    jacobian: Numbers
    """(j, j): of at most 40 entries, the last standing for all others where there are more"""
    jacobian_names: tuple[str, ...]
    counts: Numbers | None
    """(m,): how often each entry was drawn"""
    order: Numbers
    """Which entries a picture draws, from left to right: all as they come, or of very many some by falling score."""
    ranks: Numbers
    """Where it draws them."""

    @property
    def is_sorted(self) -> bool:
        """True where so many entries are drawn as a curve by falling score."""
        return len(self.scores) > MOST_BARS

    @property
    def found(self) -> bool:
        """False where no entry takes part."""
        return bool(self.winners)

    @property
    def live(self) -> int:
        """How many entries take part."""
        return int(np.count_nonzero(self.scores > -np.inf))


def compute_temperature(
    row: ScoreRow, temperature: float, inverse: Inverse, why: Why, corners: Corners, sampling: Sampling, job: Job
) -> TemperatureResult:
    """Everything that the panel shows. What doesn't depend on the temperature is computed once and kept."""
    scores = job.backend.run(row.compute)
    return job.backend.run(
        lambda place: _compute(
            (row, temperature, inverse, why, corners, sampling), scores, place_for(len(scores), place), job
        )
    )


def _compute(inputs: Inputs, scores: Array, place: Place, job: Job) -> TemperatureResult:
    if are_known(scores, place):
        return _result(inputs, scores, place, curves_of(scores, place, job))
    if len(scores) > MANY:
        job.partial(_result(inputs, scores, place, rough_curves(scores, place)))
    return _result(inputs, scores, place, curves_of(scores, place, job))


def _result(inputs: Inputs, scores: Array, place: Place, curves: Curves) -> TemperatureResult:
    row, temperature, inverse, why, corners, sampling = inputs
    tau = temperature / row.length
    tensor = place.tensor(scores.values)
    spread = Boltzmann(tensor, tau)
    weights = as_numbers(spread.weights)
    winners, cold, hot = _limits(scores, place)
    jacobian, cells = _jacobian(scores.values, tau)
    order, ranks = _order(scores)
    names = names_of(row)
    return TemperatureResult(
        inputs=inputs,
        temperature=tau,
        names=names,
        scores=scores.values,
        weights=weights,
        cold=cold,
        hot=hot,
        winners=winners,
        sparsemax=as_numbers(WEIGHTINGS["sparsemax"](tensor, tau)),
        entmax15=as_numbers(WEIGHTINGS["entmax15"](tensor, tau)),
        measures=_measures(spread, bool(winners)),
        curves=curves,
        solution=None if inverse.target is None else _solve(scores, inverse.quantity, inverse.target),
        triangle=_triangle(scores, corners, tau),
        reasons=_reasons(scores, why, tau) if winners else None,
        jacobian=jacobian,
        jacobian_names=tuple("the rest" if cell < 0 else names[cell] for cell in cells),
        counts=as_numbers(draw_counts(weights, sampling.draws, sampling.seed)) if winners else None,
        order=order,
        ranks=ranks,
    )


def _measures(spread: Boltzmann, found: bool) -> Measures:
    names = ("entropy", "slope", "perplexity", "effective_number", "log_sum_exp", "largest_derivative")
    values = {name: float(getattr(spread, name)) for name in names}
    entries = int(spread.live.sum())
    low = float(spread.top)
    high = low + float(spread.temperature) * math.log(entries) if found else low
    return Measures(**values, log_sum_exp_low=low, log_sum_exp_high=high)


@lru_cache(maxsize=8)
def _limits(scores: Array, place: Place) -> tuple[tuple[int, ...], Numbers, Numbers]:
    tensor = place.tensor(scores.values)
    live = scores.values > -np.inf
    cold = as_numbers(WEIGHTINGS["softmax"](tensor, 0.0))
    entries = max(1, int(np.count_nonzero(live)))
    return tuple(ties(tensor)), cold, live.astype(np.float64) / entries


@lru_cache(maxsize=8)
def _order(scores: Array) -> tuple[Numbers, Numbers]:
    count = len(scores)
    if count <= MOST_BARS:
        return np.arange(count), np.arange(count, dtype=np.float64)
    ranks = np.unique(np.concatenate([np.arange(200), np.linspace(0, count - 1, MOST_BARS).astype(np.int64)]))
    return best_of(scores.values, count)[ranks], ranks.astype(np.float64) + 1.0


def best_of(scores: Numbers, count: int) -> Numbers:
    """The entries with the largest scores, best first, the first of equals first."""
    return np.argsort(-scores, kind="stable")[:count]


def _jacobian(scores: Numbers, tau: float) -> tuple[Numbers, tuple[int, ...]]:
    """∂a_i/∂s_j and which entries its rows are; −1 is the rest.

    One entry with the log-sum-exp of all others as its score weighs as much as they do together.
    """
    if len(scores) <= MOST_CELLS:
        return as_numbers(softmax_jacobian(CPU.tensor(scores), tau)), tuple(range(len(scores)))
    best = _best(Array(scores), MOST_CELLS - 1)
    rest = np.delete(scores, best)
    lump = float(Boltzmann(CPU.tensor(rest), tau).log_sum_exp)
    shown = np.append(scores[best], lump)
    return as_numbers(softmax_jacobian(CPU.tensor(shown), tau)), (*best.tolist(), -1)


@lru_cache(maxsize=8)
def _best(scores: Array, count: int) -> Numbers:
    return best_of(scores.values, count)


@lru_cache(maxsize=32)
def _solve(scores: Array, quantity: str, target: float) -> Solution:
    try:
        tau = SOLVERS[quantity](scores.values, target)
    except LabError as refusal:
        return Solution(target, refusal=str(refusal))
    spread = Boltzmann(CPU.tensor(scores.values), tau)
    entropy = float(spread.entropy)
    error = abs(float(getattr(spread, quantity)) - target)
    return Solution(target, tau, entropy, error, _bisection(scores.values, entropy))


def _bisection(scores: Numbers, entropy: float) -> Bisection | None:
    """The steps to that entropy; none where it rounds to a limit, which no bisection can tell from its neighbours."""
    try:
        return bisection_steps(scores, entropy)
    except LabError:
        return None


def _triangle(scores: Array, corners: Corners, tau: float) -> Triangle | None:
    entries = corner_entries(scores.values, corners)
    three = scores.values[list(entries)]
    if len(entries) < 2 or not (three > -np.inf).any():
        return None
    weights = Boltzmann(CPU.tensor(three), tau).weights
    contours = _contours() if len(entries) == 3 else ()
    return Triangle(
        entries,
        temperatures(),
        _path(Array(three)),
        as_numbers(simplex_coordinates(weights)),
        as_numbers(weights),
        contours,
    )


def corner_entries(scores: Numbers, corners: Corners) -> tuple[int, ...]:
    """The two or three entries of the triangle, or none."""
    count = len(scores)
    if count <= 3:
        return tuple(range(count)) if count > 1 else ()
    if corners.mode == "none":
        return ()
    if corners.mode == "chosen" and len(set(corners.chosen)) == 3 and max(corners.chosen) < count:
        return corners.chosen
    return tuple(sorted(_best(Array(scores), 3).tolist()))


@lru_cache(maxsize=8)
def _path(scores: Array) -> Numbers:
    return as_numbers(simplex_path(CPU.tensor(scores.values), CPU.tensor(temperatures())))


@cache
def _contours() -> tuple[Numbers, ...]:
    return tuple(as_numbers(entropy_contour(level)) for level in LEVELS)


def _reasons(scores: Array, why: Why, tau: float) -> Reasons:
    tensor = CPU.tensor(scores.values)
    plain, shifted = divide_by_sum(tensor), divide_by_sum(tensor + why.shift)
    change = None
    if plain.weights is not None and shifted.weights is not None:
        change = float((shifted.weights - plain.weights).abs().max())
    return Reasons(
        change=shift_difference(tensor, why.shift, tau),
        ratio=_ratio(scores.values, why, tau),
        divided=None if shifted.weights is None else as_numbers(shifted.weights),
        divided_change=change,
        problems=shifted.problems,
    )


def _ratio(scores: Numbers, why: Why, tau: float) -> float | None:
    if max(why.first, why.second) >= len(scores) or not np.isfinite(scores[[why.first, why.second]]).all():
        return None
    return weight_ratio(CPU.tensor(scores), why.first, why.second, tau)
