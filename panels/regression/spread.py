"""The section on spread: the band of one standard deviation, predicted and measured, above n_eff over the queries."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.curves import Band, Curve
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.regression_data import domain_of
from models.regression_spread import SpreadResult
from panels.regression.axes import show_columns


class BandPicture(Plot):
    """The estimate with ±1 standard deviation: predicted as an area, measured as two lines."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look)
        self._band = Band(self, "output", name="± predicted s/√n_eff")
        self._truth = Curve(self, "truth", 0.6, "dash", name="truth")
        self._edges = [
            Curve(self, "gradient", 0.6, "dot", name=name) for name in ("± measured over 200 redraws of the noise", "")
        ]
        self._fit = Curve(self, "output", 1.0, name="estimate")
        self.legend.corner = "top left"

    def show_result(self, result: SpreadResult) -> None:
        q, y = result.queries, result.estimate.y
        self._fit.set_data(q, y)
        self._band.set_data(q, y - result.predicted, y + result.predicted)
        self._truth.visible = result.truth is not None
        self._truth.set_data(*((q, result.truth) if result.truth is not None else ([], [])))
        measured = result.measured
        for curve, sign in zip(self._edges, (1, -1), strict=True):
            curve.visible = measured is not None
            curve.set_data(*((q, y + sign * measured) if measured is not None else ([], [])))


class NumberPicture(Plot):
    """The effective number of points over the queries."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look)
        self._curve = Curve(self, "text", 1.0)

    def show_result(self, result: SpreadResult) -> None:
        numbers = result.estimate.effective_number
        self._curve.set_data(result.queries, numbers)
        most = float(np.nanmax(numbers)) if np.isfinite(numbers).any() else 1.0
        self.set_home(x=domain_of(result.question.data), y=(0.0, 1.08 * most))


class SpreadSection(QSplitter):
    """Both pictures over the same x."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.band, self.number = BandPicture(lab), NumberPicture(lab)
        self.setChildrenCollapsible(False)
        for plot, share in ((self.band, 3), (self.number, 2)):
            self.addWidget(plot)
            self.setStretchFactor(self.count() - 1, share)

    def show_state(self, state: AppState) -> None:
        """Everything here is computed."""

    def show_result(self, result: SpreadResult) -> None:
        data = result.question.data
        show_columns(self.band, data)
        show_columns(self.number, data, "points in effect, n_eff")
        self.band.set_home(x=domain_of(data))
        self.band.show_result(result)
        self.number.show_result(result)

    def view_state(self) -> dict[str, Any]:
        return self.band.view_state()

    def restore_view(self, view: dict[str, Any]) -> None:
        self.band.restore_view(view)
