"""Cycles die on the thread of the window, whoever fills the memory."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Callable

from pytestqt.qtbot import QtBot

from labapp.formula import FormulaView
from labapp.garbage import FULL_EVERY, SETTLED, GarbageCollector
from labapp.look import Look


class Cycle:
    """Says in which thread it dies."""

    def __init__(self, died: list[threading.Thread]) -> None:
        self.died = died
        self.itself = self

    def __del__(self) -> None:
        self.died.append(threading.current_thread())


def in_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_no_worker_collects() -> None:
    died: list[threading.Thread] = []
    collector = GarbageCollector()
    Cycle(died)
    in_thread(lambda: [[] for _ in range(200_000)])
    assert died == []
    collector.tick()
    assert died == [threading.main_thread()]


def test_what_has_grown_old_is_collected_too() -> None:
    died: list[threading.Thread] = []
    collector = GarbageCollector()
    for _ in range(SETTLED):
        collector.tick()
    cycle = Cycle(died)
    gc.collect()
    del cycle
    for _ in range(FULL_EVERY - SETTLED - 1):
        collector.tick()
    assert died == []
    collector.tick()
    assert died == [threading.main_thread()]


def test_the_application_collects_by_its_loop() -> None:
    code = (
        "import gc, weakref\n"
        "from labapp.application import make_application\n"
        "from PySide6.QtCore import QTimer\n"
        "application = make_application()\n"
        "assert not gc.isenabled()\n"
        "class Cycle: pass\n"
        "cycle = Cycle(); cycle.itself = cycle; watched = weakref.ref(cycle); del cycle\n"
        "QTimer.singleShot(1500, application.quit)\n"
        "application.exec()\n"
        "assert watched() is None\n"
        "assert make_application() is application\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_view_may_go_while_its_formula_is_typeset(qtbot: QtBot) -> None:
    look = Look(theme="light")
    first, second = FormulaView(look), FormulaView(look)
    qtbot.addWidget(second)
    for view, tex in ((first, r"\query{q}+1"), (second, r"\query{q}+2")):
        view.set_formula(tex, "a sum")
        view.resize(300, 60)
        view.show()
        view.grab()
    first.close()
    del first, view
    qtbot.waitUntil(lambda: not second._image.isNull())
