"""An exception anywhere: one dialog with a sentence, details to copy, a line in the log, and the lab goes on (G-06)."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from labapp.faults import FaultReporter, log, start_log, watch_crashes
from labapp.look import Look
from labapp.window import LabWindow
from models.errors import LabError
from tests.labapp.toy import ToyPanel, heat, toy_settings, toy_window


@pytest.fixture
def window(look: Look, tmp_path: Path, qtbot: QtBot) -> LabWindow:
    made = toy_window(look, toy_settings(tmp_path / "s.ini"))
    qtbot.addWidget(made)
    return made


@pytest.fixture
def log_path(tmp_path: Path) -> Iterator[Path]:
    handlers = list(log.handlers)
    path = tmp_path / "data" / "lookuplab.log"
    start_log(path)
    yield path
    for handler in log.handlers[len(handlers) :]:
        log.removeHandler(handler)
        handler.close()


@pytest.fixture
def reporter(window: LabWindow, log_path: Path) -> Iterator[FaultReporter]:
    hooks = sys.excepthook, threading.excepthook
    made = FaultReporter(window)
    made.install()
    yield made
    made.uninstall()
    sys.excepthook, threading.excepthook = hooks


def divide() -> float:
    return 1 / 0


def wait_for_dialog(reporter: FaultReporter, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: bool(reporter.dialogs), timeout=10_000)
    return reporter.dialogs[0].text()


def test_in_a_slot(reporter: FaultReporter, window: LabWindow, qtbot: QtBot, log_path: Path) -> None:
    for _ in range(3):
        QTimer.singleShot(0, divide)
    text = wait_for_dialog(reporter, qtbot)
    qtbot.wait(20)
    assert text == "Something in the program went wrong (ZeroDivisionError). Your lab is still there."
    assert len(reporter.dialogs) == 1
    assert log_path.read_text().count("ZeroDivisionError") == 3
    window.store.dispatch(heat(2.0), "Heat")  # the lab goes on
    panel = window.hosts[0].panel
    assert isinstance(panel, ToyPanel)
    assert panel.results[-1].temperature == 2.0


def test_in_a_thread(reporter: FaultReporter, qtbot: QtBot, log_path: Path) -> None:
    thread = threading.Thread(target=divide)
    thread.start()
    thread.join()
    assert "ZeroDivisionError" in wait_for_dialog(reporter, qtbot)
    assert "in divide" in log_path.read_text()


def test_in_a_paint_event(reporter: FaultReporter, window: LabWindow, qtbot: QtBot, log_path: Path) -> None:
    panel = window.hosts[0].panel
    assert isinstance(panel, ToyPanel)
    panel.fault = KeyError("paint")
    for _ in range(3):
        panel.update()
        qtbot.wait(5)
    assert "KeyError" in wait_for_dialog(reporter, qtbot)
    assert len(reporter.dialogs) == 1
    assert "paintEvent" in log_path.read_text()
    panel.fault = None


def test_in_a_handler_of_the_state(reporter: FaultReporter, window: LabWindow, qtbot: QtBot) -> None:
    window.store.changed.connect(lambda state: divide())
    window.store.dispatch(heat(2.0), "Heat")
    assert "ZeroDivisionError" in wait_for_dialog(reporter, qtbot)
    assert window.store.undo_label == "Heat"


def test_details_are_copied_and_the_dialog_stays_until_it_is_closed(reporter: FaultReporter, qtbot: QtBot) -> None:
    QTimer.singleShot(0, divide)
    wait_for_dialog(reporter, qtbot)
    box = reporter.dialogs[0]
    next(each for each in box.findChildren(QPushButton) if each.text() == "Copy details").click()
    assert "in divide" in QGuiApplication.clipboard().text()
    assert box.isVisible()
    box.button(box.StandardButton.Ok).click()
    assert reporter.dialogs == []


def test_a_plain_error_says_its_sentence_once_at_a_time(reporter: FaultReporter, qtbot: QtBot) -> None:
    def refuse() -> None:
        raise LabError("Two keys are needed; one came.")

    for _ in range(3):
        QTimer.singleShot(0, refuse)
    assert wait_for_dialog(reporter, qtbot) == "Two keys are needed; one came."
    qtbot.wait(20)
    assert len(reporter.dialogs) == 1
    reporter.dialogs[0].close()
    qtbot.waitUntil(lambda: not reporter.dialogs, timeout=10_000)
    QTimer.singleShot(0, refuse)
    wait_for_dialog(reporter, qtbot)


def test_warnings_of_qt_go_to_the_log(reporter: FaultReporter, log_path: Path) -> None:
    qWarning("a warning of Qt")
    assert "WARNING Qt: a warning of Qt" in log_path.read_text()
    assert reporter.dialogs == []


def test_a_folder_that_can_not_be_written_does_not_stop_the_start(tmp_path: Path) -> None:
    handlers = list(log.handlers)
    (tmp_path / "file").touch()
    start_log(tmp_path / "file" / "lookuplab.log")
    assert type(log.handlers[-1]) is logging.StreamHandler
    log.handlers[:] = handlers


def test_a_crash_below_python_leaves_a_trace_in_the_log(tmp_path: Path) -> None:
    """Two starts: the first dies of a bad address in a thread's sight, the second puts what it wrote into the log."""
    start = (
        "import sys, ctypes\n"
        "from pathlib import Path\n"
        "from labapp.faults import start_log, watch_crashes\n"
        "folder = Path(sys.argv[1])\n"
        "start_log(folder / 'lookuplab.log')\n"
        "watch_crashes(folder / 'crash.log')\n"
    )
    crash = start + "def the_fatal_call():\n    ctypes.string_at(0)\nthe_fatal_call()\n"
    assert subprocess.run([sys.executable, "-c", crash, tmp_path], timeout=60).returncode != 0
    assert "the_fatal_call" in (tmp_path / "crash.log").read_text()
    subprocess.run([sys.executable, "-c", start, tmp_path], check=True, timeout=60)
    said = (tmp_path / "lookuplab.log").read_text()
    assert "ended by a crash before this start" in said
    assert "the_fatal_call" in said
    assert (tmp_path / "crash.log").read_text() == ""


def test_a_crash_log_that_cannot_be_written_is_said(tmp_path: Path, log_path: Path) -> None:
    watch_crashes(tmp_path / "nowhere" / "crash.log")
    assert "A crash will leave no trace" in log_path.read_text()
