"""The area between the axes: zoom by wheel, pan by dragging, and no menu."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QApplication


class View(pg.ViewBox):
    """A view box that tells of clicks, in its own pixels, and can show a sentence instead of data."""

    clicked = Signal(QPointF)
    double_clicked = Signal()

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.message = ""
        self.enableAutoRange(x=False, y=False)

    def mouseClickEvent(self, ev: Any) -> None:  # noqa: N802
        if ev.button() != Qt.MouseButton.LeftButton:
            return
        ev.accept()
        if ev.double():
            self.double_clicked.emit()
        else:
            self.clicked.emit(ev.pos())

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        super().paint(painter, option, widget)
        if self.message:
            painter.setFont(QFont(QApplication.font()))
            painter.setPen((widget or QApplication).palette().placeholderText().color())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.message)
