"""The section on the learned metric: scales of five inputs as bars, and the test errors beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.bars import Bars
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.learned_metric import DIMENSIONS
from models.metric_lesson import MetricResult

RIVALS = (("isotropic", "key", "one σ"), ("learned", "output", "learned"), ("oracle", "truth", "oracle"))


class ScalesPicture(Plot):
    """Scale w_k = 1/σ_k of each input: long means that it matters."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="input (only the first matters)", y="scale w = 1/σ")
        self._bars = {
            field: Bars(self, meaning, 0.24, 0.27 * (number - 1), name=name)
            for number, (field, meaning, name) in enumerate(RIVALS)
        }
        self.set_names("x", [f"x{k + 1}" for k in range(DIMENSIONS)])

    def show_result(self, result: MetricResult) -> None:
        highest = 1.0
        for field, bars in self._bars.items():
            scales = np.abs(getattr(result, field).scales)
            highest = max(highest, float(scales.max()))
            bars.set_data(scales)
        self.set_home(x=(-0.6, DIMENSIONS - 0.4), y=(0.0, 1.3 * highest))


class TestsPicture(Plot):
    """The error on 1,000 fresh points, against the truth."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="", y="test error (MSE)")
        self._bars = [Bars(self, meaning, 0.6) for _, meaning, _ in RIVALS]
        self.set_names("x", [name for _, _, name in RIVALS])

    def show_result(self, result: MetricResult) -> None:
        errors = [getattr(result, field).test for field, _, _ in RIVALS]
        for number, (bars, error) in enumerate(zip(self._bars, errors, strict=True)):
            bars.set_data([error], [float(number)])
        self.set_home(x=(-0.6, 2.6), y=(0.0, 1.1 * result.isotropic.test))


class MetricSection(QSplitter):
    """Scales on the left, errors on the right; below one another where the section is narrow."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.scales, self.tests = ScalesPicture(lab), TestsPicture(lab)
        self.setChildrenCollapsible(False)
        for plot, share in ((self.scales, 4), (self.tests, 3)):
            self.addWidget(plot)
            self.setStretchFactor(self.count() - 1, share)

    def show_state(self, state: AppState) -> None:
        """Everything here is computed."""

    def show_result(self, result: MetricResult) -> None:
        self.scales.show_result(result)
        self.tests.show_result(result)

    def view_state(self) -> dict[str, Any]:
        return self.scales.view_state()

    def restore_view(self, view: dict[str, Any]) -> None:
        self.scales.restore_view(view)
