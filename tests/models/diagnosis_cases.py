"""Descents whose end is known by construction, for the tests of the diagnosis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

PLANE: dict[str, Any] = {
    "k": [[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1], [0.7, 0.9]],
    "v": [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5], [0.5, -1.0]],
}
LINE: dict[str, Any] = {"k": [[-1.0], [0.0], [1.0]], "v": [[-1.0], [0.0], [1.0]]}
HILL: dict[str, Any] = {"k": [[-1.0], [0.0], [1.0]], "v": [[0.0], [1.0], [0.0]]}
STAIRS: dict[str, Any] = {"k": [[0.0], [1.0], [2.0], [3.0], [4.0]], "v": [[0.0], [3.0], [1.0], [5.0], [2.0]]}


def case(kind: str, name: str, data: dict[str, Any], q: Any, target: Any, **settings: Any) -> Any:
    """A kind, a name, and what ``descend`` takes."""
    return kind, name, {**data, "q": q, "target": target, "steps": 200, **settings}


def converged() -> Iterator[Any]:
    kind = "converged"
    yield case(kind, "reached", PLANE, [0.6, -0.4], [0.1, 0.3], learning_rate=0.5, steps=600)
    yield case(kind, "there from the start", PLANE, [0.0, 0.0], [0.125, 0.125])
    yield case(kind, "line", LINE, [0.0], [0.5], learning_rate=1.0)
    yield case(kind, "Adam", LINE, [0.0], [-0.7], optimiser="adam", steps=400)
    yield case(kind, "momentum", LINE, [1.0], [-0.2], optimiser="momentum", steps=400)
    yield case(kind, "distances", STAIRS, [1.5], [2.0], similarity="squared_distance", sigma=0.6)
    yield case(kind, "keys too", LINE, [0.3], [0.6], learn=("query", "keys"), learning_rate=1.0)
    yield case(kind, "a minimum above zero", HILL, [0.7], [0.8], learning_rate=2.0, steps=500)
    yield case(kind, "just not too large a step", LINE, [0.4], [0.3], learning_rate=0.97 * LIMIT)
    yield case(kind, "just within 1 %", LINE, [0.0], [0.0199], learning_rate=1e-9, steps=20)


def cold_lock() -> Iterator[Any]:
    kind = "cold_lock"
    for tau in (0.001, 0.01, 0.05):
        yield case(kind, f"wrong entry at {tau}", PLANE, [3.0, -0.2], [0.0, 1.0], temperature=tau, learning_rate=0.5)
    yield case(kind, "thrown from cold", PLANE, [1.0, -0.5], [0.0, 1.0], temperature=0.01, learning_rate=0.5)
    yield case(kind, "Adam", PLANE, [3.0, -0.2], [0.0, 1.0], temperature=0.001, optimiser="adam", learning_rate=0.01)
    yield case(kind, "narrow distances", STAIRS, [0.1], [3.0], similarity="squared_distance", sigma=0.05)
    # 1/(1 + e^-x) = 0.9901 for two entries 1 apart: just inside the zone.
    yield case(kind, "just 99 %", {"k": [[0.0], [1.0]], "v": [[0.0], [1.0]]}, [4.605], [0.2], learning_rate=1e-3)


def too_hot() -> Iterator[Any]:
    kind = "too_hot"
    for tau in (10.0, 30.0, 100.0, 1000.0):
        yield case(kind, f"τ = {tau}", PLANE, [0.6, -0.4], [0.0, 1.0], temperature=tau)
    yield case(kind, "wide distances", STAIRS, [1.5], [4.5], similarity="squared_distance", sigma=100.0)
    yield case(kind, "Adam", PLANE, [0.6, -0.4], [-0.8, 0.4], temperature=1000.0, optimiser="adam", learning_rate=0.01)
    yield case(kind, "just hot", PLANE, [0.6, -0.4], [0.0, 1.0], temperature=4.75, steps=30, learning_rate=0.01)


def step_too_large() -> Iterator[Any]:
    for rate in (14.0, 20.0):
        yield case("oscillating", f"rate {rate}", LINE, [0.0], [0.5], learning_rate=rate)
    yield case("oscillating", "just too large", LINE, [0.4], [0.3], learning_rate=1.03 * LIMIT)
    yield case("oscillating", "cold", LINE, [0.05], [0.3], temperature=0.1, learning_rate=1.1 * 0.01 * LIMIT)
    # Momentum μ is stable up to 1 + μ times the plain limit.
    yield case("oscillating", "momentum", LINE, [0.4], [0.3], optimiser="momentum", learning_rate=2.1 * LIMIT)
    for rate in (1e3, 1e4):
        yield case("diverging", f"rate {rate}", PLANE, [0.6, -0.4], [0.1, 0.6], learning_rate=rate)
    yield case("diverging", "line", LINE, [0.0], [0.5], learning_rate=1e3)
    yield case("diverging", "cool", PLANE, [0.6, -0.4], [0.0, 0.6], temperature=0.3, learning_rate=300.0)
    yield case("diverging", "momentum", LINE, [0.0], [0.4], learning_rate=300.0, optimiser="momentum", steps=50)


def unreachable() -> Iterator[Any]:
    kind = "unreachable"
    yield case(kind, "far", PLANE, [0.0, 0.0], [3.0, 3.0], learning_rate=0.5)
    yield case(kind, "beyond a corner", PLANE, [0.0, 0.0], [0.0, 2.0], learning_rate=0.5)
    yield case(kind, "beyond a side", PLANE, [0.0, 0.0], [0.8, 0.7], learning_rate=1.0, steps=400)
    yield case(kind, "line", LINE, [0.0], [1.5], learning_rate=0.5)
    yield case(kind, "Adam", LINE, [0.0], [-4.0], optimiser="adam")
    yield case(kind, "distances", STAIRS, [2.8], [7.0], similarity="squared_distance", sigma=0.6)
    yield case(kind, "just outside", LINE, [0.0], [1.1], learning_rate=5.0, steps=1000)


def plateau() -> Iterator[Any]:
    kind = "plateau"
    yield case(kind, "a valley between entries", PLANE, [0.6, -0.4], [0.1, 0.3], learning_rate=0.5, steps=20)
    yield case(kind, "on the ridge", HILL, [0.0], [0.1])
    yield case(kind, "almost on the ridge", HILL, [1e-7], [0.1], steps=30)
    twins = {"k": [[1.0], [1.0], [-1.0]], "v": [[0.0], [1.0], [0.5]]}
    yield case(kind, "two equal keys", twins, [20.0], [0.9])
    yield case(kind, "all keys equal", {"k": [[1.0], [1.0]], "v": [[0.0], [1.0]]}, [2.0], [0.9])
    yield case(kind, "below a higher hill", STAIRS, [1.0], [3.3], similarity="squared_distance", sigma=0.5)
    yield case(kind, "on a ridge of distances", HILL, [0.0], [0.1], similarity="squared_distance", sigma=0.8)


def slope_of_line(target: float) -> float:
    """o'(q) of LINE where o(q) = target: the variance of the keys under the weights."""
    grid = np.linspace(0, 5, 2_000_001)
    output = 2 * np.sinh(grid) / (1 + 2 * np.cosh(grid))
    q = grid[np.searchsorted(output, target)]
    weights = np.exp(np.array([-q, 0.0, q]))
    weights /= weights.sum()
    return float(weights[0] + weights[2] - (weights[2] - weights[0]) ** 2)


# At the optimum of the target 0.3 the loss of LINE bends by the square of o': from 2 over that on no step settles.
LIMIT = 2 / slope_of_line(0.3) ** 2
GROUPS = (converged, cold_lock, too_hot, step_too_large, unreachable, plateau)
CASES = [one for group in GROUPS for one in group()]
