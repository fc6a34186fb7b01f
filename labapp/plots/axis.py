"""An axis: its name, ticks as the locale writes them, names of entries, room for all of it at any text size."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextOption
from PySide6.QtWidgets import QApplication, QGraphicsLayout

from labapp.look import Look
from labapp.plots.data import log_tick_text, tick_text

NAME_WIDTH, LEAST_WIDTH = 12, 5
"""Names of entries are cut at this many widths of an "x", and where room is short at no fewer."""


class Axis(pg.AxisItem):
    """Bottom or left axis. Room for tick labels is reserved before painting, so that nothing is clipped or jumps."""

    def __init__(self, side: str, title: str) -> None:
        super().__init__(side, showValues=True, maxTickLength=-5)
        self.names: tuple[str, ...] | None = None
        self._name_room = math.inf
        self._follows_view = False
        self.enableAutoSIPrefix(False)
        self.setStyle(autoExpandTextSpace=False, maxTickLevel=0, tickAlpha=255)
        option = QTextOption(Qt.AlignmentFlag.AlignCenter)
        self.label.document().setDefaultTextOption(option)
        self.setLabel(title)

    @property
    def is_log(self) -> bool:
        return bool(self.logMode)

    def to_view(self, value: float) -> float:
        """Data to view units; NaN for what a log axis has no place for."""
        if not self.is_log:
            return value
        return math.log10(value) if value > 0 else math.nan

    def restyle(self, look: Look, grid: bool, dots: float) -> None:
        """Follow theme and text size."""
        font = QFont(QApplication.font())
        self.setTickFont(font)
        self.label.setFont(font)
        self.setTickDensity(1.0 / max(1.0, look.scale))
        self.setPen(look.colour("axis"), width=dots)
        self.setTextPen(look.colour("axis"))
        self.setTickPen(look.colour("grid" if grid else "axis"), width=dots)
        self.setGrid(255 if grid else False)
        self.reserve()

    def set_title(self, title: str) -> None:
        if title != self.labelText:
            self.setLabel(title)
            self.resizeEvent()  # one of the same height would not be broken into lines

    def set_names(self, names: Sequence[str] | None) -> None:
        """Ticks at 0, 1, 2… with the names of entries; None for numbers again."""
        wanted = None if names is None else tuple(names)
        if wanted == self.names:
            return
        self.names, self.picture = wanted, None
        self.reserve()

    def metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.style["tickFont"] or QApplication.font())

    def overhang(self) -> int:
        """Pixels that a label may stand out beyond the end of the axis."""
        metrics = self.metrics()
        return math.ceil(metrics.height() / 2 if self.orientation == "left" else metrics.horizontalAdvance("0000") / 2)

    def reserve(self) -> None:
        """Make room for the labels of the present range."""
        metrics = self.metrics()
        if self.orientation in ("left", "right"):
            texts = [
                text
                for spacing, values in self.tickValues(self.range[0], self.range[1], self.length())
                for text in self.tickStrings(values, 1.0, spacing or 1.0)
            ]
            room = max((metrics.horizontalAdvance(text) for text in texts), default=metrics.horizontalAdvance("0"))
            room = max(math.ceil(room) + 2, self.style["tickTextWidth"] if self._keeps_room(room) else 0)
            self.setStyle(tickTextWidth=room)
        else:
            self.setStyle(tickTextHeight=math.ceil(metrics.height()))
        self._adjustSize()

    def follow_view(self, layout: QGraphicsLayout) -> None:
        """Make room for the labels of a view that has changed.

        Once only: the room changes the size of the view, with equal axes its range, and so the labels, without end.
        """
        if self._follows_view:
            return
        self._follows_view = True
        try:
            self.reserve()
            layout.activate()
        finally:
            self._follows_view = False

    def _keeps_room(self, room: float) -> bool:
        """A little less text doesn't move the picture."""
        return bool(self.style["tickTextWidth"] - self.metrics().horizontalAdvance("00") <= room)

    def length(self) -> float:
        size = self.size()
        return max(size.height() if self.orientation in ("left", "right") else size.width(), 50.0)

    def snap_step(self) -> float:
        """Spacing of the grid that a drag snaps to, in view units: a fifth of a major tick."""
        low, high = self.range
        levels = pg.AxisItem.tickSpacing(self, low, high, self.length())
        return float(levels[0][0]) / 5.0 if levels else 1.0

    # pyqtgraph's names from here on

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[Any, list[float]]]:  # noqa: N802
        if self.names is not None:
            return [(1.0, self._name_places(minVal, maxVal, size))]
        if self.is_log:
            return [(1.0, self._log_places(minVal, maxVal, size))]
        levels = super().tickValues(minVal, maxVal, size)
        return [self._thinned(spacing, values, abs(maxVal - minVal) / size) for spacing, values in levels]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: N802
        if self.names is not None:
            return [self._short(self.names[round(v)]) for v in values]
        if self.is_log:
            return [log_tick_text(v) for v in values]
        return [tick_text(v, spacing) for v in values]

    def labelString(self) -> str:  # noqa: N802
        """The name as plain text, whatever signs a user's column name has."""
        colour = self.labelStyle.get("color", "#888888")
        return f'<span style="color: {colour}">{html.escape(self.labelText)}</span>'

    def boundingRect(self) -> QRectF:  # noqa: N802
        """With room for labels that stand out beyond the ends; pyqtgraph forgets them where there is a grid."""
        out = self.overhang()
        along = (0, -out, 0, out) if self.orientation == "left" else (-out, 0, out, 0)
        return QRectF(super().boundingRect()).united(self.mapRectFromParent(self.geometry()).adjusted(*along))

    def resizeEvent(self, ev: Any = None) -> None:  # noqa: N802
        """Break a name that is longer than the axis into lines, and centre it."""
        if self.label is None:
            return
        self.label.setTextWidth(-1)
        if self.label.boundingRect().width() > self.length():
            self.label.setTextWidth(self.length())
        self._adjustSize()
        box, size = self.label.boundingRect(), self.size()
        if self.orientation == "left":
            self.label.setPos(-2, (size.height() + box.width()) / 2)
        else:
            self.label.setPos((size.width() - box.width()) / 2, size.height() - box.height() + 2)
        self.picture = None

    def _updateWidth(self) -> None:  # noqa: N802
        room = self.style["tickTextWidth"] + self.style["tickTextOffset"][0] + self._label_height()
        self.setMaximumWidth(room)
        self.setMinimumWidth(room)
        self.picture = None

    def _updateHeight(self) -> None:  # noqa: N802
        room = self.style["tickTextHeight"] + self.style["tickTextOffset"][1] + self._label_height()
        self.setMaximumHeight(room)
        self.setMinimumHeight(room)
        self.picture = None

    def _label_height(self) -> float:
        return self.label.boundingRect().height() - 2 if self.label.isVisible() else 2.0

    def _thinned(self, spacing: float, values: list[float], unit: float) -> tuple[float, list[float]]:
        """Every second or fifth tick where the texts would touch; a pixel is ``unit`` wide."""
        metrics = self.metrics()
        need = metrics.height()
        if self.orientation == "bottom":
            texts = self.tickStrings(values, 1.0, spacing)
            need = 1.2 * max(map(metrics.horizontalAdvance, texts), default=0.0)
        every = next((k for k in (1, 2, 3, 4, 5, 10) if k * spacing >= need * unit), 10)
        return spacing, [value for value in values if round(value / spacing) % every == 0]

    def _short(self, name: str) -> str:
        metrics = self.metrics()
        room = min(NAME_WIDTH * metrics.horizontalAdvance("x"), self._name_room)
        return metrics.elidedText(name, Qt.TextElideMode.ElideRight, room)

    def _name_places(self, low: float, high: float, size: float) -> list[float]:
        low, high = sorted((low, high))
        names = self.names or ()
        first, last = max(0, math.ceil(low)), min(len(names) - 1, math.floor(high))
        if last < first:
            return []
        step = self._name_step(names[first : min(last + 1, first + 200)], size / (high - low))
        return [float(i) for i in range(first, last + 1) if i % step == 0]

    def _name_step(self, names: Sequence[str], cell: float) -> int:
        """Every which name there is room for, and how much of it, where an entry has ``cell`` pixels."""
        metrics, self._name_room = self.metrics(), math.inf
        if self.orientation in ("left", "right"):
            return max(1, math.ceil(metrics.height() / cell))
        x = metrics.horizontalAdvance("x")
        wide = max(metrics.horizontalAdvance(name) for name in names)
        step = max(1, math.ceil((min(wide, LEAST_WIDTH * x) + x) / cell))
        self._name_room = step * cell - x
        return step

    def _log_places(self, low: float, high: float, size: float) -> list[float]:
        """Whole decades, every second or third where they are many; 1-2-5 between them where they are few."""
        low, high = sorted((low, high))
        metrics = self.metrics()
        need = metrics.height() * 1.6 if self.orientation == "left" else metrics.horizontalAdvance("0.001") * 1.2
        room = max(2.0, size / need)
        factors: tuple[float, ...] = (1.0,)
        if (high - low) * 3 <= room and high - low < 4:
            factors = (1.0, 2.0, 5.0)
        decades = range(math.ceil(low), math.floor(high) + 1)
        step = max(1, math.ceil((high - low) / room))
        while step > 1 and sum(d % step == 0 for d in decades) < 2:
            step -= 1
        places = [d + math.log10(f) for d in (min(decades, default=0) - 1, *decades) if d % step == 0 for f in factors]
        inside = [p for p in places if low <= p <= high]
        return inside or super().tickValues(low, high, size)[0][1]
