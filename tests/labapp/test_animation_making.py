"""The making of an animation from the lab: its dialog, its end, and that the lab itself doesn't notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from labapp.animation.dialog import FAULT, GIVEN_UP, AnimationDialog
from labapp.animation.stage import Stage, fitting
from labapp.animation.sweeps import Sweep, bar_of, sweeps_of
from labapp.controls import PlayBar
from labapp.errors import PlainError
from labapp.look import Look
from labapp.panel import Lab
from labapp.plots.caption import Caption
from labapp.window import LabWindow
from tests.labapp.film_frames import frames_of
from tests.labapp.toy import ToyPanel, heat, toy_settings, toy_spec, toy_window

OLD = b"an older file"


class PlayPanel(ToyPanel):
    """Plays the temperature from 1 to ``end``; its sentence grows with it."""

    end = 5.0

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self.bar = PlayBar(4, "Play it")
        self.layout().addWidget(self.bar)
        self.bar.moved.connect(lambda position: lab.dispatch(heat(1.0 + position * (self.end - 1.0)), "Play", "token"))

    def sentence(self) -> str:
        return f"The temperature is {self.states[-1].scene.temperature:.3g}."

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(int(40 * self.results[-1].temperature), 0, 0))


class SevenPanel(PlayPanel):
    """Comes to a temperature that has no answer."""

    end = 13.0


class EightPanel(PlayPanel):
    """Comes to a fault of the program at its end."""

    end = 8.0


def lab_of(panel: type[ToyPanel], look: Look, qtbot: QtBot, folder: Path) -> LabWindow:
    window = toy_window(look, toy_settings(folder / "settings.ini"), toy_spec(widget=panel))
    qtbot.addWidget(window)
    return window


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "toy.gif"


@pytest.fixture
def window(look: Look, qtbot: QtBot, tmp_path: Path) -> LabWindow:
    look.set_theme("dark")
    return lab_of(PlayPanel, look, qtbot, tmp_path)


def dialog_of(window: LabWindow, out: Path | None, frames: int = 5) -> AnimationDialog:
    """The dialog, from the menu, with a small animation asked for."""
    window.exports.ask_name = lambda *question: out  # type: ignore[method-assign]
    next(action for action in window.actions() if action.text() == "Export anima&tion…").trigger()
    dialog: AnimationDialog = window.findChildren(AnimationDialog)[-1]
    dialog.form.frames.setValue(frames)
    dialog.form.width_box.setValue(160)
    return dialog


def ended(dialog: AnimationDialog) -> Callable[[], bool]:
    return lambda: dialog.making is None


def test_every_frame_is_there_and_the_lab_is_as_it_was(window: LabWindow, qtbot: QtBot, out: Path) -> None:
    state, palette, theme = window.store.state, QApplication.palette(), window.look.theme
    shown = len(window.hosts[0].panel.states)  # type: ignore[attr-defined]
    dialog = dialog_of(window, out)
    said: list[int] = []
    dialog.make()
    assert dialog.making is not None
    dialog.making.progressed.connect(said.append)
    qtbot.waitUntil(ended(dialog))
    assert said == [1, 2, 3, 4, 5]
    frames = frames_of(out)
    assert [frame[2, 2, 0] for frame in frames] == [40, 80, 120, 160, 200]
    assert all(frame.shape == frames[0].shape for frame in frames)
    assert frames[0].shape[1] == 160
    assert frames[0][-2, -2].min() > 200  # the caption's ground: light, although the lab is dark
    assert window.store.state is state
    assert (window.store.undo_label, window.store.is_clean) == ("", True)
    assert len(window.hosts[0].panel.states) == shown  # type: ignore[attr-defined]
    assert (QApplication.palette(), window.look.theme) == (palette, theme)
    assert [path.name for path in out.parent.iterdir()] == ["toy.gif"]
    assert status_says(window, str(out))
    assert window.exports._animation is None


def status_says(window: LabWindow, words: str) -> bool:
    return words in window.statusBar().currentMessage() or any(
        words in label.text() for label in window.statusBar().findChildren(QLabel)
    )


def test_the_lab_can_be_used_meanwhile(window: LabWindow, qtbot: QtBot, out: Path) -> None:
    dialog = dialog_of(window, out)
    dialog.make()
    window.store.dispatch(heat(3.0), "Heat")
    qtbot.waitUntil(ended(dialog))
    assert window.store.state.scene.temperature == 3.0
    assert window.store.undo_label == "Heat"
    assert [frame[2, 2, 0] for frame in frames_of(out)] == [40, 80, 120, 160, 200]


def test_another_theme_changes_no_frame_but_another_text_size_ends_it(
    window: LabWindow, qtbot: QtBot, out: Path
) -> None:
    dialog = dialog_of(window, out)
    dialog.make()
    window.look.set_theme("light")
    qtbot.waitUntil(ended(dialog))
    assert [frame[2, 2, 0] for frame in frames_of(out)] == [40, 80, 120, 160, 200]
    dialog = dialog_of(window, out)
    dialog.make()
    window.look.set_text_scale(1.5)
    qtbot.waitUntil(ended(dialog))
    assert dialog.banner.text.startswith("The text size was changed")


def test_forth_and_back_ends_where_it_began(window: LabWindow, qtbot: QtBot, out: Path) -> None:
    dialog = dialog_of(window, out.with_suffix(".apng"), frames=3)
    dialog.form.kind.setCurrentIndex(1)
    dialog.form.returns.setChecked(True)
    assert dialog.form.length.text() == "0.25 s, 5 frames"
    dialog.make()
    qtbot.waitUntil(ended(dialog))
    frames = frames_of(out.with_suffix(".apng"))
    assert [frame[2, 2, 0] for frame in frames] == [40, 120, 200, 120, 40]
    assert np.array_equal(frames[0], frames[-1])


def test_the_dialog_offers_a_frame_for_each_step_and_a_minute_at_most(window: LabWindow) -> None:
    dialog = dialog_of(window, None)
    form = dialog.form
    form._usual_length()
    assert form.frames.value() == 5
    form.frames.setValue(100_000)
    assert form.plan.seconds == 60.0
    form.returns.setChecked(True)
    assert form.plan.seconds <= 60.0
    assert form.width_box.maximum() == 1920
    dialog.make()  # no name was given
    assert dialog.making is None
    assert window.exports.animation() is not dialog  # one for what the panel shows now


def test_one_animation_is_made_at_a_time(window: LabWindow, qtbot: QtBot, out: Path) -> None:
    dialog = dialog_of(window, out)
    dialog.make()
    assert window.exports.animation() is dialog
    qtbot.waitUntil(ended(dialog))
    assert len(frames_of(out)) == 5


@pytest.mark.parametrize("way", ["cancel", "escape", "close"])
def test_what_is_given_up_leaves_the_older_file(window: LabWindow, qtbot: QtBot, out: Path, way: str) -> None:
    out.write_bytes(OLD)
    dialog = dialog_of(window, out, frames=1000)
    dialog.make()
    making = dialog.making
    assert making is not None
    qtbot.waitSignal(making.progressed).wait()
    if way == "cancel":
        dialog.cancel_button.click()
    elif way == "escape":
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        dialog.close()
    qtbot.waitUntil(ended(dialog))
    assert [path.read_bytes() for path in out.parent.iterdir()] == [OLD]
    assert (window.exports._animation is None) == (way != "cancel")
    if way == "cancel":
        assert dialog.note.text() == GIVEN_UP
        assert dialog.make_button.isVisible()


def test_a_window_that_closes_waits_for_its_threads(window: LabWindow, qtbot: QtBot, out: Path) -> None:
    dialog = dialog_of(window, out, frames=1000)
    dialog.make()
    making = dialog.making
    assert making is not None
    qtbot.waitSignal(making.progressed).wait()
    window.close()
    assert making._film.is_over
    assert dialog.making is None
    assert not list(out.parent.iterdir())
    assert window.is_idle()


def test_an_answer_that_there_is_not_is_said_and_the_file_goes(
    look: Look, qtbot: QtBot, tmp_path: Path, out: Path
) -> None:
    out.write_bytes(OLD)
    window = lab_of(SevenPanel, look, qtbot, tmp_path)
    dialog = dialog_of(window, out)
    dialog.make()
    qtbot.waitUntil(ended(dialog))
    assert dialog.banner.text == "There is no answer at 7. Choose another temperature."
    assert dialog.banner.isVisible()
    assert [path.read_bytes() for path in out.parent.iterdir()] == [OLD]
    assert window.hosts[0].banner.isHidden()  # the lab's own panel has met no fault


def test_inputs_that_will_not_do_are_said_too(look: Look, qtbot: QtBot, tmp_path: Path, out: Path) -> None:
    window = lab_of(SevenPanel, look, qtbot, tmp_path)
    dialog = dialog_of(window, out, frames=2)
    dialog.make()
    qtbot.waitUntil(ended(dialog))
    assert dialog.banner.text.startswith("13 is no temperature that this panel knows.")
    assert not list(out.parent.iterdir())


def test_a_fault_of_the_program_is_said_with_its_details(look: Look, qtbot: QtBot, tmp_path: Path, out: Path) -> None:
    window = lab_of(EightPanel, look, qtbot, tmp_path)
    dialog = dialog_of(window, out)
    dialog.make()
    qtbot.waitUntil(ended(dialog))
    assert dialog.banner.text == FAULT
    assert "a fault of the program" in dialog.banner._details
    assert not list(out.parent.iterdir())
    dialog.make()  # and again from the same dialog
    qtbot.waitUntil(ended(dialog))
    assert dialog.banner.text == FAULT


def test_a_folder_that_is_not_there_is_said_in_the_dialog(window: LabWindow, tmp_path: Path) -> None:
    dialog = dialog_of(window, tmp_path / "nowhere" / "toy.gif")
    dialog.make()
    assert dialog.making is None
    assert "could not be written" in dialog.banner.text


def test_a_panel_without_play_has_no_animation(look: Look, qtbot: QtBot, tmp_path: Path) -> None:
    window = lab_of(ToyPanel, look, qtbot, tmp_path)
    assert window.exports.animation() is None
    assert status_says(window, "nothing to play")


def test_only_bars_in_sight_that_can_be_used_are_sweeps(window: LabWindow) -> None:
    panel = window.hosts[0].panel
    assert isinstance(panel, PlayPanel)
    assert sweeps_of(panel) == [Sweep("Play it", 4)]
    panel.bar.setEnabled(False)
    assert sweeps_of(panel) == []
    panel.bar.hide()
    with pytest.raises(PlainError, match="Play it"):
        bar_of(panel, Sweep("Play it", 4))


def test_words_keep_their_room_and_too_many_are_left_out(window: LabWindow) -> None:
    host = window.hosts[0]
    stage = Stage(host, window.lab, window.store.state, window.runner.backend)
    long = Caption("Title", ("first", "many words " * 60))
    room = Caption("Title", ("first", "two\nlines")).height(stage.panel)
    short = fitting(long, stage.panel, room)
    assert short.height(stage.panel) <= room
    assert short.words[0] == "first"
    assert short.words[1].startswith("many words")
    assert short.words[1].endswith("…")
    assert fitting(short, stage.panel, room) == short
    assert stage.close(5)
    stage.remove()
