"""The section *Signal and Jacobian*: the pull of each score on the output, and the answer to the query."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from labapp.panel import Lab
from labapp.plots.arrows import Arrows
from labapp.plots.bars import Bars
from labapp.plots.curves import Curve, Polygon
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, bind_drag, bind_set_drag
from labapp.plots.heatmap import HeatMap
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.flow_signal import SignalResult
from models.scene import Scene
from panels.flow.gallery import Gallery
from panels.flow.updates import drag_key, drag_query, drag_value, shown_scene
from panels.flow.words import axis_title

MOST_NAMES = 30


class SignalPlane(Plot):
    """∂o/∂s_j as arrows from the output, in the plane of values; and what a small circle of queries becomes."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True)
        self._hull = Polygon(self, "value", 0.07)
        self._arrows = Arrows(self, "gradient", 1.0, name="∂o/∂s")
        self._circle = Curve(self, "query", 0.5, name="answers to the circle")
        self._ellipse = Curve(self, "output", 0.6, "dash", name="ellipse of ∂o/∂q")
        self._values = Marks(self, "value", name="values, area is weight")
        self._names = TextMarks(self, "value")
        self._output = Marks(self, "output", size=13, name="output")
        self._moves = HandleSet(self, "value", "Value")
        Linked(lab.highlight, self, self._values)
        bind_set_drag(self._moves, lab, "Move value", drag_value)

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(*map(axis_title, scene.value_columns))
        self._moves.show_positions(*scene.values.values.T)

    def show_result(self, result: SignalResult) -> None:
        scene = result.inputs.scene
        x, y = scene.values.values.T
        self._values.set_data(x, y, result.weights)
        self._names.set_data(x, y, scene.entries, self._values.gaps())
        self._hull.set_data(*result.hull.T)
        self._output.set_data(*result.output[:, None])
        # A full arrow over a whole unit of score overshoots; that is what a derivative says.
        tips = result.output + result.signal
        tails = np.broadcast_to(result.output, tips.shape)
        self._arrows.set_data(*tails.T, *tips.T)
        around = result.responses
        self._circle.set_data(*(around.answers.T if around is not None else ([], [])))
        self._ellipse.set_data(*(around.linear.T if around is not None else ([], [])))


class SignalBars(Plot):
    """∂o/∂s_j as a bar for each entry: of the one number of the values, or its length where they have many."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="entry", y="∂o/∂s")
        self._bars = Bars(self, "gradient", 0.7, name="∂o/∂s, output per unit of score")
        Linked(lab.highlight, self, self._bars)

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        few = len(scene.entries) <= MOST_NAMES
        self.set_names("x", scene.entries if few else None)
        self.set_home(x=(-0.7, len(scene.entries) - 0.3))
        unit = axis_title(scene.value_columns[0]) if len(scene.value_columns) == 1 else "its length"
        self.set_titles("entry", f"∂o/∂s: {unit}")

    def show_result(self, result: SignalResult) -> None:
        one = result.signal.shape[1] == 1
        self._bars.set_data(result.signal[:, 0] if one else np.linalg.norm(result.signal, axis=1))


class QueryPlane(Plot):
    """Keys, the query to drag, and the small circle around it."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True)
        self._circle = Curve(self, "query", 0.5, name="circle of queries")
        self._keys = Marks(self, "key", name="keys, area is weight")
        self._names = TextMarks(self, "key")
        self._moves = HandleSet(self, "key", "Key")
        self._query = PointHandle(self, "query", "Query", size=15)
        Linked(lab.highlight, self, self._keys)
        bind_set_drag(self._moves, lab, "Move key", drag_key)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x, y]))

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(*map(axis_title, scene.key_columns))
        self._moves.show_positions(*scene.keys.values.T)
        self._query.show_position(*scene.query.values)

    def show_result(self, result: SignalResult) -> None:
        x, y = result.inputs.scene.keys.values.T
        self._keys.set_data(x, y, result.weights)
        self._names.set_data(x, y, result.inputs.scene.entries, self._keys.gaps())
        if result.responses is not None:
            self._circle.set_data(*result.responses.circle.T)


class Tangent(Plot):
    """The answer over queries of one number, with the tangent whose slope is ∂o/∂q."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look)
        self._steps = Curve(self, "output", 0.5, "dash", name="hard lookup, slope 0")
        self._curve = Curve(self, "output", name="answer")
        self._tangent = Curve(self, "gradient", 0.8, name="slope ∂o/∂q")
        self._entries = Marks(self, "value", name="entries, area is weight")
        self._query = LineHandle(self, "query", "Query")
        self._tangent.counts = False
        Linked(lab.highlight, self, self._entries)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x]))

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(axis_title(scene.key_columns[0]), axis_title(scene.value_columns[0]))
        self._query.show_position(float(scene.query.values[0]))

    def show_result(self, result: SignalResult) -> None:
        scene, line = result.inputs.scene, result.line
        self._entries.set_data(scene.keys.values[:, 0], scene.values.values[:, 0], result.weights)
        if line is None:
            return
        self._curve.set_data(line.x, line.outputs[:, 0])
        self._steps.set_data(line.steps_x, line.steps[:, 0])
        at = float(scene.query.values[0])
        half = 0.12 * (line.x[-1] - line.x[0])
        slope = float(result.jacobian[0, 0])
        ends = np.array([at - half, at + half])
        self._tangent.set_data(ends, result.output[0] + slope * (ends - at))
        self.set_home(x=(line.x[0], line.x[-1]))


class JacobianMap(Plot):
    """∂o/∂q as a signed heat map."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="query", y="output")
        self._heat = HeatMap(self, "signed", empty="no Jacobian")

    def show_state(self, state: AppState) -> None:
        """The names are the scene's, and come with the numbers."""

    def show_result(self, result: SignalResult) -> None:
        scene = result.inputs.scene
        few = max(result.jacobian.shape) <= MOST_NAMES // 2
        keys = [f"∂q: {column.name}" for column in scene.key_columns] if few else None
        values = [f"∂o: {column.name}" for column in scene.value_columns] if few else None
        self._heat.set_data(result.jacobian, values, keys)


KINDS: dict[str, Any] = {
    "plane": SignalPlane,
    "bars": SignalBars,
    "keys": QueryPlane,
    "tangent": Tangent,
    "map": JacobianMap,
}


def pictures_for(scene: Scene) -> tuple[str, ...]:
    d_k, d_v = scene.keys.shape[1], scene.values.shape[1]
    signal = "plane" if d_v == 2 else "bars"
    if d_k == 1:
        return ("tangent", signal, *(("map",) if d_v > 1 else ()))
    return (signal, *(("keys",) if d_k == 2 else ()), "map")


class SignalSection(QWidget):
    """The signal and the query above, the Jacobian below."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self.gallery = Gallery(lab, KINDS, pictures_for, ("plane", "keys", "tangent"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.gallery)
        self.show_state = self.gallery.show_state
        self.view_state, self.restore_view = self.gallery.view_state, self.gallery.restore_view

    def show_result(self, result: SignalResult) -> None:
        self.gallery.show_result(result, result.inputs.scene)
