"""Bars: how much each entry counts, as length."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPen

from labapp.plots.data import LOG_LIMIT, Floats, bounds, clean, joined
from labapp.plots.layer import Layer, faded
from labapp.plots.plot import Plot


class Bars(Layer):
    """Upright bars from zero, at 0, 1, 2… or at given places. Those below zero are hollow."""

    def __init__(
        self, plot: Plot, meaning: str = "key", width: float = 0.7, offset: float = 0.0, name: str = ""
    ) -> None:
        self.meaning, self.width, self.offset = meaning, width, offset
        self._x = self._y = np.empty(0)
        self._tops: Floats = self._y
        self._places: Floats = self._x
        self._lit: int | None = None
        self._note = ""
        self._full, self._hollow, self._frame = (pg.BarGraphItem(x=[], height=[], width=1) for _ in range(3))
        self._frame.setZValue(5)
        super().__init__(plot, self._full, self._hollow, self._frame, name=name)
        self.restyle()

    def set_data(self, heights: ArrayLike, x: ArrayLike | None = None) -> str:
        """``heights (n,)`` and where they stand; the note on those that can't be drawn."""
        y = np.asarray(heights, dtype=np.float64).ravel()
        x = np.arange(y.size, dtype=np.float64) if x is None else np.asarray(x, dtype=np.float64).ravel()
        if not (np.array_equal(x, self._x) and np.array_equal(y, self._y)):  # in a drag most bars stand still
            self._x, self._y = x, y
            self._note = self.redraw()
        return self._note

    def redraw(self) -> str:
        x, tops, note = clean(self._x + self.offset, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        self._places, self._tops = x, tops
        down = self._y < 0
        for item, mine in ((self._full, ~down), (self._hollow, down)):
            mine = mine & np.isfinite(tops)
            self._show(item, np.flatnonzero(mine))
        half = self.width / 2
        self._extent = joined([bounds(x - half), bounds(x + half)]), self._upright(tops)
        self.show_lit(self._lit)
        self.plot.data_changed()
        return note

    def _upright(self, tops: Floats) -> tuple[float, float] | None:
        range_ = bounds(tops)
        return range_ if self.plot.y_axis.is_log else joined([range_, (0.0, 0.0)])

    def _show(self, item: pg.BarGraphItem, which: np.ndarray) -> None:
        if not which.size and not len(item.opts["x"]):
            return
        foot = -LOG_LIMIT if self.plot.y_axis.is_log else 0.0
        tops = self._tops[which]
        item.setOpts(x=self._places[which], y0=np.full(tops.size, foot), y1=tops, height=None, width=self.width)

    def restyle(self) -> None:
        look = self.plot.look
        colour = look.colour(self.meaning)
        # The pen keeps a bar that is narrower than a pixel in sight.
        self._full.setOpts(brush=colour, pen=self.pen(colour, 1.0))
        self._hollow.setOpts(brush=faded(colour, 0.25), pen=self.pen(colour, 1.5))
        self._frame.setOpts(brush=None, pen=self.pen(look.colour("text"), look.line_width))
        self.redraw()

    def entry_at(self, point: QPointF) -> int | None:
        """The bar above or below the pointer, however short it is."""
        if not self._places.size:
            return None
        x, _ = self.plot.from_pixels(point)
        far = np.abs(self._places - x)
        if not np.isfinite(far).any():
            return None
        nearest = int(np.nanargmin(far))
        return nearest if far[nearest] <= self.width / 2 else None

    def show_lit(self, entry: int | None) -> None:
        self._lit = entry
        known = entry is not None and 0 <= entry < self._tops.size and np.isfinite(self._tops[entry])
        if known or len(self._frame.opts["x"]):
            self._show(self._frame, np.array([entry] if known else [], dtype=int))

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(self.plot.look.colour(self.meaning)), "fill"
