"""Two windows on one file, edits, undo, saves, crashes, recovery, and someone else who writes the file.

A state machine that checks after each step: no edit older than the last autosave is lost, and no file is overwritten
that nobody was asked about.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from labapp.autosave import Autosave
from labapp.document import Document
from labapp.filing import Filing
from labapp.ring import Ring, lost_labs
from labapp.scenes import Shelf
from labapp.session.sessions import open_session
from labapp.settings import Settings
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from tests.labapp.session import CODEC
from tests.labapp.toy import heat, toy_settings

Buttons = QMessageBox.StandardButton
WINDOWS = st.integers(0, 1)
ALL: list[Window] = []
"""Kept, lest a thread that autosaves sweeps up a widget that belongs to another."""


class Window:
    """The file actions of a window whose user answers every question with "Cancel", and counts them."""

    def __init__(self, root: Path, settings: Settings) -> None:
        shelf = Shelf(AppState, Array)
        self.widget = QWidget()
        self.store = Store(shelf.state("rents"))
        self.document = Document(self.store, shelf, Array)
        self.filing = Filing(self.widget, self.document, settings, lambda: ({}, b""))
        self.filing.ask = self._cancel  # type: ignore[method-assign]
        self.filing.report = lambda error, offer="": False  # type: ignore[method-assign]
        self.ring = Ring(root / "recovery")
        self.autosave = Autosave(self.document, self.ring, lambda: ({}, b""))
        self.asked = 0

    def _cancel(self, *question: object) -> Buttons:
        self.asked += 1
        return Buttons.Cancel

    @property
    def kept(self) -> Any:
        """What a crash now would leave: None where nothing is unsaved."""
        return self.autosave._kept

    def crash(self) -> None:
        self.autosave._join()
        self.autosave._stop_timers()
        self.store.history_changed.disconnect(self.autosave._on_change)
        self.autosave._ended.disconnect()
        self.ring._lock.unlock()


class Lesson(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        self.path = self.root / "lesson.h5"
        self.settings = toy_settings(self.root / "settings.ini")
        self.windows = [self._window(), self._window()]
        self.windows[0].document.save(self.path, {}, None)
        self.windows[1].filing.open(self.path)
        self.on_disk = self.windows[0].store.state
        self.crashed: list[Any] = []

    def _window(self) -> Window:
        ALL.append(Window(self.root, self.settings))
        return ALL[-1]

    @rule(which=WINDOWS, tau=st.floats(0.5, 5.0))
    def edit(self, which: int, tau: float) -> None:
        self.windows[which].store.dispatch(heat(tau), "Heat")

    @rule(which=WINDOWS)
    def undo(self, which: int) -> None:
        self.windows[which].store.undo()

    @rule(which=WINDOWS)
    def pause(self, which: int) -> None:
        """Sixty seconds pass."""
        window = self.windows[which]
        window.autosave.keep_and_wait()
        assert window.store.is_clean or window.kept is window.store.state

    @rule(which=WINDOWS)
    def save(self, which: int) -> None:
        window = self.windows[which]
        if window.document.path is None:
            return
        mine, before = window.document._info, window.asked
        theirs = mine.fingerprint.digests != _digests(self.path)
        saved = window.filing.save()
        assert saved != theirs
        assert (window.asked > before) == theirs
        if saved:
            self.on_disk = window.store.state

    @rule(tau=st.floats(6.0, 9.0))
    def write_from_elsewhere(self, tau: float) -> None:
        document = self.windows[0].document
        state = heat(tau)(self.on_disk)
        document.write(self.root / "other.h5", state, {}, None)
        (self.root / "other.h5").replace(self.path)
        self.on_disk = state

    @rule(which=WINDOWS)
    def crash(self, which: int) -> None:
        window = self.windows[which]
        window.crash()
        if window.kept is not None:
            self.crashed.append(window.kept)
        self.windows[which] = self._window()
        self.windows[which].filing.open(self.path)

    @precondition(lambda self: self.crashed)
    @rule(which=WINDOWS)
    def recover(self, which: int) -> None:
        window = self.windows[which]
        if not window.store.is_clean:
            return
        for lost in lost_labs(self.root / "recovery", window.document.read):
            window.document.recover(lost.opened)
            window.autosave.keep_and_wait()
            assert window.kept == lost.opened.state
            self.crashed.remove(lost.opened.state)
            lost.discard()
            window.store.mark_clean()  # given up, so that the next one may be shown
            window.autosave.keep_and_wait()

    @invariant()
    def what_crashed_is_there(self) -> None:
        found = [lost.opened.state for lost in lost_labs(self.root / "recovery", self.windows[0].document.read)]
        assert len(found) == len(self.crashed)
        assert all(state in found for state in self.crashed)

    @invariant()
    def the_file_is_the_last_that_was_agreed_to(self) -> None:
        assert open_session(self.path, AppState, CODEC).state == self.on_disk

    def teardown(self) -> None:
        for window in self.windows:
            window.autosave.close(forget=True)
        self.folder.cleanup()


def _digests(path: Path) -> tuple[str, ...]:
    info = open_session(path, AppState, CODEC).info
    return info.fingerprint.digests


def torture(folder: Path, count: int, first: int) -> str:
    application = QApplication.instance() or QApplication([])
    run = settings(
        max_examples=count,
        stateful_step_count=20,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(first)(Lesson), settings=run)
    assert application is not None
    return f"{count} lessons of up to 20 steps with two windows: nothing kept was lost, nothing overwritten unasked"
