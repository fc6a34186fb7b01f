"""How the score of every similarity answers to the query: ∂s_j/∂q in closed form.

Each is written as B(φ_j) + c: features φ_j of the keys, a linear map B that depends on the query alone, and an offset
c that all entries share. The offset drops out of every derivative of the output, as pulls on the scores sum to 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.lazy import torch
from models.similarities import SIMILARITIES
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class ScoreGradient:
    """``features`` (m, r), or (n, m, r) where they hang on the query; ``back`` maps (n, …, r) to (n, …, d_q).

    ``back`` None is the identity, ``offset`` (n, d_q) or None is what all entries share.
    """

    features: Tensor
    back: Callable[[Tensor], Tensor] | None = None
    offset: Tensor | None = None

    def to_query(self, pulled: Tensor) -> Tensor:
        """B of features (n, …, r)."""
        return pulled if self.back is None else self.back(pulled)


def _dot(q: Tensor, k: Tensor) -> ScoreGradient:
    return ScoreGradient(k)


def _scaled_dot(q: Tensor, k: Tensor) -> ScoreGradient:
    return ScoreGradient(k / math.sqrt(k.shape[-1]))


def _squared_distance(q: Tensor, k: Tensor, sigma: Any = 1.0) -> ScoreGradient:
    """(k_j − q)/σ²."""
    return ScoreGradient(k / sigma / sigma, offset=-q / sigma / sigma)


def _cosine(q: Tensor, k: Tensor, beta: Any = 1.0) -> ScoreGradient:
    """(β/‖q‖)(I − q̂q̂ᵀ)k̂_j, and 0 where the query or the key is the zero vector, which has no direction."""
    ahead, length = _direction(q)
    keys, _ = _direction(k)
    strength = torch.where(length > 0, beta / torch.where(length > 0, length, 1.0), 0.0)

    def back(pulled: Tensor) -> Tensor:
        spread = (len(q), *[1] * (pulled.ndim - 2), -1)
        along = ahead.view(spread)
        across = pulled - (pulled * along).sum(-1, keepdim=True) * along
        return strength.view(spread) * across

    return ScoreGradient(keys, back)


def _bilinear(q: Tensor, k: Tensor, M: Any) -> ScoreGradient:
    """M k_j."""
    _, matrix = together(k, M)
    return ScoreGradient(k @ matrix.mT)


def _additive(q: Tensor, k: Tensor, W1: Any, W2: Any, w: Any) -> ScoreGradient:
    """W₁ᵀ(w ∘ (1 − tanh²(W₁q + W₂k_j)))."""
    _, first, second, out = together(k, W1, W2, w)
    bent = torch.tanh((q @ first.mT).unsqueeze(-2) + k @ second.mT)
    return ScoreGradient(out * (1 - bent.square()), lambda pulled: pulled @ first)


CLOSED_FORMS: dict[str, Callable[..., ScoreGradient]] = {
    "dot": _dot,
    "scaled_dot": _scaled_dot,
    "squared_distance": _squared_distance,
    "cosine": _cosine,
    "bilinear": _bilinear,
    "additive": _additive,
}


def pairwise(similarity: str, parameters: dict[str, Any]) -> int:
    """About how many numbers the features hold for a pair of query and key; 0 where they are the keys' alone."""
    if similarity == "additive":
        return max(1, len(parameters["w"]))
    return 0 if similarity in CLOSED_FORMS else 16


def score_gradient_parts(q: Tensor, k: Tensor, similarity: str, parameters: dict[str, Any]) -> ScoreGradient:
    """The closed form for queries (n, d_q) and keys (m, d_k); autograd for a similarity that has none."""
    if similarity in CLOSED_FORMS:
        return CLOSED_FORMS[similarity](q, k, **parameters)

    def scores(one: Tensor) -> Tensor:
        row: Tensor = SIMILARITIES[similarity](one, k, **parameters)
        return row

    return ScoreGradient(torch.stack([torch.func.jacrev(scores)(row) for row in q]))


def score_gradients(q: Any, k: Any, similarity: str = "dot", **parameters: Any) -> Tensor:
    """∂s_j/∂q, row j of (…, m, d_q), for queries (…, d_q) and keys (m, d_k)."""
    q, k = together(q, k)
    rows = q.reshape(-1, q.shape[-1])
    parts = score_gradient_parts(rows, k, similarity, parameters)
    features = parts.features if parts.features.ndim == 3 else parts.features.expand(len(rows), -1, -1)
    slopes = parts.to_query(features)
    if parts.offset is not None:
        slopes = slopes + parts.offset.unsqueeze(-2)
    return slopes.reshape(*q.shape[:-1], *slopes.shape[1:])


def _direction(vectors: Tensor) -> tuple[Tensor, Tensor]:
    """Unit vectors (0 for the zero vector) and lengths (…, 1), by way of the largest part, whose square may vanish."""
    largest = vectors.abs().amax(-1, keepdim=True)
    scaled = vectors / torch.where(largest > 0, largest, 1.0)
    length = torch.linalg.vector_norm(scaled, dim=-1, keepdim=True)
    return scaled / torch.where(length > 0, length, 1.0), length * largest
