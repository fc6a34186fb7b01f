"""The attention map: weights of many queries; a click makes one of them the query."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np

from labapp.numbers import format_number
from labapp.panel import Lab
from labapp.plots.heatmap import HeatMap
from labapp.plots.linked import Linked
from labapp.plots.plot import Plot
from models.app_state import AppState
from panels.lookup.updates import ask_row
from panels.lookup.words import axis_title, vector_text

if TYPE_CHECKING:
    from models.explorer import AttentionMap, ExplorerResult

MOST_NAMES = 30
TITLES = {"sweep": "queries: the sweep", "keys": "queries: every key", "list": "queries"}


class MapPicture(Plot):
    """Rows are queries, columns are entries; each row sums to 1."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="entries", y="queries")
        self._lab = lab
        self._shown: AttentionMap | None = None
        self._heat = HeatMap(self, "weights", on_hover=self._on_hover, on_click=self._on_cell)
        Linked(lab.highlight, self, self._heat)

    def show_state(self, state: AppState) -> None:
        """Nothing is drawn before the weights are known."""

    def show_result(self, result: ExplorerResult) -> None:
        scene, shown = result.inputs[0], result.map
        if shown is not self._shown or scene.entries != self._entries:
            self._shown, self._entries = shown, scene.entries
            title = TITLES[shown.source]
            if shown.source == "sweep":
                title = f"{title} of {axis_title(scene.key_columns[0])}"
            self.set_titles("entries; each row sums to 1", title)
            named = len(scene.entries) <= MOST_NAMES
            weights = np.where(shown.found[:, None], shown.weights, np.nan)
            self._heat.set_data(weights, self._row_names(result), scene.entries if named else None)
        self._heat.show_row(self._row_of(result))

    _entries: tuple[str, ...] = ()

    def _row_names(self, result: ExplorerResult) -> list[str] | None:
        scene, shown = result.inputs[0], result.map
        if shown.source == "sweep":
            return [format_number(float(q), 3) for q in shown.queries[:, 0]]
        if len(shown.queries) > MOST_NAMES:
            return None
        names = scene.query_names if shown.source == "list" else scene.entries
        return list(names) if len(names) == len(shown.queries) else [vector_text(q) for q in shown.queries]

    def _row_of(self, result: ExplorerResult) -> int | None:
        """The row of the present query: its own, or in a sweep the nearest; None where it is none of them."""
        scene, shown = result.inputs[0], result.map
        if scene.row is not None:
            return scene.row
        distance = np.linalg.norm(shown.queries - scene.query.values, axis=1)
        row = int(distance.argmin())
        return row if shown.source == "sweep" or distance[row] == 0 else None

    def _on_hover(self, row: int | None, column: int | None) -> None:
        if row is None or column is None or self._shown is None:
            self.setToolTip("")
            return
        weight = format_number(float(self._shown.weights[row, column]))
        says = weight if self._shown.found[row] else "undefined, no entry takes part"
        query = vector_text(self._shown.queries[row])
        self.setToolTip(f"<qt>{html.escape(f'query {query}, {self._entries[column]}: {says}')}</qt>")

    def _on_cell(self, row: int, column: int) -> None:
        if self._shown is not None:
            queries = self._shown.queries
            self._lab.dispatch(lambda state: ask_row(state, queries, row), "Choose query")
