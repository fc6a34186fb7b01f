"""Level lines of a function over the plane, as one path."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtGui import QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from labapp.plots.data import Floats, bounds
from labapp.plots.layer import Layer, mixed
from labapp.plots.plot import Plot


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
        parts = [level_segments(xs, ys, zs, float(level)) for level in np.asarray(levels).ravel()]
        ends = np.concatenate(parts) if parts else np.empty((0, 2, 2))
        if len(ends):
            ends = ends.reshape(-1, 2)
            path = pg.functions.arrayToQPath(ends[:, 0], ends[:, 1], connect="pairs", finiteCheck=False)
        self._lines.setPath(path)
        self._extent = bounds(xs), bounds(ys)

    def restyle(self) -> None:
        look = self.plot.look
        pale = mixed(look.colour(self.meaning), look.colour("plot"), self.alpha)
        self._lines.setPen(self.pen(pale, max(1.0, look.line_width / 4)))

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(self._lines.pen()), "line"


def level_segments(x: Floats, y: Floats, z: Floats, level: float) -> Floats:
    """Segments ``(n, 2, 2)`` of the line z = level by marching squares (Lorensen and Cline, 1987, in the plane).

    ``x (nx,)``, ``y (ny,)``, ``z (ny, nx)``. In a saddle the mean of the corners decides which pairs are joined.
    """
    if min(z.shape) < 2:
        return np.empty((0, 2, 2))
    corner = z[:-1, :-1], z[:-1, 1:], z[1:, 1:], z[1:, :-1]  # counter-clockwise from the lower left
    grid_x, grid_y = np.meshgrid(x, y)
    at = [np.stack([grid_x[rows, columns], grid_y[rows, columns]], axis=-1) for rows, columns in _CORNERS]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        above = [value > level for value in corner]
        fine = np.isfinite(sum(corner))
        shares = [(level - corner[i]) / (corner[(i + 1) % 4] - corner[i]) for i in range(4)]
        points = np.stack([at[i] + shares[i][..., None] * (at[(i + 1) % 4] - at[i]) for i in range(4)], axis=-2)
        crossed = np.stack([(above[i] != above[(i + 1) % 4]) & fine for i in range(4)], axis=-1)
        high_middle = sum(corner) / 4 > level
    count = crossed.sum(axis=-1)
    plain = count == 2
    first_two = np.argsort(~crossed[plain], axis=-1, kind="stable")[:, :2]
    segments = [np.take_along_axis(points[plain], first_two[..., None], axis=1)]
    joined = high_middle == above[0]  # the middle belongs to the first corner, so the other two are cut off
    for saddle, pairs in (((count == 4) & joined, ((0, 1), (2, 3))), ((count == 4) & ~joined, ((0, 3), (1, 2)))):
        segments.extend(points[saddle][:, pair] for pair in pairs)
    return np.concatenate(segments)


_CORNERS = (
    (slice(None, -1), slice(None, -1)),
    (slice(None, -1), slice(1, None)),
    (slice(1, None), slice(1, None)),
    (slice(1, None), slice(None, -1)),
)
