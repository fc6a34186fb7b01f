"""A film written by ffmpeg, a program that the machine may have; frames go to it through a pipe."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import IO

from labapp.animation.palette import Pixels
from labapp.animation.writer import Writer
from labapp.errors import PlainError

PROGRAM = "ffmpeg"
MATRIX = "bt709"
"""How players take colours that a film says nothing else of."""
SECONDS_TO_END, SECONDS_TO_SPEAK = 60.0, 2.0
"""For the table of contents after the last frame, and for last words after a fault."""
NO_ROOM = "No space left"


class FilmError(PlainError):
    """ffmpeg gave up; ``details`` is what it said."""

    def __init__(self, sentence: str, details: str = "") -> None:
        super().__init__(sentence)
        self.details = details
        if details:
            self.add_note(details)


def film_program() -> str | None:
    """Where ffmpeg is; None where it isn't."""
    return shutil.which(PROGRAM)


def command(program: str, path: Path, size: tuple[int, int], rate: int) -> list[str]:
    """Raw frames from the pipe; a film that every player knows, with its table of contents in front."""
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", str(rate), "-i", "pipe:0"]
    colours = ["-vf", f"scale=out_color_matrix={MATRIX}:out_range=tv", "-pix_fmt", "yuv420p"]
    said = ["-colorspace", MATRIX, "-color_primaries", MATRIX, "-color_trc", MATRIX, "-color_range", "tv"]
    out = ["-an", "-movflags", "+faststart", "-f", "mp4", str(path)]
    return [program, "-hide_banner", "-loglevel", "error", "-y", *raw, *colours, *said, *out]


class FilmWriter(Writer):
    """Gives frames to ffmpeg. ``stop`` may be called from any thread, and ends a wait for it."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        program = film_program()
        if program is None:
            raise PlainError("An MP4 needs the program ffmpeg, which is not on this machine. Choose GIF or APNG.")
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  closed by release
        self._process = subprocess.Popen(
            command(program, path, size, rate),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def add(self, frame: Pixels) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(frame.tobytes())
        except OSError as error:
            raise self._fault() from error

    def close(self) -> None:
        """Wait for the end of the film."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(SECONDS_TO_END)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise self._fault() from error
        if self._process.returncode:
            raise self._fault()

    def stop(self) -> None:
        """End ffmpeg at once."""
        self._process.kill()

    def release(self) -> None:
        """Leave nothing behind of a film that has ended, or was given up."""
        self._process.kill()
        self._process.wait()
        try:
            if self._process.stdin is not None:
                self._process.stdin.close()
        except OSError:
            pass  # what ffmpeg didn't take is given up
        self._said.close()

    def _fault(self) -> FilmError:
        try:
            self._process.wait(SECONDS_TO_SPEAK)
        except subprocess.TimeoutExpired:
            self._process.kill()
        code = self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode("utf-8", "replace").strip()
        if NO_ROOM in said:
            return FilmError(
                "There is no room left on the disk for the film. Make room, or choose another folder.", said
            )
        return FilmError(f"The program ffmpeg could not make the film (it ended with {code}). Try GIF or APNG.", said)
