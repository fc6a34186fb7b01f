"""What can be grabbed: the Qt side of every handle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPainterPath
from PySide6.QtWidgets import QGraphicsObject, QGraphicsSceneHoverEvent, QGraphicsSceneMouseEvent

from labapp.plots.data import Floats, nice_step

if TYPE_CHECKING:
    from labapp.plots.plot import Plot

FINE = 0.1
LARGE = 10
KEYS_JOIN_MS = 1000
"""Key moves with less time than this between them are one drag, so one undo step."""
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
_PAGES = {Qt.Key.Key_PageUp: 1, Qt.Key.Key_PageDown: -1}


class Figure(Protocol):
    """How a handle looks, in pixels of the view box."""

    free: tuple[bool, bool]
    """Whether it moves along x and along y."""
    cursor: Qt.CursorShape
    drawn: bool
    """Whether there is anything to see of those that are neither lit nor focused."""

    def shape(self, plot: Plot, at: QPointF) -> QPainterPath:
        """Where it can be grabbed."""
        ...

    def paint(self, painter: QPainter, plot: Plot, at: QPointF, lit: bool, focused: bool) -> None: ...


class Grip(QGraphicsObject):
    """One or many points that mouse and keys can move. It owns no value: it shows positions and sends wishes.

    Mouse: Shift moves at a tenth of the speed, Ctrl snaps to a fifth of the ticks, Escape takes the drag back. Keys:
    arrows a hundredth of the range, Shift a tenth of that, Page keys or Ctrl ten times. Positions are in view units.
    """

    drag_started = Signal()
    dragged = Signal(float, float)
    drag_finished = Signal()
    drag_cancelled = Signal()

    def __init__(self, plot: Plot, figure: Figure, title: str) -> None:
        super().__init__(plot.view)
        self.plot, self.figure, self.title = plot, figure, title
        self.entry = 0
        """The point that is grabbed, focused or under the pointer."""
        self.xs: Floats = np.empty(0)
        self.ys: Floats = np.empty(0)
        self._hovered = False
        self._dragging = False
        self._pressed = False
        self._goal = QPointF()
        self._last = QPointF()
        self._keys = QTimer(self, singleShot=True, interval=KEYS_JOIN_MS)
        self._keys.timeout.connect(self._finish)
        self.setZValue(1000)
        self.setAcceptHoverEvents(True)
        self.setFlag(self.GraphicsItemFlag.ItemIsFocusable)
        self.setCursor(figure.cursor)
        self.setToolTip(title)
        plot.focus_order.grips.append(self)

    def count(self) -> int:
        return len(self.xs)

    def set_positions(self, x: Floats, y: Floats) -> None:
        """View units, ``(n,)`` each; NaN for one that can't be shown."""
        self.xs, self.ys = x, y
        self.entry = min(self.entry, max(0, len(x) - 1))
        self.moved()

    def moved(self) -> None:
        """Positions or view have changed."""
        self.prepareGeometryChange()
        self.update()

    def at(self, entry: int) -> QPointF:
        px, py = self.plot.to_pixels(self.xs[entry], self.ys[entry])
        return QPointF(float(px), float(py))

    def take_focus(self, entry: int) -> None:
        self.entry = entry
        self.setFocus(Qt.FocusReason.TabFocusReason)
        self._describe()
        self.update()

    def nearest(self, point: QPointF) -> int | None:
        """The entry that can be grabbed at a point."""
        if not self.count():
            return None
        px, py = self.plot.to_pixels(self.xs, self.ys)
        free = self.figure.free
        far = np.hypot((px - point.x()) * free[0], (py - point.y()) * free[1])
        if not np.isfinite(far).any():
            return None
        entry = int(np.nanargmin(far))
        return entry if self.figure.shape(self.plot, self.at(entry)).contains(point) else None

    # Qt's names from here on

    def boundingRect(self) -> QRectF:  # noqa: N802
        size = self.plot.view_size()
        return QRectF(0, 0, size.width(), size.height())

    def shape(self) -> QPainterPath:
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for entry in np.flatnonzero(np.isfinite(self.xs) & np.isfinite(self.ys)):
            path.addPath(self.figure.shape(self.plot, self.at(int(entry))))
        return path

    def contains(self, point: QPointF) -> bool:  # type: ignore[override]
        return self.nearest(point) is not None

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        shown = range(self.count()) if self.figure.drawn else [self.entry][: self.count()]
        for entry in shown:
            if np.isfinite(self.xs[entry]) and np.isfinite(self.ys[entry]):
                mine = entry == self.entry
                lit = mine and (self._hovered or self._dragging)
                self.figure.paint(painter, self.plot, self.at(entry), lit, mine and self.hasFocus())

    def hoverMoveEvent(self, event: QGraphicsSceneHoverEvent) -> None:  # noqa: N802
        entry = self.nearest(event.pos())
        if not self.hasFocus() and entry is not None:
            self.entry = entry
        self._hovered = entry is not None
        self.update()

    def hoverLeaveEvent(self, event: QGraphicsSceneHoverEvent) -> None:  # noqa: N802
        self._hovered = False
        self.update()

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:  # noqa: N802
        entry = self.nearest(event.pos())
        if event.button() != Qt.MouseButton.LeftButton or entry is None:
            event.ignore()
            return
        self._finish()
        self.entry = entry
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._pressed = True
        self._goal, self._last = self.at(entry), event.pos()
        self.update()
        event.accept()

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:  # noqa: N802
        if not self._pressed or event.pos() == self._last:
            return
        slow = FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        self._goal += (event.pos() - self._last) * slow
        self._last = event.pos()
        self._start()
        x, y = self.plot.from_pixels(self._goal)
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            x, y = _snapped(x, self.plot.x_axis.snap_step()), _snapped(y, self.plot.y_axis.snap_step())
        self._send(x, y)

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:  # noqa: N802
        self._pressed = False
        self._finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self._dragging:
            self._cancel()
            return
        step = self._key_step(event)
        if step is None or self._pressed or not self.count():
            event.ignore()
            return
        self._start()
        self._keys.start()
        self._send(self.xs[self.entry] + step[0], self.ys[self.entry] + step[1])
        self._describe()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self._finish()
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        self.update()

    def _key_step(self, event: QKeyEvent) -> tuple[float, float] | None:
        """How far a key moves, in view units; None for a key that isn't one of ours."""
        try:
            key = Qt.Key(event.key())
        except ValueError:
            return None
        size = 1.0
        if key in _ARROWS:
            direction = _ARROWS[key]
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                size = LARGE
        elif key in _PAGES:
            direction = (0, _PAGES[key]) if self.figure.free[1] else (_PAGES[key], 0)
            size = LARGE
        else:
            return None
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            size *= FINE
        if not (direction[0] and self.figure.free[0]) and not (direction[1] and self.figure.free[1]):
            return None
        (x0, x1), (y0, y1) = self.plot.view.viewRange()
        down = -1 if self.plot.view.yInverted() else 1
        return direction[0] * size * nice_step((x1 - x0) / 100), direction[1] * size * nice_step((y1 - y0) / 100) * down

    def _send(self, x: float, y: float) -> None:
        free = self.figure.free
        x, y = (x if free[0] else self.xs[self.entry]), (y if free[1] else self.ys[self.entry])
        self.dragged.emit(*self.plot.to_data(float(x), float(y)))

    def _start(self) -> None:
        if not self._dragging:
            self._dragging = self.plot.is_dragging = True
            self.drag_started.emit()

    def _finish(self) -> None:
        self._keys.stop()
        if self._dragging:
            self._dragging = self.plot.is_dragging = False
            self.drag_finished.emit()
            self.plot.data_changed()
            self.update()

    def _cancel(self) -> None:
        self._keys.stop()
        self._pressed = self._dragging = self.plot.is_dragging = False
        self.drag_cancelled.emit()
        self.plot.data_changed()
        self.update()

    def _describe(self) -> None:
        """What a screen reader says of the handle that has the focus."""
        if self.count():
            x, y = self.plot.to_data(float(self.xs[self.entry]), float(self.ys[self.entry]))
            free = self.figure.free
            self.plot.setAccessibleDescription(
                f"{self.title}: "
                + ", ".join(f"{value:.4g}" for value, is_free in zip((x, y), free, strict=True) if is_free)
            )


def _snapped(value: float, step: float) -> float:
    return round(value / step) * step
