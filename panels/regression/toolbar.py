"""The row on top of the kernel regression: which data, a table of one's own, points, pins."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from labapp.controls import QuietCombo
from labapp.controls.menu_button import menu_button
from labapp.panel import Lab
from labapp.tables.menu import ask_for_file, table_button
from models.app_state import AppState
from models.regression_data import LABELS, OWN, SCENE
from models.scene import Column
from panels.regression.updates import add_pin, choose_data, clear_pins, redraw_noise, show_table


class Toolbar(QWidget):
    """Data and pins."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._state: AppState | None = None
        self.data = QuietCombo()
        self.data.setAccessibleName("Data")
        self.data.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.data.setMinimumContentsLength(8)
        for name, label in LABELS.items():
            self.data.addItem(label, name)
        self.data.activated.connect(self._on_data)
        label = QLabel("Data")
        label.setBuddy(self.data)
        self.redraw = QToolButton()
        self.redraw.setText("Redraw")
        self.redraw.setToolTip("Draw the noise anew: the same x, other labels")
        self.redraw.clicked.connect(lambda: self._lab.attempt(redraw_noise, "Redraw noise"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.data, 1)
        for widget in (self.redraw, table_button(self, self.import_table, lab.notify), self._pin_menu()):
            row.addWidget(widget)

    def show_state(self, state: AppState) -> None:
        self._state, panel = state, state.regression
        name = SCENE if panel.source == SCENE else panel.data.recipe
        with QSignalBlocker(self.data):
            self.data.setCurrentIndex(self.data.findData(name))
        self.redraw.setEnabled(panel.source != SCENE and panel.data.made_by is not None)

    def import_table(self, source: Path | str) -> None:
        """Read a file, or pasted text, and ask which columns are x and y; x may be a date."""
        from labapp.tables.choice import Role
        from labapp.tables.dialog import ImportDialog

        roles = (Role("x", "x (a number or a date)", many=False), Role("y", "y", many=False))
        dialog = ImportDialog(source, roles, self)
        if dialog.exec() != ImportDialog.DialogCode.Accepted or dialog.choice is None:
            return
        choice = dialog.choice
        x, y = (choice.values(role)[:, 0] for role in ("x", "y"))
        columns = [Column(choice.names(role)[0], choice.units(role)[0]) for role in ("x", "y")]
        self._lab.attempt(lambda state: show_table(state, x, y, *columns), "Import table")

    def _on_data(self, index: int) -> None:
        name = self.data.itemData(index)
        if name == OWN:
            ask_for_file(self, self.import_table)
        else:
            self._lab.attempt(lambda state: choose_data(state, name), f"Choose data: {self.data.itemText(index)}")
        if self._state is not None:  # where the dialog was cancelled or the scene won't do, the old data stay
            self.show_state(self._state)

    def _pin_menu(self) -> QToolButton:
        button, menu = menu_button("Pins")
        menu.addAction("Pin the present bandwidth", lambda: self._lab.attempt(add_pin, "Pin curve"))
        menu.addAction("Remove all pins", lambda: self._lab.attempt(clear_pins, "Remove pins"))
        return button
