"""The controls of the kernel regression: the setting, play, data, and what belongs to one section."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from labapp.controls import ChoiceControl, IntegerControl, NumberBox, ParameterControl, PlayBar, ToggleControl
from labapp.panel import Dispatch, Lab
from labapp.readout import SentenceLabel
from models.app_state import AppState
from models.kernels import KERNELS
from models.metric_lesson import MOST_AHEAD, MetricResult
from models.regression_errors import ErrorsResult
from models.regression_state import RegressionState
from panels.regression.updates import (
    ask,
    bandwidth_range,
    on_panel,
    present_data,
    redrawn,
    sweep_bandwidth,
    sweep_fraction,
)

FEWEST, MOST = 10, 1_000_000
"""Points that the slider offers."""
METRIC_STEPS = 1500
STRIDE = 10
"""Steps of Adam for one step of the play bar."""


class BandwidthControl(QWidget):
    """Slider and number; the slider's ends follow the range of the data."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._range: tuple[float, float] | None = None
        self._control: ParameterControl | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def label(self) -> QLabel | None:
        return self._control.label if self._control else None

    def show_state(self, state: AppState) -> None:
        wanted = bandwidth_range(present_data(state))
        if wanted != self._range:
            self._range = wanted
            if self._control is not None:
                self._control.hide()
                self._control.deleteLater()
            low, high = wanted
            self._control = ParameterControl(self._lab, "regression.bandwidth", AppState, low=low, high=high)
            self._column.addWidget(self._control)
        assert self._control is not None
        self._control.show_state(state)


class QueryControl(QWidget):
    """The query as a number."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.box = NumberBox()
        self.label = QLabel("Query q")
        self.label.setBuddy(self.box)
        self.box.setAccessibleName("Query q")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label)
        row.addWidget(self.box)
        row.addStretch(1)
        self.box.value_edited.connect(lambda q: lab.dispatch(lambda state: ask(state, q), "Type query"))
        self.box.refused.connect(lab.notify)

    def show_state(self, state: AppState) -> None:
        self.box.show_value(state.regression.query)


class Run(QWidget):
    """A play bar whose whole run is one undo step."""

    def __init__(self, lab: Lab, steps: int, name: str, label: str) -> None:
        super().__init__()
        self._lab, self._label = lab, label
        self._token: object = object()
        self.bar = PlayBar(steps, name)
        self.bar.started.connect(self._on_started)
        self.bar.moved.connect(self.on_moved)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(QLabel(name))
        self.column.addWidget(self.bar)

    def on_moved(self, position: float) -> None:
        raise NotImplementedError

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        """What isn't seen doesn't play on."""
        super().hideEvent(event)
        self.bar.pause()

    def send(self, update: Callable[[AppState], AppState]) -> None:
        self._lab.dispatch(update, self._label, self._token)

    def _on_started(self) -> None:
        self._token = object()


class Play(Run):
    """Sweeps the bandwidth over its slider."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, 120, "Play: sweep the bandwidth", "Play")

    def show_state(self, state: AppState) -> None:
        self.bar.show_position(sweep_fraction(state))

    def on_moved(self, position: float) -> None:
        self.send(lambda state: sweep_bandwidth(state, position))


class LearnPlay(Run):
    """Plays gradient descent on the bandwidth; each step moves the present bandwidth."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, 50, "Play: learn the bandwidth", "Learn the bandwidth")
        self._widths = np.empty(0)
        start = QPushButton("Start from the present σ")
        start.clicked.connect(lambda: lab.dispatch(_start_here, "Set start of learning"))
        row = QHBoxLayout()
        row.addWidget(start)
        row.addStretch(1)
        self.column.addLayout(row)

    def show_state(self, state: AppState) -> None:
        step = round(self.bar.position * max(1, len(self._widths) - 1))
        width = state.regression.bandwidth
        if len(self._widths) and self._widths[step] != width:
            step = int(np.abs(np.log(self._widths / width)).argmin())
            self.bar.show_position(step / max(1, len(self._widths) - 1))

    def show_result(self, result: ErrorsResult) -> None:
        self._widths = result.path.widths
        self.bar.setEnabled(len(self._widths) > 1)
        if len(self._widths) > 1:
            self.bar.set_steps(len(self._widths) - 1)

    def on_moved(self, position: float) -> None:
        if len(self._widths):
            width = float(self._widths[round(position * (len(self._widths) - 1))])
            self.send(on_panel(bandwidth=width))


class MetricPlay(Run):
    """Plays the learning of the scales. It waits for what isn't learned yet instead of running ahead of it."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, METRIC_STEPS // STRIDE, "Play: learn one scale per input", "Learn scales")
        self._reached = self._asked = 0

    def show_state(self, state: AppState) -> None:
        self._asked = state.regression.metric.step
        self.bar.show_position(self._asked / METRIC_STEPS)

    def show_result(self, result: MetricResult) -> None:
        self._reached = result.reached

    def on_moved(self, position: float) -> None:
        step = round(position * METRIC_STEPS)
        if step > self._asked > self._reached:
            self.bar.show_position(self._asked / METRIC_STEPS)
            return
        step = min(step, self._reached + MOST_AHEAD)
        self.send(lambda state: _play_metric(state, step))


class MapOptions(QWidget):
    """What of the map is drawn: view, not document."""

    map_toggled = Signal(bool)
    relative_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.shown, self.relative = QCheckBox("Attention map"), QCheckBox("Each row ÷ its largest weight")
        self.shown.setChecked(True)
        self.relative.setToolTip("Brightens the rows of wide windows, whose weights are all small")
        self.shown.toggled.connect(self.map_toggled)
        self.shown.toggled.connect(self.relative.setEnabled)
        self.relative.toggled.connect(self.relative_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.shown)
        column.addWidget(self.relative)


class RecipeControls(QWidget):
    """Number of points, noise and seed of made-up data: whoever changes one gets other numbers."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        drawing = replace(lab, dispatch=_drawing(lab.dispatch))
        self._count = ParameterControl(drawing, "regression.data.n", AppState, low=FEWEST, high=MOST)
        self._noise = ParameterControl(drawing, "regression.data.noise", AppState)
        self._seed = IntegerControl(drawing, "regression.data.seed", AppState)
        self._note = SentenceLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for control in (self._count, self._noise, self._seed, self._note):
            column.addWidget(control)

    def show_state(self, state: AppState) -> None:
        panel: RegressionState = state.regression
        data = panel.data
        made = panel.source == "own" and data.made_by is not None
        self._count.setVisible(made and data.recipe != "book")
        self._noise.setVisible(made)
        self._seed.setVisible(made and (data.recipe != "book" or data.redraw > 0 or data.noise != 1))
        self._note.setVisible(data.edited and made)
        self._note.show_sentence("Points were moved, added or removed by hand. Another number draws all anew.")
        for control in (self._count, self._noise, self._seed):
            if not control.isHidden():
                control.show_state(state)


def _drawing(dispatch: Dispatch) -> Dispatch:
    def send(update: Callable[[Any], Any], label: str, merge: Any = None) -> None:
        dispatch(lambda state: redrawn(update(state)), label, merge)

    return send


def _start_here(state: AppState) -> AppState:
    learning = replace(state.regression.learning, start=state.regression.bandwidth)
    return on_panel(learning=learning)(state)


def _play_metric(state: AppState, step: int) -> AppState:
    return on_panel(metric=replace(state.regression.metric, step=step))(state)


def kernel_choice(lab: Lab) -> ChoiceControl:
    labels = {name: entry.label for name, entry in KERNELS.items()}
    return ChoiceControl(lab, "regression.kernel", AppState, labels)


def learning_controls(lab: Lab) -> list[QWidget]:
    """On which error, from where, how fast and how long the bandwidth is learned."""
    labels = {"leave_one_out": "Leave-one-out error", "training": "Training error"}
    return [
        LearnPlay(lab),
        ChoiceControl(lab, "regression.learning.objective", AppState, labels),
        ParameterControl(lab, "regression.learning.rate", AppState),
        IntegerControl(lab, "regression.learning.steps", AppState),
    ]


def metric_controls(lab: Lab) -> list[QWidget]:
    return [
        MetricPlay(lab),
        ChoiceControl(lab, "regression.metric.size", AppState),
        IntegerControl(lab, "regression.metric.seed", AppState),
    ]


def fit_controls(lab: Lab) -> list[QWidget]:
    return [
        QueryControl(lab),
        ToggleControl(lab, "regression.beyond", AppState),
        ToggleControl(lab, "regression.naive", AppState),
    ]
