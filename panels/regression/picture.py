"""The fit: points, truth, estimate, pins, and the kernel around the query, all of which can be dragged."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QApplication

from labapp.errors import sentence_of
from labapp.numbers import format_number
from labapp.panel import Highlight, Lab
from labapp.plots.curves import Curve, Polygon
from labapp.plots.density import DensityImage
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, bind_drag, bind_set_drag
from labapp.plots.linked import Linked
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.kernels import KERNELS
from models.regression_data import DataSet, domain_of
from models.regression_fit import MARKED, FitResult
from panels.regression.axes import show_columns
from panels.regression.updates import add, ask, move, present_data, remove, stretch_kernel

PIN_STYLES = ("dash", "dot", "dashdot", "dash")
WEIGHED = 300
"""Up to so many points, the area of each is its weight for the query."""
LOW, TALL = 0.2, 0.16
"""Room below the points for the kernel's picture, and its height, in ranges of y."""
SHOULDER = {"gaussian": np.exp(-0.5), "boxcar": 0.5}
"""Height of the kernel's picture where it is grabbed, one bandwidth from the query; 0 for the others."""


class FitPicture(Plot):
    """``query_pointed(q)`` follows the pointer over the picture, None when it leaves."""

    query_pointed = Signal(object)

    def __init__(self, lab: Lab, points: Highlight) -> None:
        super().__init__(lab.look)
        self._lab, self._points = lab, points
        self._added: object = object()
        self._fresh = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        self._data: DataSet | None = None
        self._drawn: FitResult | None = None
        self._height, self._bottom = (0.0, 1.0), 0.0
        self._is_pointed = False
        self._kernel = Polygon(self, "query", name="kernel at the query")
        self._hovered = Curve(self, "query", 0.5)
        self._density = DensityImage(self, "value", name="points")
        self._small = Marks(self, "value", size=5, name="points")
        self._marks = Marks(self, "value", size=9, name="points, area is weight")
        self._truth = Curve(self, "truth", 0.6, "dash", name="truth")
        self._pins = [Curve(self, "output", 0.5, style) for style in PIN_STYLES]
        self._fit = Curve(self, "output", 1.0, name="estimate")
        self._naive = Curve(self, "gradient", 1.0, "dash", name="naive quotient, single precision")
        self._broken = Marks(self, "gradient", size=14, symbol="x", name="breaks off: 0/0")
        self._reading = Curve(self, "output", 0.5, "dot")
        self._answer = Marks(self, "output", size=14)
        self._query = LineHandle(self, "query", "Query q", width=0.5)
        self._shoulder = PointHandle(self, "query", "Bandwidth σ: drag the kernel", size=11)
        self._moves = HandleSet(self, "value", "Point")
        for layer in (self._kernel, self._hovered, self._reading, self._answer, self._broken):
            layer.counts = False
        self.legend.corner = "top left"
        Linked(points, self, self._marks, self._small)
        self._bind(lab)

    def _bind(self, lab: Lab) -> None:
        bind_drag(self._query, lab, "Move query", lambda state, x, y: ask(state, x))
        bind_drag(self._shoulder, lab, "Change bandwidth", lambda state, x, y: stretch_kernel(state, x))
        bind_set_drag(self._moves, lab, "Move point", move)
        self.clicked.connect(self._on_ground)
        self.hovered.connect(lambda x, y: self.query_pointed.emit(x))
        self.left.connect(lambda: self.query_pointed.emit(None))
        for key in (QKeySequence.StandardKey.Delete, Qt.Key.Key_Backspace):
            delete = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            delete.activated.connect(self._on_delete)

    def show_state(self, state: AppState) -> None:
        data, panel = present_data(state), state.regression
        if data != self._data:
            self._data = data
            show_columns(self, data)
            editable = data.x is not None and data.y is not None and len(data.x) <= MARKED
            self._moves.show_positions(*((data.x.values, data.y.values) if editable else ([], [])))
        self._query.show_position(panel.query)
        self._shoulder.visible = panel.kernel != "constant"
        names = [f"σ = {format_number(pin.bandwidth, 3)}{_kernel_text(pin.kernel)}" for pin in panel.pins]
        for number, curve in enumerate(self._pins):
            curve.name = names[number] if number < len(names) else ""
            curve.visible = number < len(names)

    def show_result(self, result: FitResult) -> None:
        before, self._drawn = self._drawn, result
        data = result.question.data
        if before is None or before.question.data != data:
            self._show_points(result)
        if before is None or (before.question.data, before.question.beyond) != (data, result.question.beyond):
            home = _home(result, *self._height)
            self._bottom = home[1][0]
            self.set_home(*home)
            self._truth.visible = result.truth is not None
            self._truth.set_data(*((result.queries, result.truth) if result.truth is not None else ([], [])))
        self._fit.set_data(result.queries, result.estimate.y)
        self._show_pins(result, before)
        self._show_naive(result)
        self._show_query(result)

    def _show_naive(self, result: FitResult) -> None:
        self._naive.visible = result.naive is not None
        self._broken.visible = not np.isnan(result.breaks_at)
        if result.naive is not None:
            self._naive.set_data(result.queries, result.naive)
            last = np.interp(result.breaks_at, result.queries, result.estimate.y)
            self._broken.set_data([result.breaks_at], [last])

    def _show_pins(self, result: FitResult, before: FitResult | None) -> None:
        """Curves that stay cost nothing in a drag."""
        shown = before.pins if before else ()
        for number, curve in enumerate(self._pins):
            pin = result.pins[number] if number < len(result.pins) else None
            if pin is not (shown[number] if number < len(shown) else None):
                curve.set_data(*((result.queries, pin) if pin is not None else ([], [])))

    def show_hovered(self, q: float | None, weights: np.ndarray | None) -> None:
        """The kernel at the query that the pointer is on, and the weights that the points have for it."""
        result = self._drawn
        if result is None:
            return
        if q is None:
            if self._is_pointed:
                self._is_pointed = False
                self._hovered.set_data([], [])
                self._show_weights(result.asked.weights)
            return
        self._is_pointed = True
        base, height = self._floor()
        x = result.asked.window_x - result.question.query + q
        self._hovered.set_data(x, base + height * result.asked.window)
        self._show_weights(weights)

    def _show_points(self, result: FitResult) -> None:
        count = len(result.x)
        self._height = _range(result)
        shown = next(
            layer
            for layer, most in ((self._marks, WEIGHED), (self._small, MARKED), (self._density, np.inf))
            if count <= most
        )
        for layer in (self._marks, self._small, self._density):
            layer.visible = layer is shown
            layer.set_data(*((result.x, result.y) if layer is shown else ([], [])))

    def _show_query(self, result: FitResult) -> None:
        asked, question = result.asked, result.question
        base, height = self._floor()
        self._kernel.set_data(asked.window_x, base + height * asked.window)
        shoulder = base + height * SHOULDER.get(question.kernel, 0.0)
        self._shoulder.show_position(question.query + question.bandwidth, shoulder)
        self._answer.set_data([question.query], [asked.estimate])
        left = self.view.viewRange()[0][0]
        self._reading.set_data([min(left, question.query), question.query], [asked.estimate, asked.estimate])
        self._show_weights(asked.weights)

    def _show_weights(self, weights: np.ndarray | None) -> None:
        result = self._drawn
        if result is not None and self._marks.visible:
            count = len(result.x)
            known = weights is not None and len(weights) == count
            self._marks.set_data(result.x, result.y, weights if known else np.zeros(count))

    def _floor(self) -> tuple[float, float]:
        """Where the kernel's picture stands, and how tall it is at the query."""
        low, high = self._height
        return self._bottom + 0.05 * LOW * (high - low), TALL * (high - low)

    def _on_ground(self, x: float, y: float) -> None:
        self._added = object()
        self._fresh.start()
        self._try(lambda state: add(state, x, y), "Add point", self._added)

    def mouseDoubleClickEvent(self, ev: QMouseEvent) -> None:  # noqa: N802
        """Back from any zoom. The first click of the two has added a point, which now lies under the pointer."""
        if not self._fresh.isActive():
            super().mouseDoubleClickEvent(ev)
            return
        self._fresh.stop()
        self._lab.take_back(self._added)
        self.reset_view()

    def _on_delete(self) -> None:
        focused = self._moves.entry if self._moves.grip.hasFocus() else self._points.entry
        if focused is None:
            self._lab.notify("Point at the point that you want to delete, or reach it with Tab.")
            return
        self._try(lambda state: remove(state, focused), "Delete point", None)

    def _try(self, update: object, label: str, merge: object) -> None:
        try:
            self._lab.dispatch(update, label, merge)
        except ValueError as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self._lab.notify(sentence)


def _kernel_text(kernel: str) -> str:
    return "" if kernel == "gaussian" else f", {KERNELS[kernel].label.lower()}"


def _range(result: FitResult) -> tuple[float, float]:
    """The range of the labels, a unit around a single one."""
    low, high = float(result.y.min()), float(result.y.max())
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _home(result: FitResult, low: float, high: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The queries, the points, room for the kernel below; beyond the data some of the truth's way as well."""
    wide = high - low
    bottom, top = low - LOW * wide, high + 0.08 * wide
    if result.question.beyond and result.truth is not None:
        bottom = min(bottom, max(float(result.truth.min()), low - wide))
        top = max(top, min(float(result.truth.max()), high + wide))
    first, last = float(result.queries[0]), float(result.queries[-1])
    if not result.question.beyond:
        low, high = domain_of(result.question.data)
        first, last = low - 0.02 * (high - low), high + 0.02 * (high - low)
    return (first, last), (bottom, top)
