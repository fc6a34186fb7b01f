"""Docks of the window: one per panel; they float, tab, close and come back, and their arrangement is kept."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget

from labapp.host import PanelHost
from labapp.icons import icon

LEFT, RIGHT = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
SEAL_BYTES = 4


class Docks:
    """The docks of a window, in the order of the panels."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.docks: dict[str, QDockWidget] = {}
        self._hosts: dict[str, PanelHost] = {}
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.tabifiedDockWidgetActivated.connect(self._on_tab)

    def add(self, hosts: Sequence[PanelHost]) -> None:
        for host in hosts:
            dock = QDockWidget(host.spec.title, self._window)
            dock.setObjectName(host.spec.id)
            dock.setWindowIcon(icon(host.spec.icon))
            dock.toggleViewAction().setIcon(icon(host.spec.icon))
            dock.setWidget(host)
            dock.visibilityChanged.connect(host.set_on_top)
            dock.toggleViewAction().triggered.connect(partial(_come_up, dock))
            self.docks[host.spec.id] = dock
            self._hosts[host.spec.id] = host
        self.arrange()

    def arrange(self) -> None:
        """The default: the first panel large on the left, the others as tabs on the right."""
        if not self.docks:
            return
        for dock in self.docks.values():
            self._window.removeDockWidget(dock)
        for number, dock in enumerate(self.docks.values()):
            self._window.addDockWidget(RIGHT if number else LEFT, dock)
            dock.setFloating(False)
        first, *others = self.docks.values()
        for dock in others[1:]:
            self._window.tabifyDockWidget(others[0], dock)
        for dock in self.docks.values():
            dock.show()
        if others:
            others[0].raise_()
            widths = [round(part * self._window.width()) for part in (0.58, 0.42)]
            self._window.resizeDocks([first, others[0]], widths, Qt.Orientation.Horizontal)

    def show_alone(self, shown: str) -> None:
        """Show this panel, in its dock, and hide the others."""
        for name, dock in self.docks.items():
            dock.setVisible(name == shown)
        self.docks[shown].setFloating(False)

    def go_to(self, name: str) -> None:
        """Show a panel, on top of its tabs, and give it the keys."""
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        dock.widget().setFocus()

    def _on_tab(self, dock: QDockWidget) -> None:
        """The panel whose tab was clicked has the keys."""
        if self._window.isActiveWindow() and dock.objectName() in self._hosts:
            self._hosts[dock.objectName()].setFocus(Qt.FocusReason.MouseFocusReason)

    def visible(self) -> list[str]:
        """The panels that are seen: neither closed nor behind another tab."""
        return [name for name, host in self._hosts.items() if host.is_seen]

    def save(self) -> QByteArray:
        """The arrangement, sealed: Qt ends the process over one in which a byte is wrong."""
        state = bytes(self._window.saveState().data())
        return QByteArray(self._seal(state) + state)

    def restore(self, arrangement: QByteArray) -> bool:
        """Take back an arrangement. One that doesn't fit (other panels, junk) is refused, and the present one stays."""
        data = bytes(arrangement.data())
        seal, state = data[:SEAL_BYTES], data[SEAL_BYTES:]
        if seal != self._seal(state) or not self._window.restoreState(QByteArray(state)):
            return False
        if all(dock.isHidden() for dock in self.docks.values()):
            self.arrange()
        return True

    def from_view(self, view: dict[str, Any]) -> bool:
        """Take back an arrangement that travelled in a session; one without any leaves the present one, and fits."""
        text = view.get("docks", "")
        return not text or (isinstance(text, str) and self.restore(QByteArray.fromBase64(text.encode())))

    def _seal(self, state: bytes) -> bytes:
        """A checksum of an arrangement and of the panels that it is for: Qt would leave unknown ones anywhere."""
        panels = " ".join(sorted(self.docks)).encode()
        return zlib.crc32(state, zlib.crc32(panels)).to_bytes(SEAL_BYTES, "big")


def _come_up(dock: QDockWidget) -> None:
    """A panel that comes back comes to the top of its tabs; Qt would leave it behind them."""
    if not dock.isHidden():
        dock.raise_()


def to_view(arrangement: QByteArray) -> dict[str, Any]:
    """An arrangement as plain JSON, to travel in a session."""
    return {"docks": base64.b64encode(arrangement.data()).decode("ascii")}
