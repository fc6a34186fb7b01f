"""Docks float, tab, close and come back; a layout that doesn't fit does no harm (case G-05)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from labapp.docks import Docks, to_view
from labapp.look import Look
from labapp.placing import bring_on_screen
from labapp.window import LabWindow
from tests.labapp.toy import NAMES, ToyResult, heat, toy_settings, toy_spec, toy_window


@pytest.fixture
def window(look: Look, tmp_path: Path, qtbot: QtBot) -> LabWindow:
    made = toy_window(look, toy_settings(tmp_path / "s.ini"))
    qtbot.addWidget(made)
    qtbot.wait(1)  # Qt lays docks out in its event loop
    return made


def shown(window: LabWindow) -> list[str]:
    """The panels that are not closed, on top of their tabs or not."""
    return [name for name, dock in window.docks.docks.items() if not dock.isHidden()]


def is_default(window: LabWindow) -> bool:
    docks = window.docks.docks
    tabs = {dock.objectName() for dock in window.tabifiedDockWidgets(docks["two"])}
    floating = [name for name, dock in docks.items() if dock.isFloating()]
    return shown(window) == list(NAMES) and tabs == {"three", "four"} and not floating


def test_the_default_is_the_first_panel_large_and_the_others_in_tabs(window: LabWindow) -> None:
    docks = window.docks.docks
    assert is_default(window)
    assert docks["one"].width() > docks["two"].width()
    assert window.docks.visible() == ["one", "two"]


def test_close_and_come_back(window: LabWindow) -> None:
    dock = window.docks.docks["one"]
    dock.close()
    assert "one" not in shown(window)
    dock.toggleViewAction().trigger()
    assert "one" in shown(window)


def test_a_panel_of_the_tabs_comes_back_on_top(window: LabWindow, qtbot: QtBot) -> None:
    dock = window.docks.docks["four"]
    dock.close()
    dock.toggleViewAction().trigger()
    qtbot.wait(1)
    assert window.docks.visible() == ["one", "four"]


def test_panels_behind_a_tab_do_not_compute(window: LabWindow, qtbot: QtBot) -> None:
    hosts = {host.spec.id: host for host in window.hosts}
    window.store.dispatch(heat(2.0), "Heat")
    computed = {name for name, host in hosts.items() if host.panel.results[-1:] == [ToyResult(2.0, "auto")]}
    assert computed == {"one", "two"}
    window.docks.docks["three"].raise_()
    qtbot.wait(1)
    assert hosts["three"].panel.results[-1] == ToyResult(2.0, "auto")
    window.store.dispatch(heat(3.0), "Heat")
    assert hosts["two"].panel.results[-1] == ToyResult(2.0, "auto")


def test_arrange_brings_everything_back(window: LabWindow) -> None:
    for name, dock in window.docks.docks.items():
        dock.setFloating(True)
        dock.setVisible(name == "two")
    window.docks.arrange()
    assert is_default(window)


def test_floating_panels_come_back_and_can_be_docked(window: LabWindow) -> None:
    for dock in window.docks.docks.values():
        dock.setFloating(True)
    state = window.docks.save()
    window.docks.arrange()
    assert window.docks.restore(state)
    assert all(dock.isFloating() for dock in window.docks.docks.values())
    for dock in window.docks.docks.values():
        dock.setFloating(False)
    assert not any(dock.isFloating() for dock in window.docks.docks.values())


def layout_of(look: Look, path: Path, names: tuple[str, ...]) -> QByteArray:
    other = toy_window(look, toy_settings(path), *map(toy_spec, names))
    state = other.docks.save()
    other.close()
    other.deleteLater()
    return state


@pytest.mark.parametrize(
    "names", [(*NAMES, "gone"), ("one", "two", "three"), ("one", "two", "three", "renamed")], ids=lambda n: n[-1]
)
def test_a_layout_of_other_panels_is_refused_and_the_present_one_stays(
    window: LabWindow, look: Look, tmp_path: Path, names: tuple[str, ...]
) -> None:
    window.docks.docks["three"].close()
    assert not window.docks.restore(layout_of(look, tmp_path / "other.ini", names))
    assert shown(window) == ["one", "two", "four"]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_junk_is_refused_or_harmless(window: LabWindow, data: st.DataObject) -> None:
    good = window.docks.save().data()
    place = data.draw(st.integers(0, len(good) - 1))
    junk = data.draw(
        st.one_of(st.binary(max_size=200), st.just(good[:place]), st.just(good[:place] + b"\xff" + good[place + 1 :]))
    )
    window.docks.restore(QByteArray(junk))
    window.docks.arrange()
    assert is_default(window)
    assert window.docks.restore(QByteArray(good))


def test_a_layout_with_all_panels_closed_shows_the_default(window: LabWindow) -> None:
    for dock in window.docks.docks.values():
        dock.close()
    state = window.docks.save()
    assert window.docks.restore(state)
    assert is_default(window)


def test_a_layout_travels_as_text(window: LabWindow) -> None:
    window.docks.docks["one"].close()
    view = to_view(window.docks.save())
    window.docks.arrange()
    assert window.docks.from_view(view)
    assert shown(window) == ["two", "three", "four"]


@pytest.mark.parametrize("view", [{"docks": "é"}, {"docks": "AAAA"}, {"docks": 3}, {"docks": ["x"]}])
def test_a_view_of_junk_is_refused(window: LabWindow, view: dict[str, object]) -> None:
    assert not window.docks.from_view(view)
    assert is_default(window)


def test_a_view_without_a_layout_changes_nothing(window: LabWindow) -> None:
    assert window.docks.from_view({})


def test_no_panels_no_fault(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    docks = Docks(window)
    docks.add([])
    assert docks.visible() == []


def test_twenty_rounds_keep_every_size(look: Look, tmp_path: Path, qtbot: QtBot) -> None:
    sizes, places = [], []
    for round_number in range(21):
        window = toy_window(look, toy_settings(tmp_path / "s.ini"))
        qtbot.addWidget(window)
        if round_number == 0:
            window.resize(777, 666)
            docks = window.docks.docks
            window.resizeDocks([docks["one"], docks["two"]], [500, 250], Qt.Orientation.Horizontal)
        qtbot.wait(1)
        sizes.append([(dock.width(), dock.height()) for dock in window.docks.docks.values()][:2])
        places.append(window.geometry().getRect())
        window.close()
    for now in sizes:
        for (width, height), (first_width, first_height) in zip(now, sizes[0], strict=True):
            assert abs(width - first_width) <= 2
            assert abs(height - first_height) <= 2
    assert {place[2:] for place in places} == {(777, 666)}
    assert len(set(places[1:])) == 1


@pytest.mark.parametrize("corner", [(5000, 5000), (-5000, 0), (0, -5000), (795, 10), (10, 790)])
def test_a_window_off_every_screen_comes_back(qtbot: QtBot, corner: tuple[int, int]) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    window.setGeometry(QRect(*corner, 3000, 3000))
    bring_on_screen(window)
    frame = window.frameGeometry()
    frame.setHeight(100)
    seen = frame.intersected(QGuiApplication.primaryScreen().availableGeometry())
    assert seen.width() >= 100
    assert seen.height() >= 100


def test_a_window_on_the_screen_stays(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.show()
    window.setGeometry(20, 30, 400, 300)
    bring_on_screen(window)
    assert window.geometry().getRect() == (20, 30, 400, 300)


def test_a_kept_geometry_off_the_screen_opens_on_it(look: Look, tmp_path: Path, qtbot: QtBot) -> None:
    kept = toy_settings(tmp_path / "s.ini")
    window = toy_window(look, kept)
    qtbot.addWidget(window)
    window.setGeometry(5000, 5000, 800, 600)
    window.close()
    again = toy_window(look, kept)
    qtbot.addWidget(again)
    frame = again.frameGeometry()
    frame.setHeight(100)
    seen = frame.intersected(QGuiApplication.primaryScreen().availableGeometry())
    assert (seen.width() >= 100, seen.height()) == (True, 100)
