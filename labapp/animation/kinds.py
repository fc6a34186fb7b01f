"""The kinds of file that an animation can be written to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from labapp.animation.apng import ApngWriter
from labapp.animation.gif import GifWriter
from labapp.animation.mp4 import FilmWriter, film_program
from labapp.animation.palette import Pixels
from labapp.animation.writer import Writer
from labapp.errors import PlainError


@dataclass(frozen=True)
class Shape:
    """Size in pixels, number of frames, frames a second."""

    size: tuple[int, int]
    count: int
    rate: int


@dataclass(frozen=True)
class Kind:
    """``open(file, path, shape, samples)``: the file is open, and ``path`` is where it lies."""

    title: str
    ending: str
    open: Callable[[IO[bytes], Path, Shape, Iterable[Pixels]], Writer]

    @property
    def filter(self) -> str:
        return f"{self.title} (*{self.ending})"

    def check(self, path: Path) -> None:
        """Raise ``PlainError`` for a name that this kind can't have."""
        if path.suffix.lower() != self.ending:
            raise PlainError(f"The name must end in {self.ending}; {path.name} doesn't. Choose such a name.")


KINDS = (
    Kind(
        "GIF animation",
        ".gif",
        lambda file, path, shape, samples: GifWriter(file, shape.size, shape.count, shape.rate, samples),
    ),
    Kind(
        "APNG, without loss",
        ".apng",
        lambda file, path, shape, samples: ApngWriter(file, shape.size, shape.count, shape.rate),
    ),
    Kind("MP4 film", ".mp4", lambda file, path, shape, samples: FilmWriter(path, shape.size, shape.rate)),
)


def kinds_here() -> list[Kind]:
    """Those that this machine can write: a film needs ffmpeg."""
    return [kind for kind in KINDS if kind.ending != ".mp4" or film_program() is not None]
