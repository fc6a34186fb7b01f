"""Marks at points: the symbol says what they are, the area how much they count."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPen

from labapp.plots.data import Floats, bounds, clean
from labapp.plots.layer import Layer, faded
from labapp.plots.plot import Plot
from labapp.plots.symbols import symbol_of

PLAIN, FULL, LEAST = 10.0, 30.0, 5.0
"""Sides in pixels at normal text size: a mark without weight, one of weight 1, and the smallest that can be seen."""


class Marks(Layer):
    """Marks whose area is their weight (down to the smallest that can be seen), with one of them lit.

    Hollow ones are drawn over others without hiding them. Entries that can't be drawn keep their number: ``entry_at``
    counts the data as given.
    """

    def __init__(
        self,
        plot: Plot,
        meaning: str = "key",
        size: float = PLAIN,
        name: str = "",
        symbol: str = "",
        hollow: bool = False,
    ) -> None:
        self.meaning, self.size, self.hollow = meaning, size, hollow
        self.symbol = symbol or symbol_of(meaning)
        self._x = self._y = np.empty(0)
        self._weights: Floats | None = None
        self._lit: int | None = None
        self._view: tuple[Floats, Floats] = (self._x, self._y)
        self._marks = pg.ScatterPlotItem(pxMode=True, symbol=self.symbol)
        self._ring = pg.ScatterPlotItem(pxMode=True, symbol="o", brush=None)
        self._marks.setZValue(20)
        self._ring.setZValue(21)
        self._ring.hide()
        super().__init__(plot, self._marks, self._ring, name=name)
        self.restyle()

    def set_data(self, x: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> str:
        """Points ``(n,)`` in data units; ``weights (n,)`` of 0…1. The note on those that can't be drawn."""
        self._x, self._y = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
        self._weights = None if weights is None else np.asarray(weights, dtype=np.float64).ravel()
        return self.redraw()

    def sizes(self) -> Floats:
        """Side of each mark in pixels. Whole pixels: pyqtgraph keeps a picture of every size it has ever drawn."""
        scale = self.plot.look.scale
        if self._weights is None:
            return np.full(self._x.size, round(self.size * scale), dtype=np.float64)
        weights = np.clip(np.nan_to_num(self._weights), 0.0, 1.0)
        return np.maximum(np.round(FULL * scale * np.sqrt(weights)), round(LEAST * scale))

    def gaps(self) -> Floats:
        """How far from each point a label has to stay, for ``TextMarks``; pixels at normal text size."""
        return np.asarray(self.sizes() / 2 / self.plot.look.scale + 3)

    def redraw(self) -> str:
        x, y, note = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        fine = np.isfinite(y)
        self._view = (x, y)
        self._marks.setData(x=x[fine], y=y[fine], size=self.sizes()[fine])
        self._extent = bounds(x), bounds(y)
        self.show_lit(self._lit)
        self.plot.data_changed()
        return note

    def restyle(self) -> None:
        colour = self.plot.look.colour(self.meaning)
        self._marks.setPen(self.pen(colour, 2.0 if self.hollow or self.symbol in ("x", "+") else 1.0))
        self._marks.setBrush(None if self.hollow else faded(colour, 0.8))
        self._ring.setPen(self.pen(self.plot.look.colour("text"), self.plot.look.line_width))
        self.redraw()

    @property
    def data(self) -> tuple[Floats, Floats]:
        """The points as they were given, in data units."""
        return self._x, self._y

    def drawn(self) -> tuple[Floats, Floats]:
        """The points that are drawn, in view units."""
        x, y = self._view
        fine = np.isfinite(y)
        return x[fine], y[fine]

    def entry_at(self, point: QPointF) -> int | None:
        if not self._x.size:
            return None
        px, py = self.plot.to_pixels(*self._view)
        far = np.maximum(abs(px - point.x()), abs(py - point.y())) - np.maximum(self.sizes() / 2, 6.0)
        if not np.isfinite(far).any():
            return None
        nearest = int(np.nanargmin(far))
        return nearest if far[nearest] <= 0 else None

    def show_lit(self, entry: int | None) -> None:
        self._lit = entry
        x, y = self._view
        if entry is not None and 0 <= entry < y.size and np.isfinite(y[entry]):
            self._ring.setData(x=x[[entry]], y=y[[entry]], size=self.sizes()[entry] + 10)
            self._ring.setVisible(self.visible)
        elif self._ring.data.size:
            self._ring.setData(x=[], y=[])
            self._ring.hide()  # an empty one would still be asked and painted at every picture

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(self.plot.look.colour(self.meaning)), self.symbol
