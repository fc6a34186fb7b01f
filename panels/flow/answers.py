"""Where the learning gets to: the answer in the plane of values or over steps, and loss and gradient over steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from labapp.panel import Lab
from labapp.plots.curves import Curve, Polygon
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, bind_drag, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.flow_descent import DescentResult
from panels.flow.field import thinned
from panels.flow.updates import drag_target, drag_value, set_target, show_step, shown_scene, shown_target
from panels.flow.words import axis_title

FLOOR = 1e-12
"""A log axis ends there."""


class AnswerPlane(Plot):
    """Values, their hull, the path of the answer, and the target to drag."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True)
        self._hull = Polygon(self, "value", name="all answers lie inside")
        self._values = Marks(self, "value", size=10)
        self._names = TextMarks(self, "value")
        self._paths = Curve(self, "output", 0.5)
        self._path = Curve(self, "output", 1.0, name="path of the answer")
        self._now = Marks(self, "output", size=13)
        self._nearest = Marks(self, "truth", size=13, symbol="o", name="nearest that can be reached")
        self._moves = HandleSet(self, "value", "Value")
        self._target = PointHandle(self, "truth", "Target", size=15)
        Linked(lab.highlight, self, self._values)
        bind_set_drag(self._moves, lab, "Move value", drag_value)
        bind_drag(self._target, lab, "Move target", lambda state, x, y: drag_target(state, [x, y]))
        self._wanted: Any = None
        self._known: Any = None

    def show_state(self, state: AppState) -> None:
        scene, target = shown_scene(state), shown_target(state)
        self.set_titles(*map(axis_title, scene.value_columns))
        wanted = (scene.values, tuple(target))
        if wanted == self._wanted:
            return
        self._wanted = wanted
        self._target.show_position(*target)
        points = np.vstack([scene.values.values, target])
        low, high = points.min(0), points.max(0)
        margin = 0.15 * max(float((high - low).max()), 1e-9)
        self.set_home(x=(low[0] - margin, high[0] + margin), y=(low[1] - margin, high[1] + margin))

    def show_result(self, result: DescentResult) -> None:
        shown = (result.scene.values, result.scene.entries, result.inputs.scene is result.scene)
        if shown != self._known:
            self._known = shown
            x, y = result.scene.values.values.T
            self._values.set_data(x, y)
            self._names.set_data(x, y, result.scene.entries)
            self._moves.visible = shown[2]
            self._moves.show_positions(x, y)
            self._hull.set_data(*result.hull.T)
        nearest = None if result.diagnosis is None else result.diagnosis.nearest
        # It stays in the legend: a row that comes and goes would move the picture.
        self._nearest.set_data(*((nearest[:1], nearest[1:]) if nearest is not None else ([], [])))

    def show_step(self, result: DescentResult, step: int) -> None:
        outputs = result.path.outputs
        self._path.set_data(*outputs[thinned(step), 0].T)
        others = outputs[thinned(len(result.path)), 1:]
        gap = np.full((1, others.shape[1], 2), np.nan)
        self._paths.set_data(*np.concatenate([others, gap]).swapaxes(0, 1).reshape(-1, 2).T)
        self._now.set_data(*outputs[step].T)


class AnswerSteps(Plot):
    """One number of the answer over steps, with the target to drag."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="step", y="output o")
        self._curve = Curve(self, "output", name="answer")
        self._now = Marks(self, "output", size=13)
        self._target = LineHandle(self, "truth", "Target", "horizontal", dashed=True)
        bind_drag(self._target, lab, "Move target", lambda state, x, y: set_target(state, 0, y))

    def show_state(self, state: AppState) -> None:
        self.set_titles("step", axis_title(shown_scene(state).value_columns[0]))
        self._target.show_position(y=float(shown_target(state)[0]))

    def show_result(self, result: DescentResult) -> None:
        some = thinned(len(result.path))
        self._curve.set_data(some, result.path.outputs[some, 0, 0])

    def show_step(self, result: DescentResult, step: int) -> None:
        self._now.set_data([step], result.path.outputs[step, :1, 0])


class LossSteps(Plot):
    """Loss and gradient norm over steps, on a log axis, with the step that is shown as a line to drag."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="step", y="loss, gradient", log_y=True)
        self._others = Curve(self, "truth", 0.4)
        self._norm = Curve(self, "gradient", style="dash", name="‖∂L/∂q‖")
        self._loss = Curve(self, "truth", name="loss L")
        self._step = LineHandle(self, "accent", "Step shown", width=0.6)
        bind_drag(self._step, lab, "Show step", lambda state, x, y: show_step(state, x))
        self._counted: Any = None

    def show_state(self, state: AppState) -> None:
        descent = state.flow.descent
        if (descent.shown, descent.steps) == self._counted:
            return
        self._counted = (descent.shown, descent.steps)
        self._step.show_position(x=float(descent.shown))
        self.set_home(x=(0.0, max(1.0, float(state.flow.descent.steps))))

    def show_result(self, result: DescentResult) -> None:
        path = result.path
        some = thinned(len(path))
        self._loss.set_data(some, path.losses[some, 0])
        hidden = (path.gradients[:, 0] < FLOOR).any()
        self._norm.name = f"‖∂L/∂q‖{', not drawn below 10⁻¹²' if hidden else ''}"
        self._norm.set_data(some, path.gradients[some, 0])
        others = np.vstack([path.losses[some, 1:], np.full((1, path.losses.shape[1] - 1), np.nan)])
        self._others.set_data(np.tile([*some, np.nan], others.shape[1]), others.T.ravel())

    def show_step(self, result: DescentResult, step: int) -> None:
        """The line is the state's."""
