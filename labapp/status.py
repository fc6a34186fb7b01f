"""The status bar: what computes, how precisely, and how long the last computation took."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QLabel, QMenu, QStatusBar, QToolButton

from labapp.runner import Answer

NOTICE_MS = 10_000


class Status(QObject):
    """Fills a status bar. ``device_chosen`` follows the user's choice from the device menu."""

    device_chosen = Signal(str)

    def __init__(self, bar: QStatusBar, devices: Sequence[str], device: str) -> None:
        super().__init__(bar)
        self._bar = bar
        self._time = QLabel()
        self._time.setAccessibleName("Time of the last computation")
        self._device = QToolButton()
        self._device.setText("warming up…")
        self._device.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._device.setAccessibleName("Device that computes")
        self._device.setToolTip("Where the lab computes")
        menu = QMenu(self._device)
        group = QActionGroup(menu)
        for name in devices:
            action = menu.addAction("Automatic" if name == "auto" else name.upper())
            action.setCheckable(True)
            action.setChecked(name == device)
            action.triggered.connect(lambda _=False, name=name: self.device_chosen.emit(name))
            group.addAction(action)
        self._device.setMenu(menu)
        bar.addPermanentWidget(self._time)
        bar.addPermanentWidget(self._device)

    @property
    def device_text(self) -> str:
        return self._device.text()

    def show_warming_up(self) -> None:
        self._device.setText("warming up…")

    def show_device(self, text: str) -> None:
        self._device.setText(text)
        self._device.setAccessibleDescription(text)

    def show_answer(self, answer: Answer) -> None:
        if answer.result is not None and answer.seconds > 0:
            self._time.setText(f"{1000 * answer.seconds:.1f} ms")

    def notify(self, sentence: str) -> None:
        """A sentence that stays for ten seconds."""
        self._bar.showMessage(sentence, NOTICE_MS)
