"""Adam: the bits of torch's own."""

from __future__ import annotations

import pytest
import torch

from models.adam import Adam


@pytest.mark.parametrize("rate", [0.02, 1.0])
def test_every_step_has_the_bits_of_torch(rate: float) -> None:
    generator = torch.Generator().manual_seed(0)
    start = torch.randn(7, 3, generator=generator, dtype=torch.float64)
    mine, theirs = (start.clone().requires_grad_() for _ in range(2))
    still = torch.ones(2).requires_grad_()
    ours, reference = Adam([mine, still], rate), torch.optim.Adam([theirs], lr=rate)
    for _ in range(60):
        gradient = torch.randn(7, 3, generator=generator, dtype=torch.float64) * 10.0 ** float(
            torch.randn((), generator=generator)
        )
        mine.grad, theirs.grad = gradient.clone(), gradient.clone()
        ours.step()
        reference.step()
        assert torch.equal(mine, theirs)
    for name, kept in reference.state[theirs].items():
        assert torch.equal(ours.state[mine][name], kept)
    assert torch.equal(still, torch.ones(2))
