"""The controls: the temperature for every section, and below it what the section is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtWidgets import QCheckBox, QFormLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from labapp.controls import (
    NumberBox,
    ParameterControl,
    PlayBar,
    Scale,
    ToggleControl,
    ValueSlider,
    control_for,
)
from labapp.panel import Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.score_row import is_linear
from panels.temperature.entries import CornerChoice, Pair
from panels.temperature.stack import stack
from panels.temperature.target import Target
from panels.temperature.updates import (
    choose_preset,
    draw_again,
    fraction_of,
    play_to,
    stretch,
)
from panels.temperature.words import length_note

LENGTHS = Scale(1e-3, 1e3, log=True)
PLAY_STEPS = 120
"""Twenty steps for each power of ten of τ."""
RECIPE = ("key_size", "entries", "seed")


class Temperature(QWidget):
    """τ of the scene, or of the own scores."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._scene = ParameterControl(lab, "scene.temperature", AppState)
        self._own = ParameterControl(lab, "temperature.own.temperature", AppState)
        self.label = self._scene.label
        stack(self, self._scene, self._own)

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
        stack(self, self.bar, self.down)

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


class DrawAgain(QPushButton):
    """Other draws at the same temperature."""

    def __init__(self, lab: Lab) -> None:
        super().__init__("Draw again")
        self.clicked.connect(lambda: lab.dispatch(draw_again, "Draw again"))


class RandomScores(QWidget):
    """Draws the random dot products; their number of entries, size of keys and seed."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._fields = [control_for(lab, AppState, f"temperature.recipe.{name}") for name in RECIPE]
        self.button = QPushButton("Take random dot products")
        self.button.clicked.connect(
            lambda: lab.dispatch(lambda state: choose_preset(state, "dot_products"), "Take random dot products")
        )
        stack(self, *self._fields, self.button)

    def show_state(self, state: AppState) -> None:
        for field in self._fields:
            field.show_state(state)


class Toggles(QWidget):
    """Check boxes of what is drawn."""

    def __init__(self, lab: Lab, *names: str) -> None:
        super().__init__()
        self._toggles = [ToggleControl(lab, f"temperature.drawn.{name}", AppState) for name in names]
        stack(self, *self._toggles)

    def show_state(self, state: AppState) -> None:
        for toggle in self._toggles:
            toggle.show_state(state)


def make_controls(lab: Lab, section: str) -> list[QWidget]:
    """The controls of one section, below the temperature."""

    def field(name: str, **options: Any) -> QWidget:
        return control_for(lab, AppState, f"temperature.{name}", **options)

    made: dict[str, Any] = {
        "weights": lambda: [RandomScores(lab)],
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
