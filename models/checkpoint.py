"""One state of a descent, and the learner that takes the steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from models.adam import Adam
from models.arrays import Array
from models.dictionary import Dictionary
from models.lazy import torch
from models.slopes import loss_pull, responses

if TYPE_CHECKING:
    from torch import Tensor

LOWEST_LOG = -math.log(100.0)
"""CLIP keeps the scale of its scores, 1/τ, at 100 or less."""

MEMORY = {"sgd": (), "momentum": ("momentum_buffer",), "adam": ("step", "exp_avg", "exp_avg_sq")}
"""What each optimiser remembers for each thing that it moves."""


@dataclass(frozen=True)
class Checkpoint:
    """A descent after ``step`` steps: query (d_q,) or (S, d_q), keys (m, d_k), values (m, d_v), log τ.

    ``memory`` are the optimiser's arrays, in the order of what is learned.
    """

    step: int
    query: Array
    keys: Array
    values: Array
    log_temperature: float
    memory: tuple[Array, ...] = ()


class Learner:
    """Moves what is learned by an optimiser; everything that it holds can be read back as a ``Checkpoint``."""

    def __init__(
        self,
        start: Checkpoint,
        book: Dictionary,
        target: Tensor,
        learn: tuple[str, ...],
        optimiser: tuple[str, float, float],
    ) -> None:
        self._start, self._book, self._target, self._learn = start, book, target, learn
        self.steps = start.step
        like: dict[str, Any] = {"dtype": book.k.dtype, "device": book.k.device}
        query = torch.as_tensor(np.array(start.query), **like).reshape(-1, start.query.shape[-1])
        log = torch.tensor(start.log_temperature, **like)
        everything = {"query": query, "keys": book.k, "values": book.v, "temperature": log}
        self._now = {name: value.detach().clone() for name, value in everything.items()}
        self._kind = optimiser[0]
        moved = [self._now[name] for name in learn]
        self._optimiser = _optimiser(moved, *optimiser)
        self._remember(moved, start.memory)
        self._scored = [name for name in ("query", "keys") if name in learn]
        for name in self._scored:
            self._now[name].requires_grad_()

    def look(self) -> dict[str, Tensor]:
        """Where the descent stands; leaves the gradients of all that is learned where the optimiser takes them."""
        now = self._now
        if "temperature" in self._learn:
            self._book = replace(self._book, temperature=now["temperature"].exp())
        book = replace(self._book, k=now["keys"], v=now["values"])
        with torch.enable_grad():
            live = now["query"] if "query" in self._scored else now["query"].requires_grad_()
            scores = book.scores(live)
        fixed = scores.detach()
        weights = book.weights(live.detach(), fixed)
        outputs = weights @ book.v
        residual = outputs - self._target
        pull = loss_pull(weights, responses(weights, book.weighting), book.v, residual, book.divisor)
        names = ["query", *[name for name in self._scored if name != "query"]]
        slopes = torch.autograd.grad(scores, [now[name] for name in names], pull)
        self._assign(dict(zip(names, slopes, strict=True)), weights, residual, pull, fixed)
        return {
            "queries": live.detach().clone(),
            "outputs": outputs,
            "losses": residual.square().sum(-1) / 2,
            "norms": torch.linalg.vector_norm(slopes[0], dim=-1),
            "temperatures": torch.as_tensor(book.temperature, dtype=book.k.dtype).detach().clone(),
        }

    def step(self) -> None:
        """One step along the gradients of the last look."""
        self._optimiser.step()
        self.steps += 1
        if "temperature" in self._learn:
            self._now["temperature"].clamp_(min=LOWEST_LOG)

    def checkpoint(self) -> Checkpoint:
        """All that the next step needs."""
        now = {name: value.detach().cpu().numpy() for name, value in self._now.items()}
        return Checkpoint(
            self.steps,
            Array(now["query"].reshape(self._start.query.shape)),
            Array(now["keys"]) if "keys" in self._learn else self._start.keys,
            Array(now["values"]) if "values" in self._learn else self._start.values,
            float(now["temperature"]),
            tuple(self._memory()),
        )

    def _assign(
        self, slopes: dict[str, Tensor], weights: Tensor, residual: Tensor, pull: Tensor, scores: Tensor
    ) -> None:
        """Each gradient to its place: ∂L/∂v_j = a_j (o − t), and ∂L/∂log τ = −Σ s_j ∂L/∂s_j."""
        for name in self._learn:
            if name == "values":
                self._now[name].grad = weights.mT @ residual
            elif name == "temperature":
                best = scores.gather(-1, weights.argmax(-1, keepdim=True))
                self._now[name].grad = -(pull * (scores - best)).sum()
            else:
                self._now[name].grad = slopes[name]

    def _memory(self) -> list[Array]:
        state = self._optimiser.state
        moved = [self._now[name] for name in self._learn]
        return [Array(state[one][key].cpu().numpy()) for one in moved if one in state for key in MEMORY[self._kind]]

    def _remember(self, moved: list[Tensor], memory: tuple[Array, ...]) -> None:
        saved = iter(memory)
        for one in moved if memory else ():
            for key in MEMORY[self._kind]:
                array = torch.as_tensor(np.array(next(saved)))
                # Adam counts its steps in a float32 on the CPU, wherever the numbers themselves are.
                state = array.to(torch.float32) if key == "step" else array.to(one)
                self._optimiser.state[one][key] = state


def _optimiser(moved: list[Tensor], kind: str, rate: float, momentum: float) -> Any:
    if kind == "adam":
        return Adam(moved, rate)
    return torch.optim.SGD(moved, lr=rate, momentum=momentum if kind == "momentum" else 0.0)
