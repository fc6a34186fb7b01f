"""Made-up data of known truth. Drawn on the CPU from a seed, so that every device sees the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.errors import LabError
from models.lazy import torch
from models.points import Floats


@dataclass(frozen=True)
class Recipe:
    """x is drawn evenly from ``pieces`` (stretches from–to), y = truth(x) + noise·spread(x)·standard normal."""

    label: str
    tex: str
    pieces: tuple[tuple[float, float], ...]
    truth: Callable[[Floats], Floats]
    spread: Callable[[Floats], Floats] = np.ones_like


@dataclass(frozen=True)
class Data:
    """Drawn points with x in rising order, and the truth at each; (n,) float64 each."""

    x: Floats
    y: Floats
    truth: Floats


BUMPS = np.array(
    [
        [0.1, 4.0, 0.005],
        [0.13, 5.0, 0.005],
        [0.15, 3.0, 0.006],
        [0.23, 4.0, 0.01],
        [0.25, 5.0, 0.01],
        [0.40, 4.2, 0.03],
        [0.44, 2.1, 0.01],
        [0.65, 4.3, 0.01],
        [0.76, 3.1, 0.005],
        [0.78, 5.1, 0.008],
        [0.81, 4.2, 0.005],
    ]
)
"""Place, height and width of the bumps of Donoho & Johnstone (1994)."""


def sine_with_trend(x: Floats) -> Floats:
    """2 sin x + x (Zhang et al., Dive into Deep Learning, 10.1)."""
    return 2 * np.sin(x) + x


def bumps(x: Floats) -> Floats:
    """Σ height·(1 + |x − place|/width)^−4 (Donoho & Johnstone, 1994)."""
    out = np.zeros_like(x)
    for place, height, width in BUMPS:
        out += height * (1 + np.abs(x - place) / width) ** -4
    return out


def doppler(x: Floats) -> Floats:
    """√(x(1−x))·sin(2.1π/(x + 0.05)) (Donoho & Johnstone, 1994), level outside [0, 1]."""
    inside = np.clip(x, 0, 1)
    return np.sqrt(inside * (1 - inside)) * np.sin(2.1 * np.pi / (inside + 0.05))


RECIPES: dict[str, Recipe] = {
    "sine": Recipe("Sine with trend", r"2\sin x+x", ((0, 5),), sine_with_trend),
    "step": Recipe("Step", r"[\,x\ge 2\,]", ((0, 4),), lambda x: np.where(x >= 2, 1.0, 0.0)),
    "bumps": Recipe("Bumps", r"\sum_j h_j(1+|x-x_j|/w_j)^{-4}", ((0, 1),), bumps),
    "line": Recipe("Line", r"1+\frac{x}{2}", ((0, 5),), lambda x: 1 + x / 2),
    "doppler": Recipe("Doppler", r"\sqrt{x(1-x)}\sin\frac{2.1\pi}{x+0.05}", ((0, 1),), doppler),
    "heteroscedastic": Recipe(
        "Noise that grows", r"2\sin x+x,\ \mathrm{noise}\propto x", ((0, 5),), sine_with_trend, lambda x: 0.1 + 0.4 * x
    ),
    "two_clusters": Recipe("Two clusters with a gap", r"2\sin x+x", ((0, 1.5), (3.5, 5)), sine_with_trend),
}


def recipe(name: str) -> Recipe:
    """The recipe of this name, or a ``LabError`` that lists the known ones."""
    if name not in RECIPES:
        raise LabError(f"There is no data recipe named {name!r}; choose one of {', '.join(RECIPES)}.")
    return RECIPES[name]


def draw(name: str, n: int, noise: float = 1.0, seed: int = 0) -> Data:
    """n points of a recipe: x sorted, then y, from single-precision draws in that order (as the textbook's are).

    ``noise`` is the standard deviation, times the recipe's own spread. The noise of one seed is the same at every
    ``noise``, so that turning it up moves each point straight away from the truth.
    """
    chosen = recipe(name)
    if n < 1:
        raise LabError(f"At least 1 point was expected; {n} came.")
    generator = torch.Generator().manual_seed(seed)
    pieces = np.array(chosen.pieces)
    u = torch.rand(n, generator=generator) * float((pieces[:, 1] - pieces[:, 0]).sum())
    u, _ = torch.sort(u)
    deviations = torch.randn(n, generator=generator).numpy().astype(np.float64)
    x = _laid_out(u.numpy().astype(np.float64), pieces)
    truth = chosen.truth(x)
    return Data(x, truth + noise * chosen.spread(x) * deviations, truth)


def redraw_noise(name: str, x: Floats, noise: float, seed: int) -> Floats:
    """New labels (n,) for old x."""
    chosen = recipe(name)
    deviations = torch.randn(len(x), generator=torch.Generator().manual_seed(seed)).numpy().astype(np.float64)
    return chosen.truth(x) + noise * chosen.spread(x) * deviations


def _laid_out(u: Floats, pieces: Floats) -> Floats:
    """Places 0 … total length laid along the pieces."""
    ends = np.cumsum(pieces[:, 1] - pieces[:, 0])
    piece = np.searchsorted(ends, u, side="right").clip(0, len(pieces) - 1)
    return pieces[piece, 1] - (ends[piece] - u) if len(pieces) > 1 else u + pieces[0, 0]
