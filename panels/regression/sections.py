"""The sections behind tabs: one widget each, made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from labapp.panel import Lab
from models.app_state import AppState
from models.regression_errors import ErrorsResult
from models.regression_fit import FitResult
from models.regression_kernels import KernelsResult
from models.regression_panel import Result
from models.regression_spread import SpreadResult
from models.regression_state import SECTIONS
from panels.regression.errors import ErrorsSection
from panels.regression.fit import FitSection
from panels.regression.kernels import KernelsSection
from panels.regression.metric import MetricSection
from panels.regression.spread import SpreadSection

TITLES = {
    "fit": "Fit",
    "errors": "Error",
    "spread": "Spread",
    "kernels": "Kernels",
    "metric": "Learned metric",
}
HELP = {
    "fit": "Points, estimate, pinned curves and the attention map",
    "errors": "Training, leave-one-out and true error against the bandwidth",
    "spread": "How far an estimate spreads when the noise is drawn anew, and the effective number of points",
    "kernels": "The error of every kernel over 20 bandwidths",
    "metric": "One scale for each of five inputs, learned",
}
WIDGETS: dict[str, Callable[[Lab], Any]] = {
    "fit": FitSection,
    "errors": ErrorsSection,
    "spread": SpreadSection,
    "kernels": KernelsSection,
    "metric": MetricSection,
}


def section_of(result: Result) -> str:
    """Which section a result belongs to."""
    kinds = {FitResult: "fit", ErrorsResult: "errors", SpreadResult: "spread", KernelsResult: "kernels"}
    return kinds.get(type(result), "metric")


class Sections(QTabWidget):
    """``chosen(section)``: the user opened another tab."""

    chosen = Signal(str)

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self.widgets: dict[str, Any] = {}
        self._zooms: dict[str, Any] = {}
        self.setDocumentMode(True)
        self.setUsesScrollButtons(True)
        self.setAccessibleName("Sections of the kernel regression")
        for section in SECTIONS:
            page = QWidget()
            QVBoxLayout(page).setContentsMargins(0, 2, 0, 0)
            index = self.addTab(page, TITLES[section])
            self.setTabToolTip(index, HELP[section])
        self.currentChanged.connect(lambda index: self.chosen.emit(SECTIONS[index]))

    def show_state(self, state: AppState) -> None:
        section = state.regression.section
        with QSignalBlocker(self):
            self.setCurrentIndex(SECTIONS.index(section))
        self.widget_of(section).show_state(state)

    def show_result(self, result: Result) -> None:
        self.widget_of(section_of(result)).show_result(result)

    def widget_of(self, section: str) -> Any:
        """The widget of a section."""
        if section not in self.widgets:
            self.widgets[section] = made = WIDGETS[section](self._lab)
            page = self.widget(SECTIONS.index(section))
            page.layout().addWidget(made)
            if section in self._zooms:
                made.restore_view(self._zooms[section])
        return self.widgets[section]

    def view_state(self) -> dict[str, Any]:
        zooms = {section: widget.view_state() for section, widget in self.widgets.items()}
        return {section: zoom for section, zoom in zooms.items() if zoom}

    def restore_view(self, view: dict[str, Any]) -> None:
        self._zooms = {section: zoom for section, zoom in view.items() if isinstance(zoom, dict)}
        for section, widget in self.widgets.items():
            widget.restore_view(self._zooms.get(section, {}))
