"""What every drawn thing of a plot has in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsItem

from labapp.plots.data import Range

if TYPE_CHECKING:
    from labapp.plots.plot import Plot

STYLES = {
    "solid": Qt.PenStyle.SolidLine,
    "dash": Qt.PenStyle.DashLine,
    "dot": Qt.PenStyle.DotLine,
    "dashdot": Qt.PenStyle.DashDotLine,
}


class Layer:
    """One drawn thing, made once and then given new data. Coordinates of its callers are data, of its items the view's.

    A layer whose items live in pixels (``pixels=True``: children of the view box itself) is placed anew by ``place``
    whenever the view has changed.
    """

    def __init__(self, plot: Plot, *items: QGraphicsItem, name: str = "", pixels: bool = False) -> None:
        self.plot = plot
        self.items = items
        self.name = name
        self.counts = True
        """Whether the automatic range has to hold this layer."""
        self._extent: tuple[Range | None, Range | None] = (None, None)
        plot.add_layer(self, pixels)

    @property
    def visible(self) -> bool:
        return self.items[0].isVisible()

    @visible.setter
    def visible(self, visible: bool) -> None:
        if visible != self.visible:
            for item in self.items:
                item.setVisible(visible)
            self.plot.data_changed()

    def extent(self) -> tuple[Range | None, Range | None]:
        """Range of the drawn data along x and y, in view units."""
        return self._extent

    def redraw(self) -> str:
        """Draw the present data again, after an axis turned log or linear; the note on what is left out."""
        return ""

    def restyle(self) -> None:
        """Follow theme, text size and line width of the look."""

    def place(self) -> None:
        """Follow the view: zoom, pan, size."""

    def settle(self, sharpness: float = 1.0) -> None:
        """Bring what is drawn late up to date, for a picture with ``sharpness`` dots a pixel."""

    def entry_at(self, point: QPointF) -> int | None:
        """The entry under a point of the view box, in pixels."""
        return None

    def show_lit(self, entry: int | None) -> None:
        """Show which entry the pointer is on, in whichever view it is."""

    def sample(self) -> tuple[QPen, str] | None:
        """Pen and symbol ("line", "fill" or a mark) of its row in the legend; None for no row."""
        return None

    def remove(self) -> None:
        self.plot.remove_layer(self)

    def pen(self, colour: QColor, width: float, style: str = "solid") -> QPen:
        """A pen of ``width`` pixels, whatever the zoom. Qt counts such pens in dots of the device."""
        return QPen(pg.mkPen(colour, width=width * self.plot.dots, style=STYLES[style]))


def faded(colour: QColor, alpha: float) -> QColor:
    """The colour with an opacity of 0…1."""
    pale = QColor(colour)
    pale.setAlphaF(alpha)
    return pale


def mixed(colour: QColor, ground: QColor, share: float) -> QColor:
    """What ``faded`` looks like on plain ground, as an opaque colour: long paths are drawn much faster with it."""
    mine, theirs = ((c.redF(), c.greenF(), c.blueF()) for c in (colour, ground))
    return QColor.fromRgbF(*(share * a + (1 - share) * b for a, b in zip(mine, theirs, strict=True)))
