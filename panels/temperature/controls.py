"""The controls: the temperature for every section, and below it what the section is asked."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from labapp.controls import (
    ChoiceControl,
    NumberBox,
    ParameterControl,
    PlayBar,
    QuietCombo,
    Scale,
    ToggleControl,
    ValueSlider,
    control_for,
)
from labapp.panel import Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.score_row import is_linear
from models.temperature_panel import TemperatureResult, corner_entries
from panels.temperature.updates import (
    choose_corner,
    draw_again,
    fraction_of,
    play_to,
    set_quantity,
    set_target,
    set_temperature,
    stretch,
)
from panels.temperature.words import QUANTITIES, length_note, solution_note, step_note

LENGTHS = Scale(1e-3, 1e3, log=True)
PLAY_STEPS = 120
"""Twenty steps for each power of ten of τ."""
MOST_CHOICES = 200
"""Entries that a list offers; further ones are typed by their number."""


class Temperature(QWidget):
    """τ of the scene, or of the own scores."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._scene = ParameterControl(lab, "scene.temperature", AppState)
        self._own = ParameterControl(lab, "temperature.own.temperature", AppState)
        self.label = self._scene.label
        _stack(self, self._scene, self._own)

    def show_state(self, state: AppState) -> None:
        own = state.temperature.source == "own"
        self._own.setVisible(own)
        self._scene.setVisible(not own)
        (self._own if own else self._scene).show_state(state)


class Play(QWidget):
    """Sweeps τ over its whole range, up or down."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._token: object = object()
        self.bar = PlayBar(PLAY_STEPS, "Sweep the temperature")
        self.down = QCheckBox("Play towards low τ")
        self.down.setToolTip("Play from high temperatures to low ones")
        self.bar.started.connect(self._on_started)
        self.bar.moved.connect(self._on_moved)
        self.down.toggled.connect(self._on_turned)
        _stack(self, self.bar, self.down)

    def show_state(self, state: AppState) -> None:
        fraction = fraction_of(state)
        self.bar.show_position(1 - fraction if self.down.isChecked() else fraction)

    def _on_started(self) -> None:
        self._token = object()

    def _on_moved(self, position: float) -> None:
        fraction = 1 - position if self.down.isChecked() else position
        self._lab.dispatch(lambda state: play_to(state, fraction), "Sweep the temperature", self._token)

    def _on_turned(self, down: bool) -> None:
        self.bar.show_position(1 - self.bar.position)


class QueryLength(QWidget):
    """‖q‖ of a scene whose scores grow with it: the same setting as 1/τ."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._token: object = object()
        self.label = QLabel("Query length ‖q‖")
        self.slider, self.box = ValueSlider(LENGTHS), NumberBox(LENGTHS)
        for widget in (self.slider, self.box):
            widget.setAccessibleName(self.label.text())
            widget.value_edited.connect(self._on_edited)
        self.slider.setMinimumWidth(4 * self.label.fontMetrics().height())
        self.slider.drag_began.connect(self._renew)
        self.slider.drag_ended.connect(self._renew)
        self.slider.drag_cancelled.connect(self._on_cancelled)
        self.box.refused.connect(lab.notify)
        self.per_length = ToggleControl(lab, "temperature.per_length", AppState)
        self.note = SentenceLabel()
        field = QHBoxLayout()
        field.addWidget(self.slider, 1)
        field.addWidget(self.box)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(self.label, field)
        form.addRow(self.per_length)
        form.addRow(self.note)

    def show_state(self, state: AppState) -> None:
        scene = state.scene
        needed = state.temperature.source == "scene" and is_linear(scene.similarity)
        self.setVisible(needed)
        if not needed:
            return
        length = float(np.linalg.norm(scene.query.values))
        self.slider.setEnabled(length > 0)
        self.slider.show_value(max(length, LENGTHS.low))
        self.box.show_value(length)
        self.per_length.show_state(state)
        self.note.show_sentence(length_note(scene))

    def _on_edited(self, length: float) -> None:
        self._lab.dispatch(lambda state: stretch(state, length), "Stretch query", self._token)

    def _renew(self) -> None:
        self._token = object()

    def _on_cancelled(self) -> None:
        self._lab.take_back(self._token)


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
        column = _stack(self, self.quantity, self.target)
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


class EntryChoice(QWidget):
    """One entry of the row, by its name."""

    chosen = Signal(int)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        self.label = QLabel(title)
        self.combo = QuietCombo()
        self.combo.setAccessibleName(title)
        self.combo.setMinimumContentsLength(6)
        self.label.setBuddy(self.combo)
        self.combo.activated.connect(self.chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label)
        row.addWidget(self.combo, 1)

    def show_entry(self, names: tuple[str, ...], entry: int) -> None:
        names = names[:MOST_CHOICES]
        with QSignalBlocker(self.combo):
            if names != self._names:
                self._names = names
                self.combo.clear()
                self.combo.addItems(names)
            self.combo.setCurrentIndex(entry if entry < len(names) else -1)


class Pair(QWidget):
    """The two entries of the ratio rule."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._shown = (0, 1)
        self.first, self.second = EntryChoice("Ratio of i ="), EntryChoice("to j =")
        self.first.chosen.connect(partial(self._on_chosen, "first"))
        self.second.chosen.connect(partial(self._on_chosen, "second"))
        _stack(self, self.first, self.second)

    def show_result(self, result: TemperatureResult) -> None:
        why = result.inputs[3]
        self.first.show_entry(result.names, why.first)
        self.second.show_entry(result.names, why.second)

    def _on_chosen(self, field: str, entry: int) -> None:
        from labapp.fields import set_at

        self._lab.dispatch(lambda state: set_at(state, f"temperature.why.{field}", entry), "Choose entry")


class CornerChoice(QWidget):
    """Which three of more than three entries are the corners."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        labels = {"best": "the three best", "chosen": "three of my choice", "none": "none"}
        self.mode = ChoiceControl(lab, "temperature.corners.mode", AppState, labels)
        self.entries = [EntryChoice(f"Corner {number}") for number in (1, 2, 3)]
        for corner, choice in enumerate(self.entries):
            choice.chosen.connect(partial(self._on_chosen, corner))
        _stack(self, self.mode, *self.entries)

    def show_state(self, state: AppState) -> None:
        self.mode.show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        corners = result.inputs[4]
        self.setVisible(len(result.names) > 3)
        shown = corner_entries(result.scores, corners) if corners.mode == "chosen" else ()
        for choice, entry in zip(self.entries, corners.chosen, strict=True):
            choice.setVisible(bool(shown))
            choice.show_entry(result.names, entry)

    def _on_chosen(self, corner: int, entry: int) -> None:
        self._lab.dispatch(lambda state: choose_corner(state, corner, entry), "Choose corner")


class DrawAgain(QPushButton):
    """Other draws at the same temperature."""

    def __init__(self, lab: Lab) -> None:
        super().__init__("Draw again")
        self.clicked.connect(lambda: lab.dispatch(draw_again, "Draw again"))


class Toggles(QWidget):
    """Check boxes of what is drawn."""

    def __init__(self, lab: Lab, *names: str) -> None:
        super().__init__()
        self._toggles = [ToggleControl(lab, f"temperature.drawn.{name}", AppState) for name in names]
        _stack(self, *self._toggles)

    def show_state(self, state: AppState) -> None:
        for toggle in self._toggles:
            toggle.show_state(state)


def make_controls(lab: Lab, section: str) -> list[QWidget]:
    """The controls of one section, below the temperature."""

    def field(name: str, **options: Any) -> QWidget:
        return control_for(lab, AppState, f"temperature.{name}", **options)

    made: dict[str, Any] = {
        "weights": lambda: [],
        "entropy": lambda: [
            Target(lab),
            field("drawn.unit"),
            Toggles(lab, "slope", "perplexity", "effective_number", "marks"),
            field("recipe.key_size"),
        ],
        "triangle": lambda: [CornerChoice(lab)],
        "softmax": lambda: [field("why.shift"), Pair(lab)],
        "others": lambda: [Toggles(lab, "entmax15", "sparsemax")],
        "learning": lambda: [],
        "sampling": lambda: [field("sampling.draws"), field("sampling.seed"), DrawAgain(lab)],
    }
    return list(made[section]())


def _stack(owner: QWidget, *widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        column.addWidget(widget)
    return column
