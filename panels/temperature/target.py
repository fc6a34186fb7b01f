"""A wanted value: the temperature found for it, and the bisection to watch."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from labapp.controls import ChoiceControl, PlayBar, control_for
from labapp.panel import Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.stack import stack
from panels.temperature.updates import set_quantity, set_target, set_temperature
from panels.temperature.words import QUANTITIES, solution_note, step_note


class Quantity(ChoiceControl):
    """What is wanted; the wish is carried over."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "temperature.inverse.quantity", AppState, QUANTITIES)

    def _on_chosen(self, index: int) -> None:
        name = self.combo.itemData(index)
        self.binding.lab.dispatch(lambda state: set_quantity(state, name), "Change what is wanted")


class Target(QWidget):
    """A wanted entropy or count, the temperature found for it, and the bisection to watch."""

    stepped = Signal(int)

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._result: TemperatureResult | None = None
        self._step: int | None = None
        self.quantity = Quantity(lab)
        self.target = control_for(lab, AppState, "temperature.inverse.target", optional="no target")
        self.start, self.go, self.clear = QPushButton("Aim here"), QPushButton("Go there"), QPushButton("Clear")
        self.start.setToolTip("Make the present value the target, to be dragged in the picture")
        self.go.setToolTip("Make the temperature found the present one")
        self.clear.setToolTip("Have no target")
        self.start.clicked.connect(self._on_start)
        self.go.clicked.connect(self._on_go)
        self.clear.clicked.connect(lambda: lab.dispatch(lambda state: set_target(state, None), "Remove target"))
        self.note, self.step_note = SentenceLabel(), SentenceLabel()
        self.bar = PlayBar(1, "Watch the bisection")
        self.bar.moved.connect(self._on_moved)
        buttons = QHBoxLayout()
        for button in (self.start, self.go, self.clear):
            buttons.addWidget(button)
        column = stack(self, self.quantity, self.target)
        column.addLayout(buttons)
        for widget in (self.note, self.bar, self.step_note):
            column.addWidget(widget)

    def show_state(self, state: AppState) -> None:
        self.quantity.show_state(state)
        self.target.show_state(state)
        self.clear.setEnabled(state.temperature.inverse.target is not None)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        solution, inverse = result.solution, result.inputs[2]
        steps = solution.steps if solution else None
        self.note.show_sentence(solution_note(solution, inverse))
        self.start.setEnabled(result.found)
        self.go.setEnabled(solution is not None and not solution.refusal)
        self.bar.setVisible(steps is not None)
        if steps is not None:
            last = max(1, len(steps.low) - 1)
            self.bar.set_steps(last)
            self.bar.show_position((self._step or 0) / last)
        self.step_note.show_sentence(step_note(solution, self._step))

    def _on_moved(self, position: float) -> None:
        result = self._result
        if result is None or result.solution is None or result.solution.steps is None:
            return
        self._step = round(position * (len(result.solution.steps.low) - 1))
        self.step_note.show_sentence(step_note(result.solution, self._step))
        self.stepped.emit(self._step)

    def _on_start(self) -> None:
        if self._result is not None:
            value = float(getattr(self._result.measures, self._result.inputs[2].quantity))
            self._lab.dispatch(lambda state: set_target(state, value), "Set target")

    def _on_go(self) -> None:
        result = self._result
        if result is not None and result.solution is not None:
            tau = result.solution.temperature * result.inputs[0].length
            self._lab.dispatch(lambda state: set_temperature(state, tau), "Go to the temperature found")
