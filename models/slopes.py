"""How weights and outputs answer to the scores.

For every weighting ∂a_i/∂s_j = (w_i·δ_ij − w_i·w_j/Σw)/τ with weights of response w: w = a for softmax, 1 on the
support for sparsemax (Martins and Astudillo, 2016), √a for 1.5-entmax (Peters, Niculae and Martins, 2019), 0 for the
staircases. So ∂o/∂s_j = w_j (v_j − v̄)/τ with v̄ = Σ w v / Σ w, which is a_j (v_j − o)/τ for softmax.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.tensors import as_mask, together
from models.weightings import WEIGHTINGS, check_temperature

if TYPE_CHECKING:
    from torch import Tensor

RESPONSES: dict[str, Callable[[Any], Any]] = {
    "softmax": lambda weights: weights,
    "sparsemax": lambda weights: (weights > 0).to(weights.dtype),
    "entmax15": lambda weights: weights.sqrt(),
    "nearest": lambda weights: torch.zeros_like(weights),
    "exact": lambda weights: torch.zeros_like(weights),
}


def responses(weights: Tensor, weighting: str) -> Tensor:
    """The weights of response w (…, m) at these weights."""
    if weighting not in RESPONSES:
        raise LabError(f"The slope of the weighting {weighting!r} isn't known; choose one of {', '.join(RESPONSES)}.")
    response: Tensor = RESPONSES[weighting](weights)
    return response


def softmax_jacobian(scores: Any, temperature: Any = 1.0, weighting: str = "softmax", mask: Any = None) -> Tensor:
    """∂a_i/∂s_j (…, m, m) of the weights at scores (…, m): (diag(w) − w wᵀ/Σw)/τ."""
    scores, weights, tau = _weighed(scores, temperature, weighting, mask)
    response = responses(weights, weighting)
    share = response / total(response)
    # On the diagonal w(1 − share) is w times the shares of the others: exact where one entry has nearly all.
    off = -response.unsqueeze(-1) * share.unsqueeze(-2)
    off = off - torch.diag_embed(off.diagonal(dim1=-2, dim2=-1))
    jacobian: Tensor = (off - torch.diag_embed(off.sum(-1))) / tau
    return jacobian


def score_gradient(scores: Any, v: Any, temperature: Any = 1.0, weighting: str = "softmax", mask: Any = None) -> Tensor:
    """∂o/∂s_j, row j of (…, m, d_v): raising a score pulls the output towards that entry's value.

    a_j (v_j − o)/τ for softmax, for scores (…, m) and values (m, d_v), or (m,), which gives (…, m).
    """
    scores, v = together(scores, v)
    scores, weights, tau = _weighed(scores, temperature, weighting, mask)
    v = torch.where(v.isfinite(), v, 0.0) if mask is not None else v
    columns = v.unsqueeze(-1) if v.ndim == 1 else v
    if columns.shape[-2] != scores.shape[-1]:
        raise LabError(f"Values for {scores.shape[-1]} entries were expected; values for {columns.shape[-2]} came.")
    response = responses(weights, weighting).unsqueeze(-1)
    relative = columns - columns[weights.argmax(-1)].unsqueeze(-2)
    mean = (response * relative).sum(-2, keepdim=True) / total(response, -2)
    gradient: Tensor = response * (relative - mean) / tau
    return gradient.squeeze(-1) if v.ndim == 1 else gradient


def loss_pull(weights: Tensor, response: Tensor, v: Tensor, residual: Tensor, divisor: float) -> Tensor:
    """∂L/∂s_j (n, m) of L = ½‖o − t‖² with residual o − t (n, d_v): w_j (v_j − v̄)·(o − t)/τ.

    Differences are taken from the heaviest entry, so that a saturated lookup keeps all digits of its tiny gradient.
    """
    along = residual @ v.mT
    along = along - along.gather(-1, weights.argmax(-1, keepdim=True))
    mean = (response * along).sum(-1, keepdim=True) / total(response)
    return response * (along - mean) / divisor


def total(response: Tensor, dim: int = -1) -> Tensor:
    """Σw with the axis kept, and 1 where nothing responds, to divide by."""
    together = response.sum(dim, keepdim=True)
    return torch.where(together > 0, together, 1.0)


def _weighed(scores: Any, temperature: Any, weighting: str, mask: Any) -> tuple[Tensor, Tensor, float]:
    (scores,) = together(scores)
    tau = check_temperature(temperature)
    weights = WEIGHTINGS[weighting](scores, temperature, as_mask(mask, scores.shape, scores.device))
    return scores, weights, tau if tau >= torch.finfo(scores.dtype).tiny else float("inf")
