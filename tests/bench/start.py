"""From the start of the process to the first picture, beside the same program with torch imported first.

Run on a screen (or under Xvfb): ``python -m tests.bench.start [rounds]``. Prints medians and ratios: the bare window,
the first painted panel, its first result, and the longest time for which the window stood still until then.
"""

from __future__ import annotations

import itertools
import json
import statistics
import subprocess
import sys
import time

FRAME_MS = 5


def main(rounds: int = 7) -> None:
    ways: dict[str, list[dict[str, float]]] = {"torch last": [], "torch first": []}
    for _ in range(rounds):  # in turn, so that a busy moment meets both
        for way, seen in ways.items():
            seen.append(_measure(way))
    medians = {
        way: {mark: statistics.median(run[mark] for run in seen) for mark in seen[0]} for way, seen in ways.items()
    }
    for way, marks in medians.items():
        print(way, "  ".join(f"{mark} {seconds:.3f} s" for mark, seconds in marks.items()))
    whole = medians["torch first"]["panel"]
    for mark in ("window", "panel"):
        print(f"{mark}: {medians['torch last'][mark] / whole:.2f} of the first panel with torch first")
    print(f"longest standstill while torch loads: {max(run['standstill'] for run in ways['torch last']):.3f} s")


def _measure(way: str) -> dict[str, float]:
    start = time.time()
    command = [sys.executable, "-m", "tests.bench.start", "child", way, repr(start)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.strip().splitlines()[-1]))


def _child(way: str, start: float) -> None:
    if way == "torch first":
        import torch  # noqa: F401
    from PySide6.QtCore import QEvent, QObject, QSettings, QTimer
    from PySide6.QtWidgets import QWidget

    from labapp.application import AfterPaint, fill, make_application
    from labapp.look import Look
    from labapp.settings import Settings
    from labapp.window import LabWindow

    application = make_application()
    sys.excepthook = lambda *fault: (sys.__excepthook__(*fault), application.exit(1))  # a bench that fails, not hangs
    window = LabWindow(Look("light"), Settings(QSettings("", QSettings.Format.IniFormat)))
    marks: dict[str, float] = {}
    beats: list[float] = []

    def mark(name: str) -> None:
        marks[name] = time.time() - start

    def filled() -> None:
        mark("window")
        from main import make_parts

        window.furnish(make_parts())
        fill(window)
        application.installEventFilter(painted)

    def beat() -> None:
        beats.append(time.perf_counter())
        if window.hosts[0].is_current:
            mark("result")
            gaps = [after - before for before, after in itertools.pairwise(beats)]
            print(json.dumps({**marks, "standstill": max(gaps)}))
            application.quit()

    class Painted(QObject):
        """Marks the first painting of anything inside the panel."""

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
            host = window.hosts[0]
            if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget) and host.isAncestorOf(watched):
                application.removeEventFilter(self)
                QTimer.singleShot(0, lambda: (mark("panel"), timer.start()))
            return False

    painted = Painted()
    timer = QTimer(interval=FRAME_MS)
    timer.timeout.connect(beat)
    AfterPaint(window, filled)
    window.show()
    code = application.exec()
    window.runner.close()
    sys.exit(code)


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        _child(sys.argv[2], float(sys.argv[3]))
    else:
        main(*map(int, sys.argv[1:2]))
