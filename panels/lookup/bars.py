"""The pictures for keys of many dimensions: weights as bars, and the query's numbers to drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labapp.panel import Lab
from labapp.plots.bars import Bars
from labapp.plots.handles import HandleSet, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.plot import Plot
from models.app_state import AppState
from panels.lookup.updates import drag_component
from panels.lookup.words import axis_title

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

MOST_NAMES = 30
"""More entries than this are numbered along the axis, not named."""


class WeightBars(Plot):
    """The weight of every entry; thin bars for the nearest lookup beside."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="entry", y="weight")
        self._soft = Bars(self, "key", 0.8, name="weight")
        self._nearest = Bars(self, "output", 0.25, name="nearest")
        Linked(lab.highlight, self, self._soft)
        self.set_home(y=(0.0, 1.0))

    def show_state(self, state: AppState) -> None:
        entries = state.scene.entries
        self.set_names("x", entries if len(entries) <= MOST_NAMES else None)
        self.set_home(x=(-0.7, len(entries) - 0.3), y=(0.0, 1.04))
        self._soft.visible = state.lookup.show_soft
        self._nearest.visible = state.lookup.show_nearest

    def show_result(self, result: ExplorerResult) -> None:
        self._soft.set_data(result.soft.weights)
        self._nearest.set_data(result.nearest.weights)


class QueryBars(Plot):
    """The numbers of the query as bars whose ends are dragged."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="number of the query", y="value")
        self._bars = Bars(self, "query", 0.6, name="query")
        self._ends = HandleSet(self, "query", "Number of the query", size=9, drawn=True)
        bind_set_drag(self._ends, lab, "Move query", lambda state, i, _x, y: drag_component(state, i, y))

    def show_state(self, state: AppState) -> None:
        scene = state.scene
        query, count = scene.query.values, len(scene.query)
        self.set_names("x", [axis_title(column) for column in scene.key_columns] if count <= MOST_NAMES // 3 else None)
        reach = 1.15 * max(float(np.abs(query).max()), float(np.abs(scene.keys.values).max()), 1e-9)
        self.set_home(x=(-0.7, count - 0.3), y=(-reach, reach))
        self._bars.set_data(query)
        self._ends.show_positions(np.arange(count), query)

    def show_result(self, result: ExplorerResult) -> None:
        """The query is the state's: nothing of it is computed."""
