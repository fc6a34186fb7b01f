"""A line of text of the state."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from labapp.controls.binding import Binding
from labapp.controls.row import lay_out
from labapp.panel import Lab


class TextControl(QWidget):
    """Sends the text when Return is pressed or the focus leaves."""

    def __init__(self, lab: Lab, path: str, state_type: type) -> None:
        super().__init__()
        self.binding = Binding(lab, path, state_type)
        self.edit = QLineEdit()
        self._shown = ""
        self.edit.editingFinished.connect(self._on_finished)
        self.label = lay_out(self, self.binding, self.edit)

    def show_state(self, state: Any) -> None:
        text = str(self.binding.value_in(state))
        is_typing = self.edit.isModified() and text == self._shown
        self._shown = text
        if not is_typing and text != self.edit.text():
            self.edit.setText(text)

    def _on_finished(self) -> None:
        text = self.edit.text()
        if text != self._shown and self.binding.send(text, merge=False):
            self._shown = text
            self.edit.setModified(False)
