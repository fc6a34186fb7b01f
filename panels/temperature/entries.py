"""Choosing entries: the two of the ratio rule, the three of the triangle."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from labapp.controls import ChoiceControl, QuietCombo
from labapp.fields import set_at
from labapp.panel import Lab
from models.app_state import AppState
from models.temperature_panel import TemperatureResult, corner_entries
from panels.temperature.stack import stack
from panels.temperature.updates import choose_corner

MOST_CHOICES = 200
"""Entries that a list offers."""


class EntryChoice(QWidget):
    """One entry of the row, by its name."""

    chosen = Signal(int)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.label = QLabel(title)
        self.combo = QuietCombo()
        self.combo.setAccessibleName(title)
        self.combo.setMinimumContentsLength(6)
        self.label.setBuddy(self.combo)
        self.combo.activated.connect(self.chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label)
        row.addWidget(self.combo, 1)

    def show_entry(self, names: tuple[str, ...], entry: int) -> None:
        names = names[:MOST_CHOICES]
        with QSignalBlocker(self.combo):
            if names != self._names:
                self._names = names
                self.combo.clear()
                self.combo.addItems(names)
            self.combo.setCurrentIndex(entry if entry < len(names) else -1)


class Pair(QWidget):
    """The two entries of the ratio rule."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._shown = (0, 1)
        self.first, self.second = EntryChoice("Ratio of i ="), EntryChoice("to j =")
        self.first.chosen.connect(partial(self._on_chosen, "first"))
        self.second.chosen.connect(partial(self._on_chosen, "second"))
        stack(self, self.first, self.second)

    def show_result(self, result: TemperatureResult) -> None:
        why = result.inputs[3]
        self.first.show_entry(result.names, why.first)
        self.second.show_entry(result.names, why.second)

    def _on_chosen(self, field: str, entry: int) -> None:
        self._lab.dispatch(lambda state: set_at(state, f"temperature.why.{field}", entry), "Choose entry")


class CornerChoice(QWidget):
    """Which three of more than three entries are the corners."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        labels = {"best": "the three best", "chosen": "three of my choice", "none": "none"}
        self.mode = ChoiceControl(lab, "temperature.corners.mode", AppState, labels)
        self.entries = [EntryChoice(f"Corner {number}") for number in (1, 2, 3)]
        for corner, choice in enumerate(self.entries):
            choice.chosen.connect(partial(self._on_chosen, corner))
        stack(self, self.mode, *self.entries)

    def show_state(self, state: AppState) -> None:
        self.mode.show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        corners = result.inputs[4]
        self.setVisible(len(result.names) > 3)
        shown = corner_entries(result.scores, corners) if corners.mode == "chosen" else ()
        for choice, entry in zip(self.entries, corners.chosen, strict=True):
            choice.setVisible(bool(shown))
            choice.show_entry(result.names, entry)

    def _on_chosen(self, corner: int, entry: int) -> None:
        self._lab.dispatch(lambda state: choose_corner(state, corner, entry), "Choose corner")
