"""Why softmax makes the weights: bounds of the log-sum-exp, the ratio rule, shifts, and the sum that it isn't."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.boltzmann import Boltzmann
from models.errors import LabError
from models.lazy import torch
from models.tensors import as_tensor

if TYPE_CHECKING:
    from torch import Tensor

CLIP_START = 0.07
"""The temperature at which CLIP starts to learn (Radford and others 2021)."""
CLIP_FLOOR = 0.01
"""The lowest temperature that CLIP allows: its scores are never multiplied by more than 100."""


def logit_scale(temperature: float) -> float:
    """ln(1/τ), the number that CLIP learns in the place of τ."""
    return -math.log(temperature)


@dataclass(frozen=True)
class LogSumExp:
    """τ ln Σe^{s/τ} between max s and max s + τ ln n (n scores that take part), (…) each."""

    value: Tensor
    lower: Tensor
    upper: Tensor
    above_lower: Tensor
    """value − lower = τ ln Σe^{(s − max s)/τ}, without the cancellation."""
    below_upper: Tensor


def log_sum_exp(scores: Any, temperature: Any = 1.0) -> LogSumExp:
    """The smooth maximum of scores (…, m) with its bounds; its gradient by the scores is the softmax."""
    spread = Boltzmann(scores, temperature)
    if not bool(spread.live.any(-1).all()):
        raise LabError("No score of a row takes part: all are −inf. Let at least one score take part.")
    above = spread.temperature * torch.log1p(spread.rest)
    entries = spread.live.sum(-1).to(above.dtype).log()
    below = spread.temperature * (entries - torch.log1p(spread.rest)).clamp(min=0.0)
    lower = spread.top.squeeze(-1).expand(above.shape)
    return LogSumExp(lower + above, lower, lower + spread.temperature * entries, above, below)


def cross_entropy(scores: Any, index: int, temperature: Any = 1.0) -> Tensor:
    """−ln a_index in nats, the loss of a retrieval whose right answer is ``index``; scores (…, m) give (…)."""
    spread = Boltzmann(scores, temperature)
    return torch.log1p(spread.rest) + spread.x[..., index]


def weight_ratio(scores: Any, i: int, j: int, temperature: float = 1.0) -> float:
    """a_i/a_j = e^{(s_i − s_j)/τ}: the other scores don't matter; inf where it exceeds every number."""
    s = as_tensor(scores)
    if not (temperature > 0.0 and bool(s[j] > -torch.inf)):
        raise LabError("A ratio needs a temperature above 0 and a second entry that takes part. Choose another entry.")
    try:
        return math.exp(float(s[i] - s[j]) / temperature)
    except OverflowError:
        return math.inf


def shift_difference(scores: Any, shift: float, temperature: Any = 1.0) -> float:
    """The largest change of a softmax weight when ``shift`` is added to all scores: 0 but for rounding."""
    s = as_tensor(scores)
    return float((Boltzmann(s + shift, temperature).weights - Boltzmann(s, temperature).weights).abs().max())


@dataclass(frozen=True)
class DividedBySum:
    """Scores divided by their sum, the weighting that doesn't work: ``weights`` (m,), or None where the sum is 0."""

    total: float
    weights: Tensor | None
    problems: tuple[str, ...]


def divide_by_sum(scores: Any) -> DividedBySum:
    """s/Σs for scores (m,), and in words what is wrong with it; a shift of the scores changes it in any case."""
    s = as_tensor(scores)
    s = torch.where(s > -torch.inf, s, 0.0)
    total, size = float(s.sum()), float(s.abs().sum())
    # A sum that is rounding alone is 0: 0.1 + 0.2 − 0.3 is 3e-17.
    if abs(total) <= len(s) * torch.finfo(s.dtype).eps * size:
        return DividedBySum(0.0, None, ("The scores sum to 0: division by zero.",))
    weights = s / total
    problems = []
    if bool((weights < 0.0).any()):
        problems.append("Some weights are negative.")
    if bool((weights > 1.0).any()):
        problems.append("A weight exceeds 1.")
    if total < 0.0:
        problems.append("The sum is negative, so the lowest score gets the largest weight.")
    return DividedBySum(total, weights, tuple(problems))


def softmax_jacobian(scores: Any, temperature: float = 1.0) -> Tensor:
    """∂a_i/∂s_j = (a_i δ_ij − a_i a_j)/τ for scores (m,): (m, m). For its largest entry alone see ``Boltzmann``."""
    spread = Boltzmann(scores, temperature)
    if spread.scores.ndim != 1:
        raise LabError(f"One row of scores (m,) was expected; {tuple(spread.scores.shape)} came.")
    a = spread.weights
    jacobian = -torch.outer(a, a)
    # 1 − a of the winner from the others' sum: it is tiny when the lookup is nearly hard.
    others = (spread.z - spread.e) / spread.z
    others = others.scatter(0, spread.scores.argmax(0, keepdim=True), spread.rest / spread.z)
    jacobian.diagonal().copy_(a * others)
    return jacobian / spread.safe_tau
