"""Keeps what is unsaved, soon after it changed, so that a crash loses a minute at the most."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from labapp.document import Document
from labapp.errors import PlainError
from labapp.ring import Ring

QUIET_MS = 2_000
LATEST_MS = 60_000
log = logging.getLogger("lookuplab")


class Autosave(QObject):
    """Writes to a ring 2 s after the last change, at the latest 60 s after the first, in a thread of its own.

    ``failed`` says once why nothing can be kept.
    """

    failed = Signal(str)
    _ended = Signal()

    def __init__(
        self,
        document: Document,
        ring: Ring,
        snapshot: Callable[[], tuple[dict[str, Any], bytes]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._ring = ring
        self._snapshot = snapshot
        self._kept: Any = None
        self._has_failed = False
        self._thread: threading.Thread | None = None
        self._quiet = QTimer(self, singleShot=True, interval=QUIET_MS)
        self._latest = QTimer(self, singleShot=True, interval=LATEST_MS)
        for timer in (self._quiet, self._latest):
            timer.timeout.connect(self.keep)
        self._ended.connect(self._on_ended)
        document.store.history_changed.connect(self._on_change)

    @property
    def has_kept(self) -> bool:
        """True while the present state is in the ring."""
        return self._kept is self._document.store.state

    @Slot()
    def keep(self) -> None:
        """Write the present state if it is unsaved and not kept yet; returns at once."""
        if self._thread is not None:  # the change that came meanwhile is kept when that one ends
            return
        self._stop_timers()
        state = self._document.store.state
        if self._document.store.is_clean:
            self._ring.clear()
            self._kept = None
        elif state is not self._kept:
            work = (state, self._document.title, *self._snapshot())
            self._thread = threading.Thread(target=self._write, args=work, name="autosave")
            self._thread.start()

    def keep_and_wait(self) -> None:
        """The same before the program ends: on return all is on the disk."""
        self._join()
        self.keep()
        self._join()

    def close(self, forget: bool) -> None:
        """End: to ``forget`` removes what was kept, since it was saved or given up."""
        if not forget:
            self.keep_and_wait()
        self._join()
        self._stop_timers()
        if forget:
            self._ring.clear()
        self._ring.close()

    def _write(self, state: Any, title: str, view: dict[str, Any], thumbnail: bytes) -> None:
        try:
            self._ring.keep(title, lambda path: self._document.write(path, state, view, thumbnail))
            self._kept = state
        except (PlainError, OSError) as error:
            log.warning("autosave: %s", error)
            if not self._has_failed:
                self._has_failed = True
                self.failed.emit(f"Unsaved changes can't be kept for a crash. Save the lab yourself. ({error})")
        finally:
            self._ended.emit()

    def _join(self) -> None:
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _stop_timers(self) -> None:
        self._quiet.stop()
        self._latest.stop()

    @Slot()
    def _on_change(self) -> None:
        self._quiet.start()
        if not self._latest.isActive():
            self._latest.start()

    @Slot()
    def _on_ended(self) -> None:
        self._join()
        if not self._has_failed and self._document.store.state is not self._kept:
            self._on_change()
