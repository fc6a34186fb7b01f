"""Reference cycles are collected on the window's thread only: Python would collect in whichever thread allocates."""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QObject, QTimer

TICK_MS = 1_000
FULL_EVERY = 60
"""A full collection looks at all that isn't frozen, so it comes once in so many ticks."""
SETTLED = 30
"""After so many ticks the program has loaded what it lives with (250,000 objects, most of torch): it is frozen, and a
full collection takes 2 ms, not 120."""


class GarbageCollector(QObject):
    """Collects in place of the interpreter, a little at every tick.

    A widget that is in a cycle (one with a signal tied to its own method, say) dies where the collection runs. In a
    worker's thread that crashes Qt, at once or later.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._ticks = 0

    def tick(self) -> None:
        self._ticks += 1
        gc.collect(2 if self._ticks % FULL_EVERY == 0 else 1)
        if self._ticks == SETTLED:
            gc.freeze()


def collect_here(application: QCoreApplication) -> None:
    """From now on cycles are collected by the application's event loop."""
    collector = GarbageCollector(application)
    timer = QTimer(collector, interval=TICK_MS)
    timer.timeout.connect(collector.tick)
    timer.start()
