"""How long a drag's frame takes in the temperature panel: from the event to the painted result.

``python -m tests.bench.temperature_frames`` prints median and 95th percentile of each kind of drag, by the
clock, and in processor time of GUI and worker together, which is what the clock would say on a machine with nothing
else to do. The real store, worker thread and panel are used; a frame ends when the panel is painted with the result.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEventLoop

from labapp.application import make_application
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.runner import Runner
from labapp.scenes import Shelf
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from models.temperature_panel import MOST_BARS
from panels.temperature import SPEC
from panels.temperature.sections import SECTIONS
from panels.temperature.updates import drag_score, set_temperature, take_scores

FRAMES = 120
PATIENCE = 5.0


class Bench:
    """A panel in a window of the size of a dock, with a count of the results that it was given."""

    def __init__(self) -> None:
        self.application = make_application()
        look = Look("light")
        shelf = Shelf(AppState, Array)
        self.store, self.runner = Store(shelf.state("rents")), Runner(Backend("cpu"))
        lab = Lab(self.store.dispatch, self.store.take_back, look, Highlight(), scene=shelf.choose)
        self.host = PanelHost(SPEC, lab, self.store, self.runner)
        self.host.resize(560, 760)
        self.host.show()
        self.wait()

    def wait(self) -> None:
        """Until the present state is computed and painted."""
        end = time.perf_counter() + PATIENCE
        QCoreApplication.processEvents()
        while not self.host.is_current and time.perf_counter() < end:
            QCoreApplication.processEvents()
        self.host.panel.repaint()
        QCoreApplication.processEvents()

    def frames(self, update: Callable[[int], Callable[[Any], Any]]) -> np.ndarray:
        """Milliseconds (FRAMES, 2) by clock and processor of each update, from its dispatch to the painted result."""
        token, times = object(), []
        for frame in range(FRAMES):
            start, busy = time.perf_counter(), time.process_time()
            self.store.dispatch(update(frame), "drag", token)
            end = start + PATIENCE
            while not self.host.is_current and time.perf_counter() < end:
                # Waiting lets the worker have the interpreter, as the event loop of the program does.
                QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            QCoreApplication.processEvents()
            times.append((time.perf_counter() - start, time.process_time() - busy))
        return 1e3 * np.array(times)


def report(name: str, times: np.ndarray) -> None:
    (clock, busy), (late_clock, late_busy) = np.percentile(times, [50, 95], axis=0)
    print(f"{name:<36} clock {clock:6.1f} ms, p95 {late_clock:6.1f}   processor {busy:6.1f} ms, p95 {late_busy:6.1f}")


def main() -> None:
    import torch

    # One thread for torch: on two cores a second one waits for the core that paints.
    torch.set_num_threads(1)
    bench = Bench()
    generator = np.random.default_rng(0)
    for count in (3, 1000, 100_000):
        scores = 3 * generator.standard_normal(count)
        bench.store.dispatch(lambda state, scores=scores: take_scores(state, scores), "scores")
        for section in SECTIONS:
            bench.host.panel.pictures.choose(section.id)
            bench.wait()
            times = bench.frames(lambda frame: lambda state: set_temperature(state, 0.2 * 1.02**frame))
            report(f"{count:,} scores, τ, {section.title}", times)
        for name in ("weights", "entropy") if count <= MOST_BARS else ():
            bench.host.panel.pictures.choose(name)
            bench.wait()
            times = bench.frames(lambda frame: lambda state: drag_score(state, 1, 0.01 + 0.03 * frame))
            report(f"{count:,} scores, a bar, {name}", times)
    bench.runner.close()


if __name__ == "__main__":
    sys.exit(main())
