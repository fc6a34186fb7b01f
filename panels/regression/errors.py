"""The section on error against bandwidth: three curves, their best, and the way of gradient descent."""

from __future__ import annotations

import numpy as np

from labapp.numbers import format_number
from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.handles import LineHandle, bind_drag
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.plots.text import TextMarks
from models.app_state import AppState
from models.regression_errors import ErrorsResult
from panels.regression.updates import set_bandwidth
from panels.regression.words import CURVE_NAMES

STYLES = {"training": ("value", "dot"), "leave_one_out": ("output", "solid"), "truth": ("truth", "dash")}


class ErrorsSection(Plot):
    """The bandwidth is the upright line; gradient descent walks along the curve that it learns by."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="bandwidth σ", y="mean squared error", log_x=True)
        self._curves = {
            name: Curve(self, colour, 1.0, style, name=CURVE_NAMES[name]) for name, (colour, style) in STYLES.items()
        }
        self._best = {name: Marks(self, colour, size=13) for name, (colour, _) in STYLES.items()}
        self._labels = TextMarks(self)
        self._path = Curve(self, "gradient", 0.5)
        self._steps = Marks(self, "gradient", size=6, name="gradient descent, step by step")
        self._width = LineHandle(self, "query", "Bandwidth σ", width=0.7)
        self._drawn: ErrorsResult | None = None
        self.legend.corner = "bottom right"
        self.set_home(y=None)
        bind_drag(self._width, lab, "Change bandwidth", lambda state, x, y: set_bandwidth(state, x))

    def show_state(self, state: AppState) -> None:
        self._width.show_position(state.regression.bandwidth)

    def show_result(self, result: ErrorsResult) -> None:
        before, self._drawn = self._drawn, result
        if before is None or before.curves is not result.curves:
            self._show_curves(result)
        if before is None or before.path is not result.path:
            low, high = result.widths[0], result.widths[-1]
            seen = (result.path.widths >= low) & (result.path.widths <= high)
            for layer in (self._path, self._steps):
                layer.set_data(result.path.widths[seen], result.path.errors[seen])
        self.show_message("" if result.curves else "There is no error to show.")

    def _show_curves(self, result: ErrorsResult) -> None:
        known = {curve.name: curve for curve in result.curves}
        self.set_home(x=(float(result.widths[0]), float(result.widths[-1])), y=_height(result))
        for name, layer in self._curves.items():
            curve = known.get(name)
            layer.visible = curve is not None
            layer.set_data(*((result.widths, curve.errors) if curve else ([], [])))
            has_best = curve is not None and np.isfinite(curve.best) and not curve.at_edge
            self._best[name].set_data(*(([curve.best], [curve.best_error]) if curve and has_best else ([], [])))
        fine = [curve for curve in result.curves if np.isfinite(curve.best) and not curve.at_edge]
        texts = [f"σ = {format_number(curve.best, 3)}" for curve in fine]
        self._labels.set_data([curve.best for curve in fine], [curve.best_error for curve in fine], texts)


def _height(result: ErrorsResult) -> tuple[float, float] | None:
    """From 0 to a little above the highest error."""
    highest = max((float(np.nanmax(c.errors)) for c in result.curves if np.isfinite(c.errors).any()), default=0.0)
    return (0.0, 1.05 * highest) if 0 < highest < np.inf else None
