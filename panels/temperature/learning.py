"""The softmax Jacobian as a signed heat map, and its largest entry over the temperature."""

from __future__ import annotations

from labapp.numbers import format_number
from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.heatmap import HeatMap
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.tau import SPAN, Stack, TauLine, tau_title

DECADES = 4.5
"""The signal is drawn down to so many powers of ten below its peak."""


class JacobianMap(Plot):
    """Row i, column j: what a little more score of entry j does to the weight of entry i."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="score of entry j", y="weight of entry i")
        self._names: tuple[str, ...] = ()
        self._heat = HeatMap(self, "signed", on_hover=self._on_hover)

    def show_state(self, state: AppState) -> None:
        """All of it is computed."""

    def show_result(self, result: TemperatureResult) -> None:
        self._names = result.jacobian_names
        self._heat.set_data(result.jacobian, self._names, self._names)

    def _on_hover(self, row: int | None, column: int | None) -> None:
        if row is None or column is None:
            self.setToolTip("")
            return
        value = format_number(float(self._heat.values[row, column]))
        self.setToolTip(f"weight of {self._names[row]} by score of {self._names[column]}: {value}")


class SignalPlot(Plot):
    """The largest |∂a_i/∂s_j| over τ, on two log axes: it falls away at both ends."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="temperature τ", y="largest |∂a/∂s|", log_x=True, log_y=True)
        self._signal = Curve(self, "gradient", name="largest entry")
        self._now = Marks(self, "gradient", size=11, symbol="d")
        self._line = TauLine(self, lab)
        self._shown: object = None

    def show_state(self, state: AppState) -> None:
        self._line.show_state(state)
        self.set_titles(tau_title(state), "largest |∂a/∂s|")

    def show_result(self, result: TemperatureResult) -> None:
        self._line.show_result(result)
        if self._shown is not result.curves:
            self._shown = result.curves
            signal = result.curves.largest_derivative
            self._signal.set_data(result.curves.temperature, signal)
            peak = float(signal.max()) or 1.0
            self.set_home(x=SPAN, y=(peak * 10.0**-DECADES, 2.0 * peak))
        self._now.set_data([result.temperature], [result.measures.largest_derivative])


def learning_picture(lab: Lab) -> Stack:
    return Stack([JacobianMap(lab), SignalPlot(lab)], [240, 180])
