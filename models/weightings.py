"""How scores become weights that sum to 1.

Rules that hold for every weighting: an entry takes part where the mask is True and its score isn't −∞; the weights of
a row in which none takes part are all 0, and so are its gradients; scores are shifted by the largest of their row
before they are divided by the temperature, so that no score overflows; temperature 0, or one below the smallest normal
number of the scores' dtype, gives the limit, in which the best entries share the weight (but "nearest" picks the
first), with gradient 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.registry import Registry
from models.tensors import as_mask, as_number, as_tensor

if TYPE_CHECKING:
    from torch import Tensor

WEIGHTINGS: Registry[Callable[..., Any]] = Registry("weighting")
"""Each takes (scores, temperature=1.0, mask=None): scores (…, m), a mask that spreads over them; gives (…, m)."""


@WEIGHTINGS.add(
    "softmax",
    label="Softmax",
    tex=r"a_j=\frac{e^{s_j/\tau}}{\sum_l e^{s_l/\tau}}",
    help="Every entry gets a weight; one unit of score more is a factor e at temperature 1.",
)
def softmax(scores: Any, temperature: Any = 1.0, mask: Any = None) -> Tensor:
    """exp(s_j/τ) / Σ exp(s_l/τ)."""
    z, taking = _prepare(scores, temperature, mask)
    return torch.where(taking, torch.softmax(z, dim=-1), 0.0)


@WEIGHTINGS.add(
    "sparsemax",
    label="Sparsemax",
    tex=r"a=\arg\min_{p\in\Delta}\lVert p-s/\tau\rVert^2",
    help="The nearest point of the simplex: entries far below the best get weight exactly 0.",
)
def sparsemax(scores: Any, temperature: Any = 1.0, mask: Any = None) -> Tensor:
    """The projection of s/τ onto the simplex (Martins and Astudillo, 2016): a_j = max(0, s_j/τ − t)."""
    z, taking = _prepare(scores, temperature, mask)
    # The threshold is at least the best score less 1, so lower scores change nothing.
    z = z.clamp(min=-1)
    ranked, count = _ranked(z)
    size = (1 + count * ranked > ranked.cumsum(-1)).sum(-1, keepdim=True)
    support = z > (torch.where(count <= size, ranked, 0.0).sum(-1, keepdim=True) - 1) / size
    threshold = (torch.where(support, z, 0.0).sum(-1, keepdim=True) - 1) / support.sum(-1, keepdim=True)
    return torch.where(taking & support, z - threshold, 0.0)


@WEIGHTINGS.add(
    "entmax15",
    label="1.5-entmax",
    tex=r"a_j=\max\left(0,\tfrac{s_j}{2\tau}-t\right)^2",
    help="Between softmax and sparsemax: smooth, and exactly 0 far below the best.",
)
def entmax15(scores: Any, temperature: Any = 1.0, mask: Any = None) -> Tensor:
    """a_j = max(0, s_j/(2τ) − t)², by sorting (Peters, Niculae and Martins, 2019)."""
    z, taking = _prepare(scores, temperature, mask)
    z = (z / 2).clamp(min=-1)
    ranked, count = _ranked(z)
    candidates = _entmax_threshold(ranked.cumsum(-1), (ranked**2).cumsum(-1), count)
    size = (candidates <= ranked).sum(-1, keepdim=True)
    support = (z >= torch.where(count == size, candidates, 0.0).sum(-1, keepdim=True)) & (z > -1)
    inside = torch.where(support, z, 0.0)
    total, squares = inside.sum(-1, keepdim=True), (inside**2).sum(-1, keepdim=True)
    threshold = _entmax_threshold(total, squares, support.sum(-1, keepdim=True))
    return torch.where(taking & support, (z - threshold) ** 2, 0.0)


@WEIGHTINGS.add(
    "nearest",
    label="Nearest",
    tex=r"a_j=[\,j=\arg\max_l s_l\,]",
    help="The best entry alone; of several equally good ones the first.",
)
def nearest(scores: Any, temperature: Any = 1.0, mask: Any = None) -> Tensor:
    """One-hot of the best score, ties to the lowest index; the temperature changes nothing. The gradient is 0."""
    check_temperature(temperature)
    scores, taking = _taking(scores, mask)
    return _first(_best(scores, taking), scores)


@WEIGHTINGS.add(
    "exact",
    label="Exact match",
    tex=r"a_j=[\,k_j=q\,]",
    help="The entry whose key is the query, or none at all: not found.",
)
def exact(scores: Any, temperature: Any = 1.0, mask: Any = None) -> Tensor:
    """One-hot of the first score that is exactly 0, else all zeros. The temperature changes nothing; the gradient is 0.

    A score of 0 is a match where scores are negative distances. ``soft_lookup`` compares queries with keys itself and
    hands in 0 for equal and −∞ for different, so that "exact" is right for every similarity.
    """
    check_temperature(temperature)
    scores, taking = _taking(scores, mask)
    return _first(taking & (scores == 0), scores)


def ties(scores: Any, mask: Any = None) -> list[int]:
    """The indices of one row's entries (m,) that share the best score; more than one means a tie, none an empty row."""
    scores, taking = _taking(scores, mask)
    if scores.ndim != 1:
        raise LabError(f"Scores of one query, shape (m,), were expected; {tuple(scores.shape)} came.")
    return [index for index, best in enumerate(_best(scores, taking).tolist()) if best]


def check_temperature(temperature: Any) -> float:
    """The temperature as a number. LabError where it isn't finite and at least 0, the limit of the hard lookup."""
    value = as_number(temperature)
    if not 0 <= value < math.inf or math.copysign(1, value) < 0:
        raise LabError(
            f"The temperature must be a finite number from 0 up; {temperature!r} came. Common is 0.01 to 100."
        )
    return value


def _taking(scores: Any, mask: Any) -> tuple[Tensor, Tensor]:
    """The scores, no larger than the largest finite number, and where an entry takes part."""
    scores = as_tensor(scores)
    if scores.ndim < 1:
        raise LabError("A row of scores, shape (m,), was expected; a single number came.")
    allowed = as_mask(mask, scores.shape, scores.device)
    if bool((allowed & scores.isnan()).any()):
        raise LabError("A score of an entry that takes part is not a number. Look for NaN in the query and the keys.")
    return scores.clamp(max=torch.finfo(scores.dtype).max), allowed & (scores > -math.inf)


def _prepare(scores: Any, temperature: Any, mask: Any) -> tuple[Tensor, Tensor]:
    """(s − max s)/τ, −∞ where an entry takes no part (but 0 in a row in which none does), and where one does."""
    tau = check_temperature(temperature)
    scores, taking = _taking(scores, mask)
    if tau < torch.finfo(scores.dtype).tiny:
        z, finite = _zeros_of(scores), _best(scores, taking)
    else:
        below = (scores - _peak(scores, taking)).clamp(min=torch.finfo(scores.dtype).min)
        z, finite = below / (temperature if isinstance(temperature, torch.Tensor) else tau), taking
    z = torch.where(finite, z, -math.inf)
    return torch.where(taking.any(-1, keepdim=True), z, 0.0), taking


def _peak(scores: Tensor, taking: Tensor) -> Tensor:
    lowest = torch.finfo(scores.dtype).min
    seen = torch.where(taking, scores.detach(), lowest)
    return seen.amax(-1, keepdim=True) if scores.shape[-1] else seen


def _best(scores: Tensor, taking: Tensor) -> Tensor:
    return taking & (scores == _peak(scores, taking))


def _first(chosen: Tensor, scores: Tensor) -> Tensor:
    # argmax promises no order among equals on every device, a running count does.
    first = chosen & (chosen.cumsum(-1) == 1)
    return first.to(scores.dtype) + torch.where(scores.isfinite(), _zeros_of(scores), 0.0)


def _zeros_of(scores: Tensor) -> Tensor:
    """Zeros that hang on the scores, so that a gradient asked of a flat function is 0 and not an error."""
    return (scores - scores.detach()) * 0


def _ranked(z: Tensor) -> tuple[Tensor, Tensor]:
    ranked = z.detach().sort(dim=-1, descending=True).values
    return ranked, torch.arange(1, z.shape[-1] + 1, dtype=z.dtype, device=z.device)


def _entmax_threshold(total: Tensor, squares: Tensor, size: Tensor) -> Tensor:
    """The t with Σ (z_j − t)² = 1 over ``size`` numbers with this sum and sum of squares."""
    mean = total / size
    return mean - ((1 - (squares - total * mean)) / size).clamp(min=0).sqrt()
