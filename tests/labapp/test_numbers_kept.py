"""Numbers beside a session: only where they are wanted, of panels that show the present lab, never in an autosave."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import pytest
from pytestqt.qtbot import QtBot

from labapp.autosave import Autosave
from labapp.look import Look
from labapp.named_table import Column, NamedTable, Table
from labapp.ring import Ring
from labapp.session import sessions
from labapp.settings import Settings
from labapp.window import LabWindow
from tests.labapp.toy import QueueExecutor, ToyPanel, heat, toy_settings, toy_spec, toy_window


class NumberPanel(ToyPanel):
    def tables(self) -> list[Table]:
        return [NamedTable("Result", (Column("temperature τ", [result.temperature for result in self.results]),))]


SPECS = (toy_spec("numbers", widget=NumberPanel), toy_spec("none"))


@pytest.fixture
def kept(tmp_path: Path) -> Settings:
    return toy_settings(tmp_path / "settings.ini")


@pytest.fixture
def window(look: Look, kept: Settings, qtbot: QtBot) -> LabWindow:
    made = toy_window(look, kept, *SPECS)
    qtbot.addWidget(made)
    qtbot.wait(1)
    return made


def choose(window: LabWindow) -> Any:
    return next(each for each in window.actions() if "Keep numbers" in each.text().replace("&", ""))


def save(window: LabWindow, path: Path) -> set[str]:
    """Save; the names below the root of the file."""
    assert window.filing._save_to(path)
    with h5py.File(path) as file:
        return set(file)


def test_it_is_off_until_it_is_chosen_and_the_choice_is_remembered(
    window: LabWindow, kept: Settings, tmp_path: Path
) -> None:
    assert not choose(window).isChecked()
    assert "results" not in save(window, tmp_path / "a.h5")
    choose(window).trigger()
    assert kept.keeps_numbers
    assert "results" in save(window, tmp_path / "a.h5")
    choose(window).trigger()
    assert not toy_settings(tmp_path / "settings.ini").keeps_numbers
    assert "results" not in save(window, tmp_path / "a.h5")


def test_the_numbers_are_those_of_panels_that_have_some(window: LabWindow, kept: Settings, tmp_path: Path) -> None:
    kept.keeps_numbers = True
    window.store.dispatch(heat(2.5), "Heat")
    save(window, tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5") as file:
        assert list(file["results"]) == ["numbers"]
        assert file["results/numbers/Result/temperature_tau"][-1] == 2.5


@pytest.mark.parametrize("tau", [7.0, 8.0, 13.0])
def test_a_picture_that_is_not_of_the_present_lab_gives_none(
    window: LabWindow, kept: Settings, tmp_path: Path, tau: float, caplog: pytest.LogCaptureFixture
) -> None:
    kept.keeps_numbers = True
    window.store.dispatch(heat(tau), "Heat")
    assert "results" not in save(window, tmp_path / "a.h5")
    window.store.dispatch(heat(1.0), "Heat")
    assert "results" in save(window, tmp_path / "a.h5")


def test_a_panel_that_still_computes_gives_none(look: Look, kept: Settings, tmp_path: Path, qtbot: QtBot) -> None:
    kept.keeps_numbers = True
    executor = QueueExecutor()
    window = toy_window(look, kept, *SPECS, executor=executor)
    qtbot.addWidget(window)
    qtbot.wait(1)
    assert "results" not in save(window, tmp_path / "a.h5")
    assert not window.exports.numbers()
    assert "no finished result yet" in window.statusBar().currentMessage()
    while executor.work:
        executor.run_next()
        qtbot.wait(1)
    assert "results" in save(window, tmp_path / "a.h5")


def test_numbers_that_are_too_many_are_told_of(
    window: LabWindow, kept: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SPARE_BYTES", 2**40)
    kept.keeps_numbers = True
    assert "results" not in save(window, tmp_path / "a.h5")
    assert "“a.h5” was saved without the numbers" in window.notice.text


def test_an_autosave_has_none(window: LabWindow, kept: Settings, tmp_path: Path) -> None:
    kept.keeps_numbers = True
    ring = Ring(tmp_path / "ring")
    autosave = Autosave(window.document, ring, window.filing.snapshot)
    window.store.dispatch(heat(2.0), "Heat")
    autosave.keep_and_wait()
    (path,) = ring.folder.glob("*.h5")
    with h5py.File(path) as file:
        assert "results" not in file
    autosave.close(forget=True)
