"""The section *Paths*: how much gradient reaches an entry over its distance."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.flow_paths import PathsResult

LOWEST = -12.0
"""Powers of ten below this leave the picture: λ^1000 may have none that a float holds."""


class PathsPlot(Plot):
    """Gradient over distance, on a log axis: flat for attention, falling for the chain."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="distance of the entry, steps back", y="gradient that reaches it", log_y=True)
        self._value = Curve(self, "output", name="attention, to the value: a")
        self._score = Curve(self, "gradient", style="dash", name="attention, to the score: a(1−a)/τ")
        self._chain = Curve(self, "key", style="dashdot", name="recurrent chain: λ^distance")

    def show_result(self, result: PathsResult) -> None:
        paths = result.paths
        self._value.set_data(paths.distances, paths.value_path)
        self._score.set_data(paths.distances, paths.score_path)
        chain = np.where(paths.recurrent_log10 >= LOWEST, paths.recurrent_log10, np.nan)
        self._chain.set_data(paths.distances, 10.0**chain)
        high = max(1.0, float(paths.score_path.max()), float(10.0 ** min(paths.recurrent_log10.max(), 11.0)))
        low = min(float(paths.score_path.min()), 10.0 ** max(LOWEST, float(paths.recurrent_log10.min())))
        self.set_home(x=(1.0, max(2.0, float(paths.distances[-1]))), y=(max(low / 3, 1e-12), 3 * high))


class PathsSection(QWidget):
    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self.plot = PathsPlot(lab)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.show_result = self.plot.show_result
        self.view_state, self.restore_view = self.plot.view_state, self.plot.restore_view

    def show_state(self, state: AppState) -> None:
        """All that is shown is computed."""
