"""Ctrl+C and the wish of the system that the program ends: both end the event loop, so that all is put away."""

from __future__ import annotations

import signal
import socket
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier, Slot


class Interrupts(QObject):
    """While it is installed, SIGINT and SIGTERM end the application's loop with exit code 0.

    Python calls signal handlers between its own instructions only, and an idle event loop runs none: the system writes
    a byte into a socket that the loop listens to.
    """

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._application = application
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_byte)
        self._wakeup = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, self._end) for number in (signal.SIGINT, signal.SIGTERM)}

    def uninstall(self) -> None:
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    @Slot()
    def _on_byte(self) -> None:
        self._read.recv(64)  # the handler itself runs as soon as this slot does

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._application.exit(0)
