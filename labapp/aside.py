"""Slow work in a thread of its own, while the window goes on painting and answering."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEventLoop, QObject, Signal


class _Ended(QObject):
    signal = Signal()


def aside(work: Callable[[], Any]) -> Any:
    """What the work returns, or raises, once it is done; the events of the window are served meanwhile."""
    outcome: list[Any] = []
    loop, ended = QEventLoop(), _Ended()
    ended.signal.connect(loop.quit)

    def run() -> None:
        try:
            outcome.extend((work(), None))
        except Exception as error:  # noqa: BLE001  raised again below, where the work was asked for
            outcome.extend((None, error))
        ended.signal.emit()

    thread = threading.Thread(target=run, name="file", daemon=False)
    thread.start()
    loop.exec()
    thread.join()  # a loop that was ended from outside doesn't end the work
    result, error = outcome
    if error is not None:
        raise error
    return result
