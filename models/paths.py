"""How far a gradient travels: one step of attention beside a chain of recurrent steps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.errors import LabError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Paths:
    """Gradient that reaches an entry over its distance, for one sequence; logarithms, for λ^1000 has no float.

    ``distances`` (n,) counts steps back from the query, 1 the nearest. ``value_path`` is the entry's weight a, which
    is ∂o/∂v; ``score_path`` the softmax derivative a(1−a)/τ, which is ∂a/∂s; ``recurrent_log10`` is
    log10 of λ^distance, the derivative of the chain's last state by its input at that distance.
    """

    distances: npt.NDArray[np.int64]
    value_path: Floats
    score_path: Floats
    recurrent_log10: Floats

    @property
    def value_log10(self) -> Floats:
        return np.log10(self.value_path)


def compare_paths(length: int, factor: float = 0.9, margin: float = 4.0, temperature: float = 1.0) -> Paths:
    """Both paths to every entry of a sequence of ``length``, one entry at a time being the one that is sought.

    The entry sought scores ``margin`` above all others, wherever it stands: its weight
    1/(1 + (n−1)·exp(−margin/τ)) depends on the length, never on the distance. A chain h_t = λ·h_{t−1} + x_t
    passes λ^distance (Bengio and others, 1994; for attention, Vaswani and others, 2017, table 1).
    """
    if length < 1:
        raise LabError(f"A sequence of 1 entry or more was expected; what came is {length}.")
    if not factor > 0 or not temperature > 0:
        raise LabError(f"λ and τ above 0 were expected; what came is λ = {factor}, τ = {temperature}.")
    with np.errstate(over="ignore"):
        others = (length - 1) * np.exp(-margin / temperature)
    weight = 1.0 / (1.0 + others)
    # 1 − a is written as others·a: at a low temperature the difference would round to 0.
    slope = weight * (others * weight if np.isfinite(others) else 1.0) / temperature
    distances = np.arange(1, length + 1, dtype=np.int64)
    flat = np.ones(length)
    return Paths(distances, weight * flat, slope * flat, distances * np.log10(factor))


def crossing(paths: Paths) -> int | None:
    """The first distance at which attention passes more than the chain, or None where the chain passes more."""
    ahead = paths.value_log10 > paths.recurrent_log10
    return int(paths.distances[ahead.argmax()]) if ahead.any() else None
