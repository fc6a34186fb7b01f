"""The gradient flow's widget: dictionary, formula, sections behind tabs, controls, read-out, remedy."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QSplitter, QVBoxLayout, QWidget

from labapp.controls import ControlColumn
from labapp.formula import FormulaView
from labapp.named_table import Table
from labapp.panel import Lab, Panel
from labapp.readout import ReadoutTable, SentenceLabel
from labapp.shown import shown_tables
from models.app_state import AppState
from models.flow_descent import DescentResult
from models.flow_panel import Result
from models.flow_remedies import Remedy
from panels.flow.controls import NEEDED, dictionary_controls, section_controls
from panels.flow.numbers import numbers_of
from panels.flow.rows import COLUMNS, rows_of
from panels.flow.script import flow_script
from panels.flow.sections import KINDS, make_sections
from panels.flow.toolbar import Toolbar
from panels.flow.updates import apply_remedy, show_section, shown_scene
from panels.flow.words import PLAIN, formula_tex, numbers_line, sentence

SHARES = {
    (Qt.Orientation.Horizontal, Qt.Orientation.Vertical): ([70, 30], [70, 30]),
    (Qt.Orientation.Vertical, Qt.Orientation.Horizontal): ([72, 28], [56, 44]),
    (Qt.Orientation.Vertical, Qt.Orientation.Vertical): ([66, 34], [60, 40]),
}
"""Per cent of the room for the pictures and for what is beside or below them, and there for controls and read-out."""

TALL = 19
"""Lines of text that the pictures are high at least."""
BRIEF = 250
"""Shorter descents are told of when they have ended; a sentence that comes and goes would move the pictures."""


class FlowPanel(Panel):
    """Sections with controls and read-out on the right, or where the panel is narrow at the bottom."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self._state: AppState | None = None
        self._result: Result | None = None
        self._remedy: Remedy | None = None
        self._arranged: object = None
        self.toolbar, self.formula, self.sections = Toolbar(lab), FormulaView(lab.look), make_sections(lab)
        self.common = dictionary_controls(lab)
        self.own: dict[str, list[QWidget]] = {}
        self.column = ControlColumn()
        self.table = ReadoutTable(COLUMNS[DescentResult], lab.look, name="Read-out of the flow")
        self._tabled: type = DescentResult
        self.words, self.remedy = SentenceLabel(), QPushButton()
        self.sections.chosen.connect(self._on_section)
        self.remedy.clicked.connect(self._on_remedy)
        self._lay_out()

    def _lay_out(self) -> None:
        self._side, self._body = QSplitter(Qt.Orientation.Vertical), QSplitter(Qt.Orientation.Vertical)
        for widget in (self.column, self.table):
            self._side.addWidget(widget)
        for widget in (self.sections, self._side):
            self._body.addWidget(widget)
        for splitter in (self._body, self._side):
            splitter.setChildrenCollapsible(False)
        said = QHBoxLayout()
        said.addWidget(self.words, 1)
        said.addWidget(self.remedy, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        for above in (self.toolbar, self.formula):
            layout.addWidget(above)
        layout.addWidget(self._scroll(), 1)
        layout.addLayout(said)
        self.remedy.hide()

    def _scroll(self) -> QScrollArea:
        """Where large text leaves the pictures too little height, all below the formula scrolls."""
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._body)
        return area

    def show_state(self, state: AppState) -> None:
        self._state = state
        section = state.flow.section
        self.toolbar.show_state(state)
        self.formula.set_formula(formula_tex(section, shown_scene(state)), PLAIN[section])
        self.sections.show_state(state)
        self._show_controls(section)
        for control in (*self.own[section], *self.common[: NEEDED.get(section)]):
            if hasattr(control, "show_state"):
                control.show_state(state)
        self.table.setVisible(section != "verify")
        self._show_words()

    def show_result(self, result: Result) -> None:
        if self._state is not None and KINDS[type(result)] != self._state.flow.section:
            return  # the answer to a tab that was left
        self._result = result
        self.sections.show_result(result)
        for control in self.own.get(KINDS[type(result)], ()):
            if hasattr(control, "show_result"):
                control.show_result(result)
        self._show_words()

    def sentence(self) -> str:
        return self.words.text()

    def tables(self) -> list[Table]:
        """Those of the open section; there are none while another one's result is still shown."""
        result, state = self._result, self._state
        if state is None or result is None or KINDS[type(result)] != state.flow.section:
            return []
        return [*numbers_of(result, shown_scene(state)), *shown_tables(self)]

    def script(self) -> str:
        """For the result of the open section; there is none while another one's is still shown."""
        result, state = self._result, self._state
        if state is None or result is None or KINDS[type(result)] != state.flow.section:
            return ""
        return flow_script(result, state)

    def view_state(self) -> dict[str, Any]:
        return {"zoom": self.sections.view_state()}

    def restore_view(self, view: dict[str, Any]) -> None:
        zoom = view.get("zoom")
        self.sections.restore_view(zoom if isinstance(zoom, dict) else {})

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        em = self.fontMetrics().height()
        self.sections.setMinimumHeight(TALL * em)
        wide = self.width() > 46 * em and self.width() > 1.05 * self.height()
        beside = not wide and self.width() > 27 * em
        body = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        side = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._arranged != (body, side):
            self._arranged = (body, side)
            self._body.setOrientation(body)
            self._side.setOrientation(side)
            for splitter, shares in zip((self._body, self._side), SHARES[body, side], strict=True):
                splitter.setSizes([1000 * share for share in shares])

    def _show_words(self) -> None:
        """Numbers, rows and sentence of the last result of the open section, at the step that is shown."""
        state, result = self._state, self._result
        if state is None or result is None or KINDS[type(result)] != state.flow.section:
            self.remedy.hide()
            return
        step = state.flow.memory.shown if state.flow.section == "memory" else state.flow.descent.shown
        scene = shown_scene(state)
        self.formula.set_numbers(numbers_line(result, scene, step))
        if isinstance(result, DescentResult) and result.diagnosis is None and len(result.path) < BRIEF:
            return
        self.words.show_sentence(sentence(result, scene, step))
        self._remedy = result.remedy if isinstance(result, DescentResult) else None
        self._show_rows(result, step)
        label = self._remedy.label if self._remedy is not None else ""
        self.remedy.setText(label)
        self.remedy.setVisible(bool(label))

    def _show_rows(self, result: Result, step: int) -> None:
        if type(result) not in COLUMNS or self._state is None:
            return
        rows = rows_of(result, shown_scene(self._state), step)
        if type(result) is not self._tabled:
            self._tabled = type(result)
            self.table.set_columns(COLUMNS[self._tabled])
        self.table.set_rows(rows.cells, rows.totals)

    def _show_controls(self, section: str) -> None:
        """The controls of the section, those of its own first; they are made when it is first opened."""
        if section == self._controlled:
            return
        self._controlled = section
        if section not in self.own:
            self.own[section] = section_controls(self.lab, section)
            for control in (*self.own[section], *(self.common if len(self.own) == 1 else ())):
                self.column.add(control)
        for name, controls in self.own.items():
            for control in controls:
                control.setVisible(name == section)
        for number, control in enumerate(self.common):
            control.setVisible(number < NEEDED.get(section, len(self.common)))

    _controlled = ""

    def _on_section(self, section: str) -> None:
        self.lab.dispatch(lambda state: show_section(state, section), "Open section")

    def _on_remedy(self) -> None:
        remedy = self._remedy
        if remedy is not None:
            self.lab.dispatch(lambda state: apply_remedy(state, remedy), remedy.label)
