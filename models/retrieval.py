"""Retrieval from a database of unit keys with a noisy query."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from models.errors import LabError
from models.similarities import squared_distance
from models.tensors import as_tensor
from models.weightings import nearest

if TYPE_CHECKING:
    from torch import Tensor

QUERIES_AT_ONCE = 100


def unit_keys(m: int, d_k: int, seed: int = 0) -> Tensor:
    """m keys of length 1 in all directions alike, (m, d_k), the same for a seed on every machine."""
    return as_tensor(_directions((m, d_k), np.random.default_rng(seed)))


def retrieval_sigma(m: int, weight: float = 0.9) -> float:
    """The σ at which a query on one of m orthogonal unit keys gives that key this weight: 1/√log(w(m−1)/(1−w)).

    LabError unless m is at least 2 and the weight between 1/m, the plain average, and 1.
    """
    if m < 2 or not 1 / m < weight < 1:
        raise LabError(f"Two keys or more and a weight between 1/m and 1 were expected; m = {m}, weight {weight} came.")
    return 1 / math.sqrt(math.log(weight * (m - 1) / (1 - weight)))


def retrieval_accuracy(noise: float, m: int = 200, d_k: int = 16, queries: int = 400, seed: int = 0) -> float:
    """How often the nearest of m random unit keys is the right one, for a query k + noise·N(0, I).

    A mean over ``queries``, each with a database of its own; with accuracy p its standard error is √(p(1−p)/queries).
    The width σ of a soft lookup doesn't enter: its largest weight is always that of the nearest key.
    """
    if not 0 <= noise < math.inf or queries < 1:
        raise LabError(f"Noise from 0 up and a query or more were expected; noise {noise}, {queries} queries came.")
    generator, hits = np.random.default_rng(seed), 0
    for start in range(0, queries, QUERIES_AT_ONCE):
        count = min(QUERIES_AT_ONCE, queries - start)
        k = _directions((count, m, d_k), generator)
        q = k[:, :1] + noise * generator.standard_normal((count, 1, d_k))
        hits += int(nearest(squared_distance(q, k))[..., 0].sum())
    return hits / queries


def _directions(shape: tuple[int, ...], generator: np.random.Generator) -> Any:
    vectors = generator.standard_normal(shape)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
