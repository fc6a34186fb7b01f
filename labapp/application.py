"""Starting the program with a window: painted first, filled next, and able to compute last."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from labapp.garbage import collect_here
from labapp.interrupts import Interrupts
from labapp.look import Look
from labapp.settings import Settings
from labapp.window import LabWindow

if TYPE_CHECKING:
    from labapp.faults import FaultReporter
    from labapp.host import PanelHost
    from labapp.parts import Parts


class AfterPaint(QObject):
    """Calls an action once, after the next painting of a window (or when it is hidden before that).

    Asked of the window, not of the widget that is waited for: one that its children cover is never painted itself.
    """

    TYPES = (QEvent.Type.Paint, QEvent.Type.UpdateRequest, QEvent.Type.Hide)

    def __init__(self, window: QWidget, action: Callable[[], None]) -> None:
        super().__init__(window)
        self._action = action
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() in self.TYPES:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self._action)
        return False


def make_application() -> QApplication:
    """The one QApplication, in the style that all palettes are made for."""
    application = QApplication.instance()
    if application is None:
        application = QApplication(sys.argv[:1])
        collect_here(application)
    assert isinstance(application, QApplication)
    application.setApplicationName("lookuplab")
    application.setApplicationDisplayName("Lookup Lab")
    application.setStyle("Fusion")
    return application


def start(
    make_parts: Callable[[], Parts], *, file: Path | None = None, device: str = "auto", scene: str | None = None
) -> int:
    """Open the window and run until it is closed; gives the exit code."""
    application = make_application()
    settings = Settings()
    window = LabWindow(Look(settings.theme, settings.text_scale), settings)
    interrupts = Interrupts(application)

    failed: list[Exception] = []

    def open_lab() -> None:
        from labapp.safekeeping import keep_safe

        application.aboutToQuit.connect(watch_faults(window).uninstall)
        try:
            window.furnish(make_parts(), device=device, scene=scene)
            fill(window, file)
            keep_safe(application, window)
        except Exception as error:  # noqa: BLE001  no exception crosses Qt's event loop: it is raised behind it
            failed.append(error)
            application.exit(1)

    AfterPaint(window, open_lab)
    window.show()
    code = application.exec()
    if failed:
        window.hide()
        interrupts.uninstall()
        raise failed[0]
    if window.isVisible():  # the loop was ended from outside
        window.finish()
    interrupts.uninstall()
    if not window.is_idle():
        _leave(code)
    return code


def watch_faults(window: LabWindow) -> FaultReporter:
    """From here on every fault ends in a dialog and in the log file, until the reporter is uninstalled."""
    from labapp.faults import FaultReporter, log_file, start_log, watch_crashes

    start_log(log_file())
    watch_crashes(log_file().with_name("crash.log"))
    reporter = FaultReporter(window)
    reporter.install()
    return reporter


def _leave(code: int) -> None:
    """End the process under a computation that never checks: the interpreter's own end would crash in its thread."""
    logging.shutdown()
    os._exit(code)


def fill(window: LabWindow, file: Path | None = None) -> None:
    """Add the panels to a painted window, each once the one before is painted; then load what computes."""
    window.build(awake=False)
    if file is not None:
        window.filing.open(file)
    QTimer.singleShot(0, window, lambda: _wake(window, list(window.hosts)))  # once the docks have their places


def _wake(window: LabWindow, asleep: list[PanelHost]) -> None:
    while asleep:
        host = asleep.pop(0)
        host.wake()
        if host.is_seen:
            AfterPaint(window, lambda: _wake(window, asleep))
            window.update()
            return
    window.warm_up()
