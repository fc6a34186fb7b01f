"""The triangle of three weights: its picture in the plane, the path of the temperature, contours of the entropy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.boltzmann import Boltzmann
from models.entropy import entropy
from models.errors import LabError
from models.lazy import torch
from models.tensors import as_tensor, together

if TYPE_CHECKING:
    from torch import Tensor

CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.5, math.sqrt(0.75)))
"""Where all weight is on entry 0, 1, 2: a triangle of side 1. Two weights lie on its base."""


def simplex_coordinates(weights: Any) -> Tensor:
    """Weights (…, 2) or (…, 3) that sum to 1 as points (…, 2) of the triangle."""
    a = as_tensor(weights)
    if a.shape[-1] not in (2, 3):
        raise LabError(f"Two or three weights were expected; {a.shape[-1]} came. Choose three entries.")
    return a @ torch.tensor(CORNERS, dtype=a.dtype, device=a.device)[: a.shape[-1]]


def simplex_weights(points: Any) -> Tensor:
    """The three weights (…, 3) of points (…, 2), the inverse of ``simplex_coordinates``; negative outside."""
    p = as_tensor(points)
    third = p[..., 1] / CORNERS[2][1]
    second = p[..., 0] - 0.5 * third
    return torch.stack((1.0 - second - third, second, third), dim=-1)


def simplex_path(scores: Any, temperatures: Any) -> Tensor:
    """The points (t, 2) that the softmax of two or three scores passes over temperatures (t,)."""
    scores, taus = together(scores, temperatures)
    return simplex_coordinates(Boltzmann(scores, taus).weights)


@dataclass(frozen=True)
class EntropyGrid:
    """Entropy over the triangle: columns ``x`` (c,), rows ``y`` (r,), ``entropy`` (r, c), 0 where not ``inside``."""

    x: Tensor
    y: Tensor
    entropy: Tensor
    inside: Tensor


def entropy_grid(points: int = 101) -> EntropyGrid:
    """The entropy of three weights in nats on a grid of ``points`` squared over the triangle's bounding box."""
    x = torch.linspace(0.0, 1.0, points, dtype=torch.float64)
    y = torch.linspace(0.0, CORNERS[2][1], points, dtype=torch.float64)
    rows, columns = torch.meshgrid(y, x, indexing="ij")
    weights = simplex_weights(torch.stack((columns, rows), dim=-1))
    inside = (weights >= -1e-12).all(-1)
    return EntropyGrid(x, y, torch.where(inside, entropy(weights.clamp(min=0.0)), 0.0), inside)


def entropy_contour(level: float, points: int = 361) -> Tensor:
    """The points (p, 2) of the triangle with the entropy ``level``, by angle around the centre, closed.

    Superlevel sets of the entropy are convex and hold the centre, so each ray meets the contour once, or leaves the
    triangle first: there the row is NaN, a gap for a line that is drawn where it is finite. 0 < level < ln 3.
    """
    if not 0.0 < level < math.log(3.0):
        raise LabError(f"A contour of the entropy of three weights lies between 0 and ln 3 = 1.0986; {level} came.")
    angle = torch.linspace(0.0, 2.0 * math.pi, points, dtype=torch.float64)
    third = 1.0 / 3.0
    rays = simplex_weights(torch.stack((0.5 + angle.cos(), CORNERS[2][1] / 3.0 + angle.sin()), dim=-1)) - third
    low, high = torch.zeros_like(angle), -third / rays.amin(-1)
    reached = entropy((third + high[:, None] * rays).clamp(min=0.0)) <= level
    for _ in range(60):
        middle = 0.5 * (low + high)
        over = entropy((third + middle[:, None] * rays).clamp(min=0.0)) > level
        low, high = torch.where(over, middle, low), torch.where(over, high, middle)
    contour = simplex_coordinates(third + low[:, None] * rays)
    return torch.where(reached[:, None], contour, torch.nan)
