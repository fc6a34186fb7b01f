"""From which temperature on an entry has weight under sparsemax and 1.5-entmax, with no solve at each temperature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.tensors import as_tensor, together

if TYPE_CHECKING:
    from torch import Tensor

POWERS = {"sparsemax": 1, "entmax15": 2}


def entry_temperatures(scores: Any, weighting: str) -> Tensor:
    """(m,): the temperature above which an entry of scores (m,) has weight; ∞ for −inf, softmax 0.

    Sparsemax weighs entry k where Σ_{j above k} (s_j − s_k) < τ (Martins and Astudillo 2016), 1.5-entmax where
    Σ_{j above k} (s_j − s_k)² < 4τ² (Peters, Niculae and Martins 2019). Summed down the ranking all terms are ≥ 0.
    """
    s = as_tensor(scores)
    if s.ndim != 1:
        raise LabError(f"One row of scores (m,) was expected; {tuple(s.shape)} came.")
    if weighting == "softmax":
        return torch.where(s > -torch.inf, torch.zeros_like(s), torch.inf)
    if weighting not in POWERS:
        raise LabError(f"{weighting!r} has no support that grows; choose one of softmax, {', '.join(POWERS)}.")
    ranked, order = s.sort(descending=True, stable=True)
    live = ranked > -torch.inf
    steps = torch.where(live, -ranked.diff(prepend=ranked[:1]), 0.0)
    # Squares of 1e30 overflow float32. A power of two as unit rounds nothing: an entry on the very border stays there.
    whole = steps.sum().clamp(min=torch.finfo(s.dtype).tiny)
    scale = whole / torch.frexp(whole).mantissa
    steps = steps / scale
    above = torch.arange(len(s), dtype=s.dtype, device=s.device)
    sums = (above * steps).cumsum(0)
    enters = sums if weighting == "sparsemax" else _entmax_temperatures(steps, above, sums)
    return torch.empty_like(s).scatter(0, order, torch.where(live, enters * scale, torch.inf))


def _entmax_temperatures(steps: Tensor, above: Tensor, sums: Tensor) -> Tensor:
    """½ √Σ(s_j − s_k)²: when the step δ down to the next rank is taken, the squares grow by 2δΣ + (k)δ²."""
    before = torch.cat((torch.zeros_like(sums[:1]), sums[:-1]))
    return 0.5 * (2.0 * steps * before + above * steps * steps).cumsum(0).sqrt()


def support_sizes(scores: Any, temperatures: Any, weighting: str) -> Tensor:
    """How many entries have weight at each temperature, (t,) integers, each at least 1 where a score takes part."""
    s, taus = together(scores, temperatures)
    enters = entry_temperatures(s, weighting).sort().values
    tied = int((enters == 0.0).sum())
    return torch.searchsorted(enters, taus.contiguous(), right=False).clamp(min=tied)
