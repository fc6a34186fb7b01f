"""Adam (Kingma & Ba, 2015) by the function of ``torch.optim``, without the class around it.

``torch.optim.Adam`` asks at each step whether the accelerator of the machine is recording a graph, and so starts CUDA
although the CPU was chosen, or trips over a card that was lost.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
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
        _adam()(
            [one],
            [gradient],
            [state["exp_avg"]],
            [state["exp_avg_sq"]],
            [],
            [state["step"]],
            foreach=False,
            amsgrad=False,
            beta1=FIRST,
            beta2=SECOND,
            lr=self._rate,
            weight_decay=0.0,
            eps=LEAST,
            maximize=False,
        )


def _adam() -> Callable[..., None]:
    """The function beside the class; ``torch.optim`` shows only the class."""
    step: Callable[..., None] = sys.modules[torch.optim.Adam.__module__].adam
    return step
