"""Arrows: one, or a whole field of them, as a single path in pixels, so that heads keep their shape at any zoom."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem

from labapp.plots.data import Floats, bounds, clean, joined
from labapp.plots.layer import Layer
from labapp.plots.plot import Plot

HEAD = 7.0
"""Length of a head in pixels at normal text size; wide arrows get larger ones."""
FIELD = 60
"""More arrows than this are a field: lines of one pixel."""


class Arrows(Layer):
    """Arrows from tails to tips, each with its own width if they are few. A field of 40×40 is one path."""

    def __init__(self, plot: Plot, colour: str | QColor = "gradient", width: float = 0.6, name: str = "") -> None:
        self.colour, self.width = colour, width
        self._data: tuple[Floats, Floats, Floats, Floats] = (np.empty(0),) * 4
        self._widths: Floats | None = None
        self._item = _Shafts()
        super().__init__(plot, self._item, name=name, pixels=True)
        self.restyle()

    def set_data(
        self, x: ArrayLike, y: ArrayLike, to_x: ArrayLike, to_y: ArrayLike, widths: ArrayLike | None = None
    ) -> str:
        """Tails and tips, ``(n,)`` each, in data units; ``widths (n,)`` multiply the width of the layer, in a
        field they are ignored."""
        tails_x, tails_y, tips_x, tips_y = (np.asarray(part, dtype=np.float64).ravel() for part in (x, y, to_x, to_y))
        self._data = (tails_x, tails_y, tips_x, tips_y)
        self._widths = None if widths is None else np.asarray(widths, dtype=np.float64).ravel()
        return self.redraw()

    def redraw(self) -> str:
        x0, y0, x1, y1, note = self._view()
        self._extent = joined([bounds(x0), bounds(x1)]), joined([bounds(y0), bounds(y1)])
        self.plot.data_changed()
        self.place()
        return note

    def _view(self) -> tuple[Floats, Floats, Floats, Floats, str]:
        x, y, to_x, to_y = self._data
        logs = self.plot.x_axis.is_log, self.plot.y_axis.is_log
        x0, y0, tail_note = clean(x, y, *logs)
        x1, y1, tip_note = clean(to_x, to_y, *logs)
        return x0, y0, x1, y1, tip_note or tail_note

    def place(self) -> None:
        x0, y0, x1, y1, _ = self._view()
        tails, tips = (np.column_stack(self.plot.to_pixels(*ends)) for ends in ((x0, y0), (x1, y1)))
        fine = np.isfinite(tails).all(axis=1) & np.isfinite(tips).all(axis=1)
        widths = np.full(x0.size, self.width * self.plot.look.line_width)
        if self._widths is not None:
            widths = widths * self._widths
        ground = QRectF(QPointF(0, 0), self.plot.view_size())
        self._item.show(tails[fine], tips[fine], widths[fine], HEAD * self.plot.look.scale, ground)

    def restyle(self) -> None:
        look = self.plot.look
        self._item.colour = self.colour if isinstance(self.colour, QColor) else look.colour(self.colour)
        self.place()

    def sample(self) -> tuple[QPen, str] | None:
        look = self.plot.look
        colour = self.colour if isinstance(self.colour, QColor) else look.colour(self.colour)
        return self.pen(colour, max(1.0, self.width * look.line_width)), "line"


class _Shafts(QGraphicsItem):
    """Few arrows are filled outlines, each a path of its own; a field is one path of thin lines.

    Filling one path of 1,600 outlines takes 50 ms, a pen of one pixel along as many 1 ms; wider ones would also merge.
    """

    def __init__(self) -> None:
        super().__init__()
        self.outlines: list[QPainterPath] = []
        self.lines = QPainterPath()
        self.colour = QColor()
        self._ground = QRectF()
        self.setZValue(15)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show(self, tails: Floats, tips: Floats, widths: Floats, head: float, ground: QRectF) -> None:  # type: ignore[override]
        if ground != self._ground:
            self.prepareGeometryChange()
            self._ground = ground
        is_field = len(tails) > FIELD
        self.lines = arrow_lines(tails, tips, head) if is_field else QPainterPath()
        few = 0 if is_field else len(tails)
        each = (slice(i, i + 1) for i in range(few))
        self.outlines = [arrow_path(tails[one], tips[one], widths[one], head) for one in each]
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._ground

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for outline in self.outlines:
            painter.fillPath(outline, self.colour)
        painter.strokePath(self.lines, QPen(self.colour, 1.0))


def arrow_lines(tails: Floats, tips: Floats, head: float) -> QPainterPath:
    """Arrows as three lines each: ``tails (n, 2)``, ``tips (n, 2)`` in pixels; those shorter than a pixel left out."""
    along = tips - tails
    length = np.hypot(along[:, 0], along[:, 1])
    fine = length >= 1.0
    tails, tips, along, length = tails[fine], tips[fine], along[fine], length[fine]
    barb = along * np.minimum(head / length, 0.5)[:, None]
    side = np.column_stack([-barb[:, 1], barb[:, 0]]) * 0.5
    ends = np.stack([tails, tips, tips - barb + side, tips, tips - barb - side, tips], axis=1).reshape(-1, 2)
    return QPainterPath(pg.functions.arrayToQPath(ends[:, 0], ends[:, 1], connect="pairs", finiteCheck=False))


def arrow_path(tails: Floats, tips: Floats, widths: Floats, head: float) -> QPainterPath:
    """Arrows as filled outlines: ``tails (n, 2)``, ``tips (n, 2)`` and ``widths (n,)`` in pixels.

    A head is never longer than half its arrow; an arrow shorter than a pixel is left out.
    """
    along = tips - tails
    length = np.hypot(along[:, 0], along[:, 1])
    fine = (length >= 1.0) & (widths > 0)
    tails, tips, along, length, widths = tails[fine], tips[fine], along[fine], length[fine], widths[fine]
    if not length.size:
        return QPainterPath()
    along = along / length[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]])
    heads = np.minimum(head + 1.5 * widths, 0.5 * length)[:, None]
    neck, half = tips - along * heads, np.minimum(widths[:, None] / 2, heads * 0.4)
    side = across * heads * 0.45
    thick = across * half
    corners = np.stack(
        [tails + thick, neck + thick, neck + side, tips, neck - side, neck - thick, tails - thick], axis=1
    )
    ring = np.concatenate([corners, corners[:, :1]], axis=1).reshape(-1, 2)
    joins = np.ones((length.size, 8), dtype=np.int32)
    joins[:, -1] = 0
    path = pg.functions.arrayToQPath(ring[:, 0], ring[:, 1], connect=joins.ravel(), finiteCheck=False)
    path.setFillRule(Qt.FillRule.WindingFill)
    return QPainterPath(path)
