"""What the pictures share: the temperature as a line to drag, plots above one another, heights of entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.bars import Bars
from labapp.plots.curves import Curve
from labapp.plots.handles import LineHandle, bind_drag
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from models.temperature_state import HIGHEST, LOWEST
from panels.temperature.updates import drag_temperature, place_of

FEW = 12
"""Weights of up to so many entries are drawn between 0 and 1."""
SPAN = (LOWEST, HIGHEST)


class TauLine:
    """The present temperature across a plot over τ.

    It follows the state at once or, where another plot beside does that, comes ``late`` with the result: the plot is
    then painted once a frame, not twice.
    """

    def __init__(self, plot: Plot, lab: Lab, late: bool = True) -> None:
        self.handle = LineHandle(plot, "accent", "Temperature")
        self._late = late
        self._shown = 0.0
        bind_drag(self.handle, lab, "Change Temperature", lambda state, x, y: drag_temperature(state, x))

    def show_state(self, state: AppState) -> None:
        if not self._late or not self._shown:
            self._show(place_of(state))

    def show_result(self, result: TemperatureResult) -> None:
        if self._late:
            self._show(result.temperature)

    def _show(self, tau: float) -> None:
        if tau != self._shown:
            self._shown = tau
            self.handle.show_position(tau)


def tau_title(state: AppState) -> str:
    """What the axis of temperatures is called."""
    per_length = state.temperature.per_length and state.temperature.source == "scene"
    return "temperature for ‖q‖ = 1: τ/‖q‖" if per_length else "temperature τ"


class Stack(QSplitter):
    """Plots above one another, each of which shows state and result."""

    def __init__(self, plots: Sequence[Plot], sizes: Sequence[int]) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.plots = tuple(plots)
        for plot in plots:
            self.addWidget(plot)
        self.setChildrenCollapsible(False)
        self.setSizes(list(sizes))

    def show_state(self, state: AppState) -> None:
        for plot in self.plots:
            plot.show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        for plot in self.plots:
            plot.show_result(result)

    def view_state(self) -> dict[str, Any]:
        return {str(number): plot.view_state() for number, plot in enumerate(self.plots)}

    def restore_view(self, view: dict[str, Any]) -> None:
        for number, plot in enumerate(self.plots):
            zoom = view.get(str(number))
            plot.restore_view(zoom if isinstance(zoom, dict) else {})


class Heights:
    """One number of every entry: bars, or of very many a curve by falling score."""

    def __init__(self, plot: Plot, meaning: str, width: float = 0.7, offset: float = 0.0, name: str = "") -> None:
        self.bars = Bars(plot, meaning, width, offset, name=name)
        self._curve = Curve(plot, meaning)
        self._plot, self._meaning, self._name = plot, meaning, name
        self._curve.visible = False

    def show(self, heights: np.ndarray, result: TemperatureResult, visible: bool = True) -> None:
        """``heights (m,)`` of the entries of a result."""
        many = result.is_sorted
        self._curve.name = self._name if many else ""
        self._curve.visible, self.bars.visible = many and visible, not many and visible
        if many:
            self._curve.set_data(result.ranks, heights[result.order])
        else:
            self.bars.set_data(heights)


class EntryPlot(Plot):
    """A plot with the entries along x: named where they are few, by rank where they are very many."""

    def __init__(self, lab: Lab, y: str) -> None:
        super().__init__(lab.look, x="entry", y=y)
        self._named: object = None
        self._x: tuple[float, float] | None = None

    def show_entries(self, result: TemperatureResult) -> None:
        count = len(result.names)
        if result.names is self._named:
            return
        self._named = result.names
        if self.x_axis.is_log != result.is_sorted:
            self.set_home()  # the old one has places that a log axis hasn't
            self.set_log("x", result.is_sorted)  # of very many entries the first few have the weight
        self.set_titles("rank by score" if result.is_sorted else "entry", self.y_axis.labelText)
        self.set_names("x", None if result.is_sorted else result.names)
        self._x = (0.8, 1.25 * count) if result.is_sorted else (-0.7, count - 0.3)
        self.set_home(x=self._x)

    def fix_height(self, result: TemperatureResult) -> None:
        """Weights of few entries stand between 0 and 1 whatever they are; of many, each has little."""
        home = (0.0, 1.04) if len(result.names) <= FEW else None
        self.set_home(x=self._x, y=home)
