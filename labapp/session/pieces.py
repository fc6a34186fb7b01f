"""The bytes of a file that is too large to be copied about: small parts in pages, large arrays where they are."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

PAGE = 2**16


class Pages(io.RawIOBase):
    """A file in memory that keeps only the pages that were written; the rest reads as zeros."""

    def __init__(self) -> None:
        super().__init__()
        self._pages: dict[int, bytearray] = {}
        self._place = 0
        self.size = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = (0, self._place, self.size)[whence]
        self._place = start + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def truncate(self, size: int | None = None) -> int:
        self.size = self._place if size is None else size
        return self.size

    def write(self, data: Any) -> int:
        for start, page, inside in self._parts(len(view := memoryview(data).cast("B"))):
            held = self._pages.setdefault(page, bytearray(PAGE))
            held[inside.start : inside.stop] = view[start : start + len(inside)]
        self._place += len(view)
        self.size = max(self.size, self._place)
        return len(view)

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        for start, page, inside in self._parts(len(view)):
            held = self._pages.get(page)
            view[start : start + len(inside)] = held[inside.start : inside.stop] if held else bytes(len(inside))
        self._place += len(view)
        return len(view)

    def piece(self, start: int, stop: int) -> bytes:
        """The bytes of a range."""
        self._place, data = start, bytearray(stop - start)
        self.readinto(data)
        return bytes(data)

    def _parts(self, length: int) -> Iterator[tuple[int, int, range]]:
        """For each page that the next ``length`` bytes lie in: how far in them, which page, where in the page."""
        done = 0
        while done < length:
            page, first = divmod(self._place + done, PAGE)
            inside = range(first, min(PAGE, first + length - done))
            yield done, page, inside
            done += len(inside)


class Pieces:
    """The whole of a file as a row of buffers, none copied."""

    def __init__(self, buffers: list[Any]) -> None:
        self.buffers = [memoryview(buffer).cast("B") for buffer in buffers if memoryview(buffer).nbytes]

    def __len__(self) -> int:
        return sum(map(len, self.buffers))

    def __bytes__(self) -> bytes:
        return b"".join(self.buffers)

    def read(self, offset: int, length: int) -> bytes:
        """So many bytes from there, fewer at the end."""
        return b"".join(self._parts(offset, offset + length))

    def fill(self, offset: int, buffer: memoryview) -> None:
        """Put the bytes from there into a buffer."""
        buffer[:] = self.read(offset, len(buffer))

    def view(self, offset: int, length: int) -> memoryview:
        """The same bytes without a copy where they lie in one buffer."""
        parts = self._parts(offset, offset + length)
        return parts[0] if len(parts) == 1 else memoryview(b"".join(parts))

    def _parts(self, offset: int, stop: int) -> list[memoryview]:
        found, start = [], 0
        for buffer in self.buffers:
            part = buffer[max(0, offset - start) : max(0, stop - start)]
            found += [part] if len(part) else []
            start += len(buffer)
        return found


class Window(io.RawIOBase):
    """A file-like to read, of which each range of bytes comes from a function of where it begins and how long it is."""

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._read, self._size = read, size
        self._place = 0

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = (0, self._place, self._size)[whence] + offset
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._size - self._place))
        if count:
            view[:count] = self._read(self._place, count)
        self._place += count
        return count
