"""Faults of the program: a dialog with a sentence, the details to copy, and the log file. Never silence."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QStandardPaths,
    Qt,
    QtMsgType,
    Signal,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from labapp.errors import sentence_of

log = logging.getLogger("lookuplab")


def log_file() -> Path:
    """Where faults are written: in the application's own data folder."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "lookuplab.log"


def start_log(path: Path) -> None:
    """Write warnings and faults to ``path``. Where the folder can't be written, they go to the error stream alone."""
    log.setLevel(logging.INFO)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(path, maxBytes=500_000, backupCount=1, encoding="utf-8")
    except OSError:
        handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)


def watch_crashes(path: Path) -> None:
    """From here on a crash below Python writes to ``path`` where each thread was; the last one goes to the log."""
    try:
        before = path.read_text("utf-8", "replace") if path.exists() else ""
        faulthandler.enable(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))  # open to the very end
    except OSError as error:
        log.warning("A crash will leave no trace: %s", error)
        return
    if before:
        log.error("The lab ended by a crash before this start:\n%s", before)


def details_of(error: BaseException) -> str:
    """The traceback as text."""
    return "".join(traceback.format_exception(error))


def log_fault(error: BaseException) -> None:
    log.error("%s", details_of(error))


class FaultReporter(QObject):
    """Shows every exception that nobody caught, from whichever thread: each fault once, logged each time."""

    _reported = Signal(object)

    def __init__(self, window: QWidget | None = None) -> None:
        super().__init__(window)
        self._window = window
        self._seen: set[str] = set()
        self.dialogs: list[QMessageBox] = []
        self._reported.connect(self._show)

    def install(self) -> None:
        """Take over the hooks of Python, of its threads and of Qt's messages."""
        sys.excepthook = self._on_exception
        threading.excepthook = lambda args: self.report(args.exc_value) if args.exc_value else None
        qInstallMessageHandler(self._on_qt_message)

    def uninstall(self) -> None:
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        qInstallMessageHandler(None)

    def report(self, error: BaseException) -> None:
        """Log the error and show it; may be called from any thread."""
        if sentence_of(error) is None:
            log_fault(error)
        self._reported.emit(error)

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
        else:
            self.report(error)

    def _on_qt_message(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg):
            log.error("Qt: %s", text)
        elif kind == QtMsgType.QtWarningMsg:
            log.warning("Qt: %s", text)

    @Slot(object)
    def _show(self, error: BaseException) -> None:
        sentence = sentence_of(error)
        if sentence is None:
            place = traceback.extract_tb(error.__traceback__)
            mark = f"{type(error).__name__} {place[-1].filename}:{place[-1].lineno}" if place else repr(error)
            if mark in self._seen:
                return
            self._seen.add(mark)
        text = sentence or f"Something in the program went wrong ({type(error).__name__}). Your lab is still there."
        if all(box.text() != text for box in self.dialogs):  # a drag or a paint event repeats its fault many times
            self._open_dialog(error, sentence, text)

    def _open_dialog(self, error: BaseException, sentence: str | None, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, "Lookup Lab", "", parent=self._window)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(text)
        box.addButton(QMessageBox.StandardButton.Ok)
        if sentence is None:
            box.setInformativeText(
                "Save your work under a new name, and send the details to whoever looks after the lab."
            )
            copy = box.addButton("Copy details", QMessageBox.ButtonRole.ActionRole)
            copy.clicked.disconnect()  # copying leaves the dialog open
            copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(details_of(error)))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setModal(False)
        self.dialogs.append(box)
        box.finished.connect(lambda: self.dialogs.remove(box))
        box.show()
