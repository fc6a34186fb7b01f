"""The section on the fit: its picture, the attention map, and a line about the query that the pointer is on."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from labapp.panel import Highlight, Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.regression_data import SCENE
from models.regression_fit import FitResult
from panels.regression.attention import KeyMapPicture
from panels.regression.picture import FitPicture
from panels.regression.words import query_sentence


class FitSection(QWidget):
    """Fit and map beside one another, or below where the section is high."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._follows = False
        self.points = Highlight(self)
        self.points.changed.connect(self._light_lab)
        lab.highlight.changed.connect(self._light_here)
        self.fit = FitPicture(lab, self.points)
        self.map = KeyMapPicture(lab, self.points)
        self.pointed = SentenceLabel()
        self._result: FitResult | None = None
        self._hovered: float | None = None
        self._wants_map = True
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        for plot, share in ((self.fit, 3), (self.map, 2)):
            self._split.addWidget(plot)
            self._split.setStretchFactor(self._split.count() - 1, share)
            plot.query_pointed.connect(self._on_pointed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._split, 1)
        column.addWidget(self.pointed)

    def show_state(self, state: AppState) -> None:
        # Points of the scene are its entries, as long as none is masked.
        self._follows = state.regression.source == SCENE and state.scene.mask is None
        self.fit.show_state(state)

    def _light_lab(self, point: int | None) -> None:
        if self._follows:
            self._lab.highlight.show(point)

    def _light_here(self, entry: int | None) -> None:
        if self._follows:
            self.points.show(entry)

    def show_result(self, result: FitResult) -> None:
        self._result = result
        self.fit.show_result(result)
        self.show_map(self._wants_map)
        self._show_pointed()

    def show_map(self, shown: bool) -> None:
        self._wants_map, result = shown, self._result
        self.map.setVisible(shown and (result is None or result.map is not None))
        if shown and result is not None and result.map is not None:
            self.map.show_result(result)

    def view_state(self) -> dict[str, Any]:
        return self.fit.view_state()

    def restore_view(self, view: dict[str, Any]) -> None:
        self.fit.restore_view(view)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        upright = self.height() > 0.8 * self.width()
        self._split.setOrientation(Qt.Orientation.Vertical if upright else Qt.Orientation.Horizontal)

    def _on_pointed(self, q: float | None) -> None:
        self._hovered = q
        self._show_pointed()

    def _show_pointed(self) -> None:
        """Window, row, weights and line of the query under the pointer, or of the one asked."""
        result, q = self._result, None if self.fit.is_dragging else self._hovered
        if result is None:
            return
        asked = result.asked
        if q is None:
            self.fit.show_hovered(None, None)
            self.map.show_query(result.question.query)
            line = query_sentence(result, result.question.query, asked.estimate, asked.effective_number)
        else:
            at, estimate, number, weights = _nearest(result, q)
            self.fit.show_hovered(at, weights)
            self.map.show_query(at)
            line = query_sentence(result, at, estimate, number)
        self.pointed.show_sentence(line)


def _nearest(result: FitResult, q: float) -> tuple[float, float, float, np.ndarray | None]:
    """The nearest query that was computed: a row of the map where there is one, else one of the curve's."""
    shown = result.map
    inside = shown is not None and shown.queries[0] <= q <= 2 * shown.queries[-1] - shown.queries[-2]
    if shown is not None and inside:
        row = int(np.abs(shown.queries - q).argmin())
        at, weights = float(shown.queries[row]), np.empty(len(shown.order))
        weights[shown.order] = shown.weights[row]
        estimate = float(weights @ result.y)
        return at, estimate, float(shown.effective_number[row]), weights
    i = int(np.abs(result.queries - q).argmin())
    estimate = result.estimate
    return float(result.queries[i]), float(estimate.y[i]), float(estimate.effective_number[i]), None
