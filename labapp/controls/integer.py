"""A whole number of the state, in a box."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from labapp.controls.binding import Binding
from labapp.controls.number_box import NumberBox
from labapp.controls.row import lay_out
from labapp.controls.scale import Scale
from labapp.panel import Lab


class IntegerControl(QWidget):
    def __init__(self, lab: Lab, path: str, state_type: type, *, optional: str | None = None) -> None:
        """``optional`` names what an empty box means, for a field that may be None."""
        super().__init__()
        self.binding = Binding(lab, path, state_type)
        info = self.binding.info
        self.box = NumberBox(Scale.of(info, integer=True), info.unit, optional)
        self.box.value_edited.connect(self.binding.send)
        self.box.refused.connect(lab.notify)
        self.label = lay_out(self, self.binding, self.box)

    def show_state(self, state: Any) -> None:
        self.box.show_value(self.binding.value_in(state))
