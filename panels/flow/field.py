"""What the learning runs over: the plane of queries with its field, or curves over queries of one number."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGraphicsItem, QSplitter

from labapp.panel import Lab
from labapp.plots.arrows import Arrows
from labapp.plots.contours import Contours
from labapp.plots.curves import Curve
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, bind_drag, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.flow_descent import DescentResult
from models.flow_field import Field, Line
from panels.flow.updates import drag_key, drag_query, set_target, shown_scene, shown_target
from panels.flow.words import axis_title

LEVELS = 7
LEAST = 84
"""Pixels of height that each curve has at least."""
MOST_POINTS = 1500
"""Points of a path that are drawn."""
ROOM = 11.0
"""Pixels that an arrow needs, at normal text size."""
LONGEST = 0.95
"""Length of the longest arrow, in cells of the grid."""


class FieldPicture(Plot):
    """−∂L/∂q as arrows, L as level lines, keys and query to drag, the paths of all starts."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True, grid=False)
        self._contours = Contours(self, "truth", 0.45, name="equal loss")
        self._arrows = Arrows(self, "gradient", 0.4, name="−∂L/∂q, length ∝ its root")
        self._paths = Curve(self, "query", 0.5)
        self._path = Curve(self, "query", 1.0, name="path of the query")
        self._ends = Marks(self, "query", size=7, symbol="o")
        self._keys = Marks(self, "key", size=10, name="keys")
        self._names = TextMarks(self, "key")
        self._now = Marks(self, "query", size=13, symbol="o")
        self._moves = HandleSet(self, "key", "Key")
        self._query = PointHandle(self, "query", "Query", size=15)
        for layer in self.layers:
            layer.counts = False
        Linked(lab.highlight, self, self._keys)
        bind_set_drag(self._moves, lab, "Move key", drag_key)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x, y]))
        self._drawn: Any = None
        self._asked: Any = None
        self._known: Any = None
        for layer in (self._contours, self._arrows):
            # A drag of the query paints the same field again and again.
            layer.items[0].setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self.view_changed.connect(self._on_view)

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(*map(axis_title, scene.key_columns))
        if scene.query != self._asked:
            self._asked = scene.query
            self._query.show_position(*scene.query.values)

    def show_result(self, result: DescentResult) -> None:
        shown = (result.scene.keys, result.scene.entries, result.inputs.scene is result.scene)
        if shown != self._known:
            self._known = shown
            x, y = result.scene.keys.values.T
            self._keys.set_data(x, y)
            self._names.set_data(x, y, result.scene.entries)
            self._moves.visible = shown[2]
            self._moves.show_positions(x, y)
        if isinstance(result.field, Field) and result.field is not self._drawn:
            self._drawn = result.field
            self._show_field(result.field)

    def show_step(self, result: DescentResult, step: int) -> None:
        queries = result.path.queries
        done = queries[thinned(step)]
        self._path.set_data(*done[:, 0].T)
        others = queries[thinned(len(result.path))]
        others = others if len(result.path) > step else others[:, 1:]
        gap = np.full((1, others.shape[1], 2), np.nan)
        self._paths.set_data(*np.concatenate([others, gap]).swapaxes(0, 1).reshape(-1, 2).T)
        self._now.set_data(*queries[step, :1].T)
        self._ends.set_data(*queries[-1, 1:].T)

    def _show_field(self, field: Field) -> None:
        known = field.losses[np.isfinite(field.losses)]
        most = float(known.max()) if known.size else 0.0
        self._contours.set_data(field.x, field.y, field.losses, most * np.linspace(0, 1, LEVELS + 2)[1:-1] ** 2)
        self.set_home(x=(field.x[0], field.x[-1]), y=(field.y[0], field.y[-1]))
        self._show_arrows(field)

    def _show_arrows(self, field: Field) -> None:
        """Every arrow, or where the picture is small every second or third, so that each can be seen."""
        (left, right), _ = self.view.viewRange()
        cell = (field.x[1] - field.x[0]) / (right - left) * self.view_size().width()
        every = int(np.clip(round(ROOM * self.look.scale / max(cell, 1.0)), 1, 4))
        some = (slice(every // 2, None, every),) * 2
        x, y = (part[some] for part in np.meshgrid(field.x, field.y))
        down = field.down[some]
        strength = np.linalg.norm(down, axis=-1, keepdims=True)
        largest = float(np.nanmax(strength))
        longest = LONGEST * every * min(field.x[1] - field.x[0], field.y[1] - field.y[0])
        with np.errstate(invalid="ignore", divide="ignore"):
            along = down / strength * np.sqrt(strength / largest) if largest > 0 else 0.0 * down
        along = longest * np.nan_to_num(along)
        self._arrows.set_data(x, y, x + along[..., 0], y + along[..., 1])

    def _on_view(self) -> None:
        """Another zoom or size may have room for more arrows, or fewer."""
        if isinstance(self._drawn, Field):
            self._show_arrows(self._drawn)


class Curves(QSplitter):
    """For queries of one number: the answer with the target to drag, the loss, and the slope of the loss."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.answer, self.loss, self.slope = AnswerCurve(lab), LossCurve(lab), SlopeCurve(lab)
        self.plots = (self.answer, self.loss, self.slope)
        below = QSplitter(Qt.Orientation.Horizontal)
        for plot in self.plots:
            plot.setMinimumHeight(LEAST)
            (self if plot is self.answer else below).addWidget(plot)
        self.addWidget(below)
        for splitter in (self, below):
            splitter.setChildrenCollapsible(False)
        self.setSizes([560, 440])

    def show_state(self, state: AppState) -> None:
        for plot in self.plots:
            plot.show_state(state)

    def show_result(self, result: DescentResult) -> None:
        if isinstance(result.field, Line):
            for plot in self.plots:
                plot.show_line(result, result.field)

    def show_step(self, result: DescentResult, step: int) -> None:
        for plot in self.plots:
            plot.show_step(result, step)

    def view_state(self) -> dict[str, Any]:
        return {str(number): plot.view_state() for number, plot in enumerate(self.plots)}

    def restore_view(self, view: dict[str, Any]) -> None:
        for number, plot in enumerate(self.plots):
            zoom = view.get(str(number))
            plot.restore_view(zoom if isinstance(zoom, dict) else {})


class QueryPlot(Plot):
    """A plot over queries of one number, with the query as a line to drag and the path of the learning."""

    def __init__(self, lab: Lab, y: str, path: str) -> None:
        super().__init__(lab.look, y=y)
        self._path = Marks(self, path, size=5, symbol="o")
        self._now = Marks(self, path, size=13)
        self._query = LineHandle(self, "query", "Query")
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x]))

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(axis_title(scene.key_columns[0]), self.y_axis.labelText)
        self._query.show_position(float(scene.query.values[0]))

    def show_line(self, result: DescentResult, line: Line) -> None:
        self.set_home(x=(line.x[0], line.x[-1]), y=self._home(line))

    def show_step(self, result: DescentResult, step: int) -> None:
        heights = self._heights(result)
        some = thinned(step)
        self._path.set_data(result.path.queries[some, 0, 0], heights[some])
        self._now.set_data(result.path.queries[step, :1, 0], heights[step : step + 1])

    def _home(self, line: Line) -> tuple[float, float] | None:
        return None

    def _heights(self, result: DescentResult) -> np.ndarray:
        raise NotImplementedError


class AnswerCurve(QueryPlot):
    """o over q with the staircase of the hard lookup, whose slope is 0 wherever it has one."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "output o", "output")
        self._steps = Curve(self, "output", 0.5, "dash", name="hard lookup")
        self._curve = Curve(self, "output", name="soft lookup")
        self._entries = Marks(self, "value", size=9, name="entries")
        self._target = LineHandle(self, "truth", "Target", "horizontal", dashed=True)
        Linked(lab.highlight, self, self._entries)
        bind_drag(self._target, lab, "Move target", lambda state, x, y: set_target(state, 0, y))

    def show_state(self, state: AppState) -> None:
        super().show_state(state)
        scene = shown_scene(state)
        self.set_titles(self.x_axis.labelText, axis_title(scene.value_columns[0]))
        self._target.show_position(y=float(shown_target(state)[0]))

    def show_line(self, result: DescentResult, line: Line) -> None:
        super().show_line(result, line)
        self._curve.set_data(line.x, line.outputs[:, 0])
        self._steps.set_data(line.steps_x, line.steps[:, 0])
        self._entries.set_data(result.scene.keys.values[:, 0], result.scene.values.values[:, 0])
        target = float(result.inputs.target.values[0])
        low, high = min(target, line.steps[:, 0].min()), max(target, line.steps[:, 0].max())
        margin = 0.1 * max(high - low, 1e-9)
        self.set_home(x=(line.x[0], line.x[-1]), y=(low - margin, high + margin))

    def _heights(self, result: DescentResult) -> np.ndarray:
        return result.path.outputs[:, 0, 0]


class LossCurve(QueryPlot):
    """L over q."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "loss L", "output")
        self._curve = Curve(self, "truth", name="loss")

    def show_line(self, result: DescentResult, line: Line) -> None:
        super().show_line(result, line)
        self._curve.set_data(line.x, line.losses)

    def _heights(self, result: DescentResult) -> np.ndarray:
        return result.path.losses[:, 0]


class SlopeCurve(QueryPlot):
    """dL/dq over q, beside the slope of the staircase, which is 0."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab, "slope dL/dq", "gradient")
        self._zero = Curve(self, "output", 0.5, "dash", name="hard lookup: 0")
        self._curve = Curve(self, "gradient", name="dL/dq")

    def show_line(self, result: DescentResult, line: Line) -> None:
        super().show_line(result, line)
        self._curve.set_data(line.x, line.slopes)
        self._zero.set_data(line.x[[0, -1]], [0.0, 0.0])

    def show_step(self, result: DescentResult, step: int) -> None:
        """The path on the curve: its slopes have signs, the norms that were kept don't."""
        if isinstance(result.field, Line):
            queries = result.path.queries[thinned(step), 0, 0]
            self._path.set_data(queries, np.interp(queries, result.field.x, result.field.slopes))
            now = result.path.queries[step, :1, 0]
            self._now.set_data(now, np.interp(now, result.field.x, result.field.slopes))


def thinned(step: int) -> np.ndarray:
    """The steps up to ``step`` that are drawn: all, or evenly so many, the last always."""
    count = min(step + 1, MOST_POINTS)
    return np.linspace(0, step, count).round().astype(int)
