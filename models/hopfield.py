"""Associative memory: the soft lookup with keys = values, its output fed back as the next query.

The update ξ ← Xᵀ softmax(Xξ/τ) is attention over the stored patterns and never raises the energy
E(ξ) = −τ·log Σⱼ exp(xⱼ·ξ/τ) + ½‖ξ‖² + τ·log m + ½·maxⱼ‖xⱼ‖² (Ramsauer and others, 2020, with β = 1/τ).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor

ROUNDS = 20_000
SAME = 1e-6


@dataclass(frozen=True)
class Recall:
    """A recall: ``states`` (steps+1, d), ``energies`` (steps+1,), the ``weights`` (m,) at the last state."""

    states: Tensor
    energies: Tensor
    weights: Tensor


@dataclass(frozen=True)
class FixedPoints:
    """States that the update leaves alone.

    ``points`` (p, d), ``energies`` (p,), ``weights`` (p, m), ``stable`` (p,): True where small pushes die away,
    ``pattern`` (p,): the stored pattern that has more than half of the weight there, −1 at a blend of several.
    """

    points: Tensor
    energies: Tensor
    weights: Tensor
    stable: Tensor
    pattern: Tensor


def energy(state: Any, patterns: Any, temperature: float = 1.0) -> Tensor:
    """The energy (...) of states (..., d) over patterns (m, d): 0 or more, and never raised by ``update``."""
    state, patterns = _checked(state, patterns, temperature)
    free = temperature * torch.logsumexp(state @ patterns.mT / temperature, -1)
    largest = patterns.square().sum(-1).max()
    return -free + state.square().sum(-1) / 2 + temperature * math.log(len(patterns)) + largest / 2


def weights_at(state: Any, patterns: Any, temperature: float = 1.0) -> Tensor:
    """The weight (..., m) of every pattern for states (..., d)."""
    state, patterns = _checked(state, patterns, temperature)
    return torch.softmax(state @ patterns.mT / temperature, -1)


def update(state: Any, patterns: Any, temperature: float = 1.0) -> Tensor:
    """One step of recall for states (..., d): the output of the lookup, taken as the next query."""
    state, patterns = _checked(state, patterns, temperature)
    return weights_at(state, patterns, temperature) @ patterns


def recall(start: Any, patterns: Any, temperature: float = 1.0, steps: int = 10) -> Recall:
    """``steps`` updates from ``start`` (d,), each state with its energy."""
    start, patterns = _checked(start, patterns, temperature)
    states = [start]
    for _ in range(steps):
        states.append(update(states[-1], patterns, temperature))
    path = torch.stack(states)
    return Recall(path, energy(path, patterns, temperature), weights_at(path[-1], patterns, temperature))


def settle(start: Any, patterns: Any, temperature: float = 1.0) -> Tensor:
    """The fixed points (..., d) that states (..., d) reach, to the last digits that the dtype allows.

    Updates come until nothing changes any more; near a change of stability that takes thousands.
    """
    state, patterns = _checked(start, patterns, temperature)
    small = 4 * torch.finfo(state.dtype).eps * max(1.0, float(patterns.abs().max()))
    for _ in range(ROUNDS):
        following = update(state, patterns, temperature)
        moved = float((following - state).abs().max())
        state = following
        if moved <= small:
            break
    return state


def fixed_points(patterns: Any, temperature: float = 1.0, starts: Any = None) -> FixedPoints:
    """The distinct fixed points reached from every pattern, their mean, and ``starts`` (n, d) where given."""
    _, patterns = _checked(patterns, patterns, temperature)
    seeds = [patterns, patterns.mean(0, keepdim=True)]
    if starts is not None:
        seeds.append(_checked(starts, patterns, temperature)[0])
    points = _distinct(settle(torch.cat(seeds), patterns, temperature))
    weights = weights_at(points, patterns, temperature)
    centred = patterns - points.unsqueeze(1)
    # At a fixed point the Jacobian of the update is the covariance of the patterns over τ: symmetric, never negative.
    jacobians = (weights.unsqueeze(-1) * centred).mT @ centred / temperature
    stable = torch.linalg.eigvalsh(jacobians)[:, -1] < 1.0
    share, winner = weights.max(-1)
    pattern = torch.where(share > 0.5, winner, -1)
    return FixedPoints(points, energy(points, patterns, temperature), weights, stable, pattern)


def basins(grid: Any, patterns: Any, temperature: float = 1.0) -> tuple[Tensor, Tensor]:
    """Where recall ends from all states of ``grid`` (..., d): the index (...) of its fixed point, and those (p, d)."""
    grid, patterns = _checked(grid, patterns, temperature)
    ends = settle(grid, patterns, temperature)
    points = _distinct(ends.reshape(-1, ends.shape[-1]))
    return torch.cdist(ends.reshape(-1, ends.shape[-1]), points).argmin(-1).reshape(ends.shape[:-1]), points


def _distinct(ends: Tensor) -> Tensor:
    """The rows (n, d) without those that repeat an earlier one, in their order."""
    scale = max(1.0, float(ends.abs().max()))
    near = 1e3 * torch.finfo(ends.dtype).eps ** 0.5 * scale if ends.dtype == torch.float32 else SAME * scale
    found: list[Tensor] = []
    rest = ends
    while len(rest):
        found.append(rest[0])
        rest = rest[(rest - rest[0]).norm(dim=-1) > near]
    return torch.stack(found)


def _checked(state: Any, patterns: Any, temperature: float) -> tuple[Tensor, Tensor]:
    state, patterns = together(state, patterns)
    if not temperature > 0:
        raise LabError(f"A temperature above 0 was expected; what came is {temperature}. Raise it.")
    if patterns.ndim != 2 or state.shape[-1:] != patterns.shape[-1:]:
        shapes = f"{tuple(state.shape)} and {tuple(patterns.shape)}"
        raise LabError(f"States (..., d) and patterns (m, d) of one width d were expected; what came is {shapes}.")
    if not len(patterns):
        raise LabError("A memory needs a pattern, and none takes part. Unmask an entry.")
    return state, patterns
