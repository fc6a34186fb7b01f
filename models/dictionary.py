"""A dictionary checked once and asked many times: what fields of queries and descents look things up in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.lookup import soft_lookup
from models.similarities import SIMILARITIES
from models.tensors import as_mask, together
from models.weightings import WEIGHTINGS

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Dictionary:
    """Keys k (m, d_k) and values v (m, d_v) with how they are looked up; what the mask hides for ever is 0 in them.

    ``mask`` is None, (m,), or (n, m) with one row for each query. ``temperature`` is a number or a 0-d tensor.
    """

    k: Tensor
    v: Tensor
    similarity: str
    parameters: dict[str, Any]
    weighting: str
    temperature: Any
    mask: Tensor | None

    @property
    def divisor(self) -> float:
        """The temperature by which derivatives are divided; infinite where it is so low that the lookup is hard."""
        tau = float(self.temperature)
        return tau if tau >= torch.finfo(self.k.dtype).tiny else float("inf")

    def scores(self, q: Tensor) -> Tensor:
        """(n, m) for q (n, d_q)."""
        scores: Tensor = SIMILARITIES[self.similarity](q, self.k, **self.parameters)
        return scores

    def weights(self, q: Tensor, scores: Tensor) -> Tensor:
        """(n, m) for q (n, d_q) with these scores; 0 for a query for which no entry takes part."""
        if self.weighting == "exact":
            return self.lookup(q).weights
        if self.weighting == "softmax" and self.mask is None and self.divisor < float("inf"):
            return torch.softmax(self._divided(scores), -1)
        weights: Tensor = WEIGHTINGS[self.weighting](scores, self.temperature, self.mask)
        return weights

    def _divided(self, scores: Tensor) -> Tensor:
        """Scores over the temperature, the best of a row first taken off: s/τ would round away what tells them apart.

        At τ = 1 the softmax takes it off by itself, and two of five passes over the scores are saved.
        """
        if float(self.temperature) == 1.0:
            return scores
        return (scores - scores.amax(-1, keepdim=True)).div_(self.temperature)

    def lookup(self, q: Tensor) -> Any:
        """The whole ``Lookup``, with every check."""
        return soft_lookup(
            q, self.k, self.v, self.similarity, self.temperature, self.weighting, self.mask, **self.parameters
        )

    def rows(self, start: int, stop: int) -> Dictionary:
        """The same for queries ``start`` to ``stop``."""
        return self if self.mask is None or self.mask.ndim == 1 else replace(self, mask=self.mask[start:stop])


def open_dictionary(
    q: Any,
    k: Any,
    v: Any,
    similarity: str,
    temperature: Any,
    weighting: str,
    mask: Any,
    parameters: dict[str, Any],
) -> tuple[Tensor, Dictionary]:
    """Queries as rows (n, d_q) and the dictionary, checked. Values (m,) become one column.

    Raises LabError as ``soft_lookup`` does, and for keys with batch dimensions.
    """
    q, k, v = together(q, k, v)
    if k.ndim != 2:
        raise LabError(f"Keys (m, d_k), one a row, were expected; what came has the shape {tuple(k.shape)}.")
    if q.ndim < 1 or v.ndim not in (1, 2):
        raise LabError(f"A query (d_k,) and values (m, d_v) were expected; {tuple(q.shape)}, {tuple(v.shape)} came.")
    rows = q.reshape(-1, q.shape[-1])
    allowed = None if mask is None else as_mask(mask, (len(rows), len(k)), k.device)
    # One query is enough to check the rest by, where there is no mask and every query is finite.
    some = rows[:1] if allowed is None and bool(rows.isfinite().all()) else rows
    soft_lookup(some, k, v, similarity, temperature, weighting, allowed, **parameters)
    columns = v.unsqueeze(-1) if v.ndim == 1 else v
    if allowed is not None:
        k, columns, rows = (torch.where(x.isfinite(), x, 0.0) for x in (k, columns, rows))
    return rows, Dictionary(k, columns, similarity, parameters, weighting, temperature, allowed)
