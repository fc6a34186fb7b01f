"""Starting the program with a window: painted first, filled next, and able to compute last."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from labapp.faults import FaultReporter, log_file, start_log
from labapp.host import PanelHost
from labapp.interrupts import Interrupts
from labapp.look import Look
from labapp.parts import Parts
from labapp.settings import Settings
from labapp.window import LabWindow


class AfterPaint(QObject):
    """Calls an action once, when a widget has been painted for the first time."""

    def __init__(self, widget: QWidget, action: Callable[[], None]) -> None:
        super().__init__(widget)
        self._action = action
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._action)
        return False


def make_application() -> QApplication:
    """The one QApplication, in the style that all palettes are made for."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("lookuplab")
    application.setApplicationDisplayName("Lookup Lab")
    application.setStyle("Fusion")
    return application


def start(parts: Parts, *, file: Path | None = None, device: str = "auto", scene: str | None = None) -> int:
    """Open the window and run until it is closed; gives the exit code."""
    application = make_application()
    start_log(log_file())
    settings = Settings()
    look = Look(settings.theme, settings.text_scale)
    window = LabWindow(parts, look, settings, device=device, scene=scene)
    reporter = FaultReporter(window)
    reporter.install()
    interrupts = Interrupts(application)
    AfterPaint(window, lambda: fill(window, file))
    window.show()
    code = application.exec()
    if window.isVisible():  # the loop was ended from outside
        window.finish()
    interrupts.uninstall()
    reporter.uninstall()
    if not window.runner.close():
        _leave(code)
    return code


def _leave(code: int) -> None:
    """End the process under a computation that never checks: the interpreter's own end would crash in its thread."""
    logging.shutdown()
    os._exit(code)


def fill(window: LabWindow, file: Path | None = None) -> None:
    """Add the panels to a painted window, each once the one before is painted; then load what computes."""
    window.build(awake=False)
    if file is not None:
        window.filing.open(file)
    _wake(window, list(window.hosts))


def _wake(window: LabWindow, asleep: list[PanelHost]) -> None:
    while asleep:
        host = asleep.pop(0)
        host.wake()
        if host.is_seen and not host.panel.visibleRegion().isEmpty():
            AfterPaint(host.panel, lambda: _wake(window, asleep))
            return
    window.warm_up()
