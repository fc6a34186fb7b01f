"""What a running window does against losing work: it autosaves, and offers what an earlier one lost."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from labapp.autosave import Autosave
from labapp.recovery import RecoveryDialog
from labapp.ring import Lost, Ring, lost_labs, recovery_folder

if TYPE_CHECKING:
    from labapp.window import LabWindow

READER_AFTER_MS = 3_000
"""The reading process is started when the lab itself has started; a file that is opened sooner starts it."""
log = logging.getLogger("lookuplab")


class _End(QObject):
    """What becomes of unsaved work when the program ends, as long as there is the window."""

    def __init__(self, window: LabWindow, autosave: Autosave) -> None:
        super().__init__(window)
        self._window = window
        self._autosave = autosave

    @Slot()
    def on_quit(self) -> None:
        # A window that is still open was ended from outside; who closed it was asked about unsaved work.
        self._autosave.close(forget=not self._window.isVisible())

    @Slot(object)
    def on_log_off(self, manager: object) -> None:
        self._autosave.keep_and_wait()


def keep_safe(application: QApplication, window: LabWindow, root: Path | None = None) -> Autosave | None:
    """Begin to autosave, and list what crashed windows left. None where the data folder can't be written."""
    from labapp.session.child import READERS

    QTimer.singleShot(READER_AFTER_MS, window, READERS.warm)
    root = recovery_folder() if root is None else root
    lost = lost_labs(root, window.document.read)
    try:
        autosave = Autosave(window.document, Ring(root), window.filing.snapshot, window)
    except OSError as error:
        log.warning("autosave: %s", error)
        window.notice.say("Unsaved changes can't be kept for a crash: the lab's own folder can't be written.")
        return None
    autosave.failed.connect(window.notice.say)
    end = _End(window, autosave)
    application.aboutToQuit.connect(end.on_quit)
    application.commitDataRequest.connect(end.on_log_off)
    if lost:
        offer(window, lost, autosave)
    return autosave


def offer(window: LabWindow, lost: list[Lost], autosave: Autosave) -> RecoveryDialog:
    """Show the list of lost labs."""

    def restore(chosen: Lost) -> None:
        if window.filing.may_lose_changes():
            window.document.recover(chosen.opened)
            autosave.keep_and_wait()  # it must not be lost while it changes folders
            if autosave.has_kept:
                chosen.discard()

    filing = window.filing
    dialog = RecoveryDialog(lost, restore, lambda: filing.new_name("Save a copy"), filing.report, window)
    dialog.open()
    return dialog
