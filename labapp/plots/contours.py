"""Level lines of a function over the plane, as one path."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike, NDArray
from PySide6.QtGui import QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from labapp.plots.data import Floats, bounds
from labapp.plots.layer import Layer, mixed
from labapp.plots.plot import Plot

Bools = NDArray[np.bool_]


class Contours(Layer):
    """A few level lines; they don't widen the range of the plot."""

    def __init__(self, plot: Plot, meaning: str = "axis", alpha: float = 0.55, name: str = "") -> None:
        self.meaning, self.alpha = meaning, alpha
        self._lines = QGraphicsPathItem()
        self._lines.setZValue(-15)
        super().__init__(plot, self._lines, name=name)
        self.counts = False
        self.restyle()

    def set_data(self, x: ArrayLike, y: ArrayLike, z: ArrayLike, levels: ArrayLike) -> None:
        """``x (nx,)``, ``y (ny,)``, ``z (ny, nx)``; a cell with a missing corner has no line. Linear axes only."""
        xs, ys, zs = (np.asarray(part, dtype=np.float64) for part in (x, y, z))
        path = QPainterPath()
        ends = level_segments(xs, ys, zs, np.asarray(levels, dtype=np.float64)).reshape(-1, 2)
        if len(ends):
            path = pg.functions.arrayToQPath(ends[:, 0], ends[:, 1], connect="pairs", finiteCheck=False)
        self._lines.setPath(path)
        self._extent = bounds(xs), bounds(ys)

    def restyle(self) -> None:
        look = self.plot.look
        pale = mixed(look.colour(self.meaning), look.colour("plot"), self.alpha)
        self._lines.setPen(self.pen(pale, max(1.0, look.line_width / 4)))

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(self._lines.pen()), "line"


def level_segments(x: Floats, y: Floats, z: Floats, levels: Floats) -> Floats:
    """Segments ``(n, 2, 2)`` of the lines z = level by marching squares (Lorensen and Cline, 1987, in the plane).

    ``x (nx,)``, ``y (ny,)``, ``z (ny, nx)``, ``levels`` of any shape. In a saddle the mean of the corners decides which
    pairs are joined.
    """
    if min(z.shape) < 2:
        return np.empty((0, 2, 2))
    corner = _corners(z)
    at = np.stack([_corners(part) for part in np.meshgrid(x, y)], axis=-1)
    all_levels = levels.reshape(-1, 1, 1)
    above = corner > all_levels
    crossed = above.any(axis=-1) & ~above.all(axis=-1) & np.isfinite(corner).all(axis=-1)
    number, cell = np.nonzero(crossed)  # few: all that follows is of these cells only
    return _in_cells(at[cell], corner[cell], above[number, cell], all_levels[number, 0])


def _in_cells(at: Floats, corner: Floats, above: Bools, level: Floats) -> Floats:
    """Segments of cells that a line crosses: ``at (n, 4, 2)``, ``corner`` and ``above (n, 4)``, ``level (n, 1)``."""
    crossed = above != np.roll(above, -1, axis=1)
    with np.errstate(over="ignore"):
        rise = np.where(crossed, np.roll(corner, -1, axis=1) - corner, 1.0)
        share = (level - corner) / rise
        high_middle = corner.mean(axis=1) > level[:, 0]
    points = at + share[..., None] * (np.roll(at, -1, axis=1) - at)
    saddle = crossed.all(axis=1)
    plain = ~saddle
    first_two = np.argsort(~crossed[plain], axis=-1, kind="stable")[:, :2]
    segments = [np.take_along_axis(points[plain], first_two[..., None], axis=1)]
    joined = high_middle == above[:, 0]  # the middle belongs to the first corner, so the other two are cut off
    for some, pairs in ((saddle & joined, ((0, 1), (2, 3))), (saddle & ~joined, ((0, 3), (1, 2)))):
        segments.extend(points[some][:, pair] for pair in pairs)
    return np.concatenate(segments)


def _corners(grid: Floats) -> Floats:
    """The corners (cells, 4) of the cells of a grid (ny, nx), counter-clockwise from the lower left."""
    around = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    return np.stack(around, axis=-1).reshape(-1, 4)
