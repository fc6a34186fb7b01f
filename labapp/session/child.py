"""Reading in a process of its own: a file that kills, hangs or bloats it is "damaged or not safe to open", no more.

One process serves file after file, so that a session opens at once. One that refused a file may bear traces of it: if
it fails at the next, that one gets a fresh process.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from labapp.session.faults import SessionError
from labapp.session.reader import ANSWER, ASK, FRAME, SIZE
from labapp.session.survey import Survey, from_json

START_SECONDS = 60.0
READ_SECONDS = 10.0
"""Wall time for one file, where a limit of processor time doesn't end it sooner."""
MOST_ASKED = 64 * 2**20
"""Bytes that a file's tables may take; the values are not asked for."""
MOST_ANSWERED = 4 * 2**20
Read = Callable[[int, int], bytes]

_START = "import sys; sys.path[:0] = sys.argv[1:]; from labapp.session.reader import main; main()"


class Child:
    """One reading process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, str(Path(__file__).parents[2])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            cwd=os.path.abspath(os.sep),
        )
        self.is_ready = False
        self.refused = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def survey(self, read: Read, size: int) -> Survey:
        """The survey of a file. Raises ``SessionError``; ``OSError`` or ``EOFError`` where the process failed."""
        if not self.is_ready:
            self._timed(START_SECONDS, lambda: self._served(read, size))
            self.is_ready = True
        text = self._timed(READ_SECONDS, lambda: self._asked(read, size))
        try:
            return from_json(text)
        except SessionError:
            self.refused = True
            raise

    def close(self) -> None:
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:
                continue  # bytes that it never took
        self._process.wait()

    def _timed(self, seconds: float, talk: Callable[[], bytes]) -> bytes:
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            return talk()
        finally:
            timer.cancel()

    def _asked(self, read: Read, size: int) -> bytes:
        self._send(SIZE.pack(size))
        return self._served(read, size)

    def _served(self, read: Read, size: int) -> bytes:
        """Hand out what is asked for until the answer comes."""
        left = MOST_ASKED
        while True:
            mark, start, count = FRAME.unpack(self._take(FRAME.size))
            if mark == ANSWER and 0 <= count <= MOST_ANSWERED:
                return self._take(count)
            left -= count
            if mark != ASK or not 0 <= start <= start + count <= size or left < 0:
                raise EOFError("the reading process asks for what no session has")
            self._send(read(start, count))

    def _take(self, count: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(count)
        if len(data) < count:
            raise EOFError(f"the reading process ended with {self._process.wait()}")
        return data

    def _send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()


class Readers:
    """Keeps one process at hand; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.child: Child | None = None

    def warm(self) -> None:
        """Start the process, without waiting for it."""
        with self._lock:
            self._present()

    def survey(self, read: Read, size: int) -> Survey:
        """Where the parts of a session lie in a file. Raises ``SessionError``."""
        with self._lock:
            suspect = self._present().refused
            try:
                return self._try(read, size)
            except (OSError, EOFError) as error:
                if not suspect:
                    raise SessionError("damaged", str(error)) from error
            try:
                return self._try(read, size)
            except (OSError, EOFError) as error:
                raise SessionError("damaged", str(error)) from error

    def close(self) -> None:
        with self._lock:
            self._drop()

    def _try(self, read: Read, size: int) -> Survey:
        try:
            return self._present().survey(read, size)
        except (OSError, EOFError):
            self._drop()
            raise

    def _present(self) -> Child:
        self.child = self.child or Child()
        return self.child

    def _drop(self) -> None:
        if self.child is not None:
            self.child.close()
            self.child = None


def _environment() -> dict[str, str]:
    """Without anything that makes the libraries load foreign code; one thread, so that little memory is set aside."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HDF5_", "PYTHON"))}
    return {**kept, "HDF5_PLUGIN_PRELOAD": "::", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


READERS = Readers()
atexit.register(READERS.close)
