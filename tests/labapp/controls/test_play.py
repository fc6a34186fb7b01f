from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labapp.controls.play import SPEEDS, PlayBar
from tests.labapp.controls.toy import Bench, show_unfocused, turn_wheel


class Listener:
    """What a play bar said, in order."""

    def __init__(self, bar: PlayBar) -> None:
        self.heard: list[object] = []
        bar.moved.connect(self.heard.append)
        bar.started.connect(lambda: self.heard.append("started"))
        bar.stopped.connect(lambda: self.heard.append("stopped"))


@pytest.fixture
def bar(bench: Bench, qtbot: QtBot) -> PlayBar:
    made = PlayBar(steps=4)
    qtbot.addWidget(made)
    return made


def test_a_run_from_start_to_end(bar: PlayBar) -> None:
    listener = Listener(bar)
    bar.play()
    assert bar.play_button.accessibleName() == "Pause"
    for _ in range(5):
        bar.timer.timeout.emit()
    assert listener.heard == ["started", 0.25, 0.5, 0.75, 1.0, "stopped"]
    assert not bar.is_playing
    assert bar.play_button.accessibleName() == "Play"


def test_play_at_the_end_begins_again_and_loop_goes_on(bar: PlayBar) -> None:
    bar.show_position(1.0)
    listener = Listener(bar)
    bar.loop.setChecked(True)
    bar.play()
    for _ in range(5):
        bar.timer.timeout.emit()
    assert listener.heard == ["started", 0.0, 0.25, 0.5, 0.75, 1.0, 0.0]
    assert bar.is_playing
    bar.pause()
    assert listener.heard[-1] == "stopped"


@pytest.mark.parametrize("speed", SPEEDS)
def test_the_step_is_the_same_at_every_speed(bar: PlayBar, speed: float) -> None:
    bar.speed.setCurrentIndex(SPEEDS.index(speed))
    assert bar.timer.interval() == pytest.approx(50 / speed, abs=0.5)
    bar.play()
    bar.timer.timeout.emit()
    assert bar.position == 0.25


def test_steps_stop_at_the_ends(bar: PlayBar) -> None:
    listener = Listener(bar)
    bar.back.click()
    bar.forward.click()
    assert listener.heard == ["started", 0.0, "stopped", "started", 0.25, "stopped"]


def test_g11_keyboard(bar: PlayBar, qtbot: QtBot) -> None:
    assert bar.focusProxy() is bar.scrub
    listener = Listener(bar)
    qtbot.keyClick(bar.scrub, Qt.Key.Key_Right)
    assert listener.heard == ["started", 0.25, "stopped"]
    qtbot.keyClick(bar.scrub, Qt.Key.Key_Space)
    assert bar.is_playing
    qtbot.keyClick(bar.scrub, Qt.Key.Key_Left)
    assert not bar.is_playing
    assert listener.heard[3:] == ["started", "stopped", "started", 0.0, "stopped"]
    widgets = (bar, bar.back, bar.play_button, bar.forward, bar.scrub, bar.speed, bar.loop)
    assert all(widget.accessibleName() for widget in widgets)
    assert bar.scrub.accessibleDescription() == "Step 0 of 4"


def test_one_scrub_is_one_run(bar: PlayBar) -> None:
    listener = Listener(bar)
    bar.scrub.setSliderDown(True)
    bar.scrub.setSliderPosition(2)
    bar.scrub.setSliderPosition(3)
    bar.scrub.setSliderDown(False)
    assert listener.heard == ["started", 0.5, 0.75, "stopped"]


def test_showing_a_position_says_nothing(bar: PlayBar) -> None:
    listener = Listener(bar)
    bar.show_position(0.6)
    assert bar.position == 0.5
    bar.set_steps(10)
    assert bar.position == 0.5
    show_unfocused(bar)
    turn_wheel(bar.scrub)
    turn_wheel(bar.speed)
    assert bar.speed.currentData() == 1.0
    assert listener.heard == []
