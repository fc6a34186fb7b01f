"""The convex hull of the values: every answer of a soft lookup is an average of values, so none lies outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import LabError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Nearest:
    """The point of a hull next to a target: ``point`` (d,) = ``weights`` (m,) @ points, and how far it is."""

    point: Floats
    weights: Floats
    distance: float


def nearest_in_hull(points: npt.ArrayLike, target: npt.ArrayLike) -> Nearest:
    """The point of the convex hull of ``points`` (m, d) that is nearest to ``target`` (d,).

    The algorithm of the minimum norm point (Wolfe, 1976): a small set of corners is kept whose affine span holds the
    best point; the corner that lies furthest back joins, those whose share would turn negative leave.
    """
    rows = np.asarray(points, dtype=np.float64)
    goal = np.asarray(target, dtype=np.float64).reshape(-1)
    if rows.ndim != 2 or len(rows) == 0 or rows.shape[1] != len(goal):
        raise LabError(f"Points (m, {len(goal)}) were expected for this target; what came has the shape {rows.shape}.")
    shifted = rows - goal
    scale = max(float(np.abs(shifted).max()), np.finfo(float).tiny)
    shares = _minimum_norm(shifted / scale)
    point = shares @ rows
    return Nearest(point, shares, float(np.linalg.norm(shares @ shifted)))


def _minimum_norm(rows: Floats) -> Floats:
    corners = [int(np.argmin((rows * rows).sum(1)))]
    shares = np.array([1.0])
    for _ in range(20 * len(rows) + 50):
        best = shares @ rows[corners]
        reach = rows @ best
        candidate = int(np.argmin(reach))
        if candidate in corners or reach[candidate] >= best @ best - 1e-13:
            break
        corners, shares = _settle(rows, [*corners, candidate], np.append(shares, 0.0))
    weights = np.zeros(len(rows))
    weights[corners] = shares
    return weights


def _settle(rows: Floats, corners: list[int], shares: Floats) -> tuple[list[int], Floats]:
    """Move to the best point of the corners' affine span; a corner whose share falls to zero on the way leaves."""
    while True:
        wanted = _affine_best(rows[corners])
        if (wanted > 1e-12).all():
            return corners, wanted
        falling = wanted <= 1e-12
        gaps = np.maximum(shares - wanted, np.finfo(float).tiny)
        step = min(1.0, float((shares / gaps)[falling].min()))
        moved = shares + step * (wanted - shares)
        keep = moved > 1e-12
        if keep.all():
            keep[np.argmin(np.where(falling, moved, np.inf))] = False
        corners = [corner for corner, kept in zip(corners, keep, strict=True) if kept]
        shares = moved[keep] / moved[keep].sum()


def _affine_best(rows: Floats) -> Floats:
    """Shares that sum to 1, of any sign, for the point of the affine span nearest to the origin."""
    edges = (rows[1:] - rows[0]).T
    rest: Any = np.linalg.lstsq(edges, -rows[0], rcond=None)[0] if edges.shape[1] else np.zeros(0)
    return np.concatenate([[1.0 - rest.sum()], rest])
