"""How a query is compared with a key: the scores that a lookup turns into weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from models.arrays import Array
from models.errors import LabError
from models.lazy import torch
from models.registry import Registry
from models.scene import Similarity
from models.tensors import as_number, together

if TYPE_CHECKING:
    from torch import Tensor

SIMILARITIES: Registry[Callable[..., Any]] = Registry("similarity")
"""Each takes queries q (…, n, d_k) or one query (d_k,) and keys k (…, m, d_k), and gives scores (…, n, m) or (m,)."""

BLOCK = 2**23
"""The most numbers that a comparison of all pairs holds at once (64 MiB in float64)."""


@SIMILARITIES.add(
    "dot", label="Dot product", tex=r"q\cdot k", help="Large where query and key are long and point the same way."
)
def dot(q: Any, k: Any) -> Tensor:
    """q·k."""
    q, k = _pair(q, k)
    return q @ k.mT


@SIMILARITIES.add(
    "scaled_dot",
    label="Scaled dot product",
    tex=r"\frac{q\cdot k}{\sqrt{d_k}}",
    help="The dot product over √d_k, so that its spread doesn't grow with the number of dimensions.",
)
def scaled_dot(q: Any, k: Any) -> Tensor:
    """q·k/√d_k (Vaswani et al., 2017)."""
    q, k = _pair(q, k)
    return q @ k.mT / math.sqrt(k.shape[-1])


@SIMILARITIES.add(
    "squared_distance",
    label="Squared distance",
    tex=r"-\frac{\lVert q-k\rVert^2}{2\sigma^2}",
    help="Zero where query and key are the same, and falling with the square of their distance.",
    parameters=("sigma",),
)
def squared_distance(q: Any, k: Any, sigma: Any = 1.0) -> Tensor:
    """−‖q−k‖²/(2σ²), by direct differences: ‖q‖² + ‖k‖² − 2q·k loses all digits of keys far from the origin.

    ``sigma`` is a positive number, or a tensor with one, in the unit of the keys; infinity makes all scores 0.
    """
    q, k = _pair(q, k)
    _positive("sigma", sigma)
    squares = all_pairs(q, k, lambda a, b: ((a - b) ** 2).sum(-1))
    # Divided one at a time: the square of a small sigma would be 0. And last, so that equal distances stay equal.
    return -(squares / sigma / sigma) / 2


@SIMILARITIES.add(
    "cosine",
    label="Cosine",
    tex=r"\beta\,\frac{q\cdot k}{\lVert q\rVert\,\lVert k\rVert}",
    help="The angle alone counts, times the key strength β.",
    parameters=("beta",),
)
def cosine(q: Any, k: Any, beta: Any = 1.0) -> Tensor:
    """β cos∠(q, k) with key strength β (Graves et al., 2014); 0, with slope 0, where one of the two is the zero vector.

    ``beta`` is a finite number of either sign, or a tensor with one.
    """
    q, k = _pair(q, k)
    if not math.isfinite(as_number(beta)):
        raise LabError(f"beta must be a finite number; {beta} came.")
    return beta * (_directions(q) @ _directions(k).mT)


@SIMILARITIES.add(
    "bilinear",
    label="Bilinear",
    tex=r"q^{\top} M k",
    help="The dot product after a learnable matrix M has turned the key.",
    parameters=("M",),
)
def bilinear(q: Any, k: Any, M: Any) -> Tensor:
    """qᵀMk (Luong et al., 2015); M is (d_q, d_k), so that queries and keys may differ in length."""
    q, k, M = together(q, k, M)
    _need_rows(q, k)
    _need_shape("M", M, (q.shape[-1], k.shape[-1]))
    return q @ M @ k.mT


@SIMILARITIES.add(
    "additive",
    label="Additive",
    tex=r"w\cdot\tanh(W_1 q+W_2 k)",
    help="A small network with one hidden layer compares query and key.",
    parameters=("W1", "W2", "w"),
)
def additive(q: Any, k: Any, W1: Any, W2: Any, w: Any) -> Tensor:
    """w·tanh(W₁q + W₂k) (Bahdanau et al., 2015); W₁ is (h, d_q), W₂ (h, d_k), w (h,)."""
    q, k, W1, W2, w = together(q, k, W1, W2, w)
    _need_rows(q, k)
    _need_shape("w", w, (w.numel(),))
    _need_shape("W1", W1, (len(w), q.shape[-1]))
    _need_shape("W2", W2, (len(w), k.shape[-1]))
    return all_pairs(q @ W1.mT, k @ W2.mT, lambda a, b: torch.tanh(a + b) @ w)


NEEDED = {"bilinear": ("M",), "additive": ("W1", "W2", "w")}
"""The parameters without a default."""


def score_parameters(similarity: Similarity) -> dict[str, Any]:
    """The keyword parameters of the similarity that a scene has chosen."""
    known = {
        "sigma": similarity.sigma,
        "beta": similarity.beta,
        "M": similarity.matrix.values,
        "W1": similarity.query_weights.values,
        "W2": similarity.key_weights.values,
        "w": similarity.out_weights.values,
    }
    return {name: known[name] for name in SIMILARITIES[similarity.name].parameters}


def fitting(similarity: Similarity, d_k: int) -> Similarity:
    """The same with matrices for keys of d_k numbers: what doesn't fit becomes the identity (and w all ones)."""
    identity, ones = Array(np.eye(d_k)), Array(np.ones(d_k))
    if similarity.matrix.shape != (d_k, d_k):
        similarity = replace(similarity, matrix=identity)
    layer = (len(similarity.out_weights), d_k)
    if similarity.query_weights.shape == layer and similarity.key_weights.shape == layer:
        return similarity
    return replace(similarity, query_weights=identity, key_weights=identity, out_weights=ones)


def randomised(similarity: Similarity, d_k: int, seed: int, hidden: int = 4) -> Similarity:
    """The same with random matrices for keys of d_k numbers, equal for a seed on every machine."""
    generator = np.random.default_rng(seed)
    return replace(
        similarity,
        matrix=Array(generator.standard_normal((d_k, d_k)) / math.sqrt(d_k)),
        query_weights=Array(generator.standard_normal((hidden, d_k)) / math.sqrt(d_k)),
        key_weights=Array(generator.standard_normal((hidden, d_k)) / math.sqrt(d_k)),
        out_weights=Array(generator.standard_normal(hidden)),
    )


def sharpness_of(sigma: float) -> float:
    """s = 1/(2σ²), with which the squared distance scores −s‖q−k‖². LabError unless σ is positive; infinity gives 0."""
    _positive("sigma", sigma)
    return 0.5 / sigma / sigma


def sigma_of(sharpness: float) -> float:
    """σ = 1/√(2s), the other way round. LabError for a sharpness below 0; 0 gives infinity."""
    if not 0 <= sharpness < math.inf:
        raise LabError(f"The sharpness must be a finite number from 0 up; {sharpness} came.")
    return math.sqrt(0.5 / sharpness) if sharpness else math.inf


def all_pairs(q: Tensor, k: Tensor, compare: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """``compare`` of every query (…, n, d) or (d,) with every key (…, m, d), a block of queries at a time."""
    if q.ndim == 1:
        return compare(q, k)
    step = max(1, BLOCK // max(1, k.numel() * math.prod(q.shape[:-2])))
    starts = range(0, max(1, q.shape[-2]), step)
    blocks = [compare(q[..., start : start + step, None, :], k.unsqueeze(-3)) for start in starts]
    return blocks[0] if len(blocks) == 1 else torch.cat(blocks, dim=-2)


def _directions(vectors: Tensor) -> Tensor:
    # Scaled by the largest component first: the squares of a tiny or huge vector leave the range of a float32.
    largest = vectors.detach().abs().amax(-1, keepdim=True)
    some = largest > 0
    scaled = vectors / torch.where(some, largest, 1.0)
    lengths = torch.linalg.vector_norm(torch.where(some, scaled, 1.0), dim=-1, keepdim=True)
    return torch.where(some, scaled / lengths, 0.0)


def _pair(q: Any, k: Any) -> tuple[Tensor, Tensor]:
    q, k = together(q, k)
    _need_rows(q, k)
    if q.shape[-1] != k.shape[-1]:
        raise LabError(
            f"Queries and keys of one length were expected; queries of shape {tuple(q.shape)} and keys of shape "
            f"{tuple(k.shape)} came. Give each query {k.shape[-1]} numbers."
        )
    return q, k


def _need_rows(q: Tensor, k: Tensor) -> None:
    if q.ndim < 1 or k.ndim < 2 or k.shape[-1] == 0:
        raise LabError(
            f"Queries (n, d_k) or one query (d_k,) and keys (m, d_k) were expected; {tuple(q.shape)} and "
            f"{tuple(k.shape)} came. Write each key as a row, [[40.0], [60.0]]."
        )


def _need_shape(name: str, value: Tensor, shape: tuple[int, ...]) -> None:
    if tuple(value.shape) != shape:
        raise LabError(f"{name} of shape {shape} was expected, {tuple(value.shape)} came.")


def _positive(name: str, value: Any) -> None:
    if not as_number(value) > 0:
        raise LabError(f"{name} must be a positive number; {value} came.")
