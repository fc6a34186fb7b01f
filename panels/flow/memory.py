"""The section *Associative memory*: a query recalled, down the energy of the stored patterns."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.arrows import Arrows
from labapp.plots.contours import Contours
from labapp.plots.curves import Curve
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, bind_drag, bind_set_drag
from labapp.plots.heatmap import HeatMap
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.flow_memory import Landscape, MemoryResult
from panels.flow.updates import drag_key, drag_query, show_update, shown_scene
from panels.flow.words import axis_title

LEVELS = 14
PALE = 0.25
MOST_NAMES = 30


class EnergyPlane(Plot):
    """Energy as level lines, basins as shades, patterns, fixed points, and the recall as arrows."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, equal=True, grid=False)
        # The signed map is pale around its middle: shades that mean nothing but another basin.
        self._basins = HeatMap(self, "signed", rows_down=False, legend=False)
        self._contours = Contours(self, "truth", 0.6, name="equal energy")
        self._jumps = Arrows(self, "output", 0.7, name="recall: output becomes query")
        self._patterns = Marks(self, "key", size=10, name="stored patterns")
        self._names = TextMarks(self, "key")
        self._stable = Marks(self, "output", size=16, symbol="o", name="stable fixed points")
        self._unstable = Marks(self, "gradient", size=13, symbol="x", name="unstable")
        self._now = Marks(self, "output", size=12)
        self._moves = HandleSet(self, "key", "Pattern")
        self._query = PointHandle(self, "query", "Query", size=15)
        for layer in self.layers:
            layer.counts = False
        bind_set_drag(self._moves, lab, "Move key", drag_key)
        bind_drag(self._query, lab, "Move query", lambda state, x, y: drag_query(state, [x, y]))
        self._drawn: Any = None

    def show_state(self, state: AppState) -> None:
        scene = shown_scene(state)
        self.set_titles(*map(axis_title, scene.key_columns))
        self._query.show_position(*scene.query.values)
        self._moves.show_positions(*scene.keys.values.T)
        self._names.set_data(*scene.keys.values.T, scene.entries)

    def show_result(self, result: MemoryResult) -> None:
        self._patterns.set_data(*result.inputs.patterns.values.T)
        self._stable.set_data(*result.points[result.stable].T)
        self._unstable.set_data(*result.points[~result.stable].T)
        if result.landscape is not None and result.landscape is not self._drawn:
            self._drawn = result.landscape
            self._show_landscape(result.landscape)

    def show_step(self, result: MemoryResult, step: int) -> None:
        states = result.states[: step + 1]
        self._jumps.set_data(*states[:-1].T, *states[1:].T)
        self._now.set_data(*states[-1][:, None])

    def _show_landscape(self, shape: Landscape) -> None:
        span = ((shape.x[0], shape.x[-1]), (shape.y[0], shape.y[-1]))
        self._basins.visible = shape.basins is not None
        if shape.basins is not None:
            count = max(1.0, float(shape.basins.max()))
            self._basins.set_data(PALE * (2 * shape.basins / count - 1), span=span, limit=1.0)
        low, high = float(shape.energies.min()), float(shape.energies.max())
        levels = low + (high - low) * np.linspace(0, 1, LEVELS + 2)[1:-1] ** 2
        self._contours.set_data(shape.x, shape.y, shape.energies, levels)
        self.set_home(*span)


class EnergySteps(Plot):
    """The energy over the updates: it never rises."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="update", y="energy E")
        self._curve = Curve(self, "output", name="energy")
        self._dots = Marks(self, "output", size=7, symbol="o")
        self._step = LineHandle(self, "accent", "Update shown", width=0.6)
        bind_drag(self._step, lab, "Show update", lambda state, x, y: show_update(state, x))

    def show_state(self, state: AppState) -> None:
        self._step.show_position(x=float(state.flow.memory.shown))
        self.set_home(x=(0.0, float(max(1, state.flow.memory.steps))))

    def show_result(self, result: MemoryResult) -> None:
        steps = np.arange(len(result.energies))
        self._curve.set_data(steps, result.energies)
        self._dots.set_data(steps, result.energies)


class MemorySection(QSplitter):
    """The plane of states where they have two numbers, and the energy over the updates."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._lab = lab
        self._plane: EnergyPlane | None = None
        self.energy = EnergySteps(lab)
        self._state: AppState | None = None
        self._result: MemoryResult | None = None
        self.addWidget(self.energy)
        self.setChildrenCollapsible(False)

    @property
    def plane(self) -> EnergyPlane:
        """Made when a scene first has states of two numbers."""
        if self._plane is None:
            self._plane = EnergyPlane(self._lab)
            self.insertWidget(0, self._plane)
        return self._plane

    def show_state(self, state: AppState) -> None:
        self._state = state
        is_flat = shown_scene(state).keys.shape[1] == 2
        if is_flat:
            self.plane.show_state(state)
        if self._plane is not None:
            self._plane.setVisible(is_flat)
        self.energy.show_state(state)
        self._show_step()

    def show_result(self, result: MemoryResult) -> None:
        self._result = result
        if result.landscape is not None:
            self.plane.show_result(result)
        self.energy.show_result(result)
        self._show_step()

    def _show_step(self) -> None:
        result, state = self._result, self._state
        if result is not None and state is not None and result.states.shape[1] == 2 and self._plane is not None:
            self._plane.show_step(result, min(state.flow.memory.shown, len(result.states) - 1))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        wanted = Qt.Orientation.Horizontal if self.width() > self.height() else Qt.Orientation.Vertical
        if self.orientation() != wanted or not self._is_shared:
            self._is_shared = True
            self.setOrientation(wanted)
            self.setSizes([680, 320])

    _is_shared = False

    def view_state(self) -> dict[str, Any]:
        return {"energy": self.energy.view_state(), "plane": self._plane.view_state() if self._plane else {}}

    def restore_view(self, view: dict[str, Any]) -> None:
        for name, plot in (("energy", self.energy), ("plane", self._plane)):
            zoom = view.get(name)
            if plot is not None:
                plot.restore_view(zoom if isinstance(zoom, dict) else {})
