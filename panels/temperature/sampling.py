"""Draws from the weights: how often each entry came, beside its weight."""

from __future__ import annotations

import numpy as np

from labapp.panel import Lab
from labapp.plots.linked import Linked
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.tau import EntryPlot, Heights


class SamplingPicture(EntryPlot):
    """Weights and shares of the draws, side by side."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "weight, and share of the draws")
        self._weights = Heights(self, "key", 0.38, -0.2, "weight")
        self._shares = Heights(self, "value", 0.38, 0.2, "share of the draws")
        Linked(lab.highlight, self, self._weights.bars)

    def show_state(self, state: AppState) -> None:
        """All of it is computed."""

    def show_result(self, result: TemperatureResult) -> None:
        self.show_entries(result)
        self.fix_height(result)
        self._weights.show(result.weights, result)
        counts = result.counts
        self._shares.show(np.zeros(len(result.names)) if counts is None else counts / counts.sum(), result)
