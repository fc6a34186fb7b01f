"""The section on kernels: the error curves of all of them over 20 bandwidths in one picture."""

from __future__ import annotations

import numpy as np

from labapp.numbers import format_number
from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.handles import LineHandle, bind_drag
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.kernels import KERNELS
from models.regression_kernels import KernelCurve, KernelsResult
from panels.regression.updates import set_bandwidth

STYLES = {
    "gaussian": ("output", "solid", "d"),
    "boxcar": ("key", "dash", "s"),
    "triangular": ("value", "dot", "t"),
    "epanechnikov": ("query", "dashdot", "o"),
    "constant": ("truth", "solid", "x"),
}


class KernelsSection(Plot):
    """One curve a kernel, with a mark at its best of the 20 widths."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="bandwidth σ", log_x=True)
        self._curves: dict[str, tuple[Curve, Marks]] = {}
        for kernel, (colour, style, symbol) in STYLES.items():
            curve = Curve(self, colour, 0.8, style, name=KERNELS[kernel].label)
            self._curves[kernel] = curve, Marks(self, colour, size=12, symbol=symbol)
        self._width = LineHandle(self, "text", "Bandwidth σ", width=0.5)
        bind_drag(self._width, lab, "Change bandwidth", lambda state, x, y: set_bandwidth(state, x))

    def show_state(self, state: AppState) -> None:
        self._width.show_position(state.regression.bandwidth)

    def show_result(self, result: KernelsResult) -> None:
        against = "against the truth" if result.against_truth else "leaving one out"
        self.set_titles("bandwidth σ", f"mean squared error {against}")
        for found in result.curves:
            curve, best = self._curves[found.kernel]
            curve.name = _name(found)
            curve.set_data(result.widths, found.errors)
            has_best = found.kernel != "constant"
            best.set_data(*(([found.best], [found.best_error]) if has_best else ([], [])))
        highest = max((float(np.nanmax(c.errors)) for c in result.curves if np.isfinite(c.errors).any()), default=1.0)
        self.set_home(x=(float(result.widths[0]), float(result.widths[-1])), y=(0.0, 1.05 * highest or 1.0))


def _name(curve: KernelCurve) -> str:
    label = KERNELS[curve.kernel].label
    if not np.isfinite(curve.best_error):
        return label
    if curve.kernel == "constant":
        return f"{label}: {format_number(curve.best_error, 3)}"
    return f"{label}: {format_number(curve.best_error, 3)} at σ = {format_number(curve.best, 3)}"
