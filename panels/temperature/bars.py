"""Scores as bars that can be pulled, and below them the weights with their two limits."""

from __future__ import annotations

import numpy as np

from labapp.panel import Lab
from labapp.plots.handles import HandleSet, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from models.app_state import AppState
from models.temperature_panel import MOST_BARS, TemperatureResult
from panels.temperature.tau import EntryPlot, Heights, Stack
from panels.temperature.updates import drag_score

MOST_KNOBS = 60
"""Up to so many bars show by a knob that they can be pulled; the pointer says it of all."""
MOST_LIMITS = 200
"""Up to so many entries have bars for the limits beside that of the weight."""


class ScoreBars(EntryPlot):
    """The scores; those of the panel's own are pulled by their ends."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "score s")
        self._scores = Heights(self, "key", name="score")
        self._knobs = Marks(self, "key", size=9)
        self._ends = HandleSet(self, "key", "Score of an entry", size=9)
        self._own: np.ndarray | None = None
        self._drawn: np.ndarray | None = None
        self._source = ""
        Linked(lab.highlight, self, self._scores.bars)
        bind_set_drag(self._ends, lab, "Move score", lambda state, j, _x, y: drag_score(state, j, y))

    def show_state(self, state: AppState) -> None:
        own = state.temperature.own.scores.values
        if own is self._own and state.temperature.source == self._source:
            return
        self._own, self._source = own, state.temperature.source
        pulled = state.temperature.source == "own" and len(own) <= MOST_BARS
        if pulled:
            self._scores.bars.set_data(own)
        self._drawn = own if pulled else None
        for item in self._ends.items:
            item.setVisible(pulled)
        self._ends.show_positions(range(len(own)) if pulled else [], own if pulled else [])
        few = pulled and len(own) <= MOST_KNOBS
        self._knobs.set_data(range(len(own)) if few else [], own if few else [])

    def show_result(self, result: TemperatureResult) -> None:
        self.show_entries(result)
        if self._drawn is not result.scores or not self._scores.bars.visible:
            self._scores.show(result.scores, result)
            self._drawn = None


class WeightBars(EntryPlot):
    """The weights; beside each of few bars the limits for τ → 0 and τ → ∞."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "weight a")
        self._weights = Heights(self, "key", 0.46, name="weight at τ")
        self._cold = Heights(self, "output", 0.14, -0.34, "limit τ → 0: one-hot")
        self._hot = Heights(self, "truth", 0.14, 0.34, "limit τ → ∞: uniform")
        Linked(lab.highlight, self, self._weights.bars)

    def show_state(self, state: AppState) -> None:
        """Nothing is drawn before the weights are known."""

    def show_result(self, result: TemperatureResult) -> None:
        self.show_entries(result)
        self.fix_height(result)
        few = len(result.names) <= MOST_LIMITS
        self._weights.show(result.weights, result)
        self._cold.show(result.cold, result, few)
        self._hot.show(result.hot, result, few or result.is_sorted)


def weights_picture(lab: Lab) -> Stack:
    return Stack([ScoreBars(lab), WeightBars(lab)], [170, 250])
