"""Present: one panel, large text, no chrome, for a projector; and back to how it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from labapp.window import LabWindow


class Present:
    """The projector mode of a window. While it is on, ``layout`` is still the arrangement that comes back."""

    def __init__(self, window: LabWindow) -> None:
        self._window = window
        self._before: QByteArray | None = None

    @property
    def is_on(self) -> bool:
        return self._before is not None

    @property
    def layout(self) -> QByteArray:
        """The arrangement of the docks outside of Present."""
        return self._window.docks.save() if self._before is None else self._before

    def toggle(self) -> None:
        if self._before is None:
            self._enter()
        else:
            self._leave(self._before)

    def _enter(self) -> None:
        window = self._window
        self._before = window.docks.save()
        self._set_chrome(False)
        window.docks.show_alone(self._panel())
        window.look.set_present(True)

    def _leave(self, before: QByteArray) -> None:
        self._before = None
        self._window.look.set_present(False)  # before the bars come back, which would keep the height of large text
        self._set_chrome(True)
        self._window.docks.restore(before)

    def _set_chrome(self, shown: bool) -> None:
        for bar in (self._window.menuBar(), self._window.statusBar()):
            bar.setVisible(shown)
        for dock in self._window.docks.docks.values():
            empty = dock.titleBarWidget()
            dock.setTitleBarWidget(None if shown else QWidget())  # type: ignore[arg-type]  # None brings Qt's own back
            if empty:
                empty.deleteLater()

    def _panel(self) -> str:
        """The panel that has the focus, or the first that is seen."""
        window = self._window
        holder = window.focusWidget() or window
        focused = [host.spec.id for host in window.hosts if host is holder or host.isAncestorOf(holder)]
        return (focused or window.docks.visible() or list(window.docks.docks))[0]
