"""Why softmax: the smooth maximum between its bounds, and the weights beside those of dividing by the sum."""

from __future__ import annotations

import math

import numpy as np

from labapp.panel import Lab
from labapp.plots.bars import Bars
from labapp.plots.curves import Band, Curve
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.tau import SPAN, EntryPlot, Heights, Stack, TauLine, tau_title


class BoundsPlot(Plot):
    """τ ln Σe^{s/τ} over τ, in the band from max s to max s + τ ln n."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="score", log_x=True)
        self.legend.corner = "top left"
        self._band = Band(self, "truth", name="max s to max s + τ ln n")
        self._smooth = Curve(self, "output", name="τ ln Σ exp(s/τ)")
        self._now = Marks(self, "output", size=13)
        self._line = TauLine(self, lab)
        self._shown: object = None
        for layer in self.layers:
            layer.counts = False

    def show_state(self, state: AppState) -> None:
        self._line.show_state(state)
        self.set_titles(tau_title(state), "score")

    def show_result(self, result: TemperatureResult) -> None:
        self._line.show_result(result)
        if not result.found:
            return
        if self._shown is not result.curves:
            self._shown = result.curves
            taus, top = result.curves.temperature, result.measures.log_sum_exp_low
            self._band.set_data(taus, np.full(len(taus), top), top + taus * math.log(result.live))
            self._smooth.set_data(taus, result.curves.log_sum_exp)
            self.set_home(*_home(result))
        self._now.set_data([result.temperature], [result.measures.log_sum_exp])


def _home(result: TemperatureResult) -> tuple[tuple[float, float], tuple[float, float]]:
    """Temperatures up to the spread of the scores, where the curve leaves its lower bound."""
    live = result.scores[result.scores > -np.inf]
    top, spread = float(live.max()), float(np.ptp(live)) or 1.0
    last = min(max(10.0 ** math.ceil(math.log10(spread)), 10 * SPAN[0]), SPAN[1])
    height = last * math.log(max(result.live, 2))
    return (SPAN[0], last), (top - 0.1 * height, top + 1.05 * height)


class DividedBars(EntryPlot):
    """Softmax and "divide by the sum" of the shifted scores, side by side."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "weight")
        self._softmax = Heights(self, "key", 0.36, -0.2, name="softmax")
        self._divided = Bars(self, "gradient", 0.36, 0.2, name="score ÷ sum")
        Linked(lab.highlight, self, self._softmax.bars)

    def show_state(self, state: AppState) -> None:
        """All of it is computed."""

    def show_result(self, result: TemperatureResult) -> None:
        self.show_entries(result)
        self._softmax.show(result.weights, result)
        divided = None if result.reasons is None else result.reasons.divided
        drawn = divided is not None and not result.is_sorted
        self._divided.visible = drawn
        self._divided.set_data(divided if drawn else [])


def softmax_picture(lab: Lab) -> Stack:
    return Stack([BoundsPlot(lab), DividedBars(lab)], [220, 200])
