"""Lines and filled areas: curves, bands, polygons."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsPathItem

from labapp.plots.data import Floats, bounds, clean, joined
from labapp.plots.layer import Layer, faded
from labapp.plots.plot import Plot

_NOTHING = np.empty(0)


class Curve(Layer):
    """A line through points, with gaps where values are missing; a point between two gaps shows as a dot.

    ``colour`` is a meaning ("output") or a colour of its own. ``width`` is relative to the line that matters (1); from
    0.5 down it is a thin, smooth overlay.
    """

    def __init__(
        self, plot: Plot, colour: str | QColor = "output", width: float = 1.0, style: str = "solid", name: str = ""
    ) -> None:
        self.colour, self.width, self.style = colour, width, style
        self._x = self._y = _NOTHING
        self._line = pg.PlotCurveItem(connect="finite", antialias=width <= 0.5)
        self._dots = pg.ScatterPlotItem(pxMode=True, symbol="o")
        super().__init__(plot, self._line, self._dots, name=name)
        self.restyle()

    def set_data(self, x: ArrayLike, y: ArrayLike) -> str:
        """Points ``x (n,)``, ``y (n,)`` in data units; the note on those that can't be drawn."""
        self._x, self._y = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
        return self.redraw()

    def redraw(self) -> str:
        x, y, note = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        self._line.setData(x, y)
        alone = _alone(y) if note or x.size == 1 else np.zeros(0, dtype=bool)
        if alone.any() or self._dots.data.size:
            self._dots.setData(x[alone], y[alone])
        self._dots.setVisible(self.visible and bool(alone.any()))  # even an empty item takes its time in every frame
        self._extent = bounds(x), bounds(y)
        self.plot.data_changed()
        return note

    @property
    def data(self) -> tuple[Floats, Floats]:
        """The points as they were given, in data units."""
        return self._x, self._y

    def drawn(self) -> tuple[Floats, Floats]:
        """The points that are drawn, in view units."""
        x, y = self._line.getData()
        fine = np.isfinite(y)
        return x[fine], y[fine]

    def restyle(self) -> None:
        pen = self._pen()
        opaque = pen.color().alpha() == 255 and self.style == "solid"
        self._line.setSegmentedLineMode("on" if not opaque and self.style == "solid" else "auto")
        self._line.setPen(pen)
        self._dots.setPen(None)
        self._dots.setBrush(pen.color())
        self._dots.setSize(round(pen.widthF() * 2 + 2))

    def _pen(self) -> QPen:
        look = self.plot.look
        colour = self.colour if isinstance(self.colour, QColor) else look.colour(self.colour)
        return self.pen(colour, max(1.0, self.width * look.line_width), self.style)

    def sample(self) -> tuple[QPen, str] | None:
        return self._pen(), "line"


class Band(Layer):
    """The area between a lower and an upper curve."""

    def __init__(self, plot: Plot, colour: str = "output", alpha: float = 0.22, name: str = "") -> None:
        self.colour, self.alpha = colour, alpha
        self._data = (_NOTHING, _NOTHING, _NOTHING)
        self._area = QGraphicsPathItem()
        self._area.setZValue(-20)
        super().__init__(plot, self._area, name=name)
        self.restyle()

    def set_data(self, x: ArrayLike, low: ArrayLike, high: ArrayLike) -> str:
        """``x``, ``low``, ``high``: all ``(n,)``, x in order. Missing values are gaps."""
        x, low, high = (np.asarray(part, dtype=np.float64).ravel() for part in (x, low, high))
        self._data = (x, low, high)
        return self.redraw()

    def redraw(self) -> str:
        x, low, high = self._data
        logs = self.plot.x_axis.is_log, self.plot.y_axis.is_log
        x0, y0, low_note = clean(x, low, *logs)
        x1, y1, high_note = clean(x, high, *logs)
        path = QPainterPath()
        for run in _runs(np.isfinite(y0) & np.isfinite(y1)):
            there, back = np.column_stack([x0[run], y0[run]]), np.column_stack([x1[run], y1[run]])[::-1]
            path.addPolygon(polygon(np.vstack([there, back])))
        self._area.setPath(path)
        self._extent = bounds(x0), joined([bounds(y0), bounds(y1)])
        self.plot.data_changed()
        return low_note or high_note

    def restyle(self) -> None:
        self._area.setPen(QPen(Qt.PenStyle.NoPen))
        self._area.setBrush(faded(self.plot.look.colour(self.colour), self.alpha))

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(faded(self.plot.look.colour(self.colour), self.alpha)), "fill"


class Polygon(Layer):
    """A closed outline with a pale filling: the convex hull of the values, a simplex, a basin."""

    def __init__(
        self, plot: Plot, colour: str = "value", alpha: float = 0.12, style: str = "solid", name: str = ""
    ) -> None:
        self.colour, self.alpha, self.style = colour, alpha, style
        self._area = QGraphicsPathItem()
        self._area.setZValue(-30)
        self._x = self._y = _NOTHING
        super().__init__(plot, self._area, name=name)
        self.restyle()

    def set_data(self, x: ArrayLike, y: ArrayLike) -> str:
        """Corners in order, ``(n,)`` each; the outline closes itself. Two corners are a line."""
        self._x, self._y = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
        return self.redraw()

    def redraw(self) -> str:
        x, y, note = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        fine = np.isfinite(y)
        path = QPainterPath()
        path.addPolygon(polygon(np.column_stack([x[fine], y[fine]])))
        path.closeSubpath()
        self._area.setPath(path)
        self._extent = bounds(x), bounds(y)
        self.plot.data_changed()
        return note

    def restyle(self) -> None:
        colour = self.plot.look.colour(self.colour)
        self._area.setPen(self.pen(colour, max(1.0, self.plot.look.line_width / 2), self.style))
        self._area.setBrush(faded(colour, self.alpha))

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(faded(self.plot.look.colour(self.colour), 0.4)), "fill"


def polygon(points: Floats) -> QPolygonF:
    """``points (n, 2)`` as Qt wants them."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _alone(y: Floats) -> np.ndarray:
    """Finite values between two gaps."""
    fine = np.isfinite(y)
    edged = np.concatenate([[False], fine, [False]])
    return np.asarray(fine & ~edged[:-2] & ~edged[2:])


def _runs(fine: np.ndarray) -> list[slice]:
    """The stretches of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], fine, [False]]).astype(np.int8)))
    return [slice(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
