"""Random lookups over shapes, similarities, masks and temperatures, for tests of derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from models.lookup import soft_lookup
from models.similarities import SIMILARITIES


@dataclass(frozen=True)
class Case:
    """Queries (n, d_k), a dictionary, and the keyword arguments of the lookup."""

    q: Tensor
    k: Tensor
    v: Tensor
    settings: dict[str, Any]

    def answer(self, q: Tensor, row: int) -> Tensor:
        """The output (d_v,) at one query, with the mask of this row."""
        mask = self.settings["mask"]
        mine = mask[row : row + 1] if mask is not None and mask.ndim == 2 else mask
        output: Tensor = soft_lookup(q.unsqueeze(0), self.k, self.v, **{**self.settings, "mask": mine}).output
        return output[0]

    def by_autograd(self) -> Tensor:
        """∂o/∂q (n, d_v, d_k), one query at a time."""
        rows = [
            torch.autograd.functional.jacobian(lambda at, row=row: self.answer(at, row), one)
            for row, one in enumerate(self.q)
        ]
        return torch.stack(rows)


def random_case(seed: int, similarity: str, weighting: str = "softmax", dtype: Any = torch.float64) -> Case:
    """n, m, d_k, d_v up to 6, 12, 5, 4; τ from 10⁻² to 10²; no mask, one for all, or one for each query."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)

    n, m, d, w = (int(torch.randint(1, top + 1, (1,), generator=generator)) for top in (6, 12, 5, 4))
    q, k, v = normal(n, d), normal(m, d), normal(m, w)
    kind = seed % 3
    mask = None if kind == 0 else torch.rand((m,) if kind == 1 else (n, m), generator=generator) < 0.7
    parameters: dict[str, Any] = {
        "sigma": 0.7,
        "beta": 1.8,
        "M": normal(d, d),
        "W1": normal(3, d),
        "W2": normal(3, d),
        "w": normal(3),
    }
    chosen = {name: parameters[name] for name in SIMILARITIES[similarity].parameters}
    tau = 10.0 ** float(torch.rand((), generator=generator) * 4 - 2)
    settings = {"similarity": similarity, "temperature": tau, "weighting": weighting, "mask": mask, **chosen}
    return Case(q, k, v, settings)
