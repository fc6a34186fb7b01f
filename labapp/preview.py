"""One panel alone in a window, with the real store and runner: for whoever works on that panel."""

from __future__ import annotations

from typing import Any

from labapp.application import make_application
from labapp.faults import FaultReporter
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab, PanelSpec
from labapp.runner import Runner
from labapp.scenes import Shelf
from labapp.store import Store


def preview(spec: PanelSpec, state_type: type, array_type: type, backend: Any, scene: str) -> int:
    """Show the panel with a scene until its window is closed."""
    application = make_application()
    look = Look()
    shelf = Shelf(state_type, array_type)
    store, runner = Store(shelf.state(scene)), Runner(backend)
    lab = Lab(store.dispatch, store.take_back, look, Highlight(), scene=shelf.choose)
    host = PanelHost(spec, lab, store, runner)
    reporter = FaultReporter(host)
    reporter.install()
    host.setWindowTitle(spec.title)
    host.resize(1000, 750)
    host.show()
    code = application.exec()
    runner.close()
    reporter.uninstall()
    return code
