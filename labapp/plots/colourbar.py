"""The legend of a heat map: its colours from lowest to highest, with numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from labapp.numbers import format_number
from labapp.plots.colours import Kind, colour_table
from labapp.plots.data import Range

if TYPE_CHECKING:
    from labapp.plots.plot import Plot

NO_DATA = "no data"


class ColourBar(pg.GraphicsWidget):
    """Stands to the right of the plot. A grey field is added while there are cells without a number."""

    def __init__(self, plot: Plot, kind: Kind) -> None:
        super().__init__()
        self.plot, self.kind = plot, kind
        self._levels: Range = (0.0, 1.0)
        self._gaps = False
        self._room: tuple[QFont, float] = (QFont(), 0.0)
        plot.plotItem.layout.addItem(self, 2, 3)

    def texts(self) -> tuple[str, ...]:
        """The numbers beside the bar, from below."""
        low, high = self._levels
        middle = (0.0,) if self.kind == "signed" else ()
        return tuple(format_number(value, 3) for value in (low, *middle, high))

    def show_levels(self, levels: Range, gaps: bool) -> None:
        if (levels, gaps) != (self._levels, self._gaps):
            self._levels, self._gaps = levels, gaps
            self.restyle()

    def restyle(self) -> None:
        metrics = QFontMetricsF(QApplication.font())
        words = (*self.texts(), NO_DATA) if self._gaps else self.texts()
        room = max(metrics.horizontalAdvance(word) for word in words)
        if self._room[0] == QApplication.font():
            room = max(room, self._room[1])  # what grew stays, so that the plot doesn't shake while the levels change
        self._room = QApplication.font(), room
        wide = math.ceil(room + 2.2 * metrics.height())
        self.setMinimumWidth(wide)
        self.setMaximumWidth(wide)
        self.update()

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        metrics = QFontMetricsF(QApplication.font())
        line = metrics.height()
        below = 1.8 * line if self._gaps else 0.0
        bar = QRectF(0.7 * line, line / 2, 0.9 * line, max(self.size().height() - line - below, 1.0))
        table = colour_table(self.kind, self.plot.look.is_dark)
        pixels = np.array(table[:0:-1], dtype=np.uint32)
        painter.drawImage(bar, QImage(pixels.data, 1, pixels.size, 4, QImage.Format.Format_RGB32))
        painter.setFont(QApplication.font())
        painter.setPen(self.plot.look.colour("axis"))
        painter.drawRect(bar)
        texts = self.texts()
        for number, text in enumerate(texts):
            y = bar.bottom() - bar.height() * number / (len(texts) - 1)
            self._text(painter, QPointF(bar.right() + 0.3 * line, y), text)
        if self._gaps:
            field = QRectF(bar.left(), bar.bottom() + line, bar.width(), 0.8 * line)
            painter.fillRect(field, QColor.fromRgb(table[0]))
            painter.drawRect(field)
            self._text(painter, QPointF(bar.right() + 0.3 * line, field.center().y()), NO_DATA)

    def _text(self, painter: QPainter, at: QPointF, text: str) -> None:
        high = QFontMetricsF(QApplication.font()).height()
        room = QRectF(at.x(), at.y() - high, self.size().width(), 2 * high)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
