"""The explorer's widget: formula, pictures, controls, read-out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QSplitter, QVBoxLayout, QWidget

from labapp.controls import ControlColumn
from labapp.formula import FormulaView
from labapp.named_table import Table
from labapp.numbers import format_number
from labapp.panel import Lab, Panel
from labapp.readout import SentenceLabel
from labapp.shown import shown_tables
from models.app_state import AppState
from models.scene import Scene
from panels.lookup.controls import Notes, make_controls, show_needed
from panels.lookup.cost import Cost, cost_table
from panels.lookup.numbers import numbers_of
from panels.lookup.pictures import Pictures
from panels.lookup.readout import LookupTable
from panels.lookup.script import lookup_script
from panels.lookup.toolbar import Toolbar
from panels.lookup.updates import add_pin
from panels.lookup.words import formula_plain, formula_tex, hard_sentence, numbers_line, sentence

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

WHOLE_SIZES, BODY_SIZES = [450, 140], [770, 230]
"""Shares of the upper part and the table, and in the upper part of pictures and controls, to begin with."""
PICTURES, NARROW_PICTURES, CONTROLS, TABLE = 11, 18, 9, 6
"""Least heights in lines of text; in a narrow panel the attention map stands below the pictures."""
NARROW = 38
"""In lines of text: a panel narrower than this has its controls at the bottom."""


class LookupPanel(Panel):
    """Pictures with the controls on their right (in a narrow panel below them), and the read-out under both."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self._state: AppState | None = None
        self._result: ExplorerResult | None = None
        self.formula = FormulaView(lab.look)
        self.pictures = Pictures(lab)
        self.table = LookupTable(lab)
        self.toolbar = Toolbar(lab, lambda: self.table.current_row, self.table.choose_row)
        self.controls = make_controls(lab)
        self.notes, self.cost = Notes(), Cost(lab)
        self.words, self.hard_words = SentenceLabel(), SentenceLabel()
        self.toolbar.pin_asked.connect(self._on_pin)
        self.toolbar.map_toggled.connect(self.pictures.show_map)
        self._lay_out()

    def _lay_out(self) -> None:
        self._column = ControlColumn([*self.controls.values(), self.notes, self.cost])
        self._body = QSplitter(Qt.Orientation.Horizontal)
        self._body.addWidget(self.pictures)
        self._body.addWidget(self._column)
        whole = self._whole = QSplitter(Qt.Orientation.Vertical)
        # Plots ask for more than they need: with labels that wrap, the scroll area would grant it.
        whole.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        whole.addWidget(self._body)
        whole.addWidget(self.table)
        for splitter, sizes in ((whole, WHOLE_SIZES), (self._body, BODY_SIZES)):
            splitter.setChildrenCollapsible(False)
            splitter.setStretchFactor(0, 1)
            splitter.setSizes(sizes)
        content = QWidget()
        inner, layout = QVBoxLayout(content), QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        layout.setContentsMargins(8, 4, 8, 4)
        for box in (inner, layout):
            box.setSpacing(4)
        inner.addWidget(self.formula)
        inner.addWidget(whole, 1)
        for words in (self.words, self.hard_words):
            inner.addWidget(words)
        layout.addWidget(self.toolbar)
        layout.addWidget(_scrolled(content), 1)
        self._keep_readable()

    def _keep_readable(self) -> None:
        """Least heights in lines of text: where they don't fit, the panel scrolls."""
        line, narrow = self.fontMetrics().height(), self._body.orientation() == Qt.Orientation.Vertical
        pictures, controls = (NARROW_PICTURES, CONTROLS) if narrow else (PICTURES, 0)
        for widget, lines in ((self.pictures, pictures), (self._column, controls), (self.table, TABLE)):
            widget.setMinimumHeight(lines * line)
        self._whole.setMinimumHeight((pictures + controls + TABLE + 1) * line)

    def show_state(self, state: AppState) -> None:
        before, self._state = self._state, state
        scene = state.scene
        self.toolbar.show_state(state)
        if before is None or _formula_of(before.scene) != _formula_of(scene):
            self.formula.set_formula(formula_tex(scene), formula_plain(scene))
        self.pictures.show_state(state)
        for control in self.controls.values():
            control.show_state(state)
        show_needed(self.controls, scene)
        self.notes.show_scene(scene)
        self.table.show_state(state)
        self.cost.show_state(state)
        self.toolbar.pin_button.setEnabled(scene.keys.shape[1] == 1)

    def show_result(self, result: ExplorerResult) -> None:
        self._result = result
        self.formula.set_numbers(numbers_line(result))
        self.pictures.show_result(result)
        self.table.show_result(result)
        self.notes.show_result(result)
        self.words.show_sentence(sentence(result))
        self.hard_words.show_sentence(hard_sentence(result))

    def sentence(self) -> str:
        return self.words.text()

    def tables(self) -> list[Table]:
        state, result = self._state, self._result
        if state is None or result is None:
            return []
        numbers = [*shown_tables(self), *numbers_of(result, state.lookup.pins, self.pictures.shows_map)]
        return [*numbers, cost_table(state)] if self.cost.is_open else numbers

    def script(self) -> str:
        return "" if self._state is None else lookup_script(self._state.scene)

    def open_table(self, path: Path) -> bool:
        self.toolbar.import_table(path)
        return True

    def view_state(self) -> dict[str, Any]:
        return {"pictures": self.pictures.view_state()}

    def restore_view(self, view: dict[str, Any]) -> None:
        pictures = view.get("pictures")
        self.pictures.restore_view(pictures if isinstance(pictures, dict) else {})
        with QSignalBlocker(self.toolbar.map_button):
            self.toolbar.map_button.setChecked(self.pictures.shows_map)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        wide = self.width() > NARROW * self.fontMetrics().height()
        wanted = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._body.orientation() != wanted:
            self._body.setOrientation(wanted)
            self._body.setSizes(BODY_SIZES)
            self._keep_readable()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_readable()

    def _on_pin(self) -> None:
        line, state = self.pictures.line, self._state
        if line is None or state is None:
            return
        x, y = line.curve()
        label = _setting(state.scene)
        self.lab.dispatch(lambda present: add_pin(present, label, x, y), "Pin curve")


def _scrolled(content: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def _formula_of(scene: Scene) -> tuple[str, str]:
    return scene.similarity.name, scene.weighting


def _setting(scene: Scene) -> str:
    """The setting that a pinned curve is labelled with."""
    tau = f"τ = {format_number(scene.temperature, 3)}"
    if scene.similarity.name == "squared_distance":
        return f"σ = {format_number(scene.similarity.sigma, 3)}, {tau}"
    return f"{scene.similarity.name.replace('_', ' ')}, {tau}"
