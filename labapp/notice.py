"""A sentence across the window, below its menus, until it is closed: what to know of the open file."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMainWindow

from labapp.host import Banner


class Notice(Banner):
    """Lies over the docks, so that showing it moves nothing."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__()
        self._window = window
        self.setParent(window)
        self.setAutoFillBackground(True)
        window.installEventFilter(self)

    def say(self, sentence: str) -> None:
        self.show_sentence(sentence)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def _place(self) -> None:
        width = self._window.width()
        height = self.heightForWidth(width)
        self.setGeometry(0, self._window.menuBar().height(), width, height)
        self.raise_()
