"""Reading off the GUI thread: progress while it runs, a table or a sentence at the end, cancel at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QRunnable, QThreadPool, Signal, Slot

from labapp.errors import PlainError
from labapp.runner import CancelledError
from labapp.tables.read import ReadOptions, Source, open_source, read_source, text_source
from labapp.tables.table import Table

TableSource = Path | str
"""A file, or the text that was pasted."""

_TELL_EVERY = 0.05  # seconds between two progress signals


class LoadJob:
    """One run of the reader. ``told`` gets the progress, 0 to 1."""

    def __init__(self, told: Callable[[float], None]) -> None:
        self._told = told
        self._cancelled = threading.Event()
        self._last = 0.0

    def cancel(self) -> None:
        self._cancelled.set()

    def check(self) -> None:
        if self._cancelled.is_set():
            raise CancelledError

    def progress(self, fraction: float) -> None:
        self.check()
        if time.monotonic() - self._last > _TELL_EVERY:
            self._last = time.monotonic()
            self._told(fraction)


class TableLoader(QObject):
    """Reads one table at a time; a new request cancels the one that runs. Signals arrive on the loader's own thread."""

    progressed = Signal(float)
    loaded = Signal(object)
    failed = Signal(object)
    _answered = Signal(object)

    def __init__(self, source: TableSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self._opened: Source | None = None
        self._job: LoadJob | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._answered.connect(self._receive)

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def load(self, options: ReadOptions) -> None:
        self.cancel()
        job = LoadJob(self.progressed.emit)
        self._job = job
        self._pool.start(QRunnable.create(lambda: self._answered.emit((job, self._read(options, job)))))

    def cancel(self) -> None:
        """Stop the present run; nothing more is heard of it."""
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def close(self) -> None:
        """Cancel and wait until the worker has let go, a few hundredths of a second."""
        self.cancel()
        self._pool.waitForDone()

    def _read(self, options: ReadOptions, job: LoadJob) -> Table | Exception:
        """Runs on the worker: the table, or the error as a value."""
        try:
            if self._opened is None:
                self._opened = self._open(job)
            return read_source(self._opened, options, job)
        except Exception as error:  # noqa: BLE001  whatever reading raises is shown in the dialog, never lost
            return error

    def _open(self, job: LoadJob) -> Source:
        return text_source(self.source) if isinstance(self.source, str) else open_source(self.source, job)

    @Slot(object)
    def _receive(self, answer: tuple[LoadJob, Table | Exception]) -> None:
        job, result = answer
        if job is not self._job:
            return
        self._job = None
        if isinstance(result, CancelledError):
            return
        (self.failed if isinstance(result, Exception) else self.loaded).emit(result)
        if isinstance(result, Exception) and not isinstance(result, PlainError):
            raise result
