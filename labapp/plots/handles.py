"""Draggable things: a point, a line, an arrow's tip, a set of points. They own no value; the state does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen

from labapp.panel import Lab
from labapp.plots.arrows import arrow_path
from labapp.plots.data import clean
from labapp.plots.grip import Grip
from labapp.plots.layer import Layer, faded
from labapp.plots.plot import Plot
from labapp.plots.symbols import cosmetic, symbol_of, symbol_path

GRAB = 9.0
"""Pixels around a handle in which it can be grabbed, at normal text size."""


class _Dot:
    """A mark with a halo."""

    free = (True, True)
    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, meaning: str, size: float, drawn: bool) -> None:
        self.meaning, self.size, self.drawn = meaning, size, drawn

    def shape(self, plot: Plot, at: QPointF) -> QPainterPath:
        return _disc(at, max(GRAB, self.size / 2 + 2) * plot.look.scale)

    def paint(self, painter: QPainter, plot: Plot, at: QPointF, lit: bool, focused: bool) -> None:
        colour = plot.look.colour(self.meaning)
        side = self.size * plot.look.scale
        if lit:
            painter.fillPath(_disc(at, side / 2 + 7 * plot.look.scale), faded(colour, 0.3))
        if focused:
            _focus_ring(painter, plot, _disc(at, side / 2 + 5 * plot.look.scale))
        if self.drawn:
            painter.save()
            painter.translate(at)
            painter.scale(side, side)
            painter.setPen(cosmetic(plot.look.colour("plot"), plot.dots))
            painter.setBrush(colour)
            painter.drawPath(symbol_path(symbol_of(self.meaning)))
            painter.restore()


class _Line:
    """A line across the plot with a halo and a small knob at its end."""

    def __init__(
        self, meaning: str, orientation: Literal["vertical", "horizontal"], width: float, style: Qt.PenStyle
    ) -> None:
        self.meaning, self.upright, self.width, self.style = meaning, orientation == "vertical", width, style
        self.free = (self.upright, not self.upright)
        self.drawn = True
        self.cursor = Qt.CursorShape.SizeHorCursor if self.upright else Qt.CursorShape.SizeVerCursor

    def ends(self, plot: Plot, at: QPointF) -> tuple[QPointF, QPointF]:
        size = plot.view_size()
        if self.upright:
            return QPointF(at.x(), 0), QPointF(at.x(), size.height())
        return QPointF(0, at.y()), QPointF(size.width(), at.y())

    def shape(self, plot: Plot, at: QPointF) -> QPainterPath:
        path = QPainterPath()
        path.addRect(QRectF(*self.ends(plot, at)).adjusted(*self._margins(0.75 * GRAB * plot.look.scale)))
        return path

    def _margins(self, wide: float) -> tuple[float, float, float, float]:
        return (-wide, 0, wide, 0) if self.upright else (0, -wide, 0, wide)

    def paint(self, painter: QPainter, plot: Plot, at: QPointF, lit: bool, focused: bool) -> None:
        colour, wide = plot.look.colour(self.meaning), self.width * plot.look.line_width
        band = QRectF(*self.ends(plot, at))
        if lit:
            painter.fillRect(band.adjusted(*self._margins(wide / 2 + 4 * plot.look.scale)), faded(colour, 0.3))
        if focused:
            path = QPainterPath()
            path.addRect(band.adjusted(*self._margins(wide / 2 + 4 * plot.look.scale)))
            _focus_ring(painter, plot, path)
        pen = QPen(colour, wide, self.style)
        painter.setPen(pen)
        painter.drawLine(*self.ends(plot, at))
        painter.fillPath(_disc(self.knob(plot, at), 5 * plot.look.scale + wide / 2), colour)

    def knob(self, plot: Plot, at: QPointF) -> QPointF:
        """The knob says that the line can be moved; it lies at the axis."""
        edge = 6 * plot.look.scale
        return QPointF(at.x(), plot.view_size().height() - edge) if self.upright else QPointF(edge, at.y())


class _Vector:
    """An arrow from an origin, moved by its tip."""

    free = (True, True)
    cursor = Qt.CursorShape.SizeAllCursor

    def __init__(self, meaning: str, width: float) -> None:
        self.meaning, self.width = meaning, width
        self.origin = (0.0, 0.0)
        self.drawn = True

    def shape(self, plot: Plot, at: QPointF) -> QPainterPath:
        return _disc(at, 1.4 * GRAB * plot.look.scale)

    def paint(self, painter: QPainter, plot: Plot, at: QPointF, lit: bool, focused: bool) -> None:
        colour, scale = plot.look.colour(self.meaning), plot.look.scale
        px, py = plot.to_pixels(*plot.to_view(*self.origin))
        start = np.array([[float(px), float(py)]])
        if lit:
            painter.fillPath(_disc(at, 13 * scale), faded(colour, 0.3))
        if focused:
            _focus_ring(painter, plot, _disc(at, 11 * scale))
        tip = np.array([[at.x(), at.y()]])
        painter.fillPath(arrow_path(start, tip, np.array([self.width * plot.look.line_width]), 7 * scale), colour)


class _Handle(Layer):
    """What the handles below share: the grip in the plot and its signals."""

    def __init__(self, plot: Plot, figure: Any, title: str) -> None:
        self.grip = Grip(plot, figure, title)
        self.drag_started, self.dragged = self.grip.drag_started, self.grip.dragged
        self.drag_finished, self.drag_cancelled = self.grip.drag_finished, self.grip.drag_cancelled
        self._x = self._y = np.empty(0)
        super().__init__(plot, self.grip, pixels=True)
        self.counts = False

    @property
    def entry(self) -> int:
        """The one that is being dragged."""
        return self.grip.entry

    def redraw(self) -> str:
        x, y, note = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        self.grip.set_positions(x, y)
        return note

    def place(self) -> None:
        self.grip.moved()

    def restyle(self) -> None:
        self.grip.moved()

    def remove(self) -> None:
        self.plot.focus_order.grips.remove(self.grip)
        super().remove()

    def _show(self, x: ArrayLike, y: ArrayLike) -> None:
        self._x, self._y = (np.asarray(part, dtype=np.float64).ravel() for part in (x, y))
        self.redraw()


class PointHandle(_Handle):
    """A point that moves in both directions."""

    def __init__(self, plot: Plot, meaning: str, title: str, size: float = 13.0, drawn: bool = True) -> None:
        super().__init__(plot, _Dot(meaning, size, drawn), title)

    def show_position(self, x: float, y: float) -> None:
        """Show it at a place in data units; nothing is sent."""
        self._show(x, y)


class LineHandle(_Handle):
    """A line across the plot: vertical ones move along x, horizontal ones along y."""

    def __init__(
        self,
        plot: Plot,
        meaning: str,
        title: str,
        orientation: Literal["vertical", "horizontal"] = "vertical",
        width: float = 1.0,
        dashed: bool = False,
    ) -> None:
        style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
        self.upright = orientation == "vertical"
        super().__init__(plot, _Line(meaning, orientation, width, style), title)

    def show_position(self, x: float = 1.0, y: float = 1.0) -> None:
        """Show it at a place in data units; the coordinate along the line doesn't matter."""
        self._show(x if self.upright else 1.0, 1.0 if self.upright else y)


class VectorHandle(_Handle):
    """An arrow from an origin (data units), moved by its tip."""

    def __init__(self, plot: Plot, meaning: str, title: str, width: float = 1.5) -> None:
        self._vector = _Vector(meaning, width)
        super().__init__(plot, self._vector, title)

    def show_position(self, x: float, y: float, origin: tuple[float, float] = (0.0, 0.0)) -> None:
        """Show the tip, and where the arrow starts, in data units."""
        self._vector.origin = origin
        self._show(x, y)


class HandleSet(_Handle):
    """Many points, one item: grabbed where the pointer is nearest; ``entry`` says which.

    The points themselves are drawn by ``Marks`` unless ``drawn``; the set adds halo and focus.
    """

    def __init__(self, plot: Plot, meaning: str, title: str, size: float = 11.0, drawn: bool = False) -> None:
        super().__init__(plot, _Dot(meaning, size, drawn), title)

    def show_positions(self, x: ArrayLike, y: ArrayLike) -> None:
        """Show all, ``(n,)`` each, in data units."""
        self._show(x, y)


Handle = PointHandle | LineHandle | VectorHandle | HandleSet


def bind_drag(handle: Handle, lab: Lab, label: str, update: Callable[[Any, float, float], Any]) -> None:
    """Make a drag of the handle one undo step: ``update(state, x, y)`` gives the state with the handle there."""
    _bind(handle, lab, label, lambda _, x, y: lambda state: update(state, x, y))


def bind_set_drag(handle: HandleSet, lab: Lab, label: str, update: Callable[[Any, int, float, float], Any]) -> None:
    """The same for one of many: ``update(state, entry, x, y)``."""
    _bind(handle, lab, label, lambda entry, x, y: lambda state: update(state, entry, x, y))


def _bind(handle: Handle, lab: Lab, label: str, change: Callable[[int, float, float], Callable[[Any], Any]]) -> None:
    token = [object()]

    def start() -> None:
        token[0] = object()

    handle.drag_started.connect(start)
    handle.dragged.connect(lambda x, y: lab.dispatch(change(handle.entry, x, y), label, token[0]))
    handle.drag_cancelled.connect(lambda: lab.take_back(token[0]))


def _disc(at: QPointF, radius: float) -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(at, radius, radius)
    return path


def _focus_ring(painter: QPainter, plot: Plot, path: QPainterPath) -> None:
    stroke = QPainterPathStroker()
    stroke.setWidth(2.0 * plot.look.scale)
    painter.fillPath(stroke.createStroke(path), plot.look.colour("text"))
