"""One palette for all frames of a GIF, and the number in it of each colour: the same in every frame, no noise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
"""Height × width × 3: red, green, blue."""

COLOURS = 255
"""The last of a GIF's 256 means "as before"."""
EXACT = 128
"""So many of the most frequent colours are kept as they are: areas of one colour stay true."""
HEAVIEST = 64
"""A colour counts at most so many times as much as one that is seen once, or areas would take all of the palette."""
WEIGHTS = np.array([3.0, 6.0, 1.0])
"""How much an eye minds a difference of red, green and blue."""
CHUNK = 4096


class Palette:
    """The colours that stand for all others: the most frequent ones, and a choice among the rest."""

    def __init__(self, samples: Iterable[Pixels]) -> None:
        packed, counts = _counted(samples)
        order = np.argsort(-counts, kind="stable")
        exact, rest = packed[order[:EXACT]], packed[order[EXACT:]]
        chosen = [_unpacked(exact)]
        if len(rest) > COLOURS - EXACT:
            chosen.append(_chosen(_unpacked(rest), counts[order[EXACT:]], COLOURS - EXACT))
        else:
            chosen.append(_unpacked(rest))
        self.colours: Pixels = np.concatenate(chosen).astype(np.uint8)
        self._known = np.full(1 << 24, -1, dtype=np.int16)

    def numbers(self, frame: Pixels) -> Pixels:
        """For each pixel the number of the nearest colour, height × width."""
        packed = _packed(frame)
        numbers = self._known[packed]
        missing = np.unique(packed[numbers < 0])
        if len(missing):
            self._known[missing] = self._nearest(_unpacked(missing))
            numbers = self._known[packed]
        return numbers.astype(np.uint8)

    def _nearest(self, colours: Pixels) -> Any:
        nearest = np.empty(len(colours), dtype=np.int16)
        known = self.colours.astype(float)
        for start in range(0, len(colours), CHUNK):
            away = colours[start : start + CHUNK, None].astype(float) - known[None]
            nearest[start : start + CHUNK] = ((away**2) @ WEIGHTS).argmin(1)
        return nearest


def _counted(samples: Iterable[Pixels]) -> tuple[Any, Any]:
    """Every colour, packed, and how often it occurs; one sample after the other, since each may take 20 MB."""
    each = [np.unique(_packed(sample), return_counts=True) for sample in samples]
    packed, places = np.unique(np.concatenate([colours for colours, _ in each]), return_inverse=True)
    return packed, np.bincount(places, np.concatenate([counts for _, counts in each])).astype(np.int64)


def _chosen(colours: Pixels, counts: Any, most: int) -> Pixels:
    """At most so many colours that stand for these."""
    from PIL import Image

    repeated = np.repeat(colours, np.minimum(counts, HEAVIEST), axis=0)
    row = Image.fromarray(repeated[None])
    palette = row.quantize(most, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    return np.array(palette, dtype=np.uint8).reshape(-1, 3)[:most]


def _packed(pixels: Pixels) -> Any:
    """Each colour as one number of 24 bits."""
    wide = pixels.astype(np.int32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def _unpacked(packed: Any) -> Pixels:
    return np.stack([packed >> 16, packed >> 8 & 255, packed & 255], axis=-1).astype(np.uint8)
