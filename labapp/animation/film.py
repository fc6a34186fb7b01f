"""A file that grows frame by frame, in a thread of its own, and appears under its name when it is whole."""

from __future__ import annotations

import os
import secrets
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from labapp.animation.kinds import Kind, Shape
from labapp.animation.palette import Pixels
from labapp.animation.writer import Writer
from labapp.errors import PlainError

MOST_WAITING = 3
"""Frames; a picture of 1,920 pixels takes 10 MB."""
FAILED = "{name} could not be written to {folder} ({reason}). Choose a folder that you may write to and that has room."


class Film:
    """Takes frames from the window's thread, as bytes of red, green, blue and one byte that says nothing.

    Raises ``PlainError`` where the file can't be made. Until the end it has another name in the same folder.
    """

    def __init__(self, path: Path, kind: Kind) -> None:
        kind.check(path)
        self._path, self._kind = Path(os.path.realpath(path)), kind
        self._part = self._path.with_name(f".{self._path.stem[:40]}-{secrets.token_hex(4)}.part")
        self.error: Exception | None = None
        self.is_whole = False
        self._frames: deque[bytes] = deque()
        self._turn = threading.Condition()
        self._has_all = self._is_given_up = False
        self._writer: Writer | None = None
        self._thread: threading.Thread | None = None
        try:
            self._file = open(self._part, "xb")  # noqa: SIM115  closed by the thread that writes
        except OSError as error:
            raise self._sentence(error) from error

    @property
    def is_over(self) -> bool:
        return self._thread is None or not self._thread.is_alive()

    def start(self, shape: Shape, samples: Sequence[bytes]) -> None:
        """Begin to write. The samples are frames from all over the film, for whoever must choose colours."""
        self._thread = threading.Thread(target=self._run, args=(shape, list(samples)), name="film", daemon=True)
        self._thread.start()

    def offer(self, frame: bytes) -> bool:
        """Hand over the next frame; False, and to be tried again, where enough of them wait."""
        with self._turn:
            if len(self._frames) >= MOST_WAITING:
                return False
            self._frames.append(frame)
            self._turn.notify()
            return True

    def finish(self) -> None:
        """All frames were handed over."""
        with self._turn:
            self._has_all = True
            self._turn.notify()

    def give_up(self) -> None:
        """Leave nothing; the thread ends soon."""
        with self._turn:
            self._is_given_up = True
            self._frames.clear()
            self._turn.notify()
            writer = self._writer
        if writer is not None:
            writer.stop()
        if self._thread is None:
            self._clear()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; False where it takes longer."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self.is_over

    def _run(self, shape: Shape, samples: list[bytes]) -> None:
        try:
            self._write(shape, samples)
        except OSError as error:
            self.error = self._sentence(error)
            self.error.__cause__ = error
        except Exception as error:  # noqa: BLE001  given to the window's thread, which says it
            self.error = error
        finally:
            self._clear()

    def _write(self, shape: Shape, samples: list[bytes]) -> None:
        with self._file:
            writer = self._kind.open(self._file, self._part, shape, (_pixels(each, shape) for each in samples))
            samples.clear()
            try:
                with self._turn:
                    self._writer = writer
                while (frame := self._next()) is not None:
                    writer.add(_pixels(frame, shape))
                if not self._is_given_up:
                    writer.close()
            finally:
                with self._turn:
                    self._writer = None
                writer.release()
        if not self._is_given_up:
            os.replace(self._part, self._path)
            self.is_whole = True

    def _next(self) -> bytes | None:
        """The next frame, once there is one; None after the last."""
        with self._turn:
            self._turn.wait_for(lambda: self._frames or self._has_all or self._is_given_up)
            return self._frames.popleft() if self._frames and not self._is_given_up else None

    def _clear(self) -> None:
        with suppress(OSError):  # what went wrong was said; of a stick that was pulled nothing can be cleared
            self._file.close()
        with suppress(OSError):
            self._part.unlink()

    def _sentence(self, error: OSError) -> PlainError:
        reason = error.strerror or type(error).__name__
        return PlainError(FAILED.format(name=self._path.name, folder=self._path.parent, reason=reason))


def _pixels(frame: bytes, shape: Shape) -> Pixels:
    width, height = shape.size
    return np.ascontiguousarray(np.frombuffer(frame, dtype=np.uint8).reshape(height, width, 4)[..., :3])
