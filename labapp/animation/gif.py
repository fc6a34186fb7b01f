"""A GIF written frame by frame (CompuServe, GIF89a, 1990). Pillow's own writer keeps all frames until the end."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from labapp.animation.changes import box_of
from labapp.animation.palette import COLOURS, Palette, Pixels
from labapp.animation.plan import hundredths
from labapp.animation.writer import Writer

FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
LEAVE = 1
"""The next frame is drawn over this one."""
END = b";"


class GifWriter(Writer):
    """One palette for all frames, no dithering, and of each frame only what changed."""

    def __init__(
        self, file: IO[bytes], size: tuple[int, int], count: int, rate: int, samples: Iterable[Pixels]
    ) -> None:
        self._file = file
        self._palette = Palette(samples)
        self._delays: Iterator[int] = iter(hundredths(count, rate))
        self._before: Any = None
        colours = np.zeros((256, 3), dtype=np.uint8)
        colours[: len(self._palette.colours)] = self._palette.colours
        screen = struct.pack("<HHBBB", *size, 0b1111_0111, 0, 0)  # 256 colours of 8 bits each, for all frames
        file.write(b"GIF89a" + screen + colours.tobytes() + FOR_EVER)

    def add(self, frame: Pixels) -> None:
        from PIL import GifImagePlugin, Image

        numbers = self._palette.numbers(frame)
        left, top, right, bottom = 0, 0, numbers.shape[1], numbers.shape[0]
        part = numbers
        if self._before is not None:
            same = numbers == self._before
            left, top, right, bottom = box_of(~same)
            part = np.where(same, np.uint8(COLOURS), numbers)[top:bottom, left:right]
        self._before = numbers
        image = Image.fromarray(np.ascontiguousarray(part)).convert("P")
        options = {"duration": 10 * next(self._delays), "transparency": COLOURS, "disposal": LEAVE}
        for piece in GifImagePlugin.getdata(image, (left, top), **options):
            self._file.write(piece)

    def close(self) -> None:
        self._file.write(END)
