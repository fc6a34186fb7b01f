"""From input to painted: dragging σ with 1,000,000 points in a real window, beside the same without the points.

Run on a screen (or under Xvfb): ``python -m tests.bench.regression_frames [moves]``. Each move is a real mouse event on
the kernel's shoulder; a frame counts from the event until the picture that answers it has been painted. Then the cost
of one repaint of the picture: without points, with a million in the cached picture, and with 10⁵ plain dots.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSettings, Qt
from PySide6.QtWidgets import QApplication

from labapp.application import fill, make_application
from labapp.look import Look
from labapp.settings import Settings
from labapp.window import LabWindow
from main import make_parts
from models.regression_data import DataSet, drawn
from tests.bench.frames import PAUSE, Painted, _place, _send, _until

SIZES = (40, 10_000, 1_000_000)
PAINTS = 40
DRIFT = 0.13
"""Pixels a move, so that no bandwidth comes twice and none is read from the cache."""


def main(moves: int = 400) -> None:
    application = make_application()
    settings = Settings(QSettings("", QSettings.Format.IniFormat))
    window = LabWindow(Look("light"), settings)
    window.furnish(make_parts(), scene="rents")
    window.show()
    fill(window)
    host = next(host for host in window.hosts if host.spec.id == "regression")
    _until(application, lambda: window.status.device_text != "warming up…", 60)
    window.docks.show_alone("regression")
    _until(application, lambda: host.is_current, 60)
    for size in SIZES:
        begin = time.perf_counter()
        data = DataSet() if size == 40 else drawn(DataSet("sine", n=size))
        window.store.dispatch(lambda s, d=data: _with(s, data=d, bandwidth=0.5), "Data")
        _until(application, lambda: host.is_current, 60)
        first = time.perf_counter() - begin
        times = _drag(application, window, host, moves)
        p50, p95, p99 = np.percentile(times, [50, 95, 99])
        print(f"{size:>9,} points: first fit {1000 * first:.0f} ms, then {moves} moves")
        print(f"{'':>9}  p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms")
    _paints(application, host)
    window.store.mark_clean()
    window.close()


def _with(state: Any, **changes: Any) -> Any:
    return replace(state, regression=replace(state.regression, **changes))


def _drag(application: QApplication, window: LabWindow, host: Any, moves: int) -> list[float]:
    plot = host.panel.sections.widgets["fit"].fit
    painted = Painted()
    plot.viewport().installEventFilter(painted)
    _until(application, lambda: False, 0.3)
    start = _place(plot, float(plot._shoulder._x[0]), float(plot._shoulder._y[0]))
    _send(plot, QEvent.Type.MouseMove, start, Qt.MouseButton.NoButton)
    _send(plot, QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
    times = []
    before = window.store.state.regression.bandwidth
    for move in range(moves):
        at = start + QPointF(2 * (20 - abs((move + 1) % 40 - 20)) + DRIFT * move, 0)
        begin = time.perf_counter()
        _send(plot, QEvent.Type.MouseMove, at, Qt.MouseButton.LeftButton)
        _until(application, lambda: host.is_current and painted.at > begin, 5)  # noqa: B023
        times.append(1000 * (time.perf_counter() - begin))
        time.sleep(max(0.0, PAUSE - (time.perf_counter() - begin)))
    assert window.store.state.regression.bandwidth != before
    _send(plot, QEvent.Type.MouseButtonRelease, at, Qt.MouseButton.LeftButton)
    plot.viewport().removeEventFilter(painted)
    return times


def _paints(application: QApplication, host: Any) -> None:
    """Repaints in turn, so that whatever else the machine does falls on all alike."""
    plot = host.panel.sections.widgets["fit"].fit
    generator = np.random.default_rng(0)
    x = 5 * generator.random(100_000)
    dots = pg.ScatterPlotItem(x=x, y=np.sin(x) + generator.standard_normal(x.size), size=3, pen=None)
    plot.view.addItem(dots)
    layers = {"without points": (False, False), "with 10⁶ points": (True, False), "with 10⁵ plain dots": (False, True)}
    times: dict[str, list[float]] = {name: [] for name in layers}
    for _ in range(PAINTS):
        for name, (density, plain) in layers.items():
            plot._density.visible = density
            dots.setVisible(plain)
            times[name].append(_paint(application, plot))
    plot.view.removeItem(dots)
    plot._density.visible = True
    least = np.median(times["without points"])
    for name, found in times.items():
        print(f"one repaint {name}: {np.median(found):.1f} ms, {np.median(found) / least:.2f} times")


def _paint(application: QApplication, plot: Any) -> float:
    """One repaint of the whole picture, in ms; the one before has settled what is drawn late."""
    for _ in range(2):
        application.processEvents()
        begin = time.perf_counter()
        plot.viewport().repaint()
    return 1000 * (time.perf_counter() - begin)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
