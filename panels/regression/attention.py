"""The attention map: queries × keys in rising order, linked with the points and with the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from PySide6.QtCore import Signal

from labapp.numbers import format_number
from labapp.panel import Highlight, Lab
from labapp.plots.heatmap import HeatMap
from labapp.plots.linked import Linked
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.regression_fit import FitResult, KeyMap
from panels.regression.updates import ask
from panels.regression.words import place_text


class Columns(Highlight):
    """The point under the pointer as a column of the map, whose keys are in rising order."""

    def __init__(self, points: Highlight, parent: Plot) -> None:
        super().__init__(parent)
        self._points = points
        self._order = self._place = np.zeros(0, dtype=int)
        points.changed.connect(self._from_points)
        self.changed.connect(self._to_points)

    def set_order(self, order: np.ndarray) -> None:
        """``order[c]`` is the point that column c shows."""
        self._order, self._place = order, np.argsort(order)

    def _from_points(self, point: int | None) -> None:
        self.show(int(self._place[point]) if point is not None and point < len(self._place) else None)

    def _to_points(self, column: int | None) -> None:
        self._points.show(int(self._order[column]) if column is not None and column < len(self._order) else None)


class KeyMapPicture(Plot):
    """Rows are queries, columns keys; each row sums to 1. ``query_pointed(q)`` follows the pointer over the rows."""

    query_pointed = Signal(object)

    def __init__(self, lab: Lab, points: Highlight) -> None:
        self._given: dict[str, Sequence[str] | None] = {}
        super().__init__(lab.look, x="keys, sorted", y="queries q")
        self._lab = lab
        self._map: KeyMap | None = None
        self._result: FitResult | None = None
        self._relative = False
        self._named, self._names = np.empty(0), [""]
        self._heat = HeatMap(self, "weights", on_hover=self._on_hover, on_click=self._on_cell)
        self._columns = Columns(points, self)
        Linked(self._columns, self, self._heat)

    def set_names(self, axis: Literal["x", "y"], names: Sequence[str] | None) -> None:
        """The same names again cost nothing: a drag of the bandwidth changes the weights alone."""
        if axis not in self._given or self._given[axis] is not names:
            self._given[axis] = names
            super().set_names(axis, names)

    def show_state(self, state: AppState) -> None:
        """Nothing is drawn before the weights are known."""

    def show_relative(self, relative: bool) -> None:
        """Each row over its largest weight, so that wide windows can be seen."""
        self._relative = relative
        self._draw()

    def show_result(self, result: FitResult) -> None:
        before, self._result, self._map = self._map, result, result.map
        if before is not self._map:
            self._draw()
        self.show_query(result.question.query)

    def show_query(self, q: float) -> None:
        """Frame the row of the query that is nearest."""
        self._heat.show_row(None if self._map is None else int(np.abs(self._map.queries - q).argmin()))

    def _draw(self) -> None:
        shown, result = self._map, self._result
        if shown is None or result is None:
            return
        self._columns.set_order(shown.order)
        weights = shown.weights
        if self._relative:
            with np.errstate(invalid="ignore"):
                weights = weights / weights.max(axis=1, keepdims=True)
        if shown.queries is not self._named:
            self._named, column = shown.queries, result.question.data.x_column
            self._names = [place_text(float(q), column) for q in shown.queries]
        self._heat.set_data(weights, self._names)
        self.set_titles("keys, sorted" + (": row ÷ its largest" if self._relative else ""), "queries q")

    def _on_hover(self, row: int | None, column: int | None) -> None:
        shown, result = self._map, self._result
        if row is None or column is None or shown is None or result is None:
            self.setToolTip("")
            self.query_pointed.emit(None)
            return
        x = place_text(float(result.x[shown.order[column]]), result.question.data.x_column)
        self.setToolTip(f"key {x}: weight {format_number(float(shown.weights[row, column]))}")
        self.query_pointed.emit(float(shown.queries[row]))

    def _on_cell(self, row: int, column: int) -> None:
        if self._map is not None:
            q = float(self._map.queries[row])
            self._lab.dispatch(lambda state: ask(state, q), "Choose query")
