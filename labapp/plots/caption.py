"""The caption below a picture that leaves the lab: what it shows, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

MARGIN, GAP = 8.0, 4.0
FLAGS = Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextWordWrap.value
_TALL = 1e6


@dataclass(frozen=True)
class Caption:
    """A title and some sentences below it."""

    title: str
    words: tuple[str, ...] = ()

    def height(self, widget: QWidget) -> int:
        """What it takes below a picture of the widget, in pixels."""
        return round(MARGIN + sum(rect.height() + GAP for *_, rect in self._lines(widget)))

    def paint(self, painter: QPainter, widget: QWidget) -> None:
        """Draw it below the widget, in the present colour of text."""
        top = widget.height() + GAP
        for text, font, rect in self._lines(widget):
            painter.setFont(font)
            painter.drawText(rect.translated(0, top), FLAGS, text)
            top += rect.height() + GAP

    def _lines(self, widget: QWidget) -> Iterator[tuple[str, QFont, QRectF]]:
        for text in (self.title, *self.words):
            font = QFont(widget.font())
            font.setPixelSize(QFontInfo(font).pixelSize())  # points would differ from one paper to another
            font.setBold(text is self.title)
            room = QRectF(MARGIN, 0, max(1.0, widget.width() - 2 * MARGIN), _TALL)
            yield (
                text,
                font,
                QFontMetricsF(font).boundingRect(room, FLAGS, text).united(QRectF(room.topLeft(), room.topRight())),
            )
