"""Entropy over the temperature: its slope, the marks that teach, the target and the bisection towards it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from labapp.numbers import format_number
from labapp.panel import Lab
from labapp.plots.curves import Band, Curve
from labapp.plots.handles import LineHandle, bind_drag
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.explorer_state import Pin
from models.temperature_panel import Solution, TemperatureResult
from models.why_softmax import CLIP_FLOOR, CLIP_START
from panels.temperature.tau import SPAN, Stack, TauLine, tau_title
from panels.temperature.updates import set_target
from panels.temperature.words import UNIT_OF

PIN_STYLES = ("dash", "dot", "dashdot", "dash")
HEADROOM = 1.3
"""Above the largest entropy there is room for the labels of the marks."""


class EntropyPlot(Plot):
    """H over τ, with the two limits ln k and ln n, pinned curves, marks and the target."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="entropy H, nats", log_x=True)
        self.legend.corner = "bottom right"
        self._pins: list[Curve] = []
        self._pinned: Any = None
        self._limits = Curve(self, "axis", 0.5, "dot")
        self._marks = Curve(self, "axis", 0.5, "dash")
        self._labels = TextMarks(self, "axis", gap=2)
        self._bracket = Band(self, "gradient", 0.16)
        self._middle = Marks(self, "gradient", size=11, symbol="d", name="middle of the bracket")
        self._found = Curve(self, "truth", 0.5, "dashdot")
        self._entropy = Curve(self, "output", name="entropy H")
        self._now = Marks(self, "output", size=13)
        for layer in self.layers:
            layer.counts = False
        self._target = LineHandle(self, "truth", "Target", "horizontal", dashed=True)
        self._line = TauLine(self, lab, late=False)
        self._unit, self._top = "nats", 1.0
        self._step: int | None = None
        self._quantity = "entropy"
        self._wanted = (True, 1)
        self._shown: tuple[Any, float] = (None, 1.0)
        self._marked: Any = None
        self._solved: Any = None
        self._result: TemperatureResult | None = None
        bind_drag(self._target, lab, "Move target", self._dragged)

    def show_state(self, state: AppState) -> None:
        drawn, inverse = state.temperature.drawn, state.temperature.inverse
        self._line.show_state(state)
        if drawn.unit != self._unit:
            self._unit = drawn.unit
            if self._result is not None:
                self.show_result(self._result)
        self.set_titles(tau_title(state), f"entropy H, {drawn.unit}")
        self._wanted = drawn.marks, state.temperature.recipe.key_size
        self._show_marks()
        aimed = inverse.target is not None and inverse.quantity != "effective_number"
        self._target.visible = aimed
        if aimed:
            nats = inverse.target if inverse.quantity == "entropy" else math.log(max(inverse.target, 1e-9))
            self._target.show_position(y=nats / UNIT_OF[self._unit])
        self._quantity = inverse.quantity
        self._show_pins(state.temperature.pins)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        unit = UNIT_OF[self._unit]
        if self._shown[0] is not result.curves or self._shown[1] != unit:
            self._shown = (result.curves, unit)
            self._entropy.set_data(result.curves.temperature, result.curves.entropy / unit)
            self._show_limits(result)
        self._now.set_data([result.temperature], [result.measures.entropy / unit])
        self._show_solution(result.solution)

    def show_step(self, step: int) -> None:
        """Which step of the bisection is shown."""
        self._step = step
        if self._result is not None:
            self._show_solution(self._result.solution)

    def curve(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Temperatures and entropies in nats, to be pinned."""
        return None if self._result is None else (self._result.curves.temperature, self._result.curves.entropy)

    def _show_pins(self, pins: tuple[Pin, ...]) -> None:
        """Curves of pins are made when there are some: an empty one costs time in every frame."""
        if (pins, self._unit) == self._pinned:
            return
        self._pinned = (pins, self._unit)
        while len(self._pins) < len(pins):
            curve = Curve(self, "truth", 0.5, PIN_STYLES[len(self._pins)])
            curve.counts = False
            self._pins.append(curve)
        for number, curve in enumerate(self._pins):
            pin = pins[number] if number < len(pins) else None
            curve.name = pin.label if pin else ""
            curve.visible = pin is not None
            if pin is not None:
                curve.set_data(pin.x.values, pin.y.values / UNIT_OF[self._unit])

    def _show_limits(self, result: TemperatureResult) -> None:
        unit = UNIT_OF[self._unit]
        low, high = math.log(max(1, len(result.winners))) / unit, math.log(max(1, result.live)) / unit
        self._limits.set_data([*SPAN, np.nan, *SPAN], [low, low, np.nan, high, high])
        self._top = max(HEADROOM * high, 0.1)
        self.set_home(x=SPAN, y=(0.0, self._top))
        self._show_marks()

    def _show_marks(self) -> None:
        if (*self._wanted, self._top) == self._marked:
            return
        self._marked = (*self._wanted, self._top)
        shown, key_size = self._wanted
        places = {"CLIP limit 0.01": CLIP_FLOOR, "CLIP start 0.07": CLIP_START, "1": 1.0}
        if key_size > 1:
            places[f"√d_k = {format_number(math.sqrt(key_size), 3)}"] = math.sqrt(key_size)
        x = np.array([[place, place, np.nan] for place in places.values()]).ravel() if shown else []
        self._marks.set_data(x, np.tile([0.0, 0.85 * self._top, np.nan], len(x) // 3))
        at = list(places.values()) if shown else []
        # Two labels of near marks stand at two heights.
        heights = [self._top * (0.99 if number % 2 else 0.85) for number in range(len(at))]
        self._labels.set_data(at, heights, list(places) if shown else [])

    def _show_solution(self, solution: Solution | None) -> None:
        if (solution, self._unit, self._step, self._top) == self._solved:
            return
        self._solved = (solution, self._unit, self._step, self._top)
        unit = UNIT_OF[self._unit]
        steps = None if self._step is None or solution is None else solution.steps
        self._found.visible = solution is not None and not solution.refusal
        for layer in (self._bracket, self._middle):
            layer.visible = steps is not None
        if solution is not None and self._found.visible:
            self._found.set_data([solution.temperature] * 2, [0.0, solution.entropy / unit])
        if steps is not None and self._step is not None:
            step = min(self._step, len(steps.low) - 1)
            x = [float(steps.low[step]), float(steps.high[step])]
            self._bracket.set_data(x, [0.0, 0.0], [self._top, self._top])
            self._middle.set_data([float(steps.middle[step])], [float(steps.entropy[step]) / unit])

    def _dragged(self, state: AppState, x: float, y: float) -> AppState:
        nats = y * UNIT_OF[self._unit]
        return set_target(state, nats if self._quantity == "entropy" else math.exp(min(nats, 100.0)))


class SlopePlot(Plot):
    """dH/dτ over τ."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="slope dH/dτ", log_x=True)
        self._slope = Curve(self, "gradient", name="dH/dτ = Var(s)/τ³")
        self._now = Marks(self, "gradient", size=11, symbol="d")
        self._line = TauLine(self, lab)
        self._unit, self._top = "nats", 0.0
        self._shown: tuple[Any, float] = (None, 1.0)
        self._result: TemperatureResult | None = None

    def show_state(self, state: AppState) -> None:
        self._line.show_state(state)
        self.setVisible(state.temperature.drawn.slope)
        self.set_titles(tau_title(state), f"dH/dτ, {state.temperature.drawn.unit}")
        if state.temperature.drawn.unit != self._unit:
            self._unit = state.temperature.drawn.unit
            if self._result is not None:
                self.show_result(self._result)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        self._line.show_result(result)
        unit = UNIT_OF[self._unit]
        if self._shown[0] is not result.curves or self._shown[1] != unit:
            self._shown = (result.curves, unit)
            self._slope.set_data(result.curves.temperature, result.curves.slope / unit)
            self._show_height(float(result.curves.slope.max()) / unit)
        self._now.set_data([result.temperature], [result.measures.slope / unit])

    def _show_height(self, peak: float) -> None:
        """Room for the peak, anew only where it has grown out of the present one or shrunk to less than half of it."""
        if not 0.5 * self._top < peak <= self._top:
            self._top = max(1.2 * peak, 1e-9)
            self.set_home(x=SPAN, y=(0.0, self._top))


class CountsPlot(Plot):
    """Perplexity and effective number over τ: how many entries share the weight."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="entries", log_x=True)
        self.legend.corner = "top left"
        self._perplexity = Curve(self, "output", name="perplexity e^H")
        self._number = Curve(self, "value", style="dash", name="effective number 1/Σa²")
        self._target = LineHandle(self, "truth", "Target", "horizontal", dashed=True)
        self._line = TauLine(self, lab)
        self._shown: Any = None
        self._result: TemperatureResult | None = None
        bind_drag(self._target, lab, "Move target", lambda state, x, y: set_target(state, y))

    def show_state(self, state: AppState) -> None:
        drawn, inverse = state.temperature.drawn, state.temperature.inverse
        aimed = inverse.quantity if inverse.target is not None else ""
        self._perplexity.visible = drawn.perplexity or aimed == "perplexity"
        self._number.visible = drawn.effective_number or aimed == "effective_number"
        self.setVisible(self._perplexity.visible or self._number.visible)
        self.set_titles(tau_title(state), "entries")
        self._line.show_state(state)
        counted = aimed in ("perplexity", "effective_number")
        self._target.visible = counted
        if counted:
            self._target.show_position(y=inverse.target)
        if self._result is not None:
            self.show_result(self._result)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        if self.isHidden():
            return
        self._line.show_result(result)
        if self._shown is result.curves:
            return
        self._shown = result.curves
        self._perplexity.set_data(result.curves.temperature, result.curves.perplexity)
        self._number.set_data(result.curves.temperature, result.curves.effective_number)
        self.set_home(x=SPAN, y=(0.0, 1.1 * max(1, result.live)))


class EntropyPicture(Stack):
    """The curves above one another, all over the same temperatures."""

    def __init__(self, lab: Lab) -> None:
        self.entropy = EntropyPlot(lab)
        super().__init__([self.entropy, SlopePlot(lab), CountsPlot(lab)], [260, 160, 160])
