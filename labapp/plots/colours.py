"""Colours of heat maps: viridis for 0…1, a map that leaves its middle evenly to both sides for signed numbers."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

Kind = Literal["weights", "signed"]

_SIGNED = {
    False: ("#2B1A6B", "#7C74C4", "#F7F7F5", "#D9965A", "#6E2C00"),
    True: ("#BFC6FF", "#6F76C9", "#24272A", "#B8722F", "#FFD2A0"),
}
"""Negative end, half way, zero, half way, positive end; light and dark theme."""


def map_colours(kind: Kind, dark: bool) -> np.ndarray:
    """255 colours ``(255, 3)`` from lowest to highest; the middle one of "signed" is zero."""
    if kind == "weights":
        return np.asarray(pg.colormap.get("viridis").getLookupTable(nPts=255, mode="float"))[:, :3] * 255
    stops = [(colour.red(), colour.green(), colour.blue()) for colour in map(QColor, _SIGNED[dark])]
    places = np.linspace(0.0, 1.0, 255)
    return np.column_stack([np.interp(places, np.linspace(0, 1, 5), channel) for channel in zip(*stops, strict=True)])


def no_data_colour(dark: bool) -> QColor:
    """A grey that neither map contains."""
    return QColor("#77787A") if dark else QColor("#A9A9A9")


@cache
def colour_table(kind: Kind, dark: bool) -> tuple[int, ...]:
    """256 colours for an indexed picture: "no data", then the map."""
    rgb = np.round(map_colours(kind, dark)).astype(int).tolist()
    return (no_data_colour(dark).rgb(), *(QColor(*colour).rgb() for colour in rgb))


def cell_codes(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Index into ``colour_table`` for each value: 0 where it isn't finite, 1…255 from ``low`` to ``high``."""
    fine = np.isfinite(values)
    level = np.clip((np.where(fine, values, low) - low) / (high - low), 0.0, 1.0)
    return np.where(fine, np.rint(level * 254) + 1, 0).astype(np.uint8)
