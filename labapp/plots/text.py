"""Labels next to points, as plain text, kept apart from one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsItem

from labapp.plots.data import Floats, clean
from labapp.plots.layer import Layer
from labapp.plots.plot import Plot

MOST = 60
"""More labels than this say nothing: the heaviest come first, the others are left out."""
_SIDES = ((0.0, -1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
"""Where a label may lie: above, right, left, below, then the corners."""


class TextMarks(Layer):
    """One label for each point. A label that finds no free side is left out; the first in the list have the choice."""

    def __init__(self, plot: Plot, meaning: str = "text", gap: float = 9.0) -> None:
        self.meaning, self.gap = meaning, gap
        self._x = self._y = np.empty(0)
        self._texts: tuple[str, ...] = ()
        self._gaps: Floats = self._x
        self._labels = _Labels()
        super().__init__(plot, self._labels, pixels=True)
        self.counts = False
        self.restyle()

    def set_data(self, x: ArrayLike, y: ArrayLike, texts: Sequence[str], gaps: ArrayLike | None = None) -> None:
        """Points ``(n,)`` in data units, their labels, and the gaps to them in pixels (``Marks.gaps``)."""
        self._x, self._y = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
        self._texts = tuple(texts)
        self._gaps = np.full(self._x.size, self.gap) if gaps is None else np.asarray(gaps, dtype=np.float64).ravel()
        self.redraw()

    def redraw(self) -> str:
        self.place()
        return ""

    def restyle(self) -> None:
        self._labels.colour = self.plot.look.colour(self.meaning)
        self._labels.update()

    def shown(self) -> list[tuple[QRectF, str]]:
        """The labels that found room, with their places in pixels."""
        return list(self._labels.placed)

    def place(self) -> None:
        x, y, _ = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        px, py = self.plot.to_pixels(x, y)
        gaps = self._gaps * self.plot.look.scale
        metrics, size = QFontMetricsF(QApplication.font()), self.plot.view_size()
        ground = QRectF(0, 0, size.width(), size.height())
        placed: list[tuple[QRectF, str]] = []
        taken: list[QRectF] = []
        for i in [i for i in range(len(self._texts)) if self._texts[i] and np.isfinite(py[i])][:MOST]:
            box = QSizeF(metrics.horizontalAdvance(self._texts[i]) + 2, metrics.height())
            at = QPointF(float(px[i]), float(py[i]))
            if ground.contains(at):
                rect = _free_side(at, box, float(gaps[i]), ground, taken)
                if rect is not None:
                    taken.append(rect)
                    placed.append((rect, self._texts[i]))
        self._labels.show(placed, ground)


def _free_side(at: QPointF, box: QSizeF, gap: float, ground: QRectF, taken: list[QRectF]) -> QRectF | None:
    for right, down in _SIDES:
        middle = QPointF(at.x() + right * (gap + box.width() / 2), at.y() + down * (gap + box.height() / 2))
        rect = QRectF(middle.x() - box.width() / 2, middle.y() - box.height() / 2, box.width(), box.height())
        if ground.contains(rect) and not any(rect.intersects(other) for other in taken):
            return rect
    return None


class _Labels(QGraphicsItem):
    def __init__(self) -> None:
        super().__init__()
        self.placed: list[tuple[QRectF, str]] = []
        self.colour = QApplication.palette().text().color()
        self._ground = QRectF()
        self.setZValue(40)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show(self, placed: list[tuple[QRectF, str]], ground: QRectF) -> None:  # type: ignore[override]
        if ground != self._ground:
            self.prepareGeometryChange()
            self._ground = ground
        if placed != self.placed:
            self.placed = placed
            self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._ground

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        painter.setFont(QApplication.font())
        painter.setPen(self.colour)
        for rect, text in self.placed:
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)
