"""The legend: one row for each visible layer with a name, in a corner of the plot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsItem

from labapp.plots.symbols import cosmetic, symbol_path

if TYPE_CHECKING:
    from labapp.plots.plot import Plot

Corner = Literal["top right", "top left", "bottom right", "bottom left"]
Row = tuple[str, QPen, str]


class Legend(QGraphicsItem):
    """Painted as one item, so that rows come and go without anything being built."""

    def __init__(self, plot: Plot) -> None:
        super().__init__(plot.view)
        self.plot = plot
        self.corner: Corner = "top right"
        self.rows: list[Row] = []
        self._box = QRectF()
        self.setZValue(900)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

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
        metrics = QFontMetricsF(QApplication.font())
        wide = max((metrics.horizontalAdvance(name) for name, _, _ in self.rows), default=0.0)
        width, height = wide + 3.2 * metrics.height(), len(self.rows) * metrics.height() * 1.1 + 6
        size = self.plot.view_size()
        x = 6.0 if "left" in self.corner else size.width() - width - 6
        y = 6.0 if "top" in self.corner else size.height() - height - 6
        self.prepareGeometryChange()
        self._box = QRectF(max(x, 0.0), max(y, 0.0), width, height) if self.rows else QRectF()
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._box

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if not self.rows:
            return
        look = self.plot.look
        ground = look.colour("plot")
        ground.setAlphaF(0.85)
        painter.fillRect(self._box, ground)
        painter.setFont(QApplication.font())
        line = (self._box.height() - 6) / len(self.rows)
        for number, (name, pen, symbol) in enumerate(self.rows):
            middle = self._box.top() + 3 + (number + 0.5) * line
            left = self._box.left() + 0.4 * line
            self._sample(painter, pen, symbol, QPointF(left, middle), 1.7 * line)
            painter.setPen(look.colour("text"))
            room = QRectF(left + 2.1 * line, middle - line / 2, self._box.width(), line)
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
