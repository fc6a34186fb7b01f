"""Signs on buttons, drawn in the colour and the size of the text so that they are seen in every theme."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QAbstractButton

_SHAPES: dict[str, list[list[tuple[float, float]]]] = {
    "play": [[(0.2, 0.1), (0.9, 0.5), (0.2, 0.9)]],
    "pause": [
        [(0.2, 0.1), (0.4, 0.1), (0.4, 0.9), (0.2, 0.9)],
        [(0.6, 0.1), (0.8, 0.1), (0.8, 0.9), (0.6, 0.9)],
    ],
    "forward": [
        [(0.1, 0.15), (0.65, 0.5), (0.1, 0.85)],
        [(0.7, 0.15), (0.85, 0.15), (0.85, 0.85), (0.7, 0.85)],
    ],
    "back": [
        [(0.9, 0.15), (0.35, 0.5), (0.9, 0.85)],
        [(0.3, 0.15), (0.15, 0.15), (0.15, 0.85), (0.3, 0.85)],
    ],
    "loop": [[(0.5, 0.0), (0.5, 0.36), (0.78, 0.18)]],
}


def show_glyph(button: QAbstractButton, name: str) -> None:
    """Give the button the sign of that name at its present text size and colour."""
    size = button.fontMetrics().height()
    ratio = button.devicePixelRatioF()
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    holder = button.parentWidget() or button  # told of a new palette before its button is
    colour = holder.palette().color(QPalette.ColorRole.ButtonText)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size, size)
    if name == "loop":
        painter.setPen(QPen(colour, 0.11))
        painter.drawArc(QRectF(0.18, 0.18, 0.64, 0.64), 60 * 16, 290 * 16)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for points in _SHAPES[name]:
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    painter.end()
    button.setIcon(QIcon(pixmap))
    button.setIconSize(pixmap.deviceIndependentSize().toSize())
