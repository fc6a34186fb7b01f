"""The triangle of three weights, or the segment of two: the path of the temperature and the present point on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from labapp.panel import Lab
from labapp.plots.curves import Curve, Polygon
from labapp.plots.handles import PointHandle, bind_drag
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.simplex import CORNERS
from models.temperature_panel import TemperatureResult
from panels.temperature.updates import drag_along

MARGIN = 0.16
LABEL = 0.2
"""How far outside its corner a name stands, as a part of the way from the middle."""


class TrianglePicture(Plot):
    """Corners are entries, a point is a choice of weights, lines are entropies."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True, grid=False)
        self.setAccessibleName("Triangle of three weights")
        for axis in ("bottom", "left"):
            self.plotItem.hideAxis(axis)
        self._outline = Polygon(self, "axis", 0.06)
        self._contours = Curve(self, "axis", 0.5, "dot", name="equal entropy")
        self._path = Curve(self, "output", name="path as τ falls")
        self._corners = Marks(self, "key", size=11)
        self._names = TextMarks(self, "text", gap=0)
        self._point = PointHandle(self, "output", "Weights on the path", size=16)
        self._result: TemperatureResult | None = None
        self._drawn: tuple[Any, Any, Any] | None = None
        bind_drag(self._point, lab, "Change Temperature", self._dragged)

    def show_state(self, state: AppState) -> None:
        """The point needs the weights of the result."""

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        triangle = result.triangle
        for layer in self.layers:
            layer.visible = triangle is not None
        self.show_message("" if triangle is not None else "No triangle: choose three entries that take part")
        if triangle is None:
            return
        corners = np.array(CORNERS)[: len(triangle.entries)]
        known = self._drawn
        if known is None or known[0] is not triangle.path or known[1:] != (triangle.entries, result.names):
            self._drawn = (triangle.path, triangle.entries, result.names)
            self._outline.set_data(*corners.T)
            self._corners.set_data(*corners.T)
            self._path.set_data(*triangle.path.T)
            self._contours.name = "equal entropy" if triangle.contours else ""
            self._contours.set_data(*_joined(triangle.contours).T)
            outside = corners + LABEL * (corners - corners.mean(0))
            self._names.set_data(*outside.T, [f"all on {result.names[entry]}" for entry in triangle.entries])
            self.set_home(
                (-2 * MARGIN, 1 + 2 * MARGIN), (-MARGIN, (CORNERS[2][1] if len(corners) == 3 else 0) + MARGIN)
            )
        self._point.show_position(*triangle.point)

    def _dragged(self, state: AppState, x: float, y: float) -> AppState:
        result = self._result
        if result is None or result.triangle is None:
            return state
        return drag_along(state, result.triangle.path, result.triangle.temperatures, x, y)


def _joined(lines: tuple[np.ndarray, ...]) -> np.ndarray:
    """Lines (p, 2) as one with gaps between."""
    gap = np.full((1, 2), np.nan)
    parts = [part for line in lines for part in (line, gap)]
    return np.concatenate(parts) if parts else np.empty((0, 2))
