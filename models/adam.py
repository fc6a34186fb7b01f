"""Adam (Kingma & Ba, 2015), to the bit as ``torch.optim.Adam`` steps on the CPU.

That one asks at each step whether the accelerator of the machine is recording a graph, and so starts CUDA although the
CPU was chosen, or trips over a card that was lost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from models.lazy import torch

if TYPE_CHECKING:
    from torch import Tensor

FIRST, SECOND = 0.9, 0.999
"""How much of the running means of gradient and squared gradient stays at each step."""
LEAST = 1e-8


class Adam:
    """Moves tensors against their ``grad``. ``state`` holds for each the ``step`` count and the two running means."""

    def __init__(self, moved: Iterable[Tensor], rate: float) -> None:
        self._moved, self._rate = tuple(moved), rate
        self.state: dict[Tensor, dict[str, Tensor]] = defaultdict(dict)

    def step(self) -> None:
        """One step for every tensor that has a gradient."""
        with torch.no_grad():
            for one in self._moved:
                if one.grad is not None:
                    self._move(one, one.grad)

    def _move(self, one: Tensor, gradient: Tensor) -> None:
        state = self.state[one]
        if not state:
            state.update(step=torch.tensor(0.0), exp_avg=torch.zeros_like(one), exp_avg_sq=torch.zeros_like(one))
        state["step"] += 1
        count = float(state["step"])
        state["exp_avg"].lerp_(gradient, 1 - FIRST)
        state["exp_avg_sq"].mul_(SECOND).addcmul_(gradient, gradient, value=1 - SECOND)
        size = self._rate / (1 - FIRST**count)
        spread = (state["exp_avg_sq"].sqrt() / (1 - SECOND**count) ** 0.5).add_(LEAST)
        one.addcdiv_(state["exp_avg"], spread, value=-size)
