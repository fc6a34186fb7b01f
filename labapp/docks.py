"""Docks of the window: one per panel; they float, tab, close and come back, and their arrangement is kept."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget

from labapp.host import PanelHost

LAYOUT_VERSION = 1
LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
TITLE_BAR_SEEN = 100  # px of the title bar that must lie inside a screen


class Docks:
    """The docks of a window, in the order of the panels."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.docks: dict[str, QDockWidget] = {}
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)

    def add(self, hosts: Sequence[PanelHost]) -> None:
        for host in hosts:
            dock = QDockWidget(host.spec.title, self._window)
            dock.setObjectName(host.spec.id)
            dock.setWidget(host)
            self.docks[host.spec.id] = dock
        self.arrange()

    def arrange(self) -> None:
        """The default: the first panel large on the left, the others as tabs on the right."""
        first, *others = self.docks.values()
        for dock in self.docks.values():
            self._window.removeDockWidget(dock)
            dock.setFloating(False)
        self._window.addDockWidget(LEFT, first)
        for dock in others:
            self._window.addDockWidget(RIGHT, dock)
            if dock is not others[0]:
                self._window.tabifyDockWidget(others[0], dock)
        for dock in self.docks.values():
            dock.show()
        if others:
            others[0].raise_()
            width = self._window.width()
            self._window.resizeDocks(
                [first, others[0]], [round(0.58 * width), round(0.42 * width)], Qt.Orientation.Horizontal
            )

    def show_only(self, names: Sequence[str]) -> None:
        """Show these panels and hide the others."""
        for name, dock in self.docks.items():
            dock.setVisible(name in names)

    def visible(self) -> list[str]:
        return [name for name, dock in self.docks.items() if dock.isVisible()]

    def save(self) -> QByteArray:
        return self._window.saveState(LAYOUT_VERSION)

    def restore(self, state: QByteArray | None) -> bool:
        """Take back an arrangement. One that doesn't fit (another version, junk) is refused and the default shown.

        A panel that the arrangement doesn't know stays reachable, in its default place.
        """
        if state is None or not self._window.restoreState(state, LAYOUT_VERSION):
            self.arrange()
            return False
        if not any(not dock.isHidden() for dock in self.docks.values()):
            self.arrange()
        return True

    def to_view(self) -> dict[str, Any]:
        """The arrangement as plain JSON, to travel in a session."""
        return {"docks": base64.b64encode(self.save().data()).decode("ascii")}

    def from_view(self, view: dict[str, Any]) -> bool:
        text = view.get("docks")
        return isinstance(text, str) and self.restore(QByteArray.fromBase64(text.encode("utf-8", "replace")))


def bring_on_screen(window: QMainWindow) -> None:
    """Move a window that lies off every screen (the projector is gone) back onto the first one."""
    title_bar = window.frameGeometry()
    title_bar.setHeight(TITLE_BAR_SEEN)
    for screen in QGuiApplication.screens():
        seen = screen.availableGeometry().intersected(title_bar)
        if seen.width() >= TITLE_BAR_SEEN and seen.height() >= TITLE_BAR_SEEN:
            return
    screen_area = QGuiApplication.primaryScreen().availableGeometry()
    window.resize(window.size().boundedTo(screen_area.size()))
    window.move(screen_area.topLeft())
