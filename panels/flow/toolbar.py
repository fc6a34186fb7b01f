"""Whose dictionary the panel shows: the scene of all panels, or a preset of its own."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSpinBox, QToolButton, QWidget

from labapp.controls import QuietCombo
from labapp.panel import Lab
from models.app_state import AppState
from models.flow_presets import FLOW_PRESETS
from panels.flow.updates import choose_preset, draw_again, own_copy, set_source

SCENE, COPY = "scene", "copy"


class Toolbar(QWidget):
    """One list: the scene, the presets, and a copy of the scene; a seed for the random one."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.choice = QuietCombo()
        self.choice.setAccessibleName("Dictionary")
        self.choice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choice.setMinimumContentsLength(10)
        self.choice.addItem("The scene of all panels", SCENE)
        for name, preset in FLOW_PRESETS.items():
            self.choice.addItem(f"Own: {preset.label}", name)
        self.choice.addItem("Own: a copy of the scene", COPY)
        self.choice.activated.connect(self._on_chosen)
        self.seed = QSpinBox()
        self.seed.setRange(0, 9999)
        self.seed.setPrefix("seed ")
        self.seed.setAccessibleName("Seed of the random dictionary")
        self.seed.valueChanged.connect(self._on_seed)
        self.start = QToolButton()
        self.start.setText("From the start")
        self.start.setToolTip("The preset as it was at the beginning")
        self.start.clicked.connect(self._on_start)
        label = QLabel("Dictionary")
        label.setBuddy(self.choice)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (label, self.choice, self.seed, self.start):
            row.addWidget(widget, 1 if widget is self.choice else 0)

    def show_state(self, state: AppState) -> None:
        own = state.flow.source == "own"
        name = (state.flow.preset or COPY) if own else SCENE
        with QSignalBlocker(self.choice), QSignalBlocker(self.seed):
            self.choice.setCurrentIndex(self.choice.findData(name))
            self.seed.setValue(state.flow.seed)
        self.choice.setToolTip(FLOW_PRESETS[name].help if name in FLOW_PRESETS else "")
        self.seed.setVisible(name == "random")
        self.start.setVisible(own and name in FLOW_PRESETS)

    def _on_chosen(self, index: int) -> None:
        name, title = self.choice.itemData(index), self.choice.itemText(index)
        if name == SCENE:
            self._lab.dispatch(lambda state: set_source(state, SCENE), "Follow the scene")
        elif name == COPY:
            self._lab.dispatch(own_copy, "Copy the scene")
        else:
            self._lab.dispatch(lambda state: choose_preset(state, name), f"Choose {title}")

    def _on_seed(self, seed: int) -> None:
        self._lab.dispatch(lambda state: draw_again(state, seed), "Draw again")

    def _on_start(self) -> None:
        self._lab.dispatch(lambda state: choose_preset(state, state.flow.preset), "From the start")
