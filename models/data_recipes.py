"""Made-up data of known truth, from a seed: the same bits on every machine and device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.book_points import BOOK_X, BOOK_Y
from models.errors import LabError
from models.points import Floats

BOOK = "book"
QUANTUM = 2.0**-20
"""Labels are multiples of it, so that the last bits of a machine's sine don't reach the numbers."""


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
    """The recipe of this name, "sine" for the book's points, or a ``LabError`` that lists the known ones."""
    name = "sine" if name == BOOK else name
    if name not in RECIPES:
        raise LabError(f"There is no data recipe named {name!r}; choose one of {BOOK}, {', '.join(RECIPES)}.")
    return RECIPES[name]


def draw(name: str, n: int = 40, noise: float = 1.0, seed: int = 0, redraw: int = 0) -> Data:
    """n points of a recipe as the regression panel shows them; "book" has the 40 points of the textbook.

    ``noise`` is the standard deviation, times the recipe's own spread; ``redraw`` counts how often the noise was drawn
    anew at the same x. The noise of one seed is the same at every ``noise``: turning it up moves each point straight
    away from the truth. PCG64 (O'Neill, 2014) gives the same bits everywhere.
    """
    chosen = recipe(name)
    if n < 1:
        raise LabError(f"At least 1 point was expected; {n} came.")
    if name == BOOK and n != len(BOOK_X):
        raise LabError(f"The book has {len(BOOK_X)} points, not {n}; the recipe 'sine' gives as many as you like.")
    x = np.array(BOOK_X) if name == BOOK else _places(chosen, n, seed)
    truth = chosen.truth(x)
    if name == BOOK and not redraw and noise == 1.0:
        return Data(x, np.array(BOOK_Y), truth)
    deviations = np.random.Generator(np.random.PCG64([seed, 1 + redraw])).standard_normal(n)
    y = truth + noise * chosen.spread(x) * deviations
    return Data(x, np.round(y / QUANTUM) * QUANTUM, truth)


def _places(chosen: Recipe, n: int, seed: int) -> Floats:
    """x (n,) in rising order, spread evenly over the pieces of the recipe."""
    starts, ends = np.array(chosen.pieces, dtype=np.float64).T
    reached = np.cumsum(ends - starts)
    u = np.sort(np.random.Generator(np.random.PCG64(seed)).random(n)) * reached[-1]
    piece = np.searchsorted(reached, u, side="right").clip(0, len(starts) - 1)
    return np.asarray(ends[piece] - (reached[piece] - u))
