"""From input to painted in the gradient flow panel, and how the window bears a descent of 10,000 steps.

Run on a screen (or under Xvfb): ``python -m tests.bench.flow_frames [moves]``. Query and target are dragged
with the field of 40×40 shown; a frame counts from the mouse event until the picture that answers it has been painted.
Then 10,000 steps are streamed: the longest gap between two turns of the event loop and between two pictures, and how
long it takes until a cancelled descent stops. Prints, asserts nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from labapp.application import make_application
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.runner import Runner
from labapp.scenes import Shelf
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend, warm_up
from models.job import DirectJob
from panels.flow import SPEC
from panels.flow.updates import choose_preset, set_steps

PAUSE = 0.016


class Painted(QObject):
    """Notes when the viewport of a plot has been painted after an answer to the newest inputs."""

    def __init__(self, host: Any, viewport: Any) -> None:
        super().__init__()
        self._host, self.answered, self.at = host, False, 0.0
        host.computed.connect(self._on_answer)
        viewport.installEventFilter(self)

    def _on_answer(self, answer: Any) -> None:
        if answer.result is not None and answer.request.inputs == self._host._asked:
            self.answered = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.Paint and self.answered:
            self.at = time.perf_counter()
        return False


def main(moves: int = 400) -> None:
    application = make_application()
    shelf = Shelf(AppState, Array)
    store, runner = Store(shelf.state("tokens")), Runner(Backend("cpu"))
    warm_up("cpu", DirectJob(runner.backend))  # as the window does: it leaves one core to the window
    lab = Lab(store.dispatch, store.take_back, Look("light"), Highlight(), scene=shelf.choose)
    host = PanelHost(SPEC, lab, store, runner)
    host.resize(1280, 760)
    store.dispatch(lambda state: choose_preset(state, "tokens"), "Preset")
    host.show()
    until(application, lambda: host.is_current, 60)
    gallery: Any = host.panel.sections.widget_of("descent").gallery  # type: ignore[attr-defined]
    for name, picture in (("query", "field"), ("target", "plane")):
        times, busy = drag(application, host, gallery.made[picture], moves)
        p50, p95, p99 = np.percentile(times, [50, 95, 99])
        print(
            f"drag {name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms, worst {max(times):.1f} ms; "
            f"processor time of the window's thread {1000 * busy:.1f} ms a move"
        )
    stream(application, store, runner, host)
    runner.close()


def drag(application: QApplication, host: Any, plot: Any, moves: int) -> tuple[list[float], float]:
    """Milliseconds from each move of the plot's main handle to its picture, and seconds of the window's thread."""
    painted = Painted(host, plot.viewport())
    grip = plot.grips[-1]
    start = place(plot, grip)
    send(plot, QEvent.Type.MouseMove, start, Qt.MouseButton.NoButton)
    send(plot, QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
    times = []
    at, used = start, time.thread_time()
    for move in range(moves):
        at = start + QPointF(2 * (abs(move % 40 - 20) - 20) - 1, 2 * (abs((move + 10) % 40 - 20) - 10) - 1)
        painted.answered = False
        begin = time.perf_counter()
        send(plot, QEvent.Type.MouseMove, at, Qt.MouseButton.LeftButton)
        until(application, lambda: painted.at > begin, 5)  # noqa: B023
        times.append(1000 * (time.perf_counter() - begin))
        until(application, lambda: False, max(0.0, begin + PAUSE - time.perf_counter()))
    used = time.thread_time() - used
    send(plot, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.LeftButton)
    until(application, lambda: host.is_current, 5)
    return times, used / moves


def stream(application: QApplication, store: Store, runner: Runner, host: Any) -> None:
    """10,000 steps: gaps in the event loop, pictures, time to stop, and undo in one step."""
    turns, pictures = [time.perf_counter()], []
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: turns.append(time.perf_counter()))
    timer.start()
    host.computed.connect(lambda answer: pictures.append(time.perf_counter()) if answer.result is not None else None)
    begin = time.perf_counter()
    store.dispatch(lambda state: set_steps(state, 10_000), "10,000 steps")
    until(application, lambda: host.is_current, 60)
    seconds = time.perf_counter() - begin
    gaps, frames = np.diff(turns), np.diff([begin, *pictures])
    print(f"10,000 steps in {seconds:.2f} s: {len(pictures)} pictures, {1000 * frames.max():.0f} ms apart at the most")
    print(f"longest gap of the event loop {1000 * gaps.max():.0f} ms, p99 {1000 * np.percentile(gaps, 99):.0f} ms")
    store.undo()
    until(application, lambda: host.is_current, 60)
    store.dispatch(lambda state: choose_preset(state, "random"), "Preset")
    store.dispatch(lambda state: set_steps(state, 10_000), "10,000 steps")
    for _ in range(20):
        until(application, lambda: False, 0.02)
    begin = time.perf_counter()
    host.busy.cancelled.emit()
    until(application, lambda: runner._job is None, 5)
    print(f"cancelled after {1000 * (time.perf_counter() - begin):.1f} ms")


def place(plot: Any, grip: Any) -> QPointF:
    """The pixel of the viewport under the handle."""
    x, y = plot.to_pixels(grip.xs, grip.ys)
    scene = plot.view.mapToScene(QPointF(float(np.ravel(x)[0]), float(np.ravel(y)[0])))
    return QPointF(plot.mapFromScene(scene))


def send(plot: Any, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton) -> None:
    viewport = plot.viewport()
    pressed = button if kind != QEvent.Type.MouseButtonRelease else Qt.MouseButton.NoButton
    cause = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
    event = QMouseEvent(kind, at, QPointF(viewport.mapToGlobal(at)), cause, pressed, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)


def until(application: QApplication, done: Callable[[], bool], seconds: float) -> None:
    """Wait as the real event loop does: asleep between events, so that the worker has the interpreter."""
    wake = QTimer(interval=1)
    wake.setTimerType(Qt.TimerType.PreciseTimer)
    wake.start()
    end = time.perf_counter() + seconds
    while not done() and time.perf_counter() < end:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
