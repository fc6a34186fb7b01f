"""The temperature panel's widget: formula, pictures behind tabs, controls, read-out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from labapp.controls import ControlColumn
from labapp.formula import FormulaView
from labapp.panel import Highlight, Lab, Panel
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.controls import Play, QueryLength, Target, Temperature, make_controls
from panels.temperature.readout import ScoreTable
from panels.temperature.source import SourceBar
from panels.temperature.tabs import Pictures
from panels.temperature.updates import add_pin
from panels.temperature.words import sentence

PICTURE_SIZES, SIDE_SIZES = [440, 160], [300, 240]
"""Pixels of the picture and of what is beside or below it; of controls and table; to begin with."""


class TemperaturePanel(Panel):
    """Tabs of pictures; controls and table on the right, or where the panel is narrow at the bottom."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self._state: AppState | None = None
        self._result: TemperatureResult | None = None
        self._entries = Highlight(self)
        inner = replace(lab, highlight=self._entries)
        self._lab = inner
        self.source = SourceBar(inner)
        self.formula = FormulaView(lab.look)
        self.pictures = Pictures(inner)
        self.table = ScoreTable(inner)
        self.temperature, self.play, self.length = Temperature(inner), Play(inner), QueryLength(inner)
        self._controls: dict[str, list[QWidget]] = {}
        self.note, self.words = SentenceLabel(), SentenceLabel()
        self.column = ControlColumn([self.temperature, self.play, self.note, self.length])
        self._lay_out()
        self.pictures.section_changed.connect(self._on_section)
        self.source.pin_asked.connect(self._on_pin)
        self._entries.changed.connect(self._light_lab)
        lab.highlight.changed.connect(self._light_here)

    def _lay_out(self) -> None:
        self._side = QSplitter(Qt.Orientation.Vertical)
        self._body = QSplitter(Qt.Orientation.Horizontal)
        self._side.addWidget(self.column)
        self._side.addWidget(self.table)
        self._body.addWidget(self.pictures)
        self._body.addWidget(self._side)
        for splitter, sizes in ((self._body, PICTURE_SIZES), (self._side, SIDE_SIZES)):
            splitter.setChildrenCollapsible(False)
            splitter.setStretchFactor(0, 1)
            splitter.setSizes(sizes)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addWidget(self.source)
        layout.addWidget(self.formula)
        layout.addWidget(self._body, 1)
        layout.addWidget(self.words)

    def show_state(self, state: AppState) -> None:
        self._state = state
        self.source.show_state(state)
        self.table.show_state(state)
        self.pictures.show_state(state)
        self._section_controls()
        self.column.show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        self.source.show_result(result)
        self.pictures.show_result(result)
        self.table.show_result(result)
        self.words.show_sentence(sentence(result))
        self._say(result)

    def sentence(self) -> str:
        return self.words.text()

    def open_table(self, path: Path) -> bool:
        if self._state is None or self._state.temperature.source != "own":
            return False
        self.source.import_table(path)
        return True

    def view_state(self) -> dict[str, Any]:
        return {"pictures": self.pictures.view_state()}

    def restore_view(self, view: dict[str, Any]) -> None:
        pictures = view.get("pictures")
        self.pictures.restore_view(pictures if isinstance(pictures, dict) else {})

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        em = self.fontMetrics().height()
        wide = self.width() > 46 * em and self.width() > 1.05 * self.height()
        self._body.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        beside = not wide and self.width() > 27 * em
        self._side.setOrientation(Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical)

    def _on_section(self) -> None:
        self._section_controls()
        if self._state is not None:
            self.column.show_state(self._state)
        if self._result is not None:
            self._say(self._result)

    def _section_controls(self) -> None:
        """Show the controls of the section; they are made when first needed."""
        section = self.pictures.section
        self.formula.set_formula(section.tex, section.plain)
        if section.id not in self._controls:
            made = self._controls[section.id] = make_controls(self._lab, section.id)
            for control in made:
                self.column.add(control)
                if isinstance(control, Target):
                    control.stepped.connect(lambda step: self.pictures.picture("entropy").entropy.show_step(step))
        for name, controls in self._controls.items():
            for control in controls:
                control.setVisible(name == section.id)

    def _say(self, result: TemperatureResult) -> None:
        """What the section says of the result: numbers below the formula, a note, and what its controls show."""
        section, state = self.pictures.section, self._state
        assert state is not None
        self.formula.set_numbers(section.numbers(result, state))
        self.note.show_sentence(section.note(result, state))
        for control in self._controls.get(section.id, ()):
            show = getattr(control, "show_result", None)
            if show is not None:
                show(result)

    def _on_pin(self) -> None:
        result = self._result
        if result is not None and result.found:
            label = f"{len(result.names)} scores" if result.inputs[0].length == 1.0 else "per unit of query length"
            x, y = result.curves.temperature, result.curves.entropy
            self.lab.dispatch(lambda state: add_pin(state, label, x, y), "Pin the entropy curve")

    def _follows(self) -> bool:
        """Entries of the panel are those of the lab."""
        return self._state is not None and self._state.temperature.source == "scene"

    def _light_lab(self, entry: int | None) -> None:
        if self._follows():
            self.lab.highlight.show(entry)

    def _light_here(self, entry: int | None) -> None:
        self._entries.show(entry if self._follows() else None)
