"""Heat maps: finite data, fixed levels, named axes. Every matrix that is shown goes through here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsItem

from labapp.errors import PlainError
from labapp.plots.colourbar import ColourBar
from labapp.plots.colours import Kind, cell_codes, colour_table
from labapp.plots.data import Range
from labapp.plots.layer import Layer
from labapp.plots.plot import Plot
from labapp.plots.symbols import cosmetic

MOST_CELLS = 1024
"""Cells along one side that are drawn; larger matrices show the largest magnitude of each block."""

Cell = Callable[[int | None, int | None], None]


class HeatMap(Layer):
    """A matrix as a picture. "weights" are fixed to 0…1, "signed" is centred at zero; cells without a number are grey.

    Row 0 is on top (``rows_down``) as in a matrix, or below for a field over a plane. Entries of the dictionary are its
    columns, or its rows where ``entries`` says so. ``on_hover(row, column)`` gets (None, None) when the pointer leaves.
    """

    def __init__(
        self,
        plot: Plot,
        kind: Kind = "weights",
        *,
        rows_down: bool = True,
        legend: bool = True,
        entries: str = "columns",
        empty: str = "no entries",
        on_hover: Cell | None = None,
        on_click: Callable[[int, int], None] | None = None,
    ) -> None:
        self.kind, self.entries, self.empty = kind, entries, empty
        self.on_hover, self.on_click = on_hover, on_click
        self.values = np.zeros((0, 0))
        self.levels: Range = (0.0, 1.0)
        self._span: tuple[Range, Range] = ((-0.5, 0.5), (-0.5, 0.5))
        self._cells, self._row, self._column = _Cells(), _Outline(plot), _Outline(plot)
        self._hovered: tuple[int | None, int | None] = (None, None)
        plot.view.invertY(rows_down)
        self.bar = ColourBar(plot, kind) if legend else None
        super().__init__(plot, self._cells, self._row, self._column)
        self._cells.setZValue(-50)
        plot.pointed.connect(self._on_pointed)
        plot.left.connect(lambda: self._hover(None, None))
        plot.view.clicked.connect(self._on_clicked)
        self.restyle()

    def set_data(
        self,
        values: ArrayLike,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        span: tuple[Range, Range] | None = None,
        limit: float | None = None,
    ) -> str:
        """Show ``values (rows, columns)``; the note on cells that are infinite.

        ``span`` is the x and y range that the matrix covers, instead of cells numbered from 0. ``limit`` is the
        magnitude at the ends of the signed colours, the largest of the values where it is None.
        """
        self.values = np.asarray(values)
        if self.values.ndim != 2:
            raise PlainError(f"A heat map needs rows and columns; what came has the shape {self.values.shape}.")
        height, width = self.values.shape
        self._span = span or ((-0.5, max(width, 1) - 0.5), (-0.5, max(height, 1) - 0.5))
        drawn = np.asarray(_peaks(self.values), dtype=np.float64)
        self.levels = (0.0, 1.0) if self.kind == "weights" else _centred(drawn, limit)
        self._cells.show(cell_codes(drawn, *self.levels), self._rect())
        self._extent = self._span
        self.plot.set_names("x", columns)
        self.plot.set_names("y", rows)
        self.plot.set_home(*self._span)
        self.plot.show_message("" if self.values.size else self.empty)
        if self.bar is not None:
            self.bar.show_levels(self.levels, bool(self.values.size) and not bool(np.isfinite(drawn).all()))
        return self._note()

    def restyle(self) -> None:
        self._cells.table = colour_table(self.kind, self.plot.look.is_dark)
        self._cells.recolour()
        if self.bar is not None:
            self.bar.restyle()

    def show_row(self, row: int | None) -> None:
        """Frame a row: the query that the other views are about."""
        height = self.values.shape[0]
        (x0, x1), (y0, y1) = self._span
        step = (y1 - y0) / max(height, 1)
        known = row is not None and 0 <= row < height
        self._row.show(QRectF(x0, y0 + (row or 0) * step, x1 - x0, step) if known else QRectF())

    def show_lit(self, entry: int | None) -> None:
        """Frame the entry that the pointer is on, in whichever view it is."""
        which = 1 if self.entries == "columns" else 0
        count = self.values.shape[which]
        if entry is None or not 0 <= entry < count:
            self._column.show(QRectF())
            return
        rect = self._rect()
        if which:
            step = rect.width() / count
            self._column.show(QRectF(rect.left() + entry * step, rect.top(), step, rect.height()))
        else:
            step = rect.height() / count
            self._column.show(QRectF(rect.left(), rect.top() + entry * step, rect.width(), step))

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column under a point of the view box, in pixels."""
        x, y = self.plot.from_pixels(point)
        (x0, x1), (y0, y1) = self._span
        height, width = self.values.shape
        if not (self.values.size and x0 <= x < x1 and y0 <= y < y1):
            return None
        return int((y - y0) / (y1 - y0) * height), int((x - x0) / (x1 - x0) * width)

    def entry_at(self, point: QPointF) -> int | None:
        cell = self.cell_at(point)
        return None if cell is None else cell[1 if self.entries == "columns" else 0]

    def colour_of(self, row: int, column: int) -> int:
        """The colour (0xAARRGGBB) that a cell has in the picture; for matrices that aren't reduced."""
        return self._cells.table[int(self._cells.codes[row, column])]

    def _rect(self) -> QRectF:
        (x0, x1), (y0, y1) = self._span
        return QRectF(x0, y0, x1 - x0, y1 - y0)

    def _note(self) -> str:
        count = int(np.count_nonzero(np.isinf(self.values)))
        return f"{count} cell{' is' if count == 1 else 's are'} infinite" if count else ""

    def _on_pointed(self, point: QPointF) -> None:
        self._hover(*(self.cell_at(point) or (None, None)))

    def _hover(self, row: int | None, column: int | None) -> None:
        if (row, column) != self._hovered:
            self._hovered = (row, column)
            if self.on_hover is not None:
                self.on_hover(row, column)

    def _on_clicked(self, point: QPointF) -> None:
        cell = self.cell_at(point)
        if cell is not None and self.on_click is not None:
            self.on_click(*cell)


class _Cells(QGraphicsItem):
    """The picture itself: one code for a cell, colours from a table."""

    def __init__(self) -> None:
        super().__init__()
        self.codes = np.zeros((0, 0), dtype=np.uint8)
        self.table: tuple[int, ...] = ()
        self._pixels = np.zeros((0, 0), dtype=np.uint32)
        self._rect = QRectF()
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show(self, codes: np.ndarray, rect: QRectF) -> None:  # type: ignore[override]
        self.codes = codes
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect
        self.recolour()

    def recolour(self) -> None:
        """Opaque 32-bit pixels: Qt paints a table of colours at less than half the speed."""
        self._pixels = np.array(self.table or (0,) * 256, dtype=np.uint32)[self.codes]
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._rect

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if not self._pixels.size:
            return
        height, width = self._pixels.shape
        image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(self._rect, image)


class _Outline(QGraphicsItem):
    """A frame that is seen on any colour: white on black."""

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self.plot = plot
        self._rect = QRectF()
        self.setZValue(30)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def show(self, rect: QRectF) -> None:  # type: ignore[override]
        if rect != self._rect:
            self.prepareGeometryChange()
            self._rect = rect

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._rect

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if not self._rect.isEmpty():
            for colour, width in ((QColor("black"), 5.0), (QColor("white"), 2.0)):
                painter.setPen(cosmetic(colour, width * self.plot.dots))
                painter.drawRect(self._rect)


def _centred(values: np.ndarray, limit: float | None) -> Range:
    if limit is None:
        fine = np.abs(values[np.isfinite(values)])
        limit = float(fine.max()) if fine.size else 0.0
    return (-limit, limit) if limit > 0 else (-1.0, 1.0)


def _peaks(values: np.ndarray) -> np.ndarray:
    """At most ``MOST_CELLS`` a side: of each block the value of largest magnitude, so that a single spike stays."""
    for axis in (0, 1):
        count = values.shape[axis]
        if count > MOST_CELLS:
            starts = np.linspace(0, count, MOST_CELLS, endpoint=False).astype(int)
            numbers = np.asarray(values, dtype=np.float64)
            numbers = np.where(np.isinf(numbers), np.nan, numbers)
            high = np.fmax.reduceat(numbers, starts, axis=axis)
            low = np.fmin.reduceat(numbers, starts, axis=axis)
            values = np.where(-low > high, low, high)
    return values
