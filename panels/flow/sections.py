"""The sections behind tabs: one widget each, made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from labapp.panel import Lab
from models.app_state import AppState
from models.flow_descent import DescentResult
from models.flow_memory import MemoryResult
from models.flow_panel import Result
from models.flow_paths import PathsResult
from models.flow_saturation import SaturationResult
from models.flow_signal import SignalResult
from models.flow_state import SECTIONS
from models.flow_verify import VerifyResult
from panels.flow.descent import DescentSection
from panels.flow.lengths import PathsSection
from panels.flow.memory import MemorySection
from panels.flow.saturation import SaturationSection
from panels.flow.signal import SignalSection
from panels.flow.verify import VerifySection

TITLES = {
    "signal": ("Signal", "How the output answers to each score, and to the query"),
    "descent": ("Descent", "A query learned over the field of its gradients, and why the learning stops"),
    "saturation": ("Saturation", "The gradient over the temperature"),
    "verify": ("Verify", "Closed form, autograd and differences side by side"),
    "paths": ("Paths", "How much gradient reaches an entry over its distance"),
    "memory": ("Memory", "Keys as values: the output fed back as the next query"),
}
WIDGETS: dict[str, Callable[[Lab], Any]] = {
    "signal": SignalSection,
    "descent": DescentSection,
    "saturation": SaturationSection,
    "verify": VerifySection,
    "paths": PathsSection,
    "memory": MemorySection,
}
KINDS: dict[type, str] = {
    SignalResult: "signal",
    DescentResult: "descent",
    SaturationResult: "saturation",
    VerifyResult: "verify",
    PathsResult: "paths",
    MemoryResult: "memory",
}


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
        self.setAccessibleName("Sections of the gradient flow")
        for section in SECTIONS:
            page = QWidget()
            QVBoxLayout(page).setContentsMargins(0, 2, 0, 0)
            title, help_ = TITLES[section]
            self.setTabToolTip(self.addTab(page, title), help_)
        self.currentChanged.connect(lambda index: self.chosen.emit(SECTIONS[index]))

    def show_state(self, state: AppState) -> None:
        section = state.flow.section
        with QSignalBlocker(self):
            self.setCurrentIndex(SECTIONS.index(section))
        self.widget_of(section).show_state(state)

    def show_result(self, result: Result) -> None:
        self.widget_of(KINDS[type(result)]).show_result(result)

    def widget_of(self, section: str) -> Any:
        """The widget of a section."""
        if section not in self.widgets:
            self.widgets[section] = made = WIDGETS[section](self._lab)
            self.widget(SECTIONS.index(section)).layout().addWidget(made)
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
