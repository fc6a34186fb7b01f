"""The frame around a panel: when it computes, and what it says when that fails or lasts."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from labapp.host import BUSY_AFTER_MS, FAULT, STOPPED, PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab, PanelSpec
from labapp.runner import Answer, InlineExecutor, Runner
from labapp.store import Store
from models.app_state import AppState
from tests.labapp.toy import QueueExecutor, ToyBackend, ToyPanel, ToyResult, heat, toy_spec

SECONDS = 10_000


class Place:
    """A host with its store and runner."""

    def __init__(self, look: Look, spec: PanelSpec, executor: Any) -> None:
        self.store = Store(AppState())
        self.runner = Runner(ToyBackend("toy"), executor)
        lab = Lab(self.store.dispatch, self.store.take_back, look, Highlight())
        self.host = PanelHost(spec, lab, self.store, self.runner)
        panel = self.host.panel
        assert isinstance(panel, ToyPanel)
        self.panel = panel

    def put(self, tau: float) -> None:
        self.store.dispatch(heat(tau), "Heat")

    @property
    def shown(self) -> list[float]:
        return [result.temperature for result in self.panel.results]


@pytest.fixture
def place(look: Look, qtbot: QtBot) -> Place:
    made = Place(look, toy_spec(), InlineExecutor())
    qtbot.addWidget(made.host)
    made.host.show()
    return made


@pytest.fixture
def slow(look: Look, qtbot: QtBot) -> Place:
    made = Place(look, toy_spec(), QueueExecutor())
    qtbot.addWidget(made.host)
    made.host.show()
    return made


def run_all(place: Place) -> None:
    executor = place.runner._executor
    assert isinstance(executor, QueueExecutor)
    while executor.work:
        executor.run_next()


def test_a_visible_panel_follows_the_state(place: Place) -> None:
    place.put(2.0)
    assert place.shown == [1.0, 2.0]
    assert place.panel.states[-1] is place.store.state
    assert place.host.is_current
    assert place.panel.accessibleDescription() == f"The result is {ToyResult(2.0, 'toy')}."


def test_a_change_that_the_panel_does_not_select_computes_nothing(place: Place) -> None:
    place.store.dispatch(lambda state: replace(state, lookup=replace(state.lookup, show_exact=False)), "Hide")
    assert place.shown == [1.0]
    assert place.panel.states[-1] is place.store.state


def test_a_hidden_panel_does_nothing_and_catches_up_when_shown(place: Place) -> None:
    place.host.hide()
    for tau in (2.0, 3.0, 4.0):
        place.put(tau)
    assert len(place.panel.states) == 1
    assert place.shown == [1.0]
    place.host.show()
    assert place.shown == [1.0, 4.0]
    assert place.panel.states[-1] is place.store.state


def test_a_panel_never_shown_computes_nothing(look: Look, qtbot: QtBot) -> None:
    made = Place(look, toy_spec(), InlineExecutor())
    qtbot.addWidget(made.host)
    made.put(2.0)
    assert made.panel.states == made.panel.results == []


def test_showing_again_without_a_change_computes_nothing(place: Place) -> None:
    place.host.hide()
    place.host.show()
    assert place.shown == [1.0]


def test_hidden_while_computing_it_gets_its_result_when_shown_again(slow: Place) -> None:
    run_all(slow)
    slow.put(2.0)
    slow.host.hide()
    run_all(slow)
    assert slow.shown == [1.0]
    slow.host.show()
    run_all(slow)
    assert slow.shown == [1.0, 2.0]
    assert slow.host.is_current


def test_undo_while_computing_leaves_the_result_of_the_present_state(slow: Place) -> None:
    run_all(slow)
    slow.put(2.0)
    slow.store.undo()
    run_all(slow)
    assert slow.shown[-1] == 1.0
    assert slow.host.is_current


def test_recompute_asks_again(place: Place) -> None:
    place.runner.forget()
    place.runner.backend = ToyBackend("other")
    place.host.recompute()
    assert place.panel.results[-1] == ToyResult(1.0, "other")


def test_a_plain_fault_is_a_banner_until_there_is_an_answer(place: Place) -> None:
    place.put(7.0)
    banner = place.host.banner
    assert banner.isVisible()
    assert banner.text == "There is no answer at 7. Choose another temperature."
    assert banner.accessibleDescription() == banner.text
    assert place.shown == [1.0]
    assert place.host.is_current
    place.put(2.0)
    assert not banner.isVisible()


def test_inputs_that_can_not_be_selected_are_a_banner_too(place: Place) -> None:
    place.put(13.0)
    assert place.host.banner.text == "13 is no temperature that this panel knows. Choose another."
    place.put(1.0)  # what was shown before: its answer is there at once
    assert not place.host.banner.isVisible()
    assert place.shown == [1.0, 1.0]


def test_a_fault_of_the_program_is_a_banner_with_details_and_in_the_log(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "lookuplab"):
        place.put(8.0)
    banner = place.host.banner
    assert banner.text == FAULT
    assert "ZeroDivisionError: a fault of the program" in caplog.text
    copy = next(button for button in banner.findChildren(QPushButton) if button.text() == "Copy details")
    copy.click()
    text = QGuiApplication.clipboard().text()
    assert text.startswith("Traceback")
    assert "compute_toy" in text
    banner.findChild(QToolButton).click()
    assert not banner.isVisible()


def test_the_busy_bar_comes_late_and_goes_with_the_answer(slow: Place, qtbot: QtBot) -> None:
    busy = slow.host.busy
    assert busy._timer.interval() == BUSY_AFTER_MS == 150
    assert busy.isHidden()
    qtbot.waitUntil(busy.isVisible, timeout=SECONDS)
    run_all(slow)
    assert busy.isHidden()
    assert not busy._timer.isActive()


def test_a_quick_answer_shows_no_busy_bar(slow: Place) -> None:
    run_all(slow)
    assert slow.host.busy.isHidden()
    assert not slow.host.busy._timer.isActive()


def test_cancel_stops_the_computation_and_says_so(slow: Place, qtbot: QtBot) -> None:
    run_all(slow)
    slow.put(2.0)
    qtbot.waitUntil(slow.host.busy.isVisible, timeout=SECONDS)
    slow.host.busy.findChild(QToolButton).click()
    run_all(slow)
    assert slow.shown == [1.0]
    assert slow.host.busy.isHidden()
    assert slow.host.banner.text == STOPPED
    slow.put(3.0)
    run_all(slow)
    assert slow.shown == [1.0, 3.0]
    assert slow.host.banner.isHidden()


def test_partial_results_and_progress_are_shown(look: Look, qtbot: QtBot) -> None:
    def compute(tau: float, job: Any) -> ToyResult:
        job.progress(0.25)
        job.partial(ToyResult(0.5, "part"))
        return ToyResult(1.0, "whole")

    made = Place(look, toy_spec(compute=compute), QueueExecutor())
    qtbot.addWidget(made.host)
    made.host.show()
    heard: list[Answer] = []
    made.host.computed.connect(heard.append)
    run_all(made)
    assert made.shown == [0.5, 1.0]
    assert made.host.busy._bar.value() == 250
    assert [answer.partial for answer in heard] == [True, True, False]


def test_answers_to_other_panels_are_not_shown(place: Place) -> None:
    place.runner.request("other", lambda job: ToyResult(99.0, "other"), ())
    assert place.shown == [1.0]


def test_showing_never_changes_the_state(place: Place) -> None:
    place.put(2.0)
    place.host.hide()
    place.host.show()
    assert place.store.undo_label == "Heat"
    place.store.undo()
    assert place.store.undo_label == ""
