"""The files of animations, read again by others: lengths, colours, and nothing left of what was given up."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from labapp.animation import mp4
from labapp.animation.film import Film
from labapp.animation.kinds import KINDS, Kind, Shape, kinds_here
from labapp.animation.palette import Palette, Pixels
from labapp.animation.plan import Plan, even, frames_in, hundredths
from labapp.animation.writer import Writer
from labapp.errors import PlainError

GIF, APNG, MP4 = KINDS
SIZE = WIDTH, HEIGHT = 40, 24
OLD = b"an older file"


def frame(step: int) -> Pixels:
    """White with a ramp of colours that stays, and a red square that moves."""
    pixels = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)
    pixels[16:, :, 0] = np.arange(WIDTH) * 6
    pixels[16:, :, 2] = np.arange(8)[:, None] * 30
    pixels[2:8, step : step + 6] = (200, 10, 30)
    return pixels


def raw(pixels: Pixels) -> bytes:
    """As the window hands it over: a fourth byte that says nothing."""
    return np.concatenate([pixels, np.full((*pixels.shape[:2], 1), 77, dtype=np.uint8)], axis=2).tobytes()


def film_of(path: Path, kind: Kind, frames: Sequence[Pixels], rate: int = 20) -> Film:
    film = Film(path, kind)
    film.start(Shape(SIZE, len(frames), rate), [raw(each) for each in frames[::2]])
    for each in frames:
        while not film.offer(raw(each)) and not film.is_over:
            film.wait(0.001)
    film.finish()
    assert film.wait(10)
    return film


def read(path: Path) -> tuple[list[Any], list[float], Any]:
    """Frames, milliseconds of each, and how often it is repeated (0: for ever)."""
    frames, times = [], []
    with Image.open(path) as image:
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            frames.append(np.array(image.convert("RGB")))
            times.append(image.info["duration"])
        return frames, times, image.info["loop"]


STEPS = (0, 3, 3, 9, 20)
"""Where the square stands; once it rests."""


def test_an_apng_has_every_frame_to_the_bit(tmp_path: Path) -> None:
    drawn = [frame(step) for step in STEPS]
    film = film_of(tmp_path / "out.apng", APNG, drawn, rate=15)
    assert film.is_whole
    assert film.error is None
    frames, times, loop = read(tmp_path / "out.apng")
    assert len(frames) == len(STEPS)
    for came, wanted in zip(frames, drawn, strict=True):
        assert np.array_equal(came, wanted)
    assert sum(times) == pytest.approx(1000 * len(STEPS) / 15)
    assert loop == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.apng"]


def test_a_gif_keeps_rests_lengths_and_flat_colours(tmp_path: Path) -> None:
    drawn = [frame(step) for step in STEPS]
    assert film_of(tmp_path / "out.gif", GIF, drawn, rate=15).is_whole
    content = (tmp_path / "out.gif").read_bytes()
    assert content.count(b"!\xf9\x04") == len(
        STEPS
    )  # a control block each, also for the frame that equals its forerunner
    frames, times, loop = read(tmp_path / "out.gif")
    assert times == [70, 60, 70, 70, 60]
    assert loop == 0
    for came, wanted in zip(frames, drawn, strict=True):
        assert np.array_equal(came[:16], wanted[:16])  # white and red
        assert np.abs(came.astype(int) - wanted).max() <= 24
        assert np.array_equal(came[16:], frames[0][16:])  # what stands doesn't flicker


def test_a_palette_gives_a_colour_the_same_number_always_and_keeps_frequent_ones() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (60, 60, 3), dtype=np.uint8)
    flat = np.full((60, 60, 3), (253, 253, 251), dtype=np.uint8)
    palette = Palette([noise, flat])
    assert len(palette.colours) <= 255
    assert (palette.colours[palette.numbers(flat)] == flat).all()
    first, again = palette.numbers(noise), palette.numbers(noise[::-1])
    assert np.array_equal(first, again[::-1])
    away = np.abs(palette.colours[first].astype(int) - noise)
    assert away.mean() < 20
    few = Palette([flat])
    assert len(few.colours) == 1


def test_the_way_back_lacks_no_end_and_doubles_none() -> None:
    assert Plan("", 3).positions == (0.0, 0.5, 1.0)
    both = Plan("", 3, returns=True)
    assert both.positions == (0.0, 0.5, 1.0, 0.5, 0.0)
    assert both.count == len(both.positions)
    assert [sum(hundredths(count, 15)) for count in (1, 2, 15, 300)] == [7, 13, 100, 2000]
    assert frames_in(60.0, 20) == frames_in(1000.0, 20) == 1200
    assert frames_in(0.0, 20) == 2
    assert 2 * frames_in(10.0, 20, returns=True) - 1 <= 200
    assert (even(961), even(960)) == (962, 960)


@pytest.mark.parametrize("kind", [GIF, APNG])
def test_what_is_given_up_leaves_nothing_and_the_older_file(tmp_path: Path, kind: Kind) -> None:
    path = tmp_path / f"out{kind.ending}"
    path.write_bytes(OLD)
    film = Film(path, kind)
    film.start(Shape(SIZE, 9, 20), [raw(frame(0))])
    film.offer(raw(frame(0)))
    film.give_up()
    assert film.wait(10)
    assert not film.is_whole
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [OLD]
    Film(path, kind).give_up()  # before it has begun
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [OLD]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("kind", [GIF, APNG])
def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path, kind: Kind) -> None:
    path = tmp_path / f"out{kind.ending}"
    path.write_bytes(OLD)

    with open("/dev/full", "wb", buffering=0) as full:

        def on_full_disk(file: Any, part: Path, shape: Shape, samples: Iterable[Pixels]) -> Writer:
            return kind.open(full, part, shape, samples)

        film = film_of(path, replace(kind, open=on_full_disk), [frame(step) for step in STEPS])
    assert not film.is_whole
    assert "No space left" in str(film.error)
    assert path.name in str(film.error)
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [OLD]


def test_names_and_folders_that_will_not_do_are_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(PlainError, match=r"must end in \.gif; out\.png doesn't"):
        Film(tmp_path / "out.png", GIF)
    with pytest.raises(PlainError, match=r"out\.gif could not be written to .*nowhere"):
        Film(tmp_path / "nowhere" / "out.gif", GIF)
    assert not list(tmp_path.iterdir())


FAKE = """#!{python}
import sys, time
{body}
"""
COPIES = """
content = sys.stdin.buffer.read()
open(sys.argv[-1], "wb").write(" ".join(sys.argv[1:]).encode() + b"\\n" + content)
"""
FAILS = """
sys.stdin.buffer.read(10)
sys.stderr.write("Error while filtering: {said}\\n")
sys.exit(3)
"""
HANGS = """
time.sleep(60)
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a program called ffmpeg on the path, and no other."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def write(body: str) -> None:
        program = folder / mp4.PROGRAM
        program.write_text(FAKE.format(python=sys.executable, body=body))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    return write


posix = pytest.mark.skipif(sys.platform == "win32", reason="the fake ffmpeg is a script")


@posix
def test_ffmpeg_gets_every_frame_as_it_is(tmp_path: Path, fake: Callable[[str], None]) -> None:
    fake(COPIES)
    assert MP4 in kinds_here()
    drawn, out = [frame(step) for step in STEPS], tmp_path / "out"
    out.mkdir()
    assert film_of(out / "out.mp4", MP4, drawn).is_whole
    words, _, content = (out / "out.mp4").read_bytes().partition(b"\n")
    assert content == b"".join(each.tobytes() for each in drawn)
    assert b"-s 40x24 -r 20" in words
    assert b"-pix_fmt yuv420p" in words
    assert b"-movflags +faststart" in words
    assert [path.name for path in out.iterdir()] == ["out.mp4"]


@posix
@pytest.mark.parametrize(
    ("said", "sentence"), [("Broken", "ended with 3"), ("No space left on device", "no room left on the disk")]
)
def test_ffmpeg_that_fails_is_said_with_its_words(
    tmp_path: Path, fake: Callable[[str], None], said: str, sentence: str
) -> None:
    fake(FAILS.replace("{said}", said))
    out = tmp_path / "out"
    out.mkdir()
    film = film_of(out / "out.mp4", MP4, [frame(0)] * 300)
    assert sentence in str(film.error)
    assert said in getattr(film.error, "details", "")
    assert not list(out.iterdir())


@posix
def test_ffmpeg_that_hangs_ends_when_the_film_is_given_up(tmp_path: Path, fake: Callable[[str], None]) -> None:
    fake(HANGS)
    out = tmp_path / "out"
    out.mkdir()
    film = Film(out / "out.mp4", MP4)
    film.start(Shape(SIZE, 100, 20), [])
    for _ in range(100):  # far more than a pipe holds
        if not film.offer(raw(frame(0))):
            film.wait(0.002)
    film.give_up()
    assert film.wait(10)
    assert not list(out.iterdir())


@posix
def test_without_ffmpeg_no_film_is_offered(fake: Callable[[str], None], tmp_path: Path) -> None:
    assert [kind.ending for kind in kinds_here()] == [".gif", ".apng"]
    film = film_of(tmp_path / "out.mp4", MP4, [frame(0)])
    assert "needs the program ffmpeg" in str(film.error)


@pytest.mark.skipif(mp4.film_program() is None, reason="no ffmpeg here")
def test_a_film_begins_with_its_table_of_contents(tmp_path: Path) -> None:
    assert film_of(tmp_path / "out.mp4", MP4, [frame(step) for step in STEPS]).is_whole
    content = (tmp_path / "out.mp4").read_bytes()
    assert content[4:8] == b"ftyp"
    assert 0 < content.index(b"moov") < content.index(b"mdat")


def test_pillow_is_loaded_by_a_gif_alone() -> None:
    import subprocess

    code = "import sys, labapp.animation.dialog; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_frames_of_a_film_wait_in_a_short_queue(tmp_path: Path) -> None:
    film = Film(tmp_path / "out.gif", GIF)
    taken = [film.offer(b"") for _ in range(10)]
    assert taken.count(True) == 3
    film.give_up()
