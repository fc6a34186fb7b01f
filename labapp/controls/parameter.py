"""Label, slider and number of one quantity of the state, side by side."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QWidget

from labapp.controls.binding import Binding
from labapp.controls.number_box import NumberBox
from labapp.controls.row import lay_out
from labapp.controls.scale import Scale
from labapp.controls.value_slider import ValueSlider
from labapp.panel import Lab


class ParameterControl(QWidget):
    """One number of the state. ``low`` and ``high`` narrow the slider, never what may be typed.

    ``optional`` names what an empty box means, for a field that may be None.
    """

    def __init__(
        self,
        lab: Lab,
        path: str,
        state_type: type,
        *,
        low: float | None = None,
        high: float | None = None,
        optional: str | None = None,
    ) -> None:
        super().__init__()
        self.binding = Binding(lab, path, state_type)
        self._shown: float | None = None
        info = self.binding.info
        self.box = NumberBox(Scale.of(info), info.unit, optional)
        scale = Scale.of(info, low, high)
        self.slider = ValueSlider(scale, info.unit) if scale.is_bounded else None
        self.label = lay_out(self, self.binding, self.slider, self.box)
        self._connect()

    def show_state(self, state: Any) -> None:
        self._show(self.binding.value_in(state))

    def _show(self, value: float | None) -> None:
        self._shown = value
        self.box.show_value(value)
        if self.slider is not None and value is not None:
            self.slider.show_value(value)

    def _connect(self) -> None:
        self.box.value_edited.connect(self._on_edited)
        self.box.refused.connect(self.binding.lab.notify)
        if self.slider is not None:
            self.slider.value_edited.connect(self._on_edited)
            self.slider.drag_began.connect(self.binding.begin)
            self.slider.drag_ended.connect(self.binding.end)
            self.slider.drag_cancelled.connect(self.binding.cancel)

    def _on_edited(self, value: Any) -> None:
        if not self.binding.send(value):
            self._show(self._shown)
