"""The window: title, questions, Present, text size, drops, and what travels in a session."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFontInfo, QKeyEvent, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMessageBox, QTableWidget
from pytestqt.qtbot import QtBot

from labapp.look import LARGEST, SMALLEST, Look
from labapp.placing import frame_size
from labapp.settings import Settings
from labapp.window import LabWindow
from models.errors import LabError
from tests.labapp.toy import NAMES, QueueExecutor, ToyPanel, ToyResult, heat, toy_settings, toy_spec, toy_window

Buttons = QMessageBox.StandardButton


@pytest.fixture
def kept(tmp_path: Path) -> Settings:
    return toy_settings(tmp_path / "settings.ini")


@pytest.fixture
def window(look: Look, kept: Settings, qtbot: QtBot) -> Iterator[LabWindow]:
    made = toy_window(look, kept)
    qtbot.addWidget(made)
    qtbot.wait(1)
    yield made
    made.store.mark_clean()


def action(window: LabWindow, text: str) -> Any:
    return next(each for each in window.actions() if each.text().replace("&", "").startswith(text))


def press(window: LabWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(window, key, modifier)


def test_the_title_has_the_name_of_the_file_and_the_mark_of_changes(window: LabWindow, tmp_path: Path) -> None:
    assert window.windowTitle() == "Untitled lab[*] — Lookup Lab"
    assert not window.isWindowModified()
    window.store.dispatch(heat(2.0), "Heat")
    assert window.isWindowModified()
    window.document.save(tmp_path / "mine.h5", {}, None)
    assert window.windowTitle() == "mine.h5[*] — Lookup Lab"
    assert not window.isWindowModified()
    window.store.undo()
    assert window.isWindowModified()
    window.document.save(tmp_path / "a[*]b.h5", {}, None)
    assert window.windowTitle() == "a[*][*]b.h5[*] — Lookup Lab"


def test_undo_and_redo_have_the_names_of_what_they_do(window: LabWindow) -> None:
    undo, redo = action(window, "Undo"), action(window, "Redo")
    assert not undo.isEnabled()
    assert not redo.isEnabled()
    window.store.dispatch(heat(2.0), "Heat & more")
    assert undo.text() == "&Undo “Heat && more”"
    undo.trigger()
    assert (undo.text(), undo.isEnabled()) == ("&Undo", False)
    assert redo.text() == "&Redo “Heat && more”"
    redo.trigger()
    assert window.store.state.scene.temperature == 2.0


def test_reset_goes_back_to_the_lab_as_opened(window: LabWindow) -> None:
    opened = window.store.state
    window.store.dispatch(heat(2.0), "Heat")
    window.store.dispatch(heat(3.0), "Heat")
    action(window, "Reset").trigger()
    assert window.store.state == opened
    assert window.store.undo_label == "Reset"


@pytest.mark.parametrize("answer", [Buttons.Cancel, Buttons.Discard, Buttons.Save])
def test_closing_asks_before_changes_are_lost(window: LabWindow, tmp_path: Path, answer: Buttons) -> None:
    window.document.save(tmp_path / "mine.h5", {}, None)
    window.store.dispatch(heat(2.0), "Heat")
    asked: list[str] = []

    def ask(text: str, *rest: object) -> Buttons:
        asked.append(text)
        return answer

    window.filing.ask = ask  # type: ignore[method-assign]
    assert window.close() == (answer != Buttons.Cancel)
    assert asked == ["“mine.h5” has changes that are not saved."]
    window.document.open(tmp_path / "mine.h5")
    assert window.store.state.scene.temperature == (2.0 if answer == Buttons.Save else 1.0)


def test_closing_without_changes_asks_nothing(window: LabWindow) -> None:
    window.filing.ask = lambda *question: pytest.fail("asked")  # type: ignore[method-assign]
    assert window.close()


def test_the_shortcuts_that_people_expect(window: LabWindow) -> None:
    keys = dict(window.menus.shortcuts())
    expected = {
        "New": "Ctrl+N",
        "Open": "Ctrl+O",
        "Save": "Ctrl+S",
        "Save as": "Ctrl+Shift+S",
        "Undo": "Ctrl+Z",
        "Redo": "Ctrl+Shift+Z",
        "Larger text": "Ctrl++",
        "Smaller text": "Ctrl+-",
        "Normal text": "Ctrl+0",
        "Present": "F5",
        "Full screen": "F11",
        "Shortcuts": "F1",
        "Quit": "Ctrl+Q",
        "Go to One": "Ctrl+1",
        "Go to Four": "Ctrl+4",
    }
    assert {name: keys.get(name) for name in expected} == expected
    taken = [key.toString() for each in window.actions() for key in each.shortcuts()]
    assert len(taken) == len(set(taken))


def test_text_size(window: LabWindow, look: Look, kept: Settings, qtbot: QtBot) -> None:
    normal = QFontInfo(window.font()).pointSizeF()
    press(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    qtbot.wait(1)
    assert QFontInfo(window.font()).pointSizeF() > normal
    assert kept.text_scale == look.text_scale == pytest.approx(1.1)
    for _ in range(40):
        action(window, "Larger").trigger()
    assert look.text_scale == LARGEST
    for _ in range(40):
        action(window, "Smaller").trigger()
    assert look.text_scale == SMALLEST
    press(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    qtbot.wait(1)
    assert QFontInfo(window.font()).pointSizeF() == pytest.approx(normal)


@pytest.mark.parametrize("theme", ["Light", "Dark", "Like the system"])
def test_themes(window: LabWindow, look: Look, kept: Settings, theme: str) -> None:
    action(window, "Dark").trigger()
    action(window, theme).trigger()
    assert look.theme == kept.theme == {"Light": "light", "Dark": "dark"}.get(theme, "system")
    ground = QApplication.palette().color(QPalette.ColorRole.Window)
    assert ground == look.colour("window")
    if theme != "Like the system":
        assert (ground.lightness() < 128) == (theme == "Dark")
    checked = [each.text() for each in window.actions() if each.isChecked() and each.actionGroup()]
    assert checked == [theme]


def shown(window: LabWindow) -> list[str]:
    return [name for name, dock in window.docks.docks.items() if not dock.isHidden()]


def test_present_and_back(window: LabWindow, look: Look, qtbot: QtBot) -> None:
    docks = window.docks.docks
    before = [dock.width() for dock in docks.values()]
    press(window, Qt.Key.Key_F5)
    qtbot.wait(1)
    assert shown(window) == ["one"]
    assert not window.menuBar().isVisible()
    assert not window.statusBar().isVisible()
    assert docks["one"].titleBarWidget().height() == 0
    assert QFontInfo(docks["one"].font()).pixelSize() >= 24
    assert look.line_width > 2
    press(window, Qt.Key.Key_F5)
    qtbot.wait(1)
    assert shown(window) == list(NAMES)
    assert window.menuBar().isVisible()
    assert window.statusBar().isVisible()
    assert docks["one"].titleBarWidget() is None
    assert QFontInfo(docks["one"].font()).pixelSize() < 24
    after = [dock.width() for dock in docks.values()]
    assert all(abs(new - old) <= 2 for old, new in zip(before, after, strict=True))


def test_present_shows_the_panel_that_has_the_focus_even_if_it_floats(window: LabWindow) -> None:
    dock = window.docks.docks["two"]
    dock.setFloating(True)
    panel = window.hosts[1].panel
    panel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    window.activateWindow()
    dock.setFloating(False)
    panel.setFocus()
    dock.setFloating(True)
    window.present.toggle()
    presented = shown(window)
    assert len(presented) == 1
    assert not window.docks.docks[presented[0]].isFloating()
    window.present.toggle()
    assert dock.isFloating()


def test_escape_leaves_present_but_not_if_someone_uses_it(window: LabWindow) -> None:
    class Dragged(QLabel):
        def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
            event.accept()  # a drag that Escape takes back

    window.present.toggle()
    dragged = Dragged(window.hosts[0].panel)
    dragged.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    dragged.show()
    QTest.keyClick(dragged, Qt.Key.Key_Escape)
    assert window.present.is_on
    QTest.keyClick(window.hosts[0].panel, Qt.Key.Key_Escape)
    assert not window.present.is_on


def test_large_text_stays_large_in_present(window: LabWindow, look: Look, qtbot: QtBot) -> None:
    look.set_text_scale(LARGEST)
    qtbot.wait(1)
    size = QFontInfo(window.font()).pixelSize()
    window.present.toggle()
    qtbot.wait(1)
    assert QFontInfo(window.font()).pixelSize() >= max(size, 24)
    window.present.toggle()


def test_a_session_saved_or_opened_in_present_keeps_the_usual_layout(window: LabWindow, tmp_path: Path) -> None:
    window.docks.docks["four"].close()
    usual = shown(window)
    window.present.toggle()
    assert window.filing._save_to(tmp_path / "mine.h5")
    window.present.toggle()
    window.docks.arrange()
    window.present.toggle()
    assert window.filing.open(tmp_path / "mine.h5")
    assert window.present.is_on
    window.present.toggle()
    assert shown(window) == usual


def test_closing_in_present_keeps_the_usual_layout(window: LabWindow, look: Look, kept: Settings, qtbot: QtBot) -> None:
    window.docks.docks["four"].close()
    window.present.toggle()
    window.close()
    look.set_present(False)
    again = toy_window(look, kept)
    qtbot.addWidget(again)
    assert shown(again) == ["one", "two", "three"]


def test_full_screen(window: LabWindow) -> None:
    press(window, Qt.Key.Key_F11)
    assert window.isFullScreen()
    press(window, Qt.Key.Key_F11)
    assert not window.isFullScreen()


def test_the_shortcut_sheet_lists_keys_and_gestures(window: LabWindow) -> None:
    press(window, Qt.Key.Key_F1)
    table = window.findChild(QTableWidget)
    rows = {table.item(row, 0).text(): table.item(row, 1).text() for row in range(table.rowCount())}
    assert rows["F5"] == "Present"
    assert rows["Escape while dragging"] == "take the drag back"


def test_about_names_versions_and_device(window: LabWindow) -> None:
    action(window, "About").trigger()
    text = " ".join(label.text() for label in window.findChild(QDialog).findChildren(QLabel))
    for part in ("Lookup Lab: 0.", "Python: 3.", "Qt (PySide6): 6.", "torch: 9.9", "Device: auto · toy"):
        assert part in text


def test_the_status_bar_tells_device_time_and_notices(window: LabWindow) -> None:
    assert window.status.device_text == "auto · toy"
    assert window.status._time.text().endswith(" ms")
    window.runner.backend.notice = "The device failed; the lab goes on with the CPU."
    window.store.dispatch(heat(2.0), "Heat")
    assert window.statusBar().currentMessage() == "The device failed; the lab goes on with the CPU."
    assert window.status.device_text == "cpu · toy"


def test_another_device_computes_everything_again(window: LabWindow) -> None:
    panel = window.hosts[0].panel
    assert isinstance(panel, ToyPanel)
    window.status.device_chosen.emit("cuda")
    assert window.status.device_text == "cuda · toy"
    assert panel.results[-1] == ToyResult(1.0, "cuda")


def test_a_lab_that_can_not_warm_up_says_so(look: Look, kept: Settings, qtbot: QtBot) -> None:
    def broken(device: str, job: Any) -> str:
        raise LabError("torch is not installed.")

    made = toy_window(look, kept, toy_spec(), warm_up=broken)
    qtbot.addWidget(made)
    assert made.status.device_text == "no device"
    assert made.statusBar().currentMessage() == "torch is not installed."


def test_nothing_is_computed_before_the_warm_up_and_that_goes_first(look: Look, kept: Settings, qtbot: QtBot) -> None:
    executor = QueueExecutor()
    made = toy_window(look, kept, executor=executor)
    qtbot.addWidget(made)
    assert made.status.device_text == "warming up…"
    executor.run_next()
    assert made.status.device_text == "auto · toy"


def test_opening_a_session_while_warming_up_does_not_lose_the_device(
    look: Look, kept: Settings, qtbot: QtBot, tmp_path: Path
) -> None:
    executor = QueueExecutor()
    made = toy_window(look, kept, executor=executor)
    qtbot.addWidget(made)
    made.document.new("houses")
    while executor.work:
        executor.run_next()
    assert made.status.device_text == "auto · toy"
    assert all(host.is_current for host in made.hosts if host.is_seen)


def mime(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window: LabWindow, data: QMimeData) -> bool:
    place, buttons, keys = QPoint(50, 50), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, buttons, keys)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(place, Qt.DropAction.CopyAction, data, buttons, keys))
    return enter.isAccepted()


def test_a_session_that_is_dropped_opens(window: LabWindow, tmp_path: Path, qtbot: QtBot) -> None:
    window.store.dispatch(heat(3.0), "Heat")
    window.document.save(tmp_path / "mine.h5", {}, None)
    window.document.new("houses")
    assert drop(window, mime(tmp_path / "mine.h5"))
    qtbot.waitUntil(lambda: window.document.path == tmp_path / "mine.h5", timeout=10_000)
    assert window.store.state.scene.temperature == 3.0
    assert window.settings.recent == [tmp_path / "mine.h5"]


def test_a_table_that_is_dropped_goes_to_the_panel_that_takes_it(
    window: LabWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    table = tmp_path / "rents.csv"
    panels = [host.panel for host in window.hosts]
    panels[1].takes_tables = True
    assert drop(window, mime(table))
    qtbot.waitUntil(lambda: panels[1].taken == [table], timeout=10_000)


def test_a_table_that_no_panel_takes_is_reported(window: LabWindow, tmp_path: Path) -> None:
    said: list[str] = []
    window.filing.report = lambda error: said.append(str(error))  # type: ignore[method-assign]
    window.open_file(tmp_path / "rents.csv")
    assert said == ["No open panel takes a table. Show one that does, then drop rents.csv again."]


def test_files_of_another_kind_are_not_taken(window: LabWindow, tmp_path: Path) -> None:
    assert not drop(window, mime(tmp_path / "picture.png"))
    text = QMimeData()
    text.setText("hello")
    assert not drop(window, text)


def test_view_and_thumbnail_travel_in_a_session(window: LabWindow, tmp_path: Path) -> None:
    panel = window.hosts[0].panel
    assert isinstance(panel, ToyPanel)
    panel.view = {"zoom": [1, 2]}
    window.docks.docks["four"].close()
    assert window.filing._save_to(tmp_path / "mine.h5")
    panel.view = {}
    window.docks.arrange()
    assert window.filing.open(tmp_path / "mine.h5")
    assert panel.view == {"zoom": [1, 2]}
    assert shown(window) == ["one", "two", "three"]


@pytest.mark.parametrize("view", [{"docks": "AAAA"}, {"panels": 3}, {"panels": {"one": 3}}, {"docks": 1, "panels": []}])
def test_a_view_of_junk_opens_all_the_same(window: LabWindow, view: dict[str, Any], tmp_path: Path) -> None:
    window.document.save(tmp_path / "mine.h5", view, None)
    window.document.open(tmp_path / "mine.h5")
    assert shown(window) == list(NAMES)
    assert ("does not fit" in window.statusBar().currentMessage()) == ("docks" in view)


def test_results_of_the_old_session_are_not_drawn_into_the_new_one(look: Look, kept: Settings, qtbot: QtBot) -> None:
    executor = QueueExecutor()
    made = toy_window(look, kept, toy_spec(), executor=executor)
    qtbot.addWidget(made)
    panel = made.hosts[0].panel
    assert isinstance(panel, ToyPanel)
    executor.run_next()
    made.store.dispatch(heat(2.0), "Heat")
    made.document.new("houses")
    while executor.work:
        executor.run_next()
    assert [result.temperature for result in panel.results] == [1.0]
    assert made.hosts[0].is_current


def test_a_kept_layout_that_does_not_fit_is_said_once(look: Look, kept: Settings, qtbot: QtBot) -> None:
    other = toy_window(look, kept, *map(toy_spec, ("one", "two", "gone")))
    other.close()
    made = toy_window(look, kept)
    qtbot.addWidget(made)
    assert shown(made) == list(NAMES)
    assert "default layout" in made.statusBar().currentMessage()


def test_a_first_window_fits_the_screen_with_its_title_bar(tmp_path: Path, look: Look, qtbot: QtBot) -> None:
    window = LabWindow(look, toy_settings(tmp_path / "fresh.ini"))
    qtbot.addWidget(window)
    room = window.screen().availableSize() - frame_size(window)
    assert frame_size(window).height() > 15
    assert window.width() == min(1280, room.width())
    assert window.height() == min(800, room.height())
