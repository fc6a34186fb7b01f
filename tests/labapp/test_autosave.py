"""Unsaved work is kept beside, survives a crash, and is offered again; nothing of it hinders a start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from labapp import autosave, ring
from labapp.autosave import Autosave
from labapp.document import Document
from labapp.recovery import RecoveryDialog
from labapp.ring import Lost, Ring, lost_labs
from labapp.scenes import Shelf
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from tests.labapp.toy import heat

CRASH = """
import os, sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
application = QApplication([])
from tests.labapp.test_autosave import Desk
from tests.labapp.toy import heat
desk = Desk(Path(sys.argv[1]))
desk.heat(2.0)
desk.autosave.keep_and_wait()
desk.heat(3.0)
sys.stdout.write("kept\\n"); sys.stdout.flush()
application.exec()
"""


class Desk:
    def __init__(self, root: Path) -> None:
        shelf = Shelf(AppState, Array)
        self.store = Store(shelf.state("rents"))
        self.document = Document(self.store, shelf, Array)
        self.ring = Ring(root)
        self.autosave = Autosave(self.document, self.ring, lambda: ({}, b""))

    def heat(self, tau: float) -> None:
        self.store.dispatch(heat(tau), "Heat")

    @property
    def files(self) -> list[Path]:
        return sorted(self.ring.folder.glob("*.h5"))


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[[], Desk]]:
    desks: list[Desk] = []

    def desk() -> Desk:
        desks.append(Desk(tmp_path / "recovery"))
        return desks[-1]

    yield desk
    for each in desks:
        each.autosave.close(forget=True)


def crashed(desk: Desk) -> None:
    """Leave the folder as a process does that has gone."""
    desk.ring._lock.unlock()


def lost(desk: Desk) -> list[Lost]:
    return lost_labs(desk.ring.folder.parent, desk.document.read)


def test_it_waits_for_a_pause_but_not_for_ever(
    make: Callable[[], Desk], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (autosave.QUIET_MS, autosave.LATEST_MS) == (2_000, 60_000)
    monkeypatch.setattr(autosave, "QUIET_MS", 10)
    desk = make()
    desk.heat(2.0)
    assert desk.files == []
    qtbot.waitUntil(lambda: len(desk.files) == 1)
    monkeypatch.setattr(autosave, "QUIET_MS", 1_000_000)
    monkeypatch.setattr(autosave, "LATEST_MS", 100)
    busy = make()
    for step in range(20):  # never a pause
        busy.heat(2.0 + step)
        qtbot.wait(10)
    qtbot.waitUntil(lambda: len(busy.files) >= 1)


def test_the_last_three_are_kept(make: Callable[[], Desk]) -> None:
    desk = make()
    for tau in (2.0, 3.0, 4.0, 5.0):
        desk.heat(tau)
        desk.autosave.keep_and_wait()
    assert [path.name for path in desk.files] == ["0.h5", "1.h5", "2.h5"]
    assert sorted(desk.document.read(path).state.scene.temperature for path in desk.files) == [3.0, 4.0, 5.0]


def test_nothing_is_written_twice_or_without_a_change(make: Callable[[], Desk]) -> None:
    desk = make()
    desk.autosave.keep_and_wait()
    assert desk.files == []
    desk.heat(2.0)
    desk.autosave.keep_and_wait()
    desk.autosave.keep_and_wait()
    assert len(desk.files) == 1


def test_a_save_and_an_undo_leave_nothing_to_recover(make: Callable[[], Desk], tmp_path: Path) -> None:
    desk = make()
    desk.heat(2.0)
    desk.autosave.keep_and_wait()
    desk.document.save(tmp_path / "a.h5", {}, None)
    desk.autosave.keep_and_wait()
    assert desk.files == []
    desk.heat(3.0)
    desk.autosave.keep_and_wait()
    desk.store.undo()
    desk.autosave.keep_and_wait()
    assert desk.files == []


def test_a_live_window_is_not_lost_and_a_crashed_one_is(make: Callable[[], Desk], tmp_path: Path) -> None:
    desk, other = make(), make()
    desk.document.save(tmp_path / "lesson.h5", {}, None)
    desk.heat(2.0)
    desk.autosave.keep_and_wait()
    desk.heat(3.0)
    desk.autosave.keep_and_wait()
    assert lost(other) == []
    crashed(desk)
    (found,) = lost(other)
    assert found.title == "lesson.h5"
    assert found.opened.state.scene.temperature == 3.0
    other.document.recover(found.opened)
    assert not other.store.is_clean
    assert other.document.path is None


def test_a_killed_process_is_told_from_a_live_one(make: Callable[[], Desk], tmp_path: Path) -> None:
    desk = make()
    run = subprocess.Popen(
        [sys.executable, "-c", CRASH, str(tmp_path / "recovery")],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    with run:
        assert run.stdout
        assert run.stdout.readline().strip() == b"kept"
        assert lost(desk) == []
        run.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
    (found,) = lost(desk)
    assert found.opened.state.scene.temperature == 2.0  # the one before the last pause
    found.discard()
    assert lost(desk) == []


def test_damaged_files_give_way_to_older_ones_and_never_hinder(make: Callable[[], Desk]) -> None:
    desk, other = make(), make()
    for tau in (2.0, 3.0):
        desk.heat(tau)
        desk.autosave.keep_and_wait()
    desk.files[1].write_bytes(b"half")
    (desk.ring.folder / ring.NOTE).write_bytes(b"\xff{")
    crashed(desk)
    (found,) = lost(other)
    assert (found.title, found.opened.state.scene.temperature) == ("Untitled lab", 2.0)
    desk.files[0].write_bytes(b"")
    (desk.ring.folder.parent / "stray").write_bytes(b"")
    (desk.ring.folder.parent / "empty").mkdir()
    assert lost(other) == []
    assert lost_labs(desk.ring.folder / "nowhere", desk.document.read) == []


def test_a_folder_that_can_not_be_written_is_said_once(make: Callable[[], Desk], qtbot: QtBot) -> None:
    desk = make()
    said: list[str] = []
    desk.autosave.failed.connect(said.append)
    for path in desk.ring.folder.iterdir():
        path.unlink()
    desk.ring.folder.rmdir()
    for tau in (2.0, 3.0):
        desk.heat(tau)
        desk.autosave.keep_and_wait()
    qtbot.waitUntil(lambda: len(said) > 0)
    assert len(said) == 1
    assert "can't be kept" in said[0]


@pytest.mark.parametrize("forget", [True, False])
def test_closing_forgets_what_was_given_up_and_keeps_what_was_not(qtbot: QtBot, tmp_path: Path, forget: bool) -> None:
    desk = Desk(tmp_path / "recovery")
    desk.heat(2.0)
    desk.autosave.close(forget=forget)
    assert desk.ring.folder.exists() != forget
    assert len(lost_labs(tmp_path / "recovery", desk.document.read)) == (not forget)


@pytest.mark.parametrize("choice", ["restore", "save_copy", "discard", "reject"])
def test_the_list_restores_copies_and_discards(
    make: Callable[[], Desk], qtbot: QtBot, tmp_path: Path, choice: str
) -> None:
    desk, other = make(), make()
    desk.heat(2.0)
    desk.autosave.keep_and_wait()
    crashed(desk)
    restored: list[Lost] = []
    copy = tmp_path / "copy.h5"
    dialog = RecoveryDialog(lost(other), restored.append, lambda: copy, lambda error: pytest.fail(str(error)))
    qtbot.addWidget(dialog)
    assert "Untitled lab" in dialog.list.item(0).text()
    getattr(dialog, choice)()
    assert len(restored) == (choice == "restore")
    assert copy.exists() == (choice == "save_copy")
    assert len(lost(other)) == (choice in ("restore", "reject"))
