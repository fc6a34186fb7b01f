"""The mark of each meaning: colour is always doubled by a shape."""

from __future__ import annotations

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtGui import QColor, QPainterPath, QPen

SYMBOLS = {"query": "t1", "key": "s", "value": "o", "output": "d", "truth": "x", "gradient": "p"}
"""pyqtgraph's symbol for a meaning: square key, circle value, diamond output, cross truth."""


def symbol_of(meaning: str) -> str:
    """The symbol of a meaning; a circle for those that have none of their own."""
    return SYMBOLS.get(meaning, "o")


def symbol_path(symbol: str) -> QPainterPath:
    """Outline of a symbol in a square of side 1 around the origin."""
    return QPainterPath(Symbols[symbol])


def cosmetic(colour: QColor, width: float) -> QPen:
    """A pen whose width is in dots of the device, however the painter is scaled."""
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    return pen
