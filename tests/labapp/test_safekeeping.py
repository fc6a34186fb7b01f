"""The window and what keeps its work: banner, recent files, the list after a crash, signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from labapp.autosave import Autosave
from labapp.look import Look
from labapp.recent import RecentFiles
from labapp.recovery import RecoveryDialog
from labapp.ring import lost_labs
from labapp.safekeeping import keep_safe
from labapp.window import LabWindow
from tests.labapp.toy import heat, toy_settings, toy_window

RUN = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from labapp import application, safekeeping
from labapp.settings import Settings
from tests.labapp.toy import heat, toy_parts
application.Settings = lambda: Settings(QSettings(sys.argv[1] + "/settings.ini", QSettings.Format.IniFormat))
safekeeping.recovery_folder = lambda: Path(sys.argv[1]) / "recovery"
keep = safekeeping.keep_safe
def kept(application, window):
    autosave = keep(application, window)
    window.store.dispatch(heat(4.0), "Heat")
    sys.stdout.write("ready\\n"); sys.stdout.flush()
    return autosave
safekeeping.keep_safe = kept
sys.exit(application.start(toy_parts))
"""


@pytest.fixture
def window(look: Look, qtbot: QtBot, tmp_path: Path) -> Iterator[LabWindow]:
    made = toy_window(look, toy_settings(tmp_path / "settings.ini"))
    qtbot.addWidget(made)
    yield made
    made.store.mark_clean()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


def application() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


def guarded(window: LabWindow, root: Path) -> Autosave:
    autosave = keep_safe(application(), window, root)
    assert autosave is not None
    return autosave


def leave_a_crash(window: LabWindow, root: Path) -> None:
    autosave = guarded(window, root)
    window.store.dispatch(heat(4.0), "Heat")
    autosave.keep_and_wait()
    autosave._ring._lock.unlock()
    window.store.history_changed.disconnect(autosave._on_change)
    autosave._stop_timers()
    window.store.mark_clean()


def dialogs(window: LabWindow) -> list[RecoveryDialog]:
    return [child for child in window.children() if isinstance(child, RecoveryDialog)]


def test_what_crashed_is_offered_and_restored_into_the_ring_of_the_new_window(window: LabWindow, root: Path) -> None:
    leave_a_crash(window, root)
    window.document.new("houses")
    autosave = guarded(window, root)
    (dialog,) = dialogs(window)
    assert dialog.list.item(0).icon().availableSizes()  # the lab as it was, in small
    dialog.restore()
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert window.store.state.scene.temperature == 4.0
    assert window.isWindowModified()
    assert lost_labs(root, window.document.read) == []  # the new window holds it
    assert len(list(root.rglob("*.h5"))) == 1
    autosave.close(forget=True)


def test_nothing_lost_nothing_asked(window: LabWindow, root: Path) -> None:
    autosave = guarded(window, root)
    assert dialogs(window) == []
    autosave.close(forget=True)
    assert list(root.iterdir()) == []


def test_a_data_folder_that_can_not_be_written_is_said_and_hinders_nothing(window: LabWindow, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert keep_safe(application(), window, tmp_path / "file" / "recovery") is None
    assert "can't be kept" in window.notice.text


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_window_ended_by_a_signal_autosaves_first_where_it_can(
    window: LabWindow, tmp_path: Path, root: Path, number: signal.Signals
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.getcwd(), "QT_QPA_PLATFORM": "offscreen"},
    )
    with run:
        assert run.stdout
        assert run.stdout.readline() == b"ready\n"
        run.send_signal(number)
        assert run.wait(60) == (0 if number == signal.SIGTERM else -signal.SIGKILL)
    found = [lost.opened.state.scene.temperature for lost in lost_labs(root, window.document.read)]
    assert found == ([4.0] if number == signal.SIGTERM else [])


def test_the_banner_lies_over_the_docks_as_wide_as_the_window_and_goes_with_the_file(window: LabWindow) -> None:
    window.notice.say("“a.h5” was saved by a newer version of the lab.")
    assert window.notice.isVisible()
    assert window.notice.geometry().width() == window.width()
    window.resize(window.size() + QSize(50, 0))
    QApplication.processEvents()
    assert window.notice.geometry().width() == window.width()
    window.document.new("houses")
    assert not window.notice.isVisible()


def recent_menu(window: LabWindow) -> QMenu:
    (recent,) = window.findChildren(RecentFiles)
    recent.fill()
    return recent._menu


def test_recent_files_have_the_picture_of_the_lab(window: LabWindow, tmp_path: Path) -> None:
    assert [action.text() for action in recent_menu(window).actions()] == ["Nothing yet"]
    window.filing._save_to(tmp_path / "good & new.h5")
    (tmp_path / "junk.h5").write_bytes(b"junk" * 100)
    window.settings.add_recent(tmp_path / "junk.h5")
    junk, good = recent_menu(window).actions()
    assert good.text().endswith("good && new.h5")
    assert not good.icon().isNull()
    assert junk.icon().isNull()
    picture = QImage.fromData(window.document.read(tmp_path / "good & new.h5").thumbnail)
    assert picture.width() == 320


def test_the_file_menu_reverts_only_what_has_a_file(window: LabWindow, tmp_path: Path) -> None:
    (revert,) = [each for each in window.actions() if "vert to" in each.text().replace("&", "")]
    (menu,) = [each for each in window.findChildren(QMenu) if revert in each.actions()]
    menu.aboutToShow.emit()
    assert not revert.isEnabled()
    window.document.save(tmp_path / "a.h5", {}, None)
    menu.aboutToShow.emit()
    assert revert.isEnabled()
