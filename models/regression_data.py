"""Data sets of the kernel regression: recipes with a known truth, the book's 40 points, and data of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from models.arrays import Array
from models.book_points import BOOK_X, BOOK_Y
from models.data_recipes import BOOK, RECIPES, Recipe, draw
from models.errors import LabError
from models.parameters import parameter
from models.points import Floats
from models.scene import Column

KEPT = 100_000
"""A generated set of more points is its recipe alone; its numbers are drawn when they are needed."""
OWN, SCENE = "own", "scene"
SOURCES = (BOOK, *RECIPES, OWN, SCENE)
LABELS = {
    BOOK: "The book's 40 points",
    **{name: recipe.label for name, recipe in RECIPES.items()},
    OWN: "My own table",
    SCENE: "The explorer's scene",
}


@dataclass(frozen=True)
class DataSet:
    """Pairs (x, y): the recipe, and the numbers that it gave.

    ``recipe`` is a name of ``RECIPES``, ``book`` for the book's points (the recipe "sine"), ``own`` for a table of
    one's own or ``scene`` for the explorer's dictionary. ``redraw`` counts how often the noise was drawn anew at the
    same x. ``x`` and ``y`` (n,) are None for a recipe of more than ``KEPT`` points. ``edited``: points were moved,
    added or removed since.
    """

    recipe: str = parameter("book", label="Data", choices=SOURCES)
    n: int = parameter(40, label="Points", symbol="n", minimum=1, maximum=10_000_000, log=True)
    noise: float = parameter(1.0, label="Noise", symbol="s", minimum=0.0, maximum=3.0, help="Standard deviation of y.")
    seed: int = parameter(0, label="Seed", minimum=0, maximum=9999)
    redraw: int = 0
    x: Array | None = Array(BOOK_X)
    y: Array | None = Array(BOOK_Y)
    edited: bool = False
    x_column: Column = field(default_factory=lambda: Column("x"))
    y_column: Column = field(default_factory=lambda: Column("y"))

    @property
    def is_kept(self) -> bool:
        """Whether the numbers are in the state."""
        return self.x is not None and self.y is not None

    @property
    def made_by(self) -> Recipe | None:
        """The recipe behind the data, which knows truth and noise; None for data of unknown origin."""
        return RECIPES.get("sine" if self.recipe == BOOK else self.recipe)

    @property
    def truth(self) -> Callable[[Floats], Floats] | None:
        """The function behind the data, where it is known."""
        return self.made_by.truth if self.made_by else None


def drawn(data: DataSet) -> DataSet:
    """The data set with the numbers of its recipe; one of one's own stays as it is."""
    if data.made_by is None:
        return data
    if data.recipe == BOOK:
        data = replace(data, n=len(BOOK_X))
    if data.n > KEPT:
        return replace(data, x=None, y=None, edited=False)
    x, y = recipe_points(data)
    return replace(data, x=Array(x), y=Array(y), edited=False)


def recipe_points(data: DataSet) -> tuple[Floats, Floats]:
    """x in rising order and y, (n,) each, as the recipe gives them."""
    points = draw(data.recipe, data.n, data.noise, data.seed, data.redraw)
    return points.x, points.y


@lru_cache(maxsize=2)
def points_of(data: DataSet) -> tuple[Floats, Floats]:
    """x and y (n,), drawn where the state has the recipe alone. Not to be written to."""
    if data.x is not None and data.y is not None:
        return data.x.values, data.y.values
    return recipe_points(data)


@lru_cache(maxsize=8)
def domain_of(data: DataSet) -> tuple[float, float]:
    """The range of x that the pictures show: that of the recipe, or of the data with a unit around a single x."""
    recipe = data.made_by
    low, high = (recipe.pieces[0][0], recipe.pieces[-1][1]) if recipe else (np.inf, -np.inf)
    if recipe is None or data.edited:
        x, _ = points_of(data)
        low, high = min(low, float(x.min())), max(high, float(x.max()))
    return (low, high) if high - low > 1e-12 * max(abs(low), abs(high)) else (low - 0.5, high + 0.5)


def own_data(x: Floats, y: Floats, x_column: Column, y_column: Column, recipe: str = OWN) -> DataSet:
    """A table's two columns (n,) as a data set; rows without two finite numbers are left out."""
    fine = np.isfinite(x) & np.isfinite(y)
    if not fine.any():
        raise LabError("There is no data: no row has a finite number for both x and y. Choose other columns.")
    x, y = x[fine], y[fine]
    return DataSet(recipe, n=len(x), x=Array(x), y=Array(y), x_column=x_column, y_column=y_column)


def add_point(data: DataSet, x: float, y: float) -> DataSet:
    """The data with one point more, at the end."""
    xs, ys = _editable(data)
    return _edited(data, np.append(xs, x), np.append(ys, y))


def move_point(data: DataSet, index: int, x: float, y: float) -> DataSet:
    """The data with point ``index`` elsewhere."""
    xs, ys = (part.copy() for part in _editable(data))
    xs[index], ys[index] = x, y
    return _edited(data, xs, ys)


def remove_point(data: DataSet, index: int) -> DataSet:
    """The data without point ``index``; the last one stays."""
    xs, ys = _editable(data)
    if len(xs) < 2:
        raise LabError("The last point stays: a regression needs at least one. Add another before you remove it.")
    return _edited(data, np.delete(xs, index), np.delete(ys, index))


def _editable(data: DataSet) -> tuple[Floats, Floats]:
    if data.x is None or data.y is None:
        raise LabError(f"Points can be moved in sets of up to {KEPT:,}; this one has {data.n:,}. Choose fewer points.")
    return data.x.values, data.y.values


def _edited(data: DataSet, x: Floats, y: Floats) -> DataSet:
    return replace(data, n=len(x), x=Array(x), y=Array(y), edited=True)
