"""Computations off the GUI thread: one worker, per panel one pending slot that holds only the newest inputs."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from PySide6.QtCore import QObject, Signal, Slot

Restart = Literal["live", "cancel"]
CACHE_SIZE = 64
PAINT_SECONDS = 0.01
SWITCH_SECONDS = 0.001
"""How long the window's thread may wait for the interpreter whenever it comes back from Qt."""


class CancelledError(Exception):
    """Raised inside a computation whose answer nobody wants any more."""


class Executor(Protocol):
    """Runs functions one after another, off the GUI thread or, in tests, at once."""

    def submit(self, work: Callable[[], None]) -> None: ...

    def close(self, seconds: float) -> bool:
        """Wait for the work that runs, so long at most; True when it has ended."""
        ...


class WorkerThread:
    """The one worker. A daemon, so that a computation that never checks can't keep the program alive."""

    def __init__(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, name="compute", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], None]) -> None:
        self._work.put(work)

    def close(self, seconds: float) -> bool:
        self._work.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _loop(self) -> None:
        while (work := self._work.get()) is not None:
            work()


class InlineExecutor:
    """Runs work at once, for tests and for pictures without a window."""

    def submit(self, work: Callable[[], None]) -> None:
        work()

    def close(self, seconds: float) -> bool:
        return True


@dataclass(frozen=True)
class Request:
    key: str
    compute: Callable[..., Any]
    inputs: tuple[Any, ...]


@dataclass(frozen=True)
class Answer:
    """What became of a request: a result (``partial`` while more is to come), or an error, or progress 0…1."""

    request: Request
    result: Any = None
    error: Exception | None = None
    partial: bool = False
    progress: float | None = None
    seconds: float = 0.0


class Job:
    """What a running computation may ask and say. ``backend`` is whatever the mathematics computes on."""

    def __init__(self, backend: Any, request: Request, send: Callable[[Job, Answer], None]) -> None:
        self.backend = backend
        self.request = request
        self._send = send
        self._cancelled = threading.Event()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def abandon(self) -> None:
        """Cancel, and say nothing more: whoever listened may be gone."""
        self.cancel()
        self._send = lambda job, answer: None

    def check(self) -> None:
        if self._cancelled.is_set():
            raise CancelledError

    def partial(self, result: Any) -> None:
        """Show an unfinished result, and rest while it is painted.

        Work that goes on at once takes the interpreter from the paint: a drag that streams took 68 ms to its picture at
        the median without the rest, 38 with it, and 10,000 steps 6.7 s and 3.7 s.
        """
        self.check()
        self._send(self, Answer(self.request, result=result, partial=True))
        self._cancelled.wait(PAINT_SECONDS)

    def progress(self, fraction: float) -> None:
        self.check()
        self._send(self, Answer(self.request, partial=True, progress=fraction))

    def run(self) -> None:
        start = time.perf_counter()
        try:
            answer = Answer(self.request, self.request.compute(*self.request.inputs, self))
        except CancelledError:
            answer = Answer(self.request, partial=True)
        except Exception as error:  # noqa: BLE001  what a computation raises becomes its panel's banner, never silence
            answer = Answer(self.request, error=error)
        self._send(self, _timed(answer, time.perf_counter() - start))


def _timed(answer: Answer, seconds: float) -> Answer:
    return Answer(answer.request, answer.result, answer.error, answer.partial, None, seconds)


class Runner(QObject):
    """Computes requests on the worker and gives answers on the GUI thread.

    ``live`` requests let the running job end before the newest inputs start (to cancel on every event would starve a
    drag); ``cancel`` requests stop the running job of the same key. Keys wait in turn, so that one panel's drag doesn't
    starve another panel. Answers are cached by their inputs; what a cancelled job still answers is never given.
    """

    answered = Signal(object)
    started = Signal(str)
    finished = Signal(str)
    _sent = Signal(object)

    def __init__(self, backend: Any = None, executor: Executor | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backend = backend
        self._executor: Executor = executor or WorkerThread()
        self._pending: OrderedDict[str, Request] = OrderedDict()
        self._job: Job | None = None
        self._cache: OrderedDict[Request, Any] = OrderedDict()
        self._told = ""
        self._held = False
        self._sent.connect(self._receive)

    def request(
        self, key: str, compute: Callable[..., Any], inputs: tuple[Any, ...], restart: Restart = "live"
    ) -> None:
        """Ask for ``compute(*inputs, job)``; older inputs of the same key that still wait are forgotten."""
        request = Request(key, compute, inputs)
        running = self._running(key)
        if request in self._cache:
            self._cache.move_to_end(request)
            self.cancel(key)  # an answer to older inputs must not follow this one
            self.answered.emit(Answer(request, self._cache[request]))
        elif running and running.request == request:
            self._pending.pop(key, None)
        else:
            self._pending[key] = request  # in the place of older inputs, where some wait
            if running and restart == "cancel":
                running.cancel()
            self._start_next()

    def hold(self) -> None:
        """Let requests wait until ``release``."""
        self._held = True

    def release(self, first: str) -> None:
        """Start what waits, ``first`` this key."""
        self._held = False
        if first in self._pending:
            self._pending.move_to_end(first, last=False)
        self._start_next()

    def cancel(self, key: str) -> None:
        """Stop what runs or waits for this key."""
        self._pending.pop(key, None)
        if running := self._running(key):
            running.cancel()

    def forget(self) -> None:
        """Drop everything that runs, waits or is cached: another device was chosen, say."""
        self._pending.clear()
        self._cache.clear()
        if self._job:
            self._job.abandon()
            self.finished.emit(self._job.request.key)
            self._job = None

    def take_notice(self) -> str:
        """The sentence that the backend has for the user, once: it fell back to another device, say."""
        notice = str(getattr(self.backend, "notice", ""))
        if notice == self._told:
            return ""
        self._told = notice
        return notice

    def close(self, seconds: float = 1.5) -> bool:
        """Drop everything and end the worker; False where a computation that never checks outlasts the wait."""
        self.forget()
        return self._executor.close(seconds)

    def _running(self, key: str) -> Job | None:
        job = self._job
        return job if job and job.request.key == key and not job.is_cancelled else None

    def _start_next(self) -> None:
        if self._held or self._job or not self._pending:
            return
        _, request = self._pending.popitem(last=False)
        self._job = job = Job(self.backend, request, lambda job, answer: self._sent.emit((job, answer)))
        self.started.emit(request.key)
        self._executor.submit(job.run)

    @Slot(object)
    def _receive(self, message: tuple[Job, Answer]) -> None:
        job, answer = message
        if job is not self._job:
            return  # forgotten: the answer belongs to a device that was given up
        over = not answer.partial or (answer.result is None and answer.progress is None)
        if over:
            self._job = None
            self.finished.emit(answer.request.key)
        if not job.is_cancelled:
            self._give(answer)
        if over:
            self._start_next()

    def _give(self, answer: Answer) -> None:
        if answer.result is not None and not answer.partial:
            self._cache[answer.request] = answer.result
            while len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        if answer.result is not None or answer.error is not None or answer.progress is not None:
            self.answered.emit(answer)
