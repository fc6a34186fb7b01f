"""Softmax beside sparsemax and 1.5-entmax, and how many entries each weighs as τ changes."""

from __future__ import annotations

import numpy as np

from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.linked import Linked
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.tau import SPAN, EntryPlot, Heights, Stack, TauLine, tau_title


class OtherBars(EntryPlot):
    """Three weightings of the same scores at the same τ."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "weight a")
        self._softmax = Heights(self, "key", 0.27, -0.28, "softmax")
        self._entmax = Heights(self, "value", 0.27, 0.0, "1.5-entmax")
        self._sparsemax = Heights(self, "output", 0.27, 0.28, "sparsemax")
        self._wanted = (True, True)
        self._result: TemperatureResult | None = None
        Linked(lab.highlight, self, self._softmax.bars)

    def show_state(self, state: AppState) -> None:
        drawn = state.temperature.drawn
        if (drawn.entmax15, drawn.sparsemax) != self._wanted:
            self._wanted = (drawn.entmax15, drawn.sparsemax)
            if self._result is not None:
                self.show_result(self._result)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        self.show_entries(result)
        self.fix_height(result)
        self._softmax.show(result.weights, result)
        self._entmax.show(result.entmax15, result, self._wanted[0])
        self._sparsemax.show(result.sparsemax, result, self._wanted[1])


class SupportPlot(Plot):
    """How many entries have weight, over τ."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="entries with weight", log_x=True)
        self.legend.corner = "top left"
        self._softmax = Curve(self, "key", style="dash", name="softmax")
        self._entmax = Curve(self, "value", name="1.5-entmax")
        self._sparsemax = Curve(self, "output", style="dashdot", name="sparsemax")
        self._line = TauLine(self, lab)
        self._shown: object = None

    def show_state(self, state: AppState) -> None:
        drawn = state.temperature.drawn
        self._entmax.visible, self._sparsemax.visible = drawn.entmax15, drawn.sparsemax
        self._line.show_state(state)
        self.set_titles(tau_title(state), "entries with weight")

    def show_result(self, result: TemperatureResult) -> None:
        self._line.show_result(result)
        if self._shown is result.curves:
            return
        self._shown = result.curves
        taus = result.curves.temperature
        self._softmax.set_data(taus, np.full(len(taus), result.live))
        self._entmax.set_data(taus, result.curves.entmax15_support)
        self._sparsemax.set_data(taus, result.curves.sparsemax_support)
        self.set_home(x=SPAN, y=(0.0, 1.12 * max(1, result.live)))


def others_picture(lab: Lab) -> Stack:
    return Stack([OtherBars(lab), SupportPlot(lab)], [240, 180])
