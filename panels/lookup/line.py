"""The picture for keys of one dimension: value against key, the curve of answers, the query to drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.handles import HandleSet, LineHandle, bind_drag, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.explorer_state import Pin
from panels.lookup.updates import drag_entry, drag_query, drawn_column
from panels.lookup.words import axis_title

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

PIN_STYLES = ("dash", "dot", "dashdot", "dash")


MARGIN = 0.12
"""Part of the values' range that is kept free beyond them, so that no mark is cut off."""


class LinePicture(Plot):
    """Entries as marks whose area is their weight; soft curve, staircase of the nearest, dots of the exact lookup."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look)
        self._column = 0
        self._result: ExplorerResult | None = None
        self._pins = [Curve(self, "truth", 0.5, style) for style in PIN_STYLES]
        self._reading = Curve(self, "output", 0.5, "dot")
        self._steps = Curve(self, "output", 0.6, "dash", name="nearest")
        self._soft = Curve(self, "output", 1.0, name="soft")
        self._keys = Marks(self, "key", size=9)
        self._entries = Marks(self, "value", name="area: weight")
        self._exact = Marks(self, "output", size=14, symbol="o", name="exact: at keys alone", hollow=True)
        self._answer = Marks(self, "output", size=15, name="answer")
        self._keys.counts = self._reading.counts = False
        self._query = LineHandle(self, "query", "Query")
        self._moves = HandleSet(self, "value", "Entry")
        Linked(lab.highlight, self, self._entries)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x]))
        bind_set_drag(self._moves, lab, "Move entry", lambda state, j, x, y: drag_entry(state, j, x, self._column, y))

    def show_state(self, state: AppState) -> None:
        """Entries, query and ranges: all that needs no computation."""
        scene, sweep = state.scene, state.lookup.sweep
        chosen = drawn_column(state)
        is_other, self._column = chosen != self._column, chosen
        keys, values = scene.keys.values[:, 0], scene.values.values[:, self._column]
        self.set_titles(axis_title(scene.key_columns[0]), axis_title(scene.value_columns[self._column]))
        low, high = sorted((float(sweep.start.values[0]), float(sweep.end.values[0])))
        self.set_home(x=(low, high) if low < high else None, y=_with_margin(values, state.lookup.pins))
        self._entries.set_data(keys, values, self._weights_for(len(keys)))
        self._moves.show_positions(keys, values)
        self._query.show_position(float(scene.query.values[0]))
        self._show_layers(state)
        if is_other and self._result is not None:
            self.show_result(self._result)

    def show_result(self, result: ExplorerResult) -> None:
        self._result, scene = result, result.inputs[0]
        column = min(self._column, scene.values.shape[1] - 1)  # the result may be an earlier scene's
        keys, values = scene.keys.values[:, 0], scene.values.values[:, column]
        self._entries.set_data(keys, values, result.soft.weights)
        self._exact.set_data(keys, values)
        self._soft.set_data(result.curve.x, result.curve.soft[:, column])
        self._steps.set_data(result.curve.steps_x, result.curve.steps[:, column])
        at, answer = float(scene.query.values[0]), float(result.soft.output[column])
        self._answer.set_data([at], [answer])
        self._reading.set_data([min(result.curve.x[0], at), at], [answer, answer])
        self._keys.set_data(keys, np.full(len(keys), self.view.viewRange()[1][0]))

    def curve(self) -> tuple[Any, Any]:
        """The soft curve that is drawn: x and y, to be pinned."""
        return self._soft.drawn()

    def _weights_for(self, count: int) -> np.ndarray | None:
        weights = None if self._result is None else self._result.soft.weights
        return weights if weights is not None and len(weights) == count else None

    def _show_layers(self, state: AppState) -> None:
        explorer = state.lookup
        self._exact.visible = explorer.show_exact
        self._steps.visible = explorer.show_nearest
        for layer in (self._soft, self._answer, self._reading):
            layer.visible = explorer.show_soft
        for number, curve in enumerate(self._pins):
            pin = explorer.pins[number] if number < len(explorer.pins) else None
            curve.name = pin.label if pin else ""
            curve.set_data(pin.x.values if pin else [], pin.y.values if pin else [])


def _with_margin(values: np.ndarray, pins: tuple[Pin, ...]) -> tuple[float, float]:
    """A range of y that holds the values (every answer lies between them) and the pinned curves."""
    both = np.concatenate([values, *(pin.y.values[np.isfinite(pin.y.values)] for pin in pins)])
    low, high = float(both.min()), float(both.max())
    margin = MARGIN * (high - low) or max(abs(low), 1.0)
    return low - margin, high + margin
