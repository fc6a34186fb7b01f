"""The row on top of the explorer: which scene, the user's own table, edits of entries, pins, the attention map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from labapp.controls import QuietCombo
from labapp.controls.menu_button import menu_button
from labapp.panel import Lab
from labapp.scenes import scene_files
from labapp.tables.menu import table_button
from models.app_state import AppState
from models.scene import Column, Scene
from models.scene_edit import (
    add_entry,
    allow_entry,
    list_query,
    move_entry,
    own_scene,
    remove_entry,
    unlist_queries,
)
from panels.lookup.updates import clear_pins, on_scene, show_scene

OWN = "own"


class Toolbar(QWidget):
    """Scene, table, entries. ``current_row`` says which entry the user has chosen in the table below;
    ``choose_row`` keeps it chosen where it moves."""

    pin_asked = Signal()
    map_toggled = Signal(bool)

    def __init__(self, lab: Lab, current_row: Callable[[], int | None], choose_row: Callable[[int], None]) -> None:
        super().__init__()
        self._lab = lab
        self._current_row, self._choose_row = current_row, choose_row
        self._scene: Scene | None = None
        self.scenes = QuietCombo()
        self.scenes.setSizeAdjustPolicy(QuietCombo.SizeAdjustPolicy.AdjustToContents)
        self.scenes.setAccessibleName("Scene")
        for scene in scene_files().values():
            self.scenes.addItem(scene.title, scene.id)
        self.scenes.addItem("My own table", OWN)
        self.scenes.activated.connect(self._on_scene)
        self.map_button = _button("Attention map")
        self.map_button.setCheckable(True)
        self.map_button.setChecked(True)
        self.map_button.toggled.connect(self.map_toggled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel("Scene")
        label.setBuddy(self.scenes)
        for widget in (
            label,
            self.scenes,
            table_button(self, self.import_table, lab.notify),
            self._entry_menu(),
            self._query_menu(),
            self._pin_menu(),
            self.map_button,
        ):
            row.addWidget(widget)
        row.addStretch(1)

    def show_state(self, state: AppState) -> None:
        self._scene = state.scene
        with QSignalBlocker(self.scenes):
            found = self.scenes.findData(state.scene.id)
            self.scenes.setCurrentIndex(found if found >= 0 else self.scenes.findData(OWN))

    def import_table(self, source: Path | str) -> None:
        """Read a file, or pasted text, and ask which columns are keys, values and names."""
        from labapp.tables.choice import Role
        from labapp.tables.dialog import ImportDialog

        roles = (
            Role("key", "Key"),
            Role("value", "Value"),
            Role("name", "Name", many=False, numeric=False, required=False),
        )
        dialog = ImportDialog(source, roles, self)
        if dialog.exec() != ImportDialog.DialogCode.Accepted or dialog.choice is None:
            return
        choice = dialog.choice
        columns = {
            role: [Column(*both) for both in zip(choice.names(role), choice.units(role), strict=True)]
            for role in ("key", "value")
        }
        names = choice.texts("name") if choice.columns["name"] else ()
        self._lab.attempt(
            lambda state: show_scene(
                state, own_scene(choice.values("key"), choice.values("value"), columns["key"], columns["value"], names)
            ),
            "Import table",
        )

    def _on_scene(self, index: int) -> None:
        name = self.scenes.itemData(index)
        if name == OWN:
            assert self._scene is not None
            scene = self._scene
            self._lab.attempt(lambda state: show_scene(state, _as_own(scene)), "Make the scene my own table")
        else:
            self._lab.attempt(self._lab.scene(name), f"Choose scene {self.scenes.itemText(index)}")

    def _entry_menu(self) -> QToolButton:
        button, menu = menu_button("Entries")
        menu.addAction("Add", self._add)
        menu.addAction("Remove the chosen", self._remove)
        menu.addAction("Move the chosen up", lambda: self._move(-1, "Move entry up"))
        menu.addAction("Move the chosen down", lambda: self._move(1, "Move entry down"))
        menu.addSeparator()
        menu.addAction("Mask or unmask the chosen", self._toggle_mask)
        return button

    def _query_menu(self) -> QToolButton:
        button, menu = menu_button("Queries")
        menu.setToolTipsVisible(True)
        add = menu.addAction("List the present query", lambda: self._lab.attempt(on_scene(list_query), "List query"))
        add.setToolTip("The attention map then shows the listed queries")
        menu.addAction("Clear the list", lambda: self._lab.attempt(on_scene(unlist_queries), "Clear list of queries"))
        return button

    def _pin_menu(self) -> QToolButton:
        button, menu = menu_button("Pins")
        self.pin_action = menu.addAction("Pin the present curve", self.pin_asked.emit)
        menu.addAction("Remove all pins", lambda: self._lab.attempt(clear_pins, "Remove pins"))
        self.pin_button = button
        return button

    def _add(self) -> None:
        """A copy of the chosen entry, or of the last, moved a little so that both are seen."""
        assert self._scene is not None
        row = self._row()
        keys, values = self._scene.keys.values, self._scene.values.values
        spread = np.ptp(keys, axis=0)
        key = keys[row] + 0.1 * np.where(spread > 0, spread, 1.0)
        self._lab.attempt(on_scene(add_entry, key, values[row]), "Add entry")
        self._choose_row(len(self._scene.keys) - 1)

    def _remove(self) -> None:
        self._lab.attempt(on_scene(remove_entry, self._row()), "Remove entry")

    def _move(self, offset: int, label: str) -> None:
        row = self._row()
        self._lab.attempt(on_scene(move_entry, row, row + offset), label)
        assert self._scene is not None
        self._choose_row(min(max(row + offset, 0), len(self._scene.keys) - 1))

    def _toggle_mask(self) -> None:
        assert self._scene is not None
        row, mask = self._row(), self._scene.mask_row
        takes_part = mask is None or bool(mask.values[row])
        self._lab.attempt(on_scene(allow_entry, row, not takes_part), "Mask entry" if takes_part else "Unmask entry")

    def _row(self) -> int:
        assert self._scene is not None
        row, last = self._current_row(), len(self._scene.keys) - 1
        return last if row is None else min(row, last)


def _as_own(scene: Scene) -> Scene:
    """The same entries as a table of the user's, free to be edited."""
    own = own_scene(scene.keys.values, scene.values.values, scene.key_columns, scene.value_columns, scene.entries)
    return own


def _button(text: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    return button
