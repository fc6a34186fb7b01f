"""From input to painted: 1,000 query moves in *Database of 200* with the attention map open.

Run on a screen (or under Xvfb): ``python -m tests.bench.frames [moves]``. Each move is a real mouse event on a handle
in the query's picture; a frame counts from the event until the picture that answers it has been painted.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from labapp.application import fill, make_application
from labapp.look import Look
from labapp.settings import Settings
from labapp.window import LabWindow
from main import make_parts

PAUSE = 0.016
BINS = (4, 8, 12, 16, 20, 25, 33, 50, 100, 1000)


class Painted(QObject):
    """Notes when the viewport of a plot has been painted."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint:
            self.at = time.perf_counter()
        return False


def main(moves: int = 1000) -> None:
    application = make_application()
    settings = Settings(QSettings("", QSettings.Format.IniFormat))
    window = LabWindow(Look("light"), settings)
    window.furnish(make_parts(), scene="database")
    window.show()
    fill(window)
    host = window.hosts[0]
    window.docks.show_alone("lookup")
    _until(application, lambda: host.is_current and window.status.device_text != "warming up…", 60)
    times, shown_last = _drag(application, window, host, moves)
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    counts, _ = np.histogram(times, bins=(0, *BINS))
    for low, high, count in zip((0, *BINS), BINS, counts, strict=False):
        print(f"{low:>5}–{high:<5} ms {count:>5} {'█' * round(60 * count / max(counts))}")
    print(f"{moves} moves: p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms, worst {max(times):.1f} ms")
    print(f"last position drawn: {shown_last}")
    window.store.mark_clean()
    window.close()


def _drag(application: QApplication, window: LabWindow, host: object, moves: int) -> tuple[list[float], bool]:
    plot = host.panel.pictures._made["query"]  # type: ignore[attr-defined]
    painted = Painted()
    plot.viewport().installEventFilter(painted)
    grip = plot.grips[0]
    query = window.store.state.scene.query.values
    start = _place(plot, 3, query[3])
    _send(plot, QEvent.Type.MouseMove, start, Qt.MouseButton.NoButton)
    _send(plot, QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
    times = []
    for move in range(moves):
        at = start + QPointF(0, 3 * (abs((move + 1) % 40 - 20) - 20))  # never still: what doesn't move isn't painted
        begin = time.perf_counter()
        _send(plot, QEvent.Type.MouseMove, at, Qt.MouseButton.LeftButton)
        _until(application, lambda: host.is_current and painted.at > begin, 5)  # type: ignore[attr-defined]  # noqa: B023
        times.append(1000 * (time.perf_counter() - begin))
        time.sleep(max(0.0, PAUSE - (time.perf_counter() - begin)))
    _send(plot, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.LeftButton)
    _until(application, lambda: host.is_current, 5)  # type: ignore[attr-defined]
    drawn = plot.to_pixels(3, window.store.state.scene.query.values[3])[1]
    below = plot.view.mapFromScene(plot.mapToScene(QPoint(round(at.x()), round(at.y())))).y()
    assert grip.count() > 3
    return times, abs(float(drawn) - below) < 2


def _place(plot: object, x: float, y: float) -> QPointF:
    px, py = plot.to_pixels(x, y)  # type: ignore[attr-defined]
    scene = plot.view.mapToScene(QPointF(float(px), float(py)))  # type: ignore[attr-defined]
    return QPointF(plot.mapFromScene(scene))  # type: ignore[attr-defined]


def _send(plot: object, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton) -> None:
    viewport = plot.viewport()  # type: ignore[attr-defined]
    pressed = button if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    cause = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    event = QMouseEvent(kind, at, QPointF(viewport.mapToGlobal(at)), cause, pressed, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)


def _until(application: QApplication, done: object, seconds: float) -> None:
    end = time.perf_counter() + seconds
    while not done() and time.perf_counter() < end:  # type: ignore[operator]
        application.processEvents()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
