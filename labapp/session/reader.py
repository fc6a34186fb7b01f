"""The reading process: surveys files that may be hostile, with little memory and time, no file and no other process.

It is given no path and not even the bytes, but asks for those that it needs. Requests come on the standard input, each
as the size of a file in 8 bytes. On the standard output it asks for bytes (a mark, where they begin, how many) or
answers (a mark, 0, the length, and JSON).
"""

from __future__ import annotations

import io
import math
import struct
import sys
import time
from contextlib import suppress
from typing import Any

from labapp.session.faults import SessionError
from labapp.session.pieces import Window

MEGABYTE = 2**20
MEMORY = 256 * MEGABYTE
SECONDS = 1
ASK, ANSWER = 0, 1
FRAME = struct.Struct("<Bqq")
SIZE = struct.Struct("<q")


def main() -> None:
    """Answer until the pipe is closed."""
    from labapp.session.hdf5 import survey
    from labapp.session.survey import to_json

    source, target = sys.stdin.buffer, sys.stdout.buffer

    def ask(start: int, count: int) -> bytes:
        target.write(FRAME.pack(ASK, start, count))
        target.flush()
        return source.read(count)

    _rehearse(survey)
    _forbid()
    target.write(FRAME.pack(ANSWER, 0, 0))
    target.flush()
    while len(head := source.read(SIZE.size)) == SIZE.size:
        _limit()
        (size,) = SIZE.unpack(head)
        text = to_json(_answer(survey, Window(ask, size), size))
        target.write(FRAME.pack(ANSWER, 0, len(text)) + text)
        target.flush()


def _answer(survey: Any, file: Window, size: int) -> Any:
    try:
        return survey(file, size)
    except SessionError as error:
        return error


def _rehearse(survey: Any) -> None:
    """Read a small file once: what the libraries load late is loaded before files are forbidden."""
    from labapp.session.document import Document, encode
    from labapp.session.hdf5 import pack

    data = bytes(pack(encode(Document({}, {}))))
    survey(io.BytesIO(data), len(data))


def _forbid() -> None:
    """No further file, not even one to read, no byte into any, no other process. Where the system can't, nothing."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limits = {"RLIMIT_AS": _used_memory() + MEMORY, "RLIMIT_NOFILE": 3, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}
    for name, most in {**limits, "RLIMIT_NPROC": 0}.items():
        if hasattr(resource, name):
            with suppress(ValueError, OSError):  # macOS knows some of them and refuses to set them
                resource.setrlimit(getattr(resource, name), (most, most))


def _used_memory() -> int:
    """Bytes of address space in use; far too many where the system doesn't tell, so that reading goes on."""
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 2**50


def _limit() -> None:
    """So much processor time for the next file."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time()) + SECONDS, hard))


if __name__ == "__main__":
    main()
