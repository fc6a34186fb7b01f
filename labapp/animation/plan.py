"""What is asked of an animation: how large, how fast, how long, and where each frame stands."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

NARROWEST, WIDEST, USUAL_WIDTH = 160, 1920, 960
RATES = (10, 15, 20, 25)
USUAL_RATE = 20
"""As many steps a second as Play makes at its normal speed."""
LONGEST = 60.0
"""Seconds."""
LEAST_FRAMES = 2


@dataclass(frozen=True)
class Plan:
    """``frames`` from the start of the sweep to its end, both shown; the way back comes on top.

    ``width`` in pixels, ``rate`` in frames a second.
    """

    sweep: str
    frames: int
    width: int = USUAL_WIDTH
    rate: int = USUAL_RATE
    returns: bool = False

    @property
    def positions(self) -> tuple[float, ...]:
        """Where the sweep stands at each frame, from 0 to 1."""
        forth = tuple(index / (self.frames - 1) for index in range(self.frames))
        return (*forth, *reversed(forth[:-1])) if self.returns else forth

    @property
    def count(self) -> int:
        """Of all frames."""
        return 2 * self.frames - 1 if self.returns else self.frames

    @property
    def seconds(self) -> float:
        return self.count / self.rate


def frames_in(seconds: float, rate: int, returns: bool = False) -> int:
    """The frames of one way for an animation that lasts so long."""
    count = round(min(seconds, LONGEST) * rate)
    return max(LEAST_FRAMES, (count + 1) // 2 if returns else count)


def even(pixels: int) -> int:
    """Films halve the resolution of colours, so that their sides must be even: the next such number."""
    return pixels + pixels % 2


def hundredths(count: int, rate: int) -> list[int]:
    """How long each frame stays, in hundredths of a second, a GIF's unit: 7, 6, 7 for 15 a second, and no drift."""
    ends = [round(100 * index / rate) for index in range(count + 1)]
    return [end - start for start, end in pairwise(ends)]
