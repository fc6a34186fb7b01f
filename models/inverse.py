"""The temperature that gives a wanted entropy (or perplexity, or effective number of entries).

Entropy rises with the temperature from ln k (k tied winners) to ln n, so that each value between has one τ. It is found
in u = ln τ by Halley's method (Newton's with the curvature), held inside a bracket. The function made zero is
ln(X/D), X = H − ln k the entropy above its cold limit, D = ln n − H what it lacks to its hot one: it is nearly a line
at both ends. With gaps g = max s − s, x = g/τ and central moments V, κ₃ of x under the weights,

    H = ln Σe^{−x} + E[x],   dH/du = V,   d²H/du² = κ₃ − 2V,

and X comes from sums without the winners, so that it keeps its relative precision down to 1e-300. Close to ln n the
problem itself is ill-conditioned: dτ/τ = dH / (2 (ln n − H)).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import LabError
from models.gaps import FEW, FewGaps, ManyGaps, RowGaps
from models.lazy import torch
from models.reach import ENTROPY, NUMBER, PERPLEXITY, Quantity, goal, goals

Floats = npt.NDArray[np.float64]
Gaps = FewGaps | ManyGaps
Measure = Callable[[Any, Any, Any], tuple[Any, Any, Any]]

# Halley's method multiplies the correct digits by three, so that after a step this small the rest is rounding.
SMALL_STEP = 3e-6
ROUNDS = 200
# The longest first step in ln τ, a factor of 20.
REACH = 3.0
EPS = 2.0**-52
# A first solve on a strided sample of this many gaps gives the start of the full one.
SAMPLE = 2048
# Rows are solved in blocks of at most this many scores, so that what is worked on stays in the cache.
BLOCK = 2**17


def temperature_for_entropy(scores: Any, target: Any) -> Any:
    """The τ > 0 at which the softmax of ``scores`` has the entropy ``target``, in nats.

    ``scores`` (m,) with a number gives a float; (n, m) with a number or (n,) targets gives (n,), a float64 tensor for a
    tensor. A score of −inf takes no part. ``OutOfReachError`` (a ``LabError``) says why where no τ has that entropy.
    """
    return _temperature(scores, target, ENTROPY)


def temperature_for_perplexity(scores: Any, target: Any) -> Any:
    """The τ at which e^H is ``target``; shapes and errors as in ``temperature_for_entropy``."""
    return _temperature(scores, target, PERPLEXITY)


def temperature_for_effective_number(scores: Any, target: Any) -> Any:
    """The τ at which 1/Σa² is ``target``; shapes and errors as in ``temperature_for_entropy``."""
    return _temperature(scores, target, NUMBER)


def _temperature(scores: Any, target: Any, quantity: Quantity) -> Any:
    measure = _collision if quantity is NUMBER else _shannon
    array = as_array(scores)
    if array.ndim == 1:
        return _one(FewGaps(array.tolist()) if len(array) <= FEW else ManyGaps(array), target, quantity, measure)
    if array.ndim != 2:
        raise LabError(f"Scores of shape (m,) or (n, m) were expected; {array.shape} came. Give one row or rows.")
    tau = _rows(array, np.broadcast_to(np.asarray(target, dtype=np.float64), len(array)), quantity, measure)
    return torch.from_numpy(tau) if hasattr(scores, "detach") else tau


def as_array(scores: Any) -> Floats:
    """Scores as a float64 array, without gradient."""
    if hasattr(scores, "detach"):
        scores = scores.detach().cpu().double().numpy()
    return np.asarray(scores, dtype=np.float64)


def _one(gaps: Gaps, target: Any, quantity: Quantity, measure: Measure) -> float:
    wanted = goal(gaps, float(target), quantity)
    start = _start(gaps, wanted, math)
    if isinstance(gaps, ManyGaps) and gaps.size > 4 * SAMPLE:
        start = _root(gaps.sample(SAMPLE), wanted, measure, start, 1e-2)
    return gaps.scale * math.exp(_root(gaps, wanted, measure, start, SMALL_STEP))


def _rows(scores: Floats, target: Floats, quantity: Quantity, measure: Measure) -> Floats:
    tau = np.empty(len(scores))
    step = max(1, BLOCK // max(1, scores.shape[1]))
    for first in range(0, len(scores), step):
        rows = slice(first, first + step)
        gaps = RowGaps(scores[rows])
        tau[rows] = gaps.scale * np.exp(_roots(gaps, goals(gaps, target[rows], quantity, first), measure))
    return tau


def _start(gaps: Any, wanted: Any, xp: Any) -> Any:
    """ln τ for Gaussian scores, whose entropy is ln n − Var(s)/(2τ²) (the random energy model; Derrida 1981)."""
    return 0.5 * xp.log(gaps.variance / (2.0 * (gaps.span - wanted)))


def _root(gaps: Gaps, wanted: float, measure: Measure, u: float, small: float) -> float:
    """ln τ (in units of the gaps) where the excess over the cold limit is ``wanted``, 0 < wanted < span."""
    low, high, span = -math.inf, math.inf, gaps.span
    line = math.log(wanted / (span - wanted))
    for round_ in range(ROUNDS):
        excess, slope, bend = measure(gaps, math.exp(-u), math)
        lack = span - excess
        off = excess - wanted
        if abs(off) <= 2.0 * EPS * (excess if excess < lack else span):
            return u
        if off < 0.0:
            low = u
        else:
            high = u
        step = math.copysign(math.inf, -off)
        if excess > 0.0 and lack > 0.0 and slope > 0.0:
            newton, step = _halley(math.log(excess / lack) - line, excess, lack, slope, bend)
            if abs(newton) <= small:
                return u + step
        if not -REACH <= step <= REACH:
            step = math.copysign(_reach(round_), step)
        u += step
        if (not low < u < high or _bisects(round_)) and math.isfinite(low + high):
            u = 0.5 * (low + high)
    return u


def _halley(value: float, excess: float, lack: float, slope: float, bend: float) -> tuple[float, float]:
    """Newton's and Halley's step in u to where ``value``, ln(X/D) less its goal, is zero."""
    from_cold, from_hot = slope / excess, slope / lack
    newton = -value / (from_cold + from_hot)
    return newton, newton / max(0.5, 1.0 + 0.5 * newton * (bend / slope + from_hot - from_cold))


def _reach(round_: int) -> float:
    """The longest step in a round: it grows, as gaps may span many powers of ten."""
    return min(24.0, REACH * 2.0**round_)


def _bisects(round_: int) -> bool:
    """Whether to halve the bracket whatever the step: where H is a staircase, Halley's method would walk each stair."""
    return round_ > 12 and round_ % 2 == 1


def _shannon(gaps: Any, beta: Any, xp: Any) -> tuple[Any, Any, Any]:
    """H − ln k with its first and second derivative by ln τ, at τ = 1/β."""
    rest, first, second, third = gaps.sums(beta)
    z = gaps.winners + rest
    m1, m2, m3 = first / z, second / z, third / z
    variance = m2 - m1 * m1
    bend = m3 - 3.0 * m1 * m2 + 2.0 * m1 * m1 * m1 - 2.0 * variance
    return xp.log1p(rest / gaps.winners) + m1, variance, bend


def _collision(gaps: Any, beta: Any, xp: Any) -> tuple[Any, Any, Any]:
    """ln(1/Σa²) − ln k = 2 ln Z(β) − ln Z(2β) − ln k with its derivatives by ln τ."""
    rest, first, second, _ = gaps.sums(beta)
    cold_rest, cold_first, cold_second, _ = gaps.sums(2.0 * beta)
    z, cold_z = gaps.winners + rest, gaps.winners + cold_rest
    mean, cold_mean = first / z, cold_first / cold_z
    variance, cold_variance = second / z - mean * mean, cold_second / cold_z - cold_mean * cold_mean
    excess = 2.0 * xp.log1p(rest / gaps.winners) - xp.log1p(cold_rest / gaps.winners)
    return excess, 2.0 * mean - cold_mean, 2.0 * (variance - mean) - (cold_variance - cold_mean)


def _roots(gaps: Any, wanted: Floats, measure: Measure) -> Floats:
    """``_root`` for all rows at once; when half of them are done, they leave the computation."""
    answer = np.empty(len(wanted))
    todo = np.arange(len(wanted))
    u = _start(gaps, wanted, np)
    low, high = np.full(len(u), -np.inf), np.full(len(u), np.inf)
    over = np.zeros(len(u), dtype=bool)
    for round_ in range(ROUNDS):
        moved, low, high, done = _step_rows(gaps, wanted, measure, u, (low, high), round_)
        u = np.where(over, u, moved)
        over |= done
        if over.mean() > 0.5:
            answer[todo[over]] = u[over]
            left = ~over
            if not left.any():
                return answer
            todo, u, low, high, wanted, gaps = todo[left], u[left], low[left], high[left], wanted[left], gaps.rows(left)
            over = over[left]
    answer[todo] = u
    return answer


def _step_rows(
    gaps: Any, wanted: Floats, measure: Measure, u: Floats, bracket: tuple[Floats, Floats], round_: int
) -> tuple[Floats, Floats, Floats, npt.NDArray[np.bool_]]:
    excess, slope, bend = measure(gaps, np.exp(-u), np)
    lack = gaps.span - excess
    off = excess - wanted
    met = np.abs(off) <= 2.0 * EPS * np.where(excess < lack, excess, gaps.span)
    low, high = np.where(off < 0.0, u, bracket[0]), np.where(off < 0.0, bracket[1], u)
    reach = _reach(round_)
    with np.errstate(all="ignore"):
        from_cold, from_hot = slope / excess, slope / lack
        line = np.log(wanted / (gaps.span - wanted))
        newton = (line - np.log(excess / lack)) / (from_cold + from_hot)
        step = newton / np.maximum(0.5, 1.0 + 0.5 * newton * (bend / slope + from_hot - from_cold))
    usable = np.isfinite(step) & (slope > 0.0)
    step = np.where(usable, np.clip(step, -reach, reach), np.where(off < 0.0, reach, -reach))
    moved = np.where(met, u, u + step)
    done = met | (usable & (np.abs(newton) <= SMALL_STEP))
    with np.errstate(invalid="ignore"):
        middle = 0.5 * (low + high)
        strayed = _bisects(round_) | (moved <= low) | (high <= moved)
        moved = np.where(strayed & ~done & np.isfinite(middle), middle, moved)
    return moved, low, high, done
