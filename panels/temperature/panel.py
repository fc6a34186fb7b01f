"""The temperature panel's widget: formula, pictures behind tabs, controls, read-out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from labapp.controls import ControlColumn
from labapp.formula import FormulaView
from labapp.named_table import Table
from labapp.panel import Highlight, Lab, Panel
from labapp.readout import SentenceLabel
from labapp.shown import shown_tables
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.controls import Play, QueryLength, Temperature, make_controls
from panels.temperature.numbers import numbers_of
from panels.temperature.readout import ScoreTable
from panels.temperature.script import temperature_script
from panels.temperature.source import SourceBar
from panels.temperature.tabs import Pictures
from panels.temperature.target import Target
from panels.temperature.updates import add_pin
from panels.temperature.words import scores_label, sentence

SHARES = {
    (Qt.Orientation.Horizontal, Qt.Orientation.Vertical): ([66, 34], [64, 36]),
    (Qt.Orientation.Vertical, Qt.Orientation.Horizontal): ([72, 28], [60, 40]),
    (Qt.Orientation.Vertical, Qt.Orientation.Vertical): ([66, 34], [64, 36]),
}
"""Per cent of the room for the picture and for what is beside or below it, and there for controls and table."""
PICTURE_LINES, SIDE_LINES = 19, 6
"""Lines of text that picture, controls and table are high at the least."""


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
        self._arranged: tuple[Qt.Orientation, Qt.Orientation] | None = None
        self._moved = False
        self._shown_section = ""
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
        for splitter in (self._body, self._side):
            splitter.setChildrenCollapsible(False)
            splitter.splitterMoved.connect(self._on_moved)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        layout.addWidget(self.source)
        layout.addWidget(self.formula)
        layout.addWidget(self._body, 1)
        layout.addWidget(self.words)
        self._reserve()
        # With large text all of it may need more room than there is: then it scrolls, nothing is clipped.
        # The splitter between hides that some of it could be taller: the area would grant that, and always scroll.
        holder = QSplitter()
        holder.addWidget(content)
        scroll = QScrollArea()
        scroll.setWidget(holder)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def show_state(self, state: AppState) -> None:
        self._state = state
        self.source.show_state(state)
        self.table.show_state(state)
        self.pictures.show_state(state)
        self._show_controls(state)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        self.source.show_result(result)
        self.pictures.show_result(result)
        self.table.show_result(result)
        self.words.show_sentence(sentence(result))
        self._say(result)

    def sentence(self) -> str:
        return self.words.text()

    def tables(self) -> list[Table]:
        state, result = self._state, self._result
        if state is None or result is None:
            return []
        own = state.temperature
        return [*shown_tables(self), *numbers_of(result, self.pictures.section.id, own.drawn.unit, own.pins)]

    def script(self) -> str:
        result, state = self._result, self._state
        if state is None or result is None:
            return ""
        return temperature_script(result, self.pictures.section.id, state.scene)

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
        beside = not wide and self.width() > 27 * em
        self._orient(
            Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical,
            Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical,
        )

    def _orient(self, body: Qt.Orientation, side: Qt.Orientation) -> None:
        """Share the room out anew, until the user has moved a border of this arrangement."""
        if self._arranged != (body, side):
            self._arranged, self._moved = (body, side), False
            self._body.setOrientation(body)
            self._side.setOrientation(side)
        if not self._moved:
            for splitter, shares in zip((self._body, self._side), SHARES[body, side], strict=True):
                splitter.setSizes([1000 * share for share in shares])

    def _on_moved(self) -> None:
        self._moved = True

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._reserve()

    def _reserve(self) -> None:
        """Heights below which a part can't be read at this text size."""
        em = self.fontMetrics().height()
        for widget, lines in ((self.pictures, PICTURE_LINES), (self.column, SIDE_LINES), (self.table, SIDE_LINES)):
            widget.setMinimumHeight(lines * em)

    def _on_section(self) -> None:
        if self._state is not None:
            self._show_controls(self._state)
        if self._result is not None:
            self._say(self._result)

    def _show_controls(self, state: AppState) -> None:
        """The state in the controls that are seen."""
        self._section_controls()
        for control in (self.temperature, self.play, self.length, *self._controls[self.pictures.section.id]):
            show = getattr(control, "show_state", None)
            if show is not None:
                show(state)

    def _section_controls(self) -> None:
        """Only those of the section are visible; they are made when first needed."""
        section = self.pictures.section
        if self._shown_section == section.id:
            return
        self._shown_section = section.id
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
            label = scores_label(result)
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
