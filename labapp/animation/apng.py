"""An animated PNG written frame by frame, without loss (PNG third edition, W3C, 2025, section 11.3.6)."""

from __future__ import annotations

import struct
import zlib
from typing import IO, Any

import numpy as np

from labapp.animation.changes import Box, box_of
from labapp.animation.palette import Pixels
from labapp.animation.writer import Writer

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_AND_ALPHA = 6
UNFILTERED = 0
"""Sub and Up make pictures with areas of one colour larger by a fifth."""
LEVEL, OVER = 6, 1


class ApngWriter(Writer):
    """Colours as they are. Of each frame the box around what changed, with the rest left clear: a third as large."""

    def __init__(self, file: IO[bytes], size: tuple[int, int], count: int, rate: int) -> None:
        self._file, self._rate = file, rate
        self._before: Any = None
        self._number = 0
        file.write(SIGNATURE)
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, COLOUR_AND_ALPHA, 0, 0, 0))
        self._chunk(b"acTL", struct.pack(">II", count, 0))  # 0: for ever

    def add(self, frame: Pixels) -> None:
        changed = np.ones(frame.shape[:2], dtype=bool) if self._before is None else (frame != self._before).any(2)
        left, top, right, bottom = box = box_of(changed)
        inside = slice(top, bottom), slice(left, right)
        packed = _packed(frame[inside], changed[inside])
        self._control(box)
        if self._before is None:
            self._chunk(b"IDAT", packed)
        else:
            self._chunk(b"fdAT", self._next() + packed)
        self._before = frame

    def close(self) -> None:
        self._chunk(b"IEND", b"")

    def _control(self, box: Box) -> None:
        left, top, right, bottom = box
        place = struct.pack(">IIII", right - left, bottom - top, left, top)
        self._chunk(b"fcTL", self._next() + place + struct.pack(">HHBB", 1, self._rate, 0, OVER))

    def _next(self) -> bytes:
        self._number += 1
        return struct.pack(">I", self._number - 1)

    def _chunk(self, kind: bytes, content: bytes) -> None:
        check = zlib.crc32(content, zlib.crc32(kind))
        self._file.write(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check))


def _packed(pixels: Pixels, shown: Any) -> bytes:
    """Rows of red, green, blue and alpha, each with the mark of its filter, compressed."""
    height, width = shown.shape
    rows = np.zeros((height, 1 + 4 * width), dtype=np.uint8)
    rows[:, 0] = UNFILTERED
    clear = rows[:, 1:].reshape(height, width, 4)
    clear[..., :3] = np.where(shown[..., None], pixels, np.uint8(0))
    clear[..., 3] = np.where(shown, np.uint8(255), np.uint8(0))
    rows[:, 1:] = clear.reshape(height, -1)
    return zlib.compress(rows.tobytes(), LEVEL)
