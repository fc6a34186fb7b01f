"""Damaged copies of a session: refused, or opened with the very same contents, soon and with little memory."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from labapp.session import envelope
from labapp.session.child import Readers
from labapp.session.document import Document, decode
from labapp.session.faults import SessionError
from labapp.session.pieces import Pieces
from tests.labapp.session import save, scene

LONGEST_SECONDS = 2.0
MOST_MEGABYTES = 512


def _bit(data: bytearray, draw: random.Random) -> bytes:
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(data)


def _burst(data: bytearray, draw: random.Random) -> bytes:
    start = draw.randrange(len(data))
    for i in range(start, min(len(data), start + draw.randrange(1, 64))):
        data[i] = draw.randrange(256)
    return bytes(data)


def _splice(data: bytearray, draw: random.Random) -> bytes:
    """A part of the file over another part, or two parts changed."""
    size = draw.randrange(1, 512)
    start, end = draw.randrange(len(data)), draw.randrange(len(data))
    data[end : end + size] = data[start : start + size]
    return bytes(data)


def _few_bytes(data: bytearray, draw: random.Random) -> bytes:
    for _ in range(draw.randrange(2, 5)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    return bytes(data)


DAMAGES: tuple[Callable[[bytearray, random.Random], bytes], ...] = (_bit, _burst, _splice, _few_bytes)


def damaged(good: bytes, count: int, draw: random.Random) -> Iterator[bytes]:
    """Damages by turns; every fifth is a cut, and the cuts are spread over all lengths."""
    for i in range(count):
        if i % 5 == 4:
            yield good[: i * len(good) // count]
        else:
            yield DAMAGES[i % 5](bytearray(good), draw)


def torture(folder: Path, count: int, seed: int) -> str:
    save(folder / "a.h5", scene())
    good = (folder / "a.h5").read_bytes()
    readers = Readers()
    first = _read(readers, good)
    slowest, most, refused, rescued, processes = 0.0, 0.0, 0, 0, set()
    for data in damaged(good, count, random.Random(seed)):
        start = time.perf_counter()
        try:
            again = _read(readers, data)
        except SessionError:
            refused += 1
            rescued += _rescues(readers, data, first)
        else:
            assert _same(first, again), "opened with other contents"
        if readers.child is not None and readers.child.is_ready:
            slowest = max(slowest, time.perf_counter() - start)
            processes.add(readers.child.pid)
            most = max(most, _megabytes(readers.child.pid))
    readers.close()
    assert slowest < LONGEST_SECONDS, f"{slowest:.2f} s"
    assert most < MOST_MEGABYTES, f"{most:.0f} MB"
    return (
        f"{count} damages: {refused} refused ({rescued} with good parts), the others identical; "
        f"{len(processes)} reading processes, the slowest answer {slowest:.2f} s, at most {most:.0f} MB"
    )


def _rescues(readers: Readers, data: bytes, first: Document) -> bool:
    """Whether parts of it are good, which are then the very same."""
    try:
        held = _read(readers, data, rescue=True)
    except SessionError:
        return False
    assert held.state_tree == first.state_tree
    assert all((values == first.arrays[name]).all() for name, values in held.arrays.items())
    return True


def _read(readers: Readers, data: bytes, rescue: bool = False) -> Document:
    pieces = Pieces([data])
    envelope.check(pieces.read(0, envelope.HEADER_BYTES), len(pieces))
    stored, digests = readers.survey(pieces.read, len(pieces)).read(pieces)
    return decode(stored, digests, rescue)


def _same(a: Document, b: Document) -> bool:
    arrays = all(
        (a.arrays[name] == b.arrays[name]).all() and a.arrays[name].dtype == b.arrays[name].dtype for name in a.arrays
    )
    whole = (a.state_tree, a.view, a.thumbnail, a.attributes) == (b.state_tree, b.view, b.thumbnail, b.attributes)
    return arrays and whole and a.arrays.keys() == b.arrays.keys()


def _megabytes(pid: int) -> float:
    """The most memory that a process ever had, where the system tells."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0.0
    line = next((line for line in status.splitlines() if line.startswith("VmHWM")), "VmHWM: 0 kB")
    return int(line.split()[1]) / 1024
