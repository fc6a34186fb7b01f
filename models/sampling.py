"""Draws from weights by a seed, the same on every device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.tensors import as_tensor

if TYPE_CHECKING:
    from torch import Tensor

MOST_DRAWS = 10_000


def draw(weights: Any, draws: int, seed: int) -> Tensor:
    """Indices (draws,) drawn from weights (m,): uniform numbers of the seed through the running sum.

    More draws of one seed go on where fewer ended. An entry with weight 0 is never drawn.
    """
    a = as_tensor(weights).detach().to("cpu", torch.float64)
    if a.ndim != 1 or not bool((a >= 0.0).all()) or not 0.0 < float(a.sum()) < torch.inf:
        raise LabError("Weights (m,) of at least 0 with a finite sum above 0 were expected. Let one entry take part.")
    if not 1 <= draws <= MOST_DRAWS:
        raise LabError(f"1 to {MOST_DRAWS:,} draws were expected; {draws} came. Choose a number in the range.")
    generator = torch.Generator().manual_seed(seed)
    running = a.cumsum(0)
    places = torch.rand(draws, dtype=torch.float64, generator=generator) * running[-1]
    last = int(a.nonzero()[-1])
    return torch.searchsorted(running, places, right=True).clamp(max=last)


def draw_counts(weights: Any, draws: int, seed: int) -> Tensor:
    """How often each entry was drawn, (m,) integers that sum to ``draws``."""
    return torch.bincount(draw(weights, draws, seed), minlength=len(as_tensor(weights)))
