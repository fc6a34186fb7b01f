"""Reading off the GUI thread, and the million rows of case F-10."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from labapp.errors import PlainError
from labapp.runner import CancelledError
from labapp.tables.loader import LoadJob, TableLoader
from labapp.tables.read import ReadOptions, read_table
from tests.cases import case, data_file

# Starting the program must not pay for what only tables need.
LATE = ("clevercsv", "chardet", "regex", "pandas", "torch")


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "large.csv"
    subprocess.run([sys.executable, data_file("f10_make_large.py"), path], check=True)
    return path


def test_a_million_rows_with_progress_and_a_living_event_loop(qtbot: QtBot, million: Path) -> None:
    expected = case("F-10")["expected"]
    loader = TableLoader(million)
    told: list[float] = []
    beats: list[float] = []
    loader.progressed.connect(told.append)
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.perf_counter()))
    heart.start()
    with qtbot.waitSignal(loader.loaded, timeout=60_000) as answer:
        loader.load(ReadOptions())
    heart.stop()
    loader.close()
    (table,) = answer.args or ()
    size, rent = table.columns
    assert table.rows == expected["rows"]
    assert size.values.sum() == pytest.approx(expected["sum size"], abs=1e-3)
    assert rent.values.sum() == pytest.approx(expected["sum rent"], abs=1e-3)
    assert [size.values[0], rent.values[0]] == expected["first"]
    assert [size.values[-1], rent.values[-1]] == expected["last"]
    assert told == sorted(told)
    assert len(told) > 5
    assert len(beats) > 20, "the event loop went on while the worker read"


def test_cancel_gives_no_answer(qtbot: QtBot, million: Path) -> None:
    loader = TableLoader(million)
    answers: list[object] = []
    loader.loaded.connect(answers.append)
    loader.failed.connect(answers.append)
    with qtbot.waitSignal(loader.progressed, timeout=10_000):
        loader.load(ReadOptions())
    loader.close()
    qtbot.wait(50)
    assert not answers
    assert not loader.is_busy


@pytest.mark.parametrize("after", [1, 3, 30, 100])
def test_the_reader_stops_where_it_is(million: Path, after: int) -> None:
    class Impatient(LoadJob):
        checks = 0

        def check(self) -> None:
            self.checks += 1
            if self.checks >= after:
                self.cancel()
            super().check()

    job = Impatient(lambda _fraction: None)
    with pytest.raises(CancelledError):
        read_table(million, ReadOptions(), job)
    assert job.checks == after


def test_the_newest_request_wins(qtbot: QtBot) -> None:
    loader = TableLoader("a;b\n1,250;2\n1,480;3\n")
    tables: list[object] = []
    loader.loaded.connect(tables.append)
    loader.load(ReadOptions(decimal="."))
    loader.load(ReadOptions(decimal=","))
    qtbot.waitUntil(lambda: bool(tables), timeout=5_000)
    loader.close()
    assert [table.columns[0].values.tolist() for table in tables] == [[1.25, 1.48]]  # type: ignore[attr-defined]


def test_what_can_not_be_read_arrives_as_an_error(qtbot: QtBot, tmp_path: Path) -> None:
    loader = TableLoader(tmp_path / "none.csv")
    with qtbot.waitSignal(loader.failed, timeout=5_000) as answer:
        loader.load(ReadOptions())
    loader.close()
    assert isinstance((answer.args or [None])[0], PlainError)


def test_signals_arrive_on_the_thread_of_the_loader(qtbot: QtBot) -> None:
    loader = TableLoader("a,b\n1,2\n")
    threads: list[threading.Thread] = []
    loader.loaded.connect(lambda _table: threads.append(threading.current_thread()))
    with qtbot.waitSignal(loader.loaded, timeout=5_000):
        loader.load(ReadOptions())
    loader.close()
    assert threads == [threading.main_thread()]


def test_importing_the_dialog_loads_no_library_of_tables() -> None:
    lines = f"import sys, labapp.tables.dialog; print([name for name in {LATE} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_fault_of_the_reader_is_shown_and_raised(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr("labapp.tables.loader.read_source", broken)
    loader = TableLoader("a,b\n1,2\n")
    told: list[object] = []
    loader.failed.connect(told.append)
    with qtbot.captureExceptions() as raised:
        loader.load(ReadOptions())
        qtbot.waitUntil(lambda: bool(told), timeout=5_000)
    loader.close()
    assert isinstance(told[0], ZeroDivisionError)
    assert [kind for kind, _, _ in raised] == [ZeroDivisionError]
