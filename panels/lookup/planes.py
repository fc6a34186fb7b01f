"""The pictures for keys and values in a plane: arrows for keys and query, values laid tip to tail."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labapp.panel import Lab
from labapp.plots.arrows import Arrows
from labapp.plots.curves import Polygon
from labapp.plots.handles import HandleSet, PointHandle, VectorHandle, bind_drag, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from panels.lookup.controls import DOTS
from panels.lookup.updates import drag_key, drag_length, drag_query, drag_value
from panels.lookup.words import axis_title

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

THIN, THICK = 0.4, 4.0
"""Width of a key's arrow at weight 0 and 1, relative to the line that matters."""
SHAFT = 0.5
"""The handle of the query's length lies on its shaft: near the tip, the tip would be grabbed instead."""


class KeyPlane(Plot):
    """Keys as arrows whose thickness is their weight, the query as an arrow to drag."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True)
        self._arrows = Arrows(self, "key", 1.0)
        self._keys = Marks(self, "key", size=10, name="width: weight")
        self._names = TextMarks(self, "key")
        self._moves = HandleSet(self, "key", "Key")
        self._length = PointHandle(self, "query", "Length of the query", size=12)
        self._query = VectorHandle(self, "query", "Query")
        Linked(lab.highlight, self, self._keys)
        bind_set_drag(self._moves, lab, "Move key", drag_key)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x, y]))
        bind_drag(self._length, lab, "Stretch query", lambda state, x, y: drag_length(state, x / SHAFT, y / SHAFT))

    def show_state(self, state: AppState) -> None:
        scene = state.scene
        x, y = scene.keys.values.T
        self.set_titles(*map(axis_title, scene.key_columns))
        self._keys.set_data(x, y)
        self._names.set_data(x, y, scene.entries, self._keys.gaps())
        self._moves.show_positions(x, y)
        qx, qy = scene.query.values
        self._query.show_position(qx, qy)
        by_length = scene.similarity.name in DOTS and (qx, qy) != (0, 0)
        self._length.visible = by_length
        self._length.show_position(SHAFT * qx, SHAFT * qy)
        self.set_home(*_square(np.vstack([scene.keys.values, scene.query.values])))

    def show_result(self, result: ExplorerResult) -> None:
        x, y = result.inputs[0].keys.values.T
        zero = np.zeros(len(x))
        self._arrows.set_data(zero, zero, x, y, THIN + (THICK - THIN) * result.soft.weights)


class ValuePlane(Plot):
    """Values, their convex hull, and each weight × value laid tip to tail from the origin to the answer."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True)
        self._hull = Polygon(self, "value", name="convex hull")
        self._sum = Arrows(self, "value", 1.2, name="weight × value")
        self._values = Marks(self, "value", name="area: weight")
        self._names = TextMarks(self, "value")
        self._nearest = Marks(self, "output", size=24, symbol="o", name="nearest", hollow=True)
        self._answer = Marks(self, "output", size=15, name="answer")
        self._moves = HandleSet(self, "value", "Value")
        Linked(lab.highlight, self, self._values)
        bind_set_drag(self._moves, lab, "Move value", drag_value)

    def show_state(self, state: AppState) -> None:
        scene, explorer = state.scene, state.lookup
        x, y = scene.values.values.T
        self.set_titles(*map(axis_title, scene.value_columns))
        self._names.set_data(x, y, scene.entries)
        self._moves.show_positions(x, y)
        self._nearest.visible = explorer.show_nearest
        for layer in (self._sum, self._answer):
            layer.visible = explorer.show_soft
        self.set_home(*_square(scene.values.values))

    def show_result(self, result: ExplorerResult) -> None:
        values, weights = result.inputs[0].values.values, result.soft.weights
        self._values.set_data(*values.T, weights)
        self._hull.set_data(*result.hull.T)
        tips = np.cumsum(weights[:, None] * values, axis=0)
        tails = np.vstack([np.zeros((1, 2)), tips[:-1]])
        self._sum.set_data(*tails.T, *tips.T)
        self._answer.set_data(*result.soft.output[:, None])
        self._nearest.set_data(*result.nearest.output[:, None])


def _square(points: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ranges that hold the points and the origin, with a margin."""
    points = np.vstack([points, np.zeros(points.shape[1])])
    low, high = points.min(0), points.max(0)
    margin = 0.16 * max(float((high - low).max()), 1e-9)
    (x0, y0), (x1, y1) = low - margin, high + margin
    return (float(x0), float(x1)), (float(y0), float(y1))
