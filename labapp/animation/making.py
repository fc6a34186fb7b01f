"""The making of an animation, from the event loop: a little work at a time, so that the lab stays usable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from labapp.animation.film import Film
from labapp.animation.kinds import Kind, Shape
from labapp.animation.plan import Plan, even
from labapp.animation.stage import Stage
from labapp.animation.sweeps import Sweep
from labapp.errors import PlainError
from labapp.runner import CancelledError

NEXT, SOON = 0, 5
"""Milliseconds until the next piece of work: at once, or after a look at what others do."""
SAMPLES = 5
"""Frames by which a palette is chosen."""
MOST_TRIES = 1000
"""For a sweep that gets only part of the way at a time, such as one that must be learned first."""
TIME_TO_END = 2.0
"""Seconds that a window that closes waits for a frame that is being written."""


class Making(QObject):
    """Draws frame after frame on a panel aside and hands them to the film. ``ended`` comes once, at the very end: with
    the error, or with None for a whole film and for one that was given up.
    """

    progressed = Signal(int)
    ended = Signal(object)

    def __init__(self, stage: Stage, sweep: Sweep, plan: Plan, path: Path, kind: Kind) -> None:
        super().__init__()
        self._stage, self._sweep, self._plan, self._width = stage, sweep, plan, even(plan.width)
        self._film = Film(path, kind)
        self._is_given_up = self._is_over = False
        self._error: Exception | None = None
        self._work = self._make()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_turn)
        self._timer.start(NEXT)

    @property
    def is_whole(self) -> bool:
        """The file is there."""
        return self._film.is_whole

    def give_up(self) -> None:
        """Leave nothing behind; ``ended`` follows soon."""
        self._is_given_up = True
        self._film.give_up()

    def close(self) -> bool:
        """End now, and wait for the threads; False where one goes on."""
        self.give_up()
        self._timer.stop()
        over = self._film.wait(TIME_TO_END) and self._stage.close(TIME_TO_END)
        if over and not self._is_over:
            self._end()
        return over

    @Slot()
    def _on_turn(self) -> None:
        try:
            pause = next(self._work)
        except StopIteration:
            self._end()
        except Exception as error:  # noqa: BLE001  whatever it is: the film goes, and whoever listens says why
            if not self._is_given_up:
                self._error = error
            self._film.give_up()
            self._work = self._closed()
            self._timer.start(NEXT)
        else:
            self._timer.start(pause)

    def _make(self) -> Iterator[int]:
        """The work in pieces; after each the milliseconds to rest."""
        yield from self._settled()
        self._stage.mirror()
        yield from self._settled()
        yield from self._rehearse()
        for number, position in enumerate(self._plan.positions, 1):
            yield from self._at(position)
            frame = self._picture()
            while not self._film.offer(frame) and not self._film.is_over:
                yield SOON
            self.progressed.emit(number)
            yield NEXT
            if self._film.is_over:
                break
        self._film.finish()
        yield from self._closed()
        if self._film.error is not None and not self._is_given_up:
            raise self._film.error

    def _rehearse(self) -> Iterator[int]:
        """Measure what room words need all along the way, then draw a few frames."""
        for position in _spread(self._plan.frames):
            yield from self._at(position)
            self._stage.rehearse()
        samples = []
        for position in _spread(min(SAMPLES, self._plan.frames)):
            yield from self._at(position)
            samples.append(self._picture())
            yield NEXT
        size = self._width, len(samples[0]) // (4 * self._width)
        self._film.start(Shape(size, self._plan.count, self._plan.rate), samples)

    def _at(self, position: float) -> Iterator[int]:
        """Go there, as often as it takes, until all is computed and shown."""
        for _ in range(MOST_TRIES):
            before = self._stage.store.state
            self._stage.go_to(self._sweep, position)
            yield from self._settled()
            if self._stage.store.state is before:
                return
        raise PlainError(f"“{self._sweep.name}” does not come to rest at {position:.0%}, so no frame can be drawn.")

    def _settled(self) -> Iterator[int]:
        yield NEXT
        while not self._stage.is_settled and not self._is_given_up:
            self._stage.check()
            yield SOON
        if self._is_given_up:
            raise CancelledError
        self._stage.check()
        self._stage.settle()

    def _closed(self) -> Iterator[int]:
        while not self._film.is_over or not self._stage.close():
            yield SOON

    def _picture(self) -> bytes:
        image = self._stage.picture(self._width)
        return bytes(image.constBits())

    def _end(self) -> None:
        self._is_over = True
        self._stage.remove()
        self.ended.emit(self._error)


def _spread(count: int) -> list[float]:
    """So many positions from the start to the end."""
    return [index / (count - 1) for index in range(count)]
