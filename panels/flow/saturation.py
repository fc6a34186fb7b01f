"""The section *Saturation*: the gradient over the temperature, in three zones."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.curves import Band, Curve
from labapp.plots.handles import LineHandle, bind_drag
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.flow_saturation import SaturationResult, standing
from panels.flow.updates import HIGHEST, LOWEST, set_temperature, shown_scene

FLOOR, HEADROOM = 1e-12, 30.0
"""Below this a gradient is not drawn; above the highest point there is room for the names of the zones."""


class TemperatureCurve(Plot):
    """One quantity over τ, both on log axes, with the present τ as a line to drag and the zones behind."""

    def __init__(self, lab: Lab, y: str, name: str, named: bool) -> None:
        super().__init__(lab.look, x="temperature τ", y=y, log_x=True, log_y=True)
        self.legend.corner = "bottom right"
        self._cold = Band(self, "query", 0.12, name="cold, saturated")
        self._hot = Band(self, "gradient", 0.12, name="hot, averaged")
        self._curve = Curve(self, "gradient", name=name)
        self._now = Marks(self, "gradient", size=13, symbol="d")
        self._zones = TextMarks(self, "text", gap=0)
        self._line = LineHandle(self, "accent", "Temperature")
        self._named = named
        for layer in self.layers:
            layer.counts = False
        bind_drag(self._line, lab, "Change Temperature", lambda state, x, y: set_temperature(state, x))

    def show_state(self, state: AppState) -> None:
        self._line.show_position(x=shown_scene(state).temperature)

    def show_curve(self, result: SaturationResult, heights: np.ndarray) -> None:
        """``heights (t,)`` over the temperatures of the result."""
        some = heights[heights > FLOOR]
        top = HEADROOM * float(some.max()) if some.size else 1.0
        low = max(FLOOR, float(some.min()) / 3) if some.size else FLOOR
        self.show_message("" if some.size else "The gradient is exactly 0 at every temperature")
        self._curve.set_data(result.temperatures, np.where(heights > FLOOR, heights, np.nan))
        self.set_home(x=(LOWEST, HIGHEST), y=(low, top))
        cold = result.cold_below or (HIGHEST if set(result.zones) == {"cold, saturated"} else LOWEST)
        hot = result.hot_above or (LOWEST if set(result.zones) == {"hot, averaged"} else HIGHEST)
        for band, span in ((self._cold, (LOWEST, cold)), (self._hot, (hot, HIGHEST))):
            band.set_data(span, (low, low), (top, top))
        if self._named:
            spans = {"cold": (LOWEST, cold), "healthy": (cold, hot), "hot": (hot, HIGHEST)}
            wide = {name: ends for name, ends in spans.items() if ends[1] > 2 * ends[0]}
            places = [np.sqrt(a * b) for a, b in wide.values()]
            self._zones.set_data(places, [top / 4] * len(places), list(wide))

    def show_now(self, temperature: float, height: float) -> None:
        self._now.set_data([temperature], [height if height > FLOOR else np.nan])


class SaturationSection(QSplitter):
    """‖∂o/∂q‖ above, the largest entry of ∂a/∂s below."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.norm = TemperatureCurve(lab, "‖∂o/∂q‖", "‖∂o/∂q‖", True)
        self.slope = TemperatureCurve(lab, "largest ∂a/∂s", "largest ∂a/∂s", False)
        self._result: SaturationResult | None = None
        self._temperature = 1.0
        for plot in (self.norm, self.slope):
            self.addWidget(plot)
        self.setChildrenCollapsible(False)
        self.setSizes([550, 450])

    def show_state(self, state: AppState) -> None:
        self._temperature = shown_scene(state).temperature
        for plot in (self.norm, self.slope):
            plot.show_state(state)
        self._show_now()

    def show_result(self, result: SaturationResult) -> None:
        self._result = result
        self.norm.show_curve(result, result.norms)
        self.slope.show_curve(result, result.slopes)
        self._show_now()

    def _show_now(self) -> None:
        if self._result is not None:
            here = standing(self._result, self._temperature)
            self.norm.show_now(self._temperature, here.norm)
            self.slope.show_now(self._temperature, here.slope)

    def view_state(self) -> dict[str, Any]:
        return {"norm": self.norm.view_state(), "slope": self.slope.view_state()}

    def restore_view(self, view: dict[str, Any]) -> None:
        for name, plot in (("norm", self.norm), ("slope", self.slope)):
            zoom = view.get(name)
            plot.restore_view(zoom if isinstance(zoom, dict) else {})
