"""The runner: newest inputs win, nothing late is shown, faults come back as values."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from labapp.runner import CACHE_SIZE, Answer, InlineExecutor, Runner
from tests.labapp.toy import QueueExecutor

SECONDS = 10_000  # ms that a wait may last before a test fails


class Scene:
    """A runner on an executor that the test drives, with all that it said."""

    def __init__(self) -> None:
        self.executor = QueueExecutor()
        self.runner = Runner("backend", self.executor)
        self.answers: list[Answer] = []
        self.said: list[str] = []
        self.ran: list[Any] = []
        self.runner.answered.connect(self.answers.append)
        self.runner.started.connect(lambda key: self.said.append(f"+{key}"))
        self.runner.finished.connect(lambda key: self.said.append(f"-{key}"))

    def ask(self, value: Any, key: str = "a", **how: Any) -> None:
        self.runner.request(key, self.compute, (value,), **how)

    def compute(self, value: Any, job: Any) -> str:
        self.ran.append(value)
        job.check()
        return f"answer {value}"

    def run_all(self) -> None:
        while self.executor.work:
            self.executor.run_next()

    @property
    def results(self) -> list[Any]:
        return [answer.result for answer in self.answers]


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_live_lets_the_running_job_end_and_then_takes_the_newest(scene: Scene) -> None:
    for value in range(5):
        scene.ask(value)
    scene.run_all()
    assert scene.ran == [0, 4]
    assert scene.results == ["answer 0", "answer 4"]
    assert scene.said == ["+a", "-a", "+a", "-a"]


def test_cancel_stops_the_running_job(scene: Scene) -> None:
    for value in range(5):
        scene.ask(value, restart="cancel")
    scene.run_all()
    assert scene.ran == [0, 4]
    assert scene.results == ["answer 4"]
    assert scene.said == ["+a", "-a", "+a", "-a"]


def test_panels_take_turns_during_a_drag(scene: Scene) -> None:
    for value in range(10):
        scene.ask(value, "a")
        scene.ask(value, "b")
        scene.executor.run_next()
    scene.run_all()
    keys = [answer.request.key for answer in scene.answers]
    assert keys[:10] == ["a", "b"] * 5
    last = {answer.request.key: answer.result for answer in scene.answers}
    assert last == {"a": "answer 9", "b": "answer 9"}


def test_the_same_inputs_are_computed_once(scene: Scene) -> None:
    scene.ask(1)
    scene.run_all()
    scene.ask(1)
    assert scene.ran == [1]
    assert scene.results == ["answer 1", "answer 1"]


@pytest.mark.parametrize("restart", ["live", "cancel"])
def test_a_cached_answer_is_not_followed_by_one_to_older_inputs(scene: Scene, restart: str) -> None:
    scene.ask(1)
    scene.run_all()
    scene.ask(2, restart=restart)
    scene.ask(1, restart=restart)  # undo, say, while 2 is being computed
    scene.run_all()
    assert scene.results == ["answer 1", "answer 1"]


@pytest.mark.parametrize("restart", ["live", "cancel"])
def test_inputs_that_are_being_computed_are_not_computed_again(scene: Scene, restart: str) -> None:
    scene.ask(1, restart=restart)
    scene.ask(2)
    scene.ask(1, restart=restart)
    scene.run_all()
    assert scene.ran == [1]
    assert scene.results == ["answer 1"]


def test_the_cache_forgets_the_oldest(scene: Scene) -> None:
    for value in range(CACHE_SIZE + 1):
        scene.ask(value)
        scene.run_all()
    scene.ask(CACHE_SIZE)
    scene.ask(0)
    scene.run_all()
    assert scene.ran == [*range(CACHE_SIZE + 1), 0]


@pytest.mark.parametrize("error", [ZeroDivisionError("no"), ValueError("bad"), MemoryError()])
def test_a_fault_comes_back_as_a_value_and_the_work_goes_on(scene: Scene, error: Exception) -> None:
    def fail(job: Any) -> None:
        raise error

    scene.runner.request("a", fail, ())
    scene.ask(1, "b")
    scene.run_all()
    assert scene.answers[0].error is error
    assert scene.results == [None, "answer 1"]


def test_a_fault_is_not_cached(scene: Scene) -> None:
    outcomes = iter([ZeroDivisionError(), "fine"])

    def compute(job: Any) -> Any:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    for _ in range(2):
        scene.runner.request("a", compute, ())
        scene.run_all()
    assert scene.results == [None, "fine"]


def test_partial_results_and_progress(scene: Scene) -> None:
    def compute(job: Any) -> str:
        job.progress(0.5)
        job.partial("half")
        return "whole"

    scene.runner.request("a", compute, ())
    scene.run_all()
    assert [(answer.result, answer.progress, answer.partial) for answer in scene.answers] == [
        (None, 0.5, True),
        ("half", None, True),
        ("whole", None, False),
    ]
    assert scene.said == ["+a", "-a"]
    scene.runner.request("a", compute, ())
    assert scene.results[-1] == "whole"  # the cache holds the whole, not the half


def test_cancelling_gives_no_answer_even_from_a_job_that_never_checks(scene: Scene) -> None:
    scene.runner.request("a", lambda job: "late", ())
    scene.runner.cancel("a")
    scene.run_all()
    assert scene.answers == []
    assert scene.said == ["+a", "-a"]
    scene.ask(1)
    scene.run_all()
    assert scene.results == ["answer 1"]


def test_cancelling_one_key_leaves_the_others(scene: Scene) -> None:
    scene.ask(1, "a")
    scene.ask(2, "b")
    scene.runner.cancel("b")
    scene.run_all()
    assert scene.results == ["answer 1"]


def test_nothing_comes_after_forget(scene: Scene) -> None:
    scene.ask(1)
    scene.ask(2, "b")
    scene.runner.forget()
    assert scene.said == ["+a", "-a"]
    scene.ask(3)
    scene.run_all()
    assert scene.results == ["answer 3"]


def test_forget_empties_the_cache(scene: Scene) -> None:
    scene.ask(1)
    scene.run_all()
    scene.runner.forget()
    scene.ask(1)
    scene.run_all()
    assert scene.ran == [1, 1]


def test_held_requests_wait_and_the_first_one_goes_first(scene: Scene) -> None:
    scene.runner.hold()
    scene.ask(1, "panel")
    scene.ask(2, "warm-up")
    assert scene.executor.work == []
    scene.runner.release(first="warm-up")
    scene.run_all()
    assert scene.ran == [2, 1]


def test_the_notice_of_the_backend_is_told_once(scene: Scene) -> None:
    class Backend:
        notice = ""

    scene.runner.backend = backend = Backend()
    assert scene.runner.take_notice() == ""
    backend.notice = "The device failed."
    assert [scene.runner.take_notice() for _ in range(2)] == ["The device failed.", ""]


def test_inline_runs_at_once() -> None:
    runner = Runner("backend", InlineExecutor())
    answers: list[Answer] = []
    runner.answered.connect(answers.append)
    runner.request("a", lambda job: job.backend, ())
    assert answers[0].result == "backend"
    assert answers[0].seconds > 0
    assert runner.close()


# With the real thread.


@pytest.fixture
def threaded(qtbot: QtBot) -> Iterator[Runner]:
    runner = Runner("backend")
    yield runner
    runner.close(10)


def test_work_is_done_off_the_gui_thread_and_answered_on_it(threaded: Runner, qtbot: QtBot) -> None:
    heard: list[tuple[Any, threading.Thread]] = []
    threaded.answered.connect(lambda answer: heard.append((answer.result, threading.current_thread())))
    threaded.request("a", lambda job: threading.current_thread(), ())
    qtbot.waitUntil(lambda: bool(heard), timeout=SECONDS)
    worker, receiver = heard[0]
    assert receiver is threading.main_thread()
    assert worker is not receiver


def test_the_last_of_many_requests_is_always_answered(threaded: Runner, qtbot: QtBot) -> None:
    answers: list[Answer] = []
    threaded.answered.connect(answers.append)
    for value in range(200):
        threaded.request("a", lambda value, job: value, (value,))
        qtbot.wait(0)
    qtbot.waitUntil(lambda: bool(answers) and answers[-1].result == 199, timeout=SECONDS)
    given = [answer.result for answer in answers]
    assert given == sorted(given)


def test_a_long_job_is_cancelled_at_its_next_check(threaded: Runner, qtbot: QtBot) -> None:
    began, ended = threading.Event(), threading.Event()

    def fit(job: Any) -> None:
        began.set()
        try:
            while True:
                job.check()
        finally:
            ended.set()

    threaded.request("fit", fit, (), restart="cancel")
    assert began.wait(10)
    threaded.cancel("fit")
    assert ended.wait(10)


def test_close_waits_for_a_job_that_checks(threaded: Runner) -> None:
    began = threading.Event()

    def fit(job: Any) -> None:
        began.set()
        while True:
            job.check()

    threaded.request("fit", fit, ())
    assert began.wait(10)
    assert threaded.close(10)


def test_close_gives_up_on_a_job_that_never_checks_and_nothing_is_said_later(qtbot: QtBot) -> None:
    runner = Runner("backend")
    began, go, done = threading.Event(), threading.Event(), threading.Event()

    def stuck(job: Any) -> str:
        began.set()
        go.wait(10)
        done.set()
        return "late"

    answers: list[Answer] = []
    runner.answered.connect(answers.append)
    runner.request("a", stuck, ())
    assert began.wait(10)
    assert not runner.close(0.05)
    go.set()
    assert done.wait(10)
    assert runner.close(10)
    qtbot.wait(1)
    assert answers == []
