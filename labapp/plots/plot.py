"""A plot: two named axes and the layers between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QEvent, QPointF, QSizeF, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from labapp.look import Look
from labapp.plots.axis import Axis
from labapp.plots.data import HUGE, LOG_LIMIT, Floats, Range
from labapp.plots.focus import FocusOrder
from labapp.plots.legend import Legend
from labapp.plots.ranges import Ranges
from labapp.plots.view import View

if TYPE_CHECKING:
    from labapp.plots.layer import Layer

# Wide pens and many points are several times slower with antialiasing; thin overlays turn it on for themselves.
pg.setConfigOptions(antialias=False, imageAxisOrder="row-major", exitCleanup=False)


class Plot(pg.PlotWidget):
    """Axes with names and units, a range that follows the data until the user zooms, and keys for what can be dragged.

    The range follows data only when they leave it or fill less than half of it, never during a drag, and is a function
    of the data alone: ``fit`` twice is ``fit`` once. A double click brings it back.
    """

    clicked = Signal(float, float)
    """A click on empty ground, in data units."""
    hovered = Signal(float, float)
    """The pointer moved over the plot, in data units."""
    pointed = Signal(QPointF)
    """The same in pixels of the view, before ``hovered``."""
    left = Signal()
    """The pointer left the plot."""
    view_changed = Signal()

    def __init__(
        self,
        look: Look,
        x: str = "",
        y: str = "",
        *,
        log_x: bool = False,
        log_y: bool = False,
        equal: bool = False,
        grid: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        self.look = look
        self.layers: list[Layer] = []
        self.focus_order = FocusOrder(self)
        self.grips = self.focus_order.grips
        self.is_dragging = False
        self.dots = 1.0
        """Dots of screen or paper for one pixel, which pens have to be multiplied with."""
        self._grid = grid
        self.x_axis, self.y_axis = Axis("bottom", x), Axis("left", y)
        self.view = View()
        super().__init__(
            parent, viewBox=self.view, axisItems={"bottom": self.x_axis, "left": self.y_axis}, enableMenu=False
        )
        self.ranges = Ranges(self)
        self.legend = Legend(self)
        self._arrange(equal)
        self._connect()
        self.setAccessibleName(f"Plot of {y} against {x}" if x and y else "Plot")
        self.set_log("x", log_x)
        self.set_log("y", log_y)
        self.restyle()

    def _arrange(self, equal: bool) -> None:
        self.plotItem.hideButtons()
        for axis in (self.x_axis, self.y_axis):
            axis.setZValue(-200)  # below the data, so that the grid doesn't cross them
        self.view.setAspectLocked(equal)
        self.setMinimumSize(160, 120)

    def _connect(self) -> None:
        self.look.changed.connect(self.restyle)
        self.view.clicked.connect(self._on_click)
        self.view.double_clicked.connect(self.reset_view)
        self.view.sigRangeChangedManually.connect(self.ranges.on_user_range)
        self.view.sigRangeChanged.connect(self._on_view_changed)
        self.view.sigResized.connect(self._on_view_changed)
        self.scene().sigPrepareForPaint.connect(self.ranges.before_paint)

    # layers

    def add_layer(self, layer: Layer, pixels: bool) -> None:
        for item in layer.items:
            if pixels:
                item.setParentItem(self.view)
            else:
                self.view.addItem(item, ignoreBounds=True)
        self.layers.append(layer)

    def remove_layer(self, layer: Layer) -> None:
        self.layers.remove(layer)
        for item in layer.items:
            if item in self.view.addedItems:
                self.view.removeItem(item)
            else:
                self.scene().removeItem(item)
        self.data_changed()

    def data_changed(self) -> None:
        """A layer has new data: look at the range before the next picture."""
        self.ranges.due = True
        self.legend.refresh()

    # coordinates

    def to_pixels(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """View units to pixels of the view box."""
        (x0, x1), (y0, y1) = self.view.viewRange()
        size = self.view_size()
        px = (np.asarray(x, dtype=np.float64) - x0) * (size.width() / (x1 - x0))
        py = (np.asarray(y, dtype=np.float64) - y0) * (size.height() / (y1 - y0))
        return px, py if self.view.yInverted() else size.height() - py

    def from_pixels(self, point: QPointF) -> tuple[float, float]:
        """Pixels of the view box to view units."""
        (x0, x1), (y0, y1) = self.view.viewRange()
        size = self.view_size()
        down = point.y() / size.height()
        return (
            x0 + (x1 - x0) * point.x() / size.width(),
            y0 + (y1 - y0) * (down if self.view.yInverted() else 1.0 - down),
        )

    def view_size(self) -> QSizeF:
        """Size of the view box in pixels, never empty."""
        size = self.view.size()
        return QSizeF(max(size.width(), 1.0), max(size.height(), 1.0))

    def to_data(self, x: float, y: float) -> tuple[float, float]:
        """View units to data: they differ on log axes."""
        return 10.0**x if self.x_axis.is_log else x, 10.0**y if self.y_axis.is_log else y

    def to_view(self, x: float, y: float) -> tuple[float, float]:
        """Data to view units; NaN for what a log axis has no place for."""
        return self.x_axis.to_view(x), self.y_axis.to_view(y)

    # axes and range

    def set_titles(self, x: str, y: str) -> None:
        """Other names and units: another data set."""
        self.x_axis.set_title(x)
        self.y_axis.set_title(y)
        self.setAccessibleName(f"Plot of {y} against {x}")

    def set_names(self, axis: Literal["x", "y"], names: Sequence[str] | None) -> None:
        """Names of entries instead of numbers, at 0, 1, 2…"""
        (self.x_axis if axis == "x" else self.y_axis).set_names(names)

    def set_log(self, axis: Literal["x", "y"], log: bool) -> None:
        """Turn an axis logarithmic (base 10) or linear."""
        which = 0 if axis == "x" else 1
        (self.x_axis, self.y_axis)[which].setLogMode(log, log)
        end, least = (LOG_LIMIT, 1e-4) if log else (10 * HUGE, 1e-11)
        name = "xy"[which]
        self.view.setLimits(
            **{
                f"{name}Min": -end,
                f"{name}Max": end,
                f"min{name.upper()}Range": least,
                f"max{name.upper()}Range": 2 * end,
            }
        )
        for layer in self.layers:
            layer.redraw()
        self.reset_view()

    def set_home(self, x: Range | None = None, y: Range | None = None) -> None:
        """Ranges (data units) that hold whatever the data are; None for an axis that follows its data."""
        self.ranges.set_home(x, y)

    def fit(self) -> None:
        """Show the home range, or all data with a margin."""
        self.ranges.fit()

    def reset_view(self) -> None:
        """Back from any zoom; the range follows the data again."""
        self.ranges.reset()

    def view_state(self) -> dict[str, Any]:
        """The zoom as plain JSON; empty while the range follows the data."""
        return self.ranges.state()

    def restore_view(self, view: dict[str, Any]) -> None:
        """Take back what ``view_state`` gave; what isn't a range is ignored."""
        self.ranges.restore(view)

    def show_message(self, sentence: str) -> None:
        """A sentence in the middle, for a picture that has nothing to show; "" takes it away."""
        if sentence != self.view.message:
            self.view.message = sentence
            self.view.update()

    def show_dots(self, dots: float) -> None:
        """Be drawn on a screen or paper with that many dots for one pixel."""
        if dots != self.dots:
            self.dots = dots
            self.restyle()

    def restyle(self) -> None:
        """Follow theme, text size and line width."""
        self.setBackground(self.look.colour("plot"))
        for axis in (self.x_axis, self.y_axis):
            axis.restyle(self.look, self._grid, self.dots)
        self.make_room(self.legend.height)
        for layer in self.layers:
            layer.restyle()
            layer.place()
        self.legend.restyle()

    def make_room(self, height: float) -> None:
        """Keep ``height`` pixels above the axes free for the legend."""
        top = max(height + 4, self.y_axis.overhang())
        self.plotItem.layout.setContentsMargins(4, top, self.x_axis.overhang(), 4)
        self.plotItem.layout.activate()

    # events

    def event(self, event: QEvent) -> bool:
        """Lines keep their width when the window moves to a screen of another scaling."""
        if event.type() in (QEvent.Type.DevicePixelRatioChange, QEvent.Type.Show):
            self.show_dots(self.devicePixelRatioF())
        return bool(super().event(event))

    def close(self) -> bool:
        """Closing hides, as with any widget; pyqtgraph's own would take the scene apart."""
        return QWidget.close(self)

    def _on_view_changed(self, *_: Any) -> None:
        self.y_axis.follow_view(self.plotItem.layout)
        for layer in self.layers:
            layer.place()
        self.legend.place()
        self.view_changed.emit()

    def _on_click(self, point: QPointF) -> None:
        self.clicked.emit(*self.to_data(*self.from_pixels(point)))

    def mouseMoveEvent(self, ev: QMouseEvent) -> None:  # noqa: N802
        super().mouseMoveEvent(ev)
        if ev.buttons():
            return
        point = self.view.mapFromScene(self.mapToScene(ev.position().toPoint()))
        if self.view.rect().contains(point):
            self.pointed.emit(point)
            self.hovered.emit(*self.to_data(*self.from_pixels(point)))
        else:
            self.left.emit()

    def leaveEvent(self, ev: Any) -> None:  # noqa: N802
        super().leaveEvent(ev)
        self.left.emit()

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab goes from one draggable to the next, then on to the next widget."""
        return self.focus_order.step(forward) or bool(super(pg.PlotWidget, self).focusNextPrevChild(forward))

    def focusInEvent(self, ev: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(ev)
        self.focus_order.enter(ev.reason())
