"""The row on top: whose scores, presets, typed, pasted and imported ones, pins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QInputDialog, QToolButton, QWidget

from labapp.controls import ChoiceControl
from labapp.controls.menu_button import menu_button
from labapp.errors import PlainError, sentence_of
from labapp.numbers import edit_text
from labapp.panel import Lab
from labapp.tables.menu import ask_for_file
from models.app_state import AppState
from models.score_presets import PRESETS
from models.temperature_panel import TemperatureResult
from panels.temperature.typed import scores_in
from panels.temperature.updates import choose_preset, clear_pins, copy_to_own, take_scores

MOST_TYPED = 50
"""Up to so many present scores stand in the box that is typed into."""


class SourceBar(QWidget):
    """Chooses the row of scores; ``pin_asked`` wants the present curve kept."""

    pin_asked = Signal()

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._result: TemperatureResult | None = None
        labels = {"scene": "of the scene", "own": "of my own"}
        self.source = ChoiceControl(lab, "temperature.source", AppState, labels)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.source, self._preset_menu(), self._score_menu(), self._pin_menu()):
            row.addWidget(widget)
        row.addStretch(1)

    def show_state(self, state: AppState) -> None:
        self.source.show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result

    def type_scores(self, text: str) -> bool:
        """Take a typed or pasted list; False, with a sentence in the status bar, where it is none."""
        return self._try(lambda: self._take(text))

    def import_table(self, source: Path | str) -> None:
        """Read a file and ask which column holds the scores, and which the names."""
        from labapp.tables.choice import Role
        from labapp.tables.dialog import ImportDialog

        roles = (Role("score", "Score", many=False), Role("name", "Name", many=False, numeric=False, required=False))
        dialog = ImportDialog(source, roles, self)
        if dialog.exec() != ImportDialog.DialogCode.Accepted or dialog.choice is None:
            return
        choice = dialog.choice
        scores = choice.values("score")[:, 0]
        names = choice.texts("name") if choice.columns["name"] else ()
        self._try(lambda: self._lab.dispatch(lambda state: take_scores(state, scores, names), "Import scores"))

    def _take(self, text: str) -> None:
        scores = scores_in(text)
        self._lab.dispatch(lambda state: take_scores(state, scores), "Type scores")

    def _try(self, action: Callable[[], None]) -> bool:
        try:
            action()
        except (PlainError, ValueError) as error:  # the mathematics' own errors are ValueErrors with a sentence
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self._lab.notify(sentence)
            return False
        return True

    def _preset_menu(self) -> QToolButton:
        button, menu = menu_button("Presets")
        for name, entry in PRESETS.items():
            menu.addAction(entry.label, lambda name=name, label=entry.label: self._on_preset(name, label))
        return button

    def _score_menu(self) -> QToolButton:
        button, menu = menu_button("My scores")
        menu.addAction("Type…", self._type)
        menu.addAction("Paste", lambda: self.type_scores(QGuiApplication.clipboard().text()))
        menu.addAction("Open CSV or TSV…", lambda: ask_for_file(self, self.import_table))
        menu.addSeparator()
        menu.addAction("Make the shown scores my own", self._on_copy)
        return button

    def _pin_menu(self) -> QToolButton:
        button, menu = menu_button("Pins")
        menu.addAction("Pin the entropy curve", self.pin_asked.emit)
        menu.addAction("Remove all pins", lambda: self._lab.dispatch(clear_pins, "Remove pins"))
        return button

    def _on_preset(self, name: str, label: str) -> None:
        self._try(lambda: self._lab.dispatch(lambda state: choose_preset(state, name), f"Preset {label}"))

    def _type(self) -> None:
        shown = self._result.scores[:MOST_TYPED] if self._result is not None else ()
        text = "; ".join(edit_text(float(score)) for score in shown if score > -float("inf"))
        typed, accepted = QInputDialog.getMultiLineText(self, "Type scores", "2 to 100,000 scores:", text)
        if accepted:
            self.type_scores(typed)

    def _on_copy(self) -> None:
        result = self._result
        if result is not None:
            self._try(
                lambda: self._lab.dispatch(
                    lambda state: copy_to_own(state, result.scores, result.names, result.temperature),
                    "Make the shown scores my own",
                )
            )
