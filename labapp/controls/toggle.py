"""A check box for a field that is true or false."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from labapp.controls.binding import Binding
from labapp.controls.row import finish
from labapp.panel import Lab


class ToggleControl(QWidget):
    def __init__(self, lab: Lab, path: str, state_type: type) -> None:
        super().__init__()
        self.binding = Binding(lab, path, state_type)
        info = self.binding.info
        self.box = QCheckBox(info.title)
        self.box.setToolTip(info.help)
        self.box.setAccessibleName(info.title)
        self.box.clicked.connect(self._on_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.box)
        finish(self, info)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.addAction(self.binding.reset_action(self))

    def show_state(self, state: Any) -> None:
        with QSignalBlocker(self.box):
            self.box.setChecked(bool(self.binding.value_in(state)))

    def _on_clicked(self, checked: bool) -> None:
        self.binding.send(checked, merge=False)
