"""The outline of a set of points in the plane."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def convex_hull(points: npt.ArrayLike) -> npt.NDArray[Any]:
    """Corners (h, 2) of the convex hull of points (m, 2), counter-clockwise (Andrew's monotone chain, 1979)."""
    ordered = np.unique(np.asarray(points, dtype=float), axis=0)
    if len(ordered) < 3:
        return ordered
    lower, upper = _chain(ordered), _chain(ordered[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _chain(points: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    chain: list[npt.NDArray[Any]] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: npt.NDArray[Any], b: npt.NDArray[Any], c: npt.NDArray[Any]) -> float:
    """Positive where a → b → c turns left."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
