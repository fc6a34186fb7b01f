"""The sections of a panel behind tabs: one widget each, made when it is first opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from labapp.panel import Lab


@dataclass(frozen=True)
class Section:
    """A tab's title and help, and what makes its widget (with ``show_state``, ``show_result`` and a view state)."""

    title: str
    help: str
    widget: Callable[[Lab], Any]


class SectionTabs(QTabWidget):
    """``open_in(state)`` names the open section, ``section_of(result)`` the one that a result belongs to.

    ``chosen(section)``: the user opened another tab. Which one is open is the state's; zoom is the widgets'.
    """

    chosen = Signal(str)

    def __init__(
        self,
        lab: Lab,
        name: str,
        sections: Mapping[str, Section],
        open_in: Callable[[Any], str],
        section_of: Callable[[Any], str],
    ) -> None:
        super().__init__()
        self._lab = lab
        self._sections, self._open_in, self._section_of = sections, open_in, section_of
        self._names = tuple(sections)
        self.widgets: dict[str, Any] = {}
        self._zooms: dict[str, Any] = {}
        self.setDocumentMode(True)
        self.setUsesScrollButtons(True)
        self.setAccessibleName(name)
        self._places: dict[str, QVBoxLayout] = {}
        for id_, section in sections.items():
            page = QWidget()
            self._places[id_] = QVBoxLayout(page)
            self._places[id_].setContentsMargins(0, 2, 0, 0)
            self.setTabToolTip(self.addTab(page, section.title), section.help)
        self.currentChanged.connect(lambda index: self.chosen.emit(self._names[index]))

    def show_state(self, state: Any) -> None:
        section = self._open_in(state)
        with QSignalBlocker(self):
            self.setCurrentIndex(self._names.index(section))
        self.widget_of(section).show_state(state)

    def show_result(self, result: Any) -> None:
        self.widget_of(self._section_of(result)).show_result(result)

    def widget_of(self, section: str) -> Any:
        """The widget of a section."""
        if section not in self.widgets:
            self.widgets[section] = made = self._sections[section].widget(self._lab)
            self._places[section].addWidget(made)
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
