"""The pictures of the sections behind tabs; each is made when first looked at, and hidden ones get no data."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from labapp.panel import Lab
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature.sections import SECTIONS, Section


class Pictures(QTabWidget):
    """``section_changed`` follows the tab."""

    section_changed = Signal()

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab
        self._made: dict[str, Any] = {}
        self._views: dict[str, Any] = {}
        self._state: AppState | None = None
        self._result: TemperatureResult | None = None
        self.setUsesScrollButtons(True)
        self.setDocumentMode(True)
        self.setAccessibleName("Sections")
        for section in SECTIONS:
            page = QWidget()
            QVBoxLayout(page).setContentsMargins(0, 0, 0, 0)
            self.addTab(page, section.title)
        self.currentChanged.connect(self._on_changed)

    @property
    def section(self) -> Section:
        return SECTIONS[self.currentIndex()]

    def picture(self, name: str) -> Any:
        """The picture of a section, made if it isn't yet."""
        if name not in self._made:
            index = next(i for i, section in enumerate(SECTIONS) if section.id == name)
            made = self._made[name] = SECTIONS[index].picture(self._lab)
            page = self.widget(index)
            assert page is not None
            page.layout().addWidget(made)
            if name in self._views:
                made.restore_view(self._views.pop(name))
        return self._made[name]

    def choose(self, name: str) -> None:
        """Show a section by its id."""
        for index, section in enumerate(SECTIONS):
            if section.id == name:
                self.setCurrentIndex(index)

    def show_state(self, state: AppState) -> None:
        self._state = state
        self.picture(self.section.id).show_state(state)

    def show_result(self, result: TemperatureResult) -> None:
        self._result = result
        self.picture(self.section.id).show_result(result)

    def view_state(self) -> dict[str, Any]:
        zooms = {name: picture.view_state() for name, picture in self._made.items()}
        return {"section": self.section.id, "zoom": zooms}

    def restore_view(self, view: dict[str, Any]) -> None:
        zooms = view.get("zoom")
        self._views = {name: zoom for name, zoom in zooms.items() if isinstance(zoom, dict)} if _is_dict(zooms) else {}
        for name, picture in self._made.items():
            picture.restore_view(self._views.pop(name, {}))
        self.choose(str(view.get("section", SECTIONS[0].id)))

    def _on_changed(self, index: int) -> None:
        if self._state is not None:
            self.show_state(self._state)
        if self._result is not None:
            self.show_result(self._result)
        self.section_changed.emit()


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict)
