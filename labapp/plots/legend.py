"""The legend: one entry for each visible layer with a name, in a strip above the axes, so that it covers no data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem

from labapp.plots.symbols import cosmetic, symbol_path

if TYPE_CHECKING:
    from labapp.plots.plot import Plot

Row = tuple[str, QPen, str]
SIDE, TOP, BETWEEN = 8.0, 4.0, 1.2
"""Pixels beside and above the strip; room between two entries in lines of text."""
MOST = 1 / 3
"""The part of the plot's height that the strip may take; entries that find no room in it are left out."""


class Legend(QGraphicsItem):
    """Painted as one item, so that rows come and go without anything being built. Entries flow like words."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot.plotItem)
        self.plot = plot
        self.rows: list[Row] = []
        self.placed: list[QRectF] = []
        self._box = QRectF()
        self.setZValue(900)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    @property
    def height(self) -> float:
        """Pixels that the strip takes above the axes."""
        return self._box.height()

    def refresh(self) -> None:
        """Read names and pens from the layers again."""
        rows: list[Row] = []
        for layer in self.plot.layers:
            sample = layer.sample() if layer.name and layer.visible else None
            if sample is not None:
                rows.append((layer.name, *sample))
        if rows != self.rows:
            self.rows = rows
            self.place()

    def restyle(self) -> None:
        self.rows = []
        self.refresh()
        self.place()

    def place(self) -> None:
        """Lay the entries out in the width of the plot, and make room for them."""
        size = self.plot.plotItem.size()
        line = QFontMetricsF(QApplication.font()).height() * 1.15
        self.placed = self._flow(size.width() - 2 * SIDE, MOST * size.height(), line)
        bottom = self.placed[-1].bottom() if self.placed else 0.0
        box = QRectF(0, 0, size.width(), bottom)
        if box != self._box:
            self.prepareGeometryChange()
            self._box = box
            self.plot.make_room(bottom)
        self.update()

    def _flow(self, width: float, height: float, line: float) -> list[QRectF]:
        metrics = QFontMetricsF(QApplication.font())
        placed: list[QRectF] = []
        x, y = 0.0, 0.0
        for name, _, _ in self.rows:
            wide = metrics.horizontalAdvance(name) + 2.1 * line
            if x > 0 and x + wide > width:
                x, y = 0.0, y + line
            if y + line > max(height, line):
                break
            placed.append(QRectF(SIDE + x, TOP + y, wide, line))
            x += wide + BETWEEN * line
        return placed

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._box

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        painter.setFont(QApplication.font())
        for (name, pen, symbol), place in zip(self.rows, self.placed, strict=False):
            line = place.height()
            self._sample(painter, pen, symbol, QPointF(place.left(), place.center().y()), 1.7 * line)
            painter.setPen(self.plot.look.colour("text"))
            room = place.adjusted(2.1 * line, 0, line, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)

    def _sample(self, painter: QPainter, pen: QPen, symbol: str, at: QPointF, wide: float) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(pen)
        if symbol == "line":
            painter.drawLine(at, QPointF(at.x() + wide, at.y()))
        elif symbol == "fill":
            painter.fillRect(QRectF(at.x(), at.y() - wide / 5, wide, wide / 2.5), pen.color())
        else:
            painter.setPen(cosmetic(pen.color(), 2.0 * self.plot.dots))
            painter.setBrush(pen.color())
            painter.translate(at.x() + wide / 2, at.y())
            painter.scale(wide / 3, wide / 3)
            painter.drawPath(symbol_path(symbol))
        painter.restore()
