"""The soft dictionary lookup: a query, a dictionary of keys and values, and the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.errors import LabError
from models.lazy import torch
from models.similarities import NEEDED, SIMILARITIES, all_pairs
from models.tensors import as_mask, together
from models.weightings import WEIGHTINGS

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Lookup:
    """The answer to n queries; for one query given as (d_k,) the n-axis is gone. ``n`` may follow batch dimensions."""

    scores: Tensor
    """(n, m)"""
    weights: Tensor
    """(n, m), each row summing to 1, or all 0 where nothing was found"""
    output: Tensor
    """(n, d_v), the sums of weight × value; 0 where nothing was found"""
    found: Tensor
    """(n,), False where no entry takes part or, for "exact", none matches"""


def soft_lookup(
    q: Any,
    k: Any,
    v: Any,
    similarity: str = "dot",
    temperature: Any = 1.0,
    weighting: str = "softmax",
    mask: Any = None,
    **parameters: Any,
) -> Lookup:
    """Look queries q (…, n, d_k) or (d_k,) up among keys k (…, m, d_k) with values v (…, m, d_v) or (m,).

    ``mask``, (m,) or (…, n, m), is True where an entry takes part; what an entry without part holds, NaN included,
    reaches neither the answer nor a gradient. ``parameters`` are those of the similarity. Raises LabError for unknown
    names, shapes that don't fit, numbers that aren't finite, and temperatures below 0.
    """
    q, k, v = together(q, k, v)
    _check_shapes(q, k, v)
    rows, columns = (q.unsqueeze(0) if q.ndim == 1 else q), (v.unsqueeze(-1) if v.ndim == 1 else v)
    allowed = as_mask(mask, (*_batch(rows, k), rows.shape[-2], k.shape[-2]), rows.device)
    unreadable = ~(rows.isfinite().all(-1).unsqueeze(-1) & k.isfinite().all(-1).unsqueeze(-2))
    rows = _clean("query", rows, allowed.any(-1))
    k = _clean("key", k, allowed.any(-2))
    columns = _clean("value", columns, allowed.any(-2))
    scores = _scores(rows, k, similarity, parameters, allowed)
    judged = _matches(rows, k, scores) if weighting == "exact" else scores
    weights = WEIGHTINGS[weighting](judged, temperature, allowed)
    scores = scores.masked_fill(unreadable, -math.inf)
    return _answer(scores, weights, columns, one_query=q.ndim == 1, one_column=v.ndim == 1)


def _answer(scores: Tensor, weights: Tensor, columns: Tensor, *, one_query: bool, one_column: bool) -> Lookup:
    output = weights @ columns
    found = (weights > 0).any(-1)
    if one_query:
        scores, weights, output, found = scores.squeeze(-2), weights.squeeze(-2), output.squeeze(-2), found.squeeze(-1)
    return Lookup(scores, weights, output.squeeze(-1) if one_column else output, found)


def _scores(q: Tensor, k: Tensor, similarity: str, parameters: dict[str, Any], allowed: Tensor) -> Tensor:
    entry = SIMILARITIES[similarity]
    unknown = [name for name in parameters if name not in entry.parameters]
    if unknown:
        known = ", ".join(entry.parameters) or "none"
        raise LabError(f"The similarity {similarity!r} takes no parameter {unknown[0]!r}; it has {known}.")
    missing = [name for name in NEEDED.get(similarity, ()) if name not in parameters]
    if missing:
        raise LabError(f"The similarity {similarity!r} needs {', '.join(missing)}; give each by its name.")
    scores: Tensor = entry(q, k, **parameters)
    if bool((allowed & ~scores.isfinite()).any()):
        raise LabError(f"A score is too large for {scores.dtype}; make the queries and keys, or 1/sigma, smaller.")
    return scores


def _matches(q: Tensor, k: Tensor, scores: Tensor) -> Tensor:
    """0 where query and key are equal in every number, −∞ elsewhere: the squared distance over a σ that goes to 0."""
    if q.shape[-1] != k.shape[-1]:
        raise LabError(f"An exact match compares queries and keys of one length; {q.shape[-1]} and {k.shape[-1]} came.")
    equal = all_pairs(q, k, lambda a, b: (a == b).all(-1))
    # The zeros hang on the scores, so that the gradient of this flat answer is 0 and not an error.
    return (scores - scores.detach()).masked_fill(~equal, -math.inf)


def _clean(name: str, rows: Tensor, used: Tensor) -> Tensor:
    """The rows (…, d), with 0 for what isn't finite, as 0·NaN would be NaN; LabError where such a row is used."""
    finite = rows.isfinite()
    bad = _fold(used, rows.shape[:-1]) & ~finite.all(-1)
    if bool(bad.any()):
        where = bad.nonzero()[0, -1].item()
        raise LabError(f"The {name} with index {where} holds NaN or infinity and takes part; correct it or mask it.")
    return torch.where(finite, rows, 0.0)


def _fold(used: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Where any of the batch uses a row, as a mask that spreads over ``shape``."""
    while used.ndim > len(shape):
        used = used.any(0)
    for axis in range(1, used.ndim + 1):
        if shape[-axis] == 1:
            used = used.any(-axis, keepdim=True)
    return used


def _batch(q: Tensor, k: Tensor) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    except ValueError:
        raise LabError(
            f"Batch dimensions that agree were expected; queries {tuple(q.shape)} and keys {tuple(k.shape)} came."
        ) from None


def _check_shapes(q: Tensor, k: Tensor, v: Tensor) -> None:
    if q.ndim < 1 or k.ndim < 2:
        raise LabError(
            f"Queries (n, d_k) or one query (d_k,) and keys (m, d_k) were expected; {tuple(q.shape)} and "
            f"{tuple(k.shape)} came. Write each key as a row, [[40.0], [60.0]]."
        )
    if v.ndim < 1 or v.shape[-1 if v.ndim == 1 else -2] != k.shape[-2]:
        raise LabError(
            f"One value for each of {k.shape[-2]} keys, shape (m, d_v) or (m,), was expected; {tuple(v.shape)} came."
        )
