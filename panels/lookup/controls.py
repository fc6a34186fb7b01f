"""The controls of the explorer: how scores are made, how they become weights, what is drawn, and play."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from labapp.controls import (
    ChoiceControl,
    MatrixEditor,
    NumberBox,
    ParameterControl,
    PlayBar,
    QuietCombo,
    Scale,
    ToggleControl,
)
from labapp.panel import Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.scene import Column, Scene
from models.scene_edit import stretch_query
from models.similarities import SIMILARITIES, sharpness_of
from models.weightings import WEIGHTINGS
from panels.lookup.updates import (
    drag_component,
    draw_column,
    drawn_column,
    on_scene,
    play_to,
    randomise,
    set_matrix,
    set_sharpness,
    set_similarity,
    sweep_from_here,
)
from panels.lookup.words import axis_title, length_sentence, same_sentence

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

MATRICES = {"matrix": "M", "query_weights": "W₁", "key_weights": "W₂", "out_weights": "w"}
SHOWN = {"bilinear": ("matrix",), "additive": ("query_weights", "key_weights", "out_weights")}
DOTS = ("dot", "scaled_dot")
BOXES = 3
"""Queries of up to so many numbers can be typed."""


def _form(widget: QWidget) -> QFormLayout:
    """Labels beside their boxes, above them where room is narrow."""
    form = QFormLayout(widget)
    form.setContentsMargins(0, 0, 0, 0)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def _plain_label() -> QLabel:
    """For names that users give: without a buddy, which would eat the ampersand of a name."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


class SimilarityChoice(ChoiceControl):
    """Choosing a similarity also makes its matrices fit the keys."""

    def __init__(self, lab: Lab) -> None:
        labels = {name: entry.label for name, entry in SIMILARITIES.items()}
        super().__init__(lab, "scene.similarity.name", AppState, labels)

    def _on_chosen(self, index: int) -> None:
        name = self.combo.itemData(index)
        self.binding.lab.dispatch(lambda state: set_similarity(state, name), "Change similarity")


class Sharpness(QWidget):
    """s = 1/(2σ²) as a number: the same setting as the bandwidth."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.box = NumberBox(Scale(5e-7, 5e5, log=True))
        self.box.setAccessibleName("Sharpness s = 1/(2σ²)")
        _form(self).addRow(QLabel(self.box.accessibleName()), self.box)
        self.box.value_edited.connect(self._on_edited)
        self.box.refused.connect(lab.notify)

    def show_state(self, state: AppState) -> None:
        self.box.show_value(sharpness_of(state.scene.similarity.sigma))

    def _on_edited(self, value: float) -> None:
        self._lab.dispatch(lambda state: set_sharpness(state, value), "Change sharpness")


class Length(QWidget):
    """The query's length, for dot products: it works as 1/τ."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.box = NumberBox(Scale(1e-6, 1e6, log=True))
        self.box.setAccessibleName("Length of the query ‖q‖")
        _form(self).addRow(QLabel(self.box.accessibleName()), self.box)
        self.box.value_edited.connect(self._on_edited)
        self.box.refused.connect(lab.notify)

    def show_state(self, state: AppState) -> None:
        length = float(np.linalg.norm(state.scene.query.values))
        self.box.setEnabled(length > 0)  # a query of length 0 has no direction to be stretched in
        self.box.show_value(length)

    def _on_edited(self, length: float) -> None:
        self._lab.dispatch(on_scene(stretch_query, length), "Stretch query")


class Matrices(QWidget):
    """The matrices of the bilinear and of the additive similarity: typed, or random by seed."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._form = _form(self)
        self._editors = {field: MatrixEditor(name) for field, name in MATRICES.items()}
        for field, editor in self._editors.items():
            editor.edited.connect(partial(self._on_edited, field))
            editor.refused.connect(lab.notify)
            self._form.addRow(MATRICES[field], editor)
        self._seed = QSpinBox()
        self._seed.setRange(0, 9999)
        self._seed.setAccessibleName("Seed of the random matrices")
        button = QPushButton("Random by seed")
        button.clicked.connect(self._on_random)
        row = QHBoxLayout()
        row.addWidget(button)
        row.addWidget(self._seed)
        row.addStretch(1)
        self._form.addRow(row)

    def show_state(self, state: AppState) -> None:
        similarity = state.scene.similarity
        shown = SHOWN.get(similarity.name, ())
        self.setVisible(bool(shown))
        for field, editor in self._editors.items():
            self._form.setRowVisible(editor, field in shown)
            if field in shown:
                editor.show_matrix(getattr(similarity, field).values)

    def _on_edited(self, field: str, row: int, column: int, value: float) -> None:
        self._lab.dispatch(lambda state: set_matrix(state, field, row, column, value), f"Change {MATRICES[field]}")

    def _on_random(self) -> None:
        seed = self._seed.value()
        self._lab.dispatch(lambda state: randomise(state, seed), "Random matrices")


class QueryBoxes(QWidget):
    """The query as numbers to type, where it has few."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._form = _form(self)
        self._labels = [_plain_label() for _ in range(BOXES)]
        self._boxes = [NumberBox() for _ in range(BOXES)]
        for number, (label, box) in enumerate(zip(self._labels, self._boxes, strict=True)):
            self._form.addRow(label, box)
            box.value_edited.connect(partial(self._on_edited, number))
            box.refused.connect(lab.notify)

    def show_state(self, state: AppState) -> None:
        query, columns = state.scene.query.values, state.scene.key_columns
        self.setVisible(len(query) <= BOXES)
        for number, (label, box) in enumerate(zip(self._labels, self._boxes, strict=True)):
            known = number < len(query) <= BOXES
            self._form.setRowVisible(box, known)
            if known:
                label.setText(f"Query q: {axis_title(columns[number])}")
                box.setAccessibleName(label.text())
                box.show_value(float(query[number]))

    def _on_edited(self, component: int, value: float) -> None:
        self._lab.dispatch(lambda state: drag_component(state, component, value), "Type query")


class Toggles(QWidget):
    """Which of the three lookups are drawn."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._toggles = [ToggleControl(lab, f"lookup.show_{name}", AppState) for name in ("exact", "nearest", "soft")]
        for toggle in self._toggles:
            row.addWidget(toggle)
        row.addStretch(1)

    def show_state(self, state: AppState) -> None:
        for toggle in self._toggles:
            toggle.show_state(state)


class Play(QWidget):
    """Sweeps the query along its way; the way runs between two points that the user may set."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._token: object = object()
        self.bar = PlayBar(100, "Sweep the query")
        self.bar.started.connect(self._on_started)
        self.bar.moved.connect(self._on_moved)
        buttons = QHBoxLayout()
        buttons.addWidget(QLabel("Way"))
        for text, end in (("Start here", "start"), ("End here", "end")):
            button = QPushButton(text)
            button.setToolTip(f"Let the way of the query {end} where the query is now")
            button.clicked.connect(partial(self._on_end, end))
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.bar)
        column.addLayout(buttons)

    def show_state(self, state: AppState) -> None:
        self.bar.show_position(state.lookup.sweep.fraction(state.scene.query))

    def _on_started(self) -> None:
        self._token = object()

    def _on_moved(self, position: float) -> None:
        self._lab.dispatch(lambda state: play_to(state, position), "Play", self._token)

    def _on_end(self, end: str) -> None:
        self._lab.dispatch(lambda state: sweep_from_here(state, end), "Set way of the query")


class Notes(QWidget):
    """What is shown in words beside the controls: why distance is a dot product, and length a temperature."""

    def __init__(self) -> None:
        super().__init__()
        self._length, self._same = SentenceLabel(), SentenceLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._length)
        column.addWidget(self._same)

    def show_scene(self, scene: Scene) -> None:
        self._length.setVisible(scene.similarity.name in DOTS)
        self._length.show_sentence(length_sentence(scene))
        self._same.setVisible(scene.similarity.name in ("dot", "squared_distance"))

    def show_result(self, result: ExplorerResult) -> None:
        self._same.show_sentence(same_sentence(result))


class ValueColumn(QWidget):
    """Which number of the values the picture of one dimension draws, where they have several."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.combo = QuietCombo()
        self.combo.setAccessibleName("Value drawn")
        self.combo.activated.connect(self._on_chosen)
        self._columns: tuple[Column, ...] = ()
        _form(self).addRow(QLabel("Value drawn"), self.combo)

    def show_state(self, state: AppState) -> None:
        scene = state.scene
        self.setVisible(scene.keys.shape[1] == 1 and len(scene.value_columns) > 1)
        if scene.value_columns != self._columns:
            self._columns = scene.value_columns
            self.combo.clear()
            self.combo.addItems([axis_title(column) for column in scene.value_columns])
        self.combo.setCurrentIndex(drawn_column(state))

    def _on_chosen(self, column: int) -> None:
        self._lab.dispatch(lambda state: draw_column(state, column), "Choose value")


def make_controls(lab: Lab) -> dict[str, Any]:
    """All controls by name, in the order in which they stand."""
    weightings = {name: entry.label for name, entry in WEIGHTINGS.items()}
    return {
        "query": QueryBoxes(lab),
        "length": Length(lab),
        "play": Play(lab),
        "similarity": SimilarityChoice(lab),
        "sigma": ParameterControl(lab, "scene.similarity.sigma", AppState),
        "sharpness": Sharpness(lab),
        "beta": ParameterControl(lab, "scene.similarity.beta", AppState),
        "matrices": Matrices(lab),
        "weighting": ChoiceControl(lab, "scene.weighting", AppState, weightings),
        "temperature": ParameterControl(lab, "scene.temperature", AppState),
        "toggles": Toggles(lab),
        "column": ValueColumn(lab),
    }


VISIBLE_FOR = {"length": DOTS, "sigma": ("squared_distance",), "sharpness": ("squared_distance",), "beta": ("cosine",)}


def show_needed(controls: dict[str, Any], scene: Scene) -> None:
    """Hide the parameters that the chosen similarity doesn't have."""
    for name, similarities in VISIBLE_FOR.items():
        controls[name].setVisible(scene.similarity.name in similarities)
