"""The read-out: one row for each entry, with its score, weight and share of the entropy."""

from __future__ import annotations

import numpy as np

from labapp.errors import PlainError, sentence_of
from labapp.numbers import parse_number
from labapp.panel import Lab
from labapp.readout import ReadoutColumn, ReadoutTable
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.updates import drag_score, name_score
from panels.temperature.words import UNIT_OF


class ScoreTable(ReadoutTable):
    """Names and scores of the own row can be typed."""

    def __init__(self, lab: Lab) -> None:
        super().__init__((), lab.look, lab.highlight, "Entries")
        self._lab = lab
        self._layout: tuple[bool, str] | None = None
        self._result: TemperatureResult | None = None
        self.edited.connect(self._on_edited)

    def show_state(self, state: AppState) -> None:
        layout = (state.temperature.source == "own", state.temperature.drawn.unit)
        if layout != self._layout:
            self._layout = layout
            self.set_columns(_columns(*layout))
            if self._result is not None:
                self.show_result(self._result)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        unit = UNIT_OF[self._layout[1] if self._layout else "nats"]
        weights = result.weights
        parts = -weights * np.log(np.where(weights > 0, weights, 1.0)) / unit + 0.0
        cells = [result.names, result.scores, weights, parts, result.scores / result.temperature]
        totals = ["sum", None, float(weights.sum()), float(parts.sum()), None] if result.found else None
        self.set_rows(cells, totals)

    def _on_edited(self, row: int, column: int, text: str) -> None:
        result = self._result
        assert result is not None
        try:
            if column == 0:
                names = result.names
                self._lab.dispatch(lambda state: name_score(state, row, names, text.strip()), "Rename entry")
            else:
                score = parse_number(text)
                self._lab.dispatch(lambda state: drag_score(state, row, score), "Type score")
        except (PlainError, ValueError) as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self._lab.notify(sentence)


def _columns(own: bool, unit: str) -> tuple[ReadoutColumn, ...]:
    return (
        ReadoutColumn("entry", editable=own),
        ReadoutColumn("score s", meaning="key", editable=own),
        ReadoutColumn("weight a"),
        ReadoutColumn(f"−a {'ln' if unit == 'nats' else 'log₂'} a", unit, "output"),
        ReadoutColumn("s/τ"),
    )
