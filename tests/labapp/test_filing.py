"""New, open, save and save as: what they ask, and what they leave alone when something fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMetaObject, QObject, Qt, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from labapp.document import Document
from labapp.errors import PlainError
from labapp.filing import Filing
from labapp.scenes import Shelf
from labapp.session import hdf5
from labapp.session.codec import Codec
from labapp.session.document import Document as SessionParts
from labapp.session.document import encode
from labapp.session.faults import SessionError
from labapp.settings import Settings
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from tests.labapp.toy import heat, toy_settings

Buttons = QMessageBox.StandardButton


class Mouse(QObject):
    """What the user does meanwhile, asked for from another thread."""

    def __init__(self) -> None:
        super().__init__()
        self.act: Callable[[], None] = lambda: None

    @Slot()
    def move(self) -> None:
        self.act()


class Desk:
    """File actions with a user who answers as told."""

    def __init__(self, window: QWidget, settings: Settings) -> None:
        shelf = Shelf(AppState, Array)
        self.store = Store(shelf.state("rents"))
        self.document = Document(self.store, shelf, Array)
        self.filing = Filing(window, self.document, settings, lambda: ({}, b""), self.told_of)
        self.settings = settings
        self.answers: list[Buttons] = []
        self.asked: list[str] = []
        self.said: list[str] = []
        self.told: list[str] = []
        self.mouse = Mouse()
        self.filing.ask = self._answer  # type: ignore[method-assign]
        self.filing.report = self._hear  # type: ignore[method-assign]

    def _answer(self, text: str, *rest: object) -> Buttons:
        self.asked.append(text)
        return self.answers.pop(0)

    def told_of(self, sentence: str) -> None:
        self.told.append(sentence)

    def _hear(self, error: PlainError, offer: str = "") -> None:
        self.said.append(str(error))

    def heat(self, tau: float) -> None:
        self.store.dispatch(heat(tau), "Heat")


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    window = QWidget()
    qtbot.addWidget(window)
    return Desk(window, toy_settings(tmp_path / "settings.ini"))


def name_it(monkeypatch: pytest.MonkeyPatch, which: str, path: Path | str) -> None:
    def dialog(*how: Any) -> tuple[str, str]:
        return str(path), ""

    monkeypatch.setattr(QFileDialog, which, dialog)


def test_save_asks_for_a_name_once(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.heat(2.0)
    name_it(monkeypatch, "getSaveFileName", tmp_path / "mine.h5")
    assert desk.filing.save()
    assert desk.store.is_clean
    assert desk.document.path == tmp_path / "mine.h5"
    desk.heat(3.0)
    monkeypatch.undo()
    assert desk.filing.save()
    assert desk.settings.recent == [tmp_path / "mine.h5"]
    assert desk.filing.open(tmp_path / "mine.h5")
    assert desk.store.state.scene.temperature == 3.0


def test_no_name_no_file(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.heat(2.0)
    name_it(monkeypatch, "getSaveFileName", "")
    assert not desk.filing.save()
    assert not desk.store.is_clean


def test_the_ending_is_added_and_a_file_of_the_whole_name_is_not_lost(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_it(monkeypatch, "getSaveFileName", tmp_path / "lesson 1.2")
    assert desk.filing.save_as()
    target = tmp_path / "lesson 1.2.h5"
    before = target.read_bytes()
    desk.heat(2.0)
    desk.answers = [Buttons.No, Buttons.Yes]
    assert not desk.filing.save_as()
    assert target.read_bytes() == before
    assert desk.filing.save_as()
    assert target.read_bytes() != before
    assert desk.asked == ["“lesson 1.2.h5” is there already."] * 2


@pytest.mark.parametrize("answer", [Buttons.Save, Buttons.Discard, Buttons.Cancel])
@pytest.mark.parametrize("gesture", ["new", "open"])
def test_changes_are_not_lost_unasked(desk: Desk, tmp_path: Path, answer: Buttons, gesture: str) -> None:
    other = tmp_path / "other.h5"
    desk.document.save(other, {}, None)
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.heat(2.0)
    changed = desk.store.state
    desk.answers = [answer]
    if gesture == "new":
        desk.filing.new("houses")
    else:
        desk.filing.open(other)
    assert desk.asked == ["“mine.h5” has changes that are not saved."]
    assert (desk.store.state == changed) == (answer == Buttons.Cancel)
    desk.store.mark_clean()
    desk.filing.open(tmp_path / "mine.h5")
    assert desk.store.state.scene.temperature == (2.0 if answer == Buttons.Save else 1.0)


def test_changes_stay_when_saving_them_first_fails(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.heat(2.0)
    desk.answers = [Buttons.Save]
    name_it(monkeypatch, "getSaveFileName", "/nowhere/at/all.h5")
    desk.filing.new("houses")
    assert desk.store.state.scene.id == "rents"
    assert len(desk.said) == 1


def test_a_file_that_can_not_be_opened_leaves_the_lab_alone(desk: Desk, tmp_path: Path) -> None:
    junk = tmp_path / "junk.h5"
    junk.write_bytes(b"not a session")
    before = desk.store.state
    for path in (junk, tmp_path / "missing.h5", tmp_path):
        assert not desk.filing.open(path)
    assert desk.store.state is before
    assert desk.document.path is None
    assert desk.settings.recent == []
    assert len(desk.said) == 3


def test_a_file_that_can_not_be_written_leaves_everything_as_it_was(desk: Desk, tmp_path: Path) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.heat(2.0)
    assert not desk.filing._save_to(tmp_path / "no" / "where.h5")
    assert desk.document.path == tmp_path / "mine.h5"
    assert not desk.store.is_clean


@pytest.mark.parametrize("answer", [Buttons.Yes, Buttons.No, Buttons.Cancel])
def test_a_file_that_someone_else_changed_is_not_replaced_unasked(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Buttons
) -> None:
    mine, copy = tmp_path / "mine.h5", tmp_path / "copy.h5"
    desk.document.save(mine, {}, None)
    mine.write_bytes(theirs := b"theirs")
    desk.heat(2.0)
    desk.answers = [answer]
    name_it(monkeypatch, "getSaveFileName", copy)
    assert desk.filing.save() == (answer != Buttons.Cancel)
    assert desk.asked == ["“mine.h5” was changed by someone else since it was opened here."]
    assert (mine.read_bytes() == theirs) == (answer != Buttons.Yes)
    assert copy.exists() == (answer == Buttons.No)


def test_a_file_that_was_deleted_is_written_again(desk: Desk, tmp_path: Path) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    (tmp_path / "mine.h5").unlink()
    desk.heat(2.0)
    assert desk.filing.save()
    assert (tmp_path / "mine.h5").exists()


def test_new_has_no_history_no_name_and_nothing_unsaved(desk: Desk, tmp_path: Path) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.filing.new("houses")
    assert desk.store.state.scene.id == "houses"
    assert desk.document.title == "Untitled lab"
    assert desk.store.is_clean
    assert desk.store.undo_label == ""


def test_an_unknown_scene_is_named_with_the_known_ones(desk: Desk) -> None:
    with pytest.raises(PlainError, match=r"no scene named 'nothing'.*rents"):
        desk.document.new("nothing")


def test_the_open_dialog_opens(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.filing.new("houses")
    name_it(monkeypatch, "getOpenFileName", tmp_path / "mine.h5")
    desk.filing.open_dialog()
    assert desk.document.path == tmp_path / "mine.h5"


def test_what_is_changed_while_a_file_is_written_stays_unsaved(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.h5"
    write = desk.document.write

    def slow(*what: Any) -> Any:
        QMetaObject.invokeMethod(desk.mouse, "move", Qt.ConnectionType.BlockingQueuedConnection)
        return write(*what)

    monkeypatch.setattr(desk.document, "write", slow)
    desk.heat(2.0)
    desk.mouse.act = lambda: desk.heat(3.0)
    name_it(monkeypatch, "getSaveFileName", path)
    assert desk.filing.save()
    assert desk.store.state.scene.temperature == 3.0
    assert not desk.store.is_clean
    assert desk.document.read(path).state.scene.temperature == 2.0


def test_no_other_file_action_begins_while_one_lasts(desk: Desk, tmp_path: Path) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.filing._is_busy = True
    assert not desk.filing.may_lose_changes()
    assert not desk.filing.save()
    assert not desk.filing.open(tmp_path / "mine.h5")
    assert not desk.filing.revert()
    assert len(desk.told) == 4


def test_a_copy_is_another_file_and_the_lab_goes_on_with_its_own(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.heat(2.0)
    name_it(monkeypatch, "getSaveFileName", tmp_path / "copy.h5")
    assert desk.filing.save_copy()
    assert desk.document.path == tmp_path / "mine.h5"
    assert not desk.store.is_clean
    assert desk.document.read(tmp_path / "copy.h5").state.scene.temperature == 2.0
    name_it(monkeypatch, "getSaveFileName", tmp_path / "no" / "copy.h5")
    assert not desk.filing.save_copy()
    assert len(desk.said) == 1


@pytest.mark.parametrize("answer", [Buttons.Yes, Buttons.No])
def test_revert_asks_and_goes_back_to_the_file(desk: Desk, tmp_path: Path, answer: Buttons) -> None:
    assert not desk.filing.revert()
    desk.document.save(tmp_path / "mine.h5", {}, None)
    desk.heat(2.0)
    desk.answers = [answer]
    assert desk.filing.revert() == (answer == Buttons.Yes)
    assert desk.store.state.scene.temperature == (1.0 if answer == Buttons.Yes else 2.0)
    assert desk.store.is_clean == (answer == Buttons.Yes)


def test_theirs_can_be_shown_instead_of_replaced(desk: Desk, tmp_path: Path) -> None:
    mine = tmp_path / "mine.h5"
    desk.document.save(mine, {}, None)
    desk.document.write(tmp_path / "theirs.h5", heat(5.0)(desk.store.state), {}, None)
    (tmp_path / "theirs.h5").replace(mine)
    desk.heat(2.0)
    desk.answers = [Buttons.Open]
    assert not desk.filing.save()
    assert desk.store.state.scene.temperature == 5.0


def newer(path: Path) -> Path:
    """A file as a later lab writes it, with a part that this one doesn't know."""
    tree, arrays = Codec(Array).to_tree(AppState())
    attributes = {"schema": "1.9", "min_reader": "1"}
    path.write_bytes(bytes(hdf5.pack(encode(SessionParts({**tree, "later": 1}, arrays, {}, None, attributes)))))
    return path


@pytest.mark.parametrize("answer", [Buttons.Yes, Buttons.No, Buttons.Cancel])
def test_a_newer_file_is_told_and_asked_about_once(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: Buttons
) -> None:
    path, copy = newer(tmp_path / "newer.h5"), tmp_path / "copy.h5"
    before = path.read_bytes()
    assert desk.filing.open(path)
    assert "newer version" in desk.told[0]
    desk.heat(2.0)
    desk.answers = [answer]
    name_it(monkeypatch, "getSaveFileName", copy)
    assert desk.filing.save() == (answer != Buttons.Cancel)
    assert (path.read_bytes() == before) == (answer != Buttons.Yes)
    if answer == Buttons.Yes:
        assert desk.filing.save()  # asked once
        assert desk.document.read(path).info.kept.fields == {("later",): 1}


def test_parts_that_were_left_out_are_told_and_the_file_is_not_replaced_unasked(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "hurt.h5"
    tree, arrays = Codec(Array).to_tree(AppState())
    path.write_bytes(bytes(hdf5.pack(encode(SessionParts({**tree, "flow": 1}, arrays)))))
    before = path.read_bytes()
    assert desk.filing.open(path)
    assert "left out: flow" in desk.told[0]
    desk.heat(2.0)
    desk.answers = [Buttons.Cancel]
    assert not desk.filing.save()
    assert path.read_bytes() == before


def test_details_are_under_a_button_and_save_as_is_offered(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    filing = Filing(window, Desk(window, toy_settings(tmp_path / "s.ini")).document, None, lambda: ({}, b""))  # type: ignore[arg-type]
    seen: list[Any] = []

    def answer(box: QMessageBox) -> int:
        seen.append((box.text(), box.detailedText(), [button.text() for button in box.buttons()]))
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    assert not filing.report(SessionError("disk_full", "[Errno 28]", "a.h5", size="1.0", free="0.1"), offer="Save as…")
    text, details, buttons = seen[0]
    assert "Errno" not in text
    assert details == "[Errno 28]"
    assert "Save as…" in buttons
