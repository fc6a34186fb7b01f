"""The bisection for a temperature, to be watched step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.entropy import entropy_of_scores
from models.inverse import as_array, temperature_for_entropy

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bisection:
    """Brackets of τ, one row a step: ``low`` < τ < ``high``, halved in ln τ at ``middle``, whose entropy is given.

    All (steps,); the last ``middle`` is the answer.
    """

    low: Floats
    high: Floats
    middle: Floats
    entropy: Floats


def bisection_steps(
    scores: Any, target: float, low: float = 1e-3, high: float = 1e3, tolerance: float = 1e-6
) -> Bisection:
    """Bisect ln τ from ``low`` to ``high`` until the entropy of scores (m,) is within ``tolerance`` nats of ``target``.

    A start that doesn't hold the answer is widened to a decade around it first. Raises ``OutOfReachError`` as
    ``temperature_for_entropy`` does.
    """
    scores = as_array(scores)
    answer = temperature_for_entropy(scores, target)
    low, high = min(low, 0.1 * answer), max(high, 10.0 * answer)
    steps: list[tuple[float, float, float, float]] = []
    for _ in range(200):
        middle = math.exp(0.5 * (math.log(low) + math.log(high)))
        entropy = float(entropy_of_scores(scores, middle))
        steps.append((low, high, middle, entropy))
        if abs(entropy - target) <= tolerance:
            break
        low, high = (middle, high) if entropy < target else (low, middle)
    return Bisection(*np.array(steps).T)
