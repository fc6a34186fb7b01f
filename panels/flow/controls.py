"""The controls of the gradient flow panel: the dictionary that is shown, and those of each section."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from labapp.controls import (
    ChoiceControl,
    Control,
    IntegerControl,
    MatrixEditor,
    ParameterControl,
    PlayBar,
    ToggleControl,
    control_for,
)
from labapp.panel import Lab
from models.app_state import AppState
from models.flow_descent import DescentResult
from models.similarities import SIMILARITIES
from models.weightings import WEIGHTINGS
from panels.flow.updates import (
    choose_preset,
    set_query,
    set_similarity,
    set_steps,
    set_target,
    show_step,
    show_update,
    shown_scene,
    shown_target,
    take_learned,
)

OPTIMISERS = {"sgd": "plain gradient steps", "momentum": "with momentum", "adam": "Adam"}
MOST_NUMBERS = 12
"""Longer queries and targets are dragged, not typed."""


class SimilarityChoice(ChoiceControl):
    """Choosing a similarity also makes its matrices fit the keys."""

    def _on_chosen(self, index: int) -> None:
        name = self.combo.itemData(index)
        self.binding.lab.dispatch(lambda state: set_similarity(state, name), "Change similarity")


class Followed(QWidget):
    """One control of the dictionary that is shown: that of the shared scene, or that of the panel's own."""

    def __init__(self, make: Callable[[str], Any], needs: str = "") -> None:
        super().__init__()
        self._needs = needs
        self._controls = {source: make(path) for source, path in (("scene", "scene"), ("own", "flow.own"))}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for control in self._controls.values():
            column.addWidget(control)
        self.label = self._controls["scene"].label

    def show_state(self, state: AppState) -> None:
        for source, control in self._controls.items():
            control.setVisible(source == state.flow.source)
        self._controls[state.flow.source].show_state(state)
        self._controls["own"].label.setMinimumWidth(self.label.minimumWidth())
        if self._needs:
            self.setVisible(shown_scene(state).similarity.name == self._needs)


class Numbers(QWidget):
    """A query or a target as numbers to type."""

    def __init__(
        self,
        lab: Lab,
        title: str,
        values: Callable[[AppState], np.ndarray],
        edit: Callable[[AppState, int, float], AppState],
    ) -> None:
        super().__init__()
        self._lab, self._title, self._values, self._edit = lab, title, values, edit
        self.label = QLabel(title)
        self.editor = MatrixEditor(title)
        for header in (self.editor.horizontalHeader(), self.editor.verticalHeader()):
            header.hide()
        self.editor.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.label.setBuddy(self.editor)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(self.label, self.editor)
        self.editor.edited.connect(self._on_edited)
        self.editor.refused.connect(lab.notify)

    def show_state(self, state: AppState) -> None:
        values = self._values(state)
        self.setVisible(values.size <= MOST_NUMBERS)
        if values.size <= MOST_NUMBERS:
            self.editor.show_matrix(values[None])
            self.editor.setFixedHeight(self.editor.rowHeight(0) + 2 * self.editor.frameWidth())

    def _on_edited(self, row: int, column: int, value: float) -> None:
        self._lab.dispatch(lambda state: self._edit(state, column, value), f"Type {self._title.lower()}")


class StepBar(PlayBar):
    """Plays steps that the state counts; a run is one undo step."""

    def __init__(
        self, lab: Lab, name: str, counts: Callable[[AppState], tuple[int, int]], show: Callable[..., AppState]
    ) -> None:
        super().__init__(100, name)
        self._lab, self._counts, self._show, self._count = lab, counts, show, 100
        self._token: object = object()
        self.started.connect(self._renew)
        self.moved.connect(self._on_moved)

    def show_state(self, state: AppState) -> None:
        shown, count = self._counts(state)
        if count != self._count:
            self._count = count
            self.set_steps(count)
        self.show_position(shown / count)

    def _on_moved(self, position: float) -> None:
        step = round(position * self._count)
        self._lab.dispatch(lambda state: self._show(state, step), "Play", self._token)

    def _renew(self) -> None:
        self._token = object()


class StepsControl(IntegerControl):
    """The number of steps; the step that is shown stays within."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "flow.descent.steps", AppState)
        self.box.value_edited.disconnect(self.binding.send)
        self.box.value_edited.connect(self._on_edited)

    def _on_edited(self, steps: float) -> None:
        self.binding.lab.dispatch(lambda state: set_steps(state, int(steps)), "Change Steps")


class Learned(QWidget):
    """What is learned, and the button that puts it into the dictionary."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._result: DescentResult | None = None
        self._shown = 0
        self._toggles = [
            ToggleControl(lab, f"flow.descent.{name}", AppState) for name in ("query", "keys", "values", "temperature")
        ]
        grid = QGridLayout()
        grid.addWidget(QLabel("Learn"), 0, 0)
        for number, toggle in enumerate(self._toggles):
            grid.addWidget(toggle, number // 2, 1 + number % 2)
        grid.setColumnStretch(3, 1)
        self.take = QPushButton("Take this step")
        self.take.setToolTip("The learned query, and keys, values and temperature where they are learned, become real")
        self.take.clicked.connect(self._on_take)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(grid)
        column.addWidget(self.take)

    def show_state(self, state: AppState) -> None:
        self._shown = state.flow.descent.shown
        for toggle in self._toggles:
            toggle.show_state(state)

    def show_result(self, result: DescentResult) -> None:
        self._result = result

    def _on_take(self) -> None:
        result = self._result
        if result is not None:
            query = result.path.queries[min(self._shown, len(result.path)), 0]
            self._lab.dispatch(lambda state: take_learned(state, query, result.scene), "Take what was learned")


class Momentum(ParameterControl):
    """Only where the optimiser has one."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "flow.descent.momentum", AppState)

    def show_state(self, state: AppState) -> None:
        super().show_state(state)
        self.setVisible(state.flow.descent.optimiser == "momentum")


class PresetButtons(QWidget):
    """The two lessons of saturation at hand."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for name, title in (("cold_lock", "Cold lock"), ("hard_lookup", "Hard lookup")):
            button = QPushButton(title)
            button.clicked.connect(
                lambda _, name=name, title=title: lab.dispatch(
                    lambda state: choose_preset(state, name), f"Preset {title}"
                )
            )
            row.addWidget(button)
        row.addStretch(1)


NEEDED = {"paths": 1, "memory": 2}
"""How many of the first controls of the dictionary matter to a section; all where it isn't named."""


def dictionary_controls(lab: Lab) -> list[QWidget]:
    """What every section has: the query and how it is looked up."""
    weightings = {name: entry.label for name, entry in WEIGHTINGS.items()}
    similarities = {name: entry.label for name, entry in SIMILARITIES.items()}
    return [
        Followed(lambda path: ParameterControl(lab, f"{path}.temperature", AppState)),
        Numbers(lab, "Query q", lambda state: shown_scene(state).query.values, set_query),
        Followed(lambda path: SimilarityChoice(lab, f"{path}.similarity.name", AppState, similarities)),
        Followed(lambda path: ParameterControl(lab, f"{path}.similarity.sigma", AppState), "squared_distance"),
        Followed(lambda path: ParameterControl(lab, f"{path}.similarity.beta", AppState), "cosine"),
        Followed(lambda path: ChoiceControl(lab, f"{path}.weighting", AppState, weightings)),
    ]


def descent_controls(lab: Lab) -> list[QWidget]:
    def counts(state: AppState) -> tuple[int, int]:
        return state.flow.descent.shown, state.flow.descent.steps

    return [
        StepBar(lab, "Play the learning", counts, show_step),
        Numbers(lab, "Target t", shown_target, set_target),
        ParameterControl(lab, "flow.descent.learning_rate", AppState, low=1e-6, high=1e3, optional="automatic"),
        ChoiceControl(lab, "flow.descent.optimiser", AppState, OPTIMISERS),
        Momentum(lab),
        StepsControl(lab),
        IntegerControl(lab, "flow.descent.starts", AppState),
        IntegerControl(lab, "flow.descent.seed", AppState),
        Learned(lab),
    ]


def section_controls(lab: Lab, section: str) -> list[QWidget]:
    """The controls that a section has beside those of the dictionary."""
    if section == "descent":
        return descent_controls(lab)
    if section == "saturation":
        return [PresetButtons(lab)]
    if section == "paths":
        return [_control(lab, f"flow.paths.{name}") for name in ("length", "factor", "margin")]
    if section == "memory":

        def counts(state: AppState) -> tuple[int, int]:
            return state.flow.memory.shown, state.flow.memory.steps

        bar = StepBar(lab, "Play the recall", counts, show_update)
        return [bar, _control(lab, "flow.memory.steps"), _control(lab, "flow.memory.basins")]
    return []


def _control(lab: Lab, path: str) -> QWidget:
    control: Control = control_for(lab, AppState, path)
    assert isinstance(control, QWidget)
    return control
