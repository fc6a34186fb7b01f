"""How spread out weights are: entropy, perplexity, effective number, and their curves over the temperature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.boltzmann import Boltzmann
from models.errors import LabError
from models.lazy import torch
from models.tensors import as_tensor, together

if TYPE_CHECKING:
    from torch import Tensor

# A curve over the temperature is computed in pieces of at most this many scores × temperatures: they fit the cache.
CHUNK = 2**16


def entropy(weights: Any) -> Tensor:
    """H = −Σ a ln a in nats, 0 ln 0 = 0 (Shannon 1948): weights (…, m) give (…).

    Gradients are finite where a weight is exactly 0; by the scores (through the softmax) they are right there too.
    """
    a = as_tensor(weights)
    # The logarithm sees no 0, neither forward nor backward: 0·∞ would be NaN in the gradient.
    terms = a * torch.where(a > 0.0, a, 1.0).log()
    return (-terms.sum(-1)).clamp(min=0.0) + 0.0


def perplexity(weights: Any) -> Tensor:
    """e^H: among how many equal entries the choice would be as uncertain; 0 for a row without weight."""
    a = as_tensor(weights)
    return torch.where((a > 0.0).any(-1), entropy(a).exp(), 0.0)


def effective_number(weights: Any) -> Tensor:
    """1/Σa² (Kish 1965): between 1 (one entry has all) and m (all equal); 0 for a row without weight."""
    a = as_tensor(weights)
    squares = (a * a).sum(-1)
    some = squares > 0.0
    return torch.where(some, 1.0 / torch.where(some, squares, 1.0), 0.0)


def entropy_of_scores(scores: Any, temperature: Any = 1.0) -> Tensor:
    """The entropy of the softmax of scores (…, m) at τ, exact also where the weights round to one-hot."""
    return Boltzmann(scores, temperature).entropy


def entropy_slope(scores: Any, temperature: Any) -> Tensor:
    """dH/dτ = Var_a(s)/τ³ at the softmax weights a of scores (…, m), nats per unit of τ, never below 0; 0 at τ = 0."""
    return Boltzmann(scores, temperature).slope


@dataclass(frozen=True)
class TemperatureCurve:
    """What one row of scores gives at each of t temperatures; every field (t,)."""

    temperature: Tensor
    entropy: Tensor
    slope: Tensor
    perplexity: Tensor
    effective_number: Tensor
    log_sum_exp: Tensor
    largest_derivative: Tensor
    """The largest |∂a_i/∂s_j|, the softmax Jacobian's largest entry."""


MEASURES = ("entropy", "slope", "perplexity", "effective_number", "log_sum_exp", "largest_derivative")


def temperature_curve(scores: Any, temperatures: Any) -> TemperatureCurve:
    """All measures of scores (m,) over temperatures (t,), never more than a bounded piece of m × t at once."""
    scores, taus = together(scores, temperatures)
    if scores.ndim != 1 or taus.ndim != 1:
        raise LabError(
            f"One row of scores (m,) and temperatures (t,) were expected; {tuple(scores.shape)} and "
            f"{tuple(taus.shape)} came."
        )
    columns: dict[str, list[Tensor]] = {name: [] for name in MEASURES}
    for piece in torch.split(taus, max(1, CHUNK // max(1, len(scores)))):
        spread = Boltzmann(scores, piece)
        for name in MEASURES:
            columns[name].append(getattr(spread, name).expand(piece.shape))
    return TemperatureCurve(taus, **{name: torch.cat(parts) for name, parts in columns.items()})
