"""The command line: ``lookuplab``, and its commands ``render``, ``info``, ``check``, ``diff`` and ``scenes``."""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from labapp.errors import PlainError
from labapp.screen import missing_library, use_no_screen, why_no_window

WRONG_INPUT = 2
INSTALL = "In the folder of the lab, run: make run, or python -m pip install -c constraints.txt ."
DESCRIPTION = "Lookup Lab: attention, seen and taught as a soft dictionary lookup."
EPILOG = """commands:
  lookuplab render FILE.h5|SCENE -o OUT.png   draw a panel or the whole lab; works with no screen
  lookuplab info FILE.h5                      what is inside a session
  lookuplab check FILE.h5...                  whether sessions are sound; code 1 where one is not
  lookuplab diff A.h5 B.h5                    what differs between two sessions; code 1 where something does
  lookuplab scenes                            the scenes that come with the lab
each command has its own --help"""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, with exit code 2."""

    def error(self, message: str) -> NoReturn:
        raise PlainError(f"{message[:1].upper()}{message[1:].rstrip('.')}. See {self.prog} --help.")


def run(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    """Run the command; gives the exit code. Wrong input is one sentence on the error stream and code 2."""
    commands = {
        "render": render_command,
        "info": info_command,
        "check": check_command,
        "diff": diff_command,
        "scenes": scenes_command,
    }
    name = arguments[0] if arguments else ""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console of an old code page knows no τ
    try:
        if name in commands:
            return commands[name](arguments[1:], make_parts)
        return window_command(arguments, make_parts)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] in ("labapp", "models", "panels"):
            raise
        sys.stderr.write(f"The library {error.name} is missing. {INSTALL}\n")
        return WRONG_INPUT
    except PlainError as error:
        sys.stderr.write(f"{error}\n")
        return WRONG_INPUT


def window_command(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    parser = Parser(
        "lookuplab", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", metavar="FILE.h5", type=Path, help="a session to open")
    parser.add_argument("--scene", metavar="NAME", help="the scene to begin with (see: lookuplab scenes)")
    _add_device(parser)
    parser.add_argument(
        "--tour",
        metavar="FOLDER",
        type=Path,
        help="where there is no screen, draw every scene into this folder instead",
    )
    parser.add_argument("--version", action="version", version=_version())
    chosen = parser.parse_args(arguments)
    if chosen.file and chosen.scene:
        raise PlainError("Give either a session or a scene, not both: a session holds its own scene.")
    _check_scene(chosen.scene)
    if chosen.file:
        _check_file(chosen.file)
    _check_libraries()
    if reason := why_no_window():
        if chosen.tour is None:
            raise PlainError(reason)
        return _tour(chosen.tour, reason, make_parts)
    from labapp.application import start

    return start(make_parts, file=chosen.file, device=chosen.device, scene=chosen.scene)  # type: ignore[arg-type]


def render_command(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    parser = Parser("lookuplab render", description="Draw a panel, or the whole lab, as PNG, SVG or PDF.")
    parser.add_argument("source", metavar="FILE.h5|SCENE", help="a session, or the name of a scene")
    parser.add_argument(
        "-o", "--out", required=True, type=Path, metavar="OUT.png", help="the picture: .png, .svg or .pdf"
    )
    parser.add_argument("--panel", metavar="ID", help="one panel alone, say lookup")
    parser.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH", help="in pixels (1280x800)")
    parser.add_argument("--theme", choices=("light", "dark", "present"), default="light")
    _add_device(parser)
    chosen = parser.parse_args(arguments)
    from labapp.scenes import scene_files

    if chosen.source not in scene_files():
        if "." not in chosen.source and not Path(chosen.source).exists():
            _check_scene(chosen.source)
        _check_file(Path(chosen.source))
    _check_libraries()
    if why_no_window():
        use_no_screen()
    from labapp.render import Picture, render

    picture = Picture(chosen.source, chosen.panel, chosen.size, chosen.theme)
    render(make_parts(), picture, chosen.out, chosen.device)  # type: ignore[arg-type]
    return 0


def info_command(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    parser = Parser("lookuplab info", description="Say what is inside a session; needs no screen and no device.")
    parser.add_argument("file", type=Path, metavar="FILE.h5")
    chosen = parser.parse_args(arguments)
    _check_file(chosen.file)
    from labapp.session.sessions import describe

    sys.stdout.write(f"{describe(chosen.file).text}\n")
    return 0


def check_command(arguments: Sequence[str], make_parts: Callable[[], Any]) -> int:
    parser = Parser("lookuplab check", description="Say whether sessions are sound, and what is wrong with each.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.h5")
    chosen = parser.parse_args(arguments)
    from labapp.session.checking import check
    from labapp.session.codec import Codec

    parts = make_parts()
    found = [check(path, parts.state_type, Codec(parts.array_type)) for path in chosen.files]
    sys.stdout.write("".join(f"{each.text}\n" for each in found))
    return 0 if all(each.sound for each in found) else 1


def diff_command(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    parser = Parser("lookuplab diff", description="Say what differs between two sessions, a line each.")
    parser.add_argument("first", type=Path, metavar="A.h5")
    parser.add_argument("second", type=Path, metavar="B.h5")
    chosen = parser.parse_args(arguments)
    from labapp.session.difference import differences
    from labapp.session.sessions import read

    lines = differences(read(chosen.first)[0], read(chosen.second)[0])
    sys.stdout.write("".join(f"{line}\n" for line in lines) or "The two labs are the same.\n")
    return 1 if lines else 0


def scenes_command(arguments: Sequence[str], make_parts: Callable[[], object]) -> int:
    Parser("lookuplab scenes", description="List the scenes that come with the lab.").parse_args(arguments)
    from labapp.scenes import scene_files

    width = max(map(len, scene_files()))
    for scene in scene_files().values():
        sys.stdout.write(f"{scene.id:<{width}}  {scene.title}: {scene.summary}\n")
    return 0


def _tour(folder: Path, reason: str, make_parts: Callable[[], object]) -> int:
    sys.stderr.write(f"{reason}\nThe tour is drawn into {folder} instead.\n")
    use_no_screen()
    from labapp.render import tour

    for picture in tour(make_parts(), folder):  # type: ignore[arg-type]
        sys.stdout.write(f"{picture}\n")
    return 0


def _add_device(parser: argparse.ArgumentParser) -> None:
    names = ("auto", "cpu", "cuda", "mps", "xpu")
    parser.add_argument("--device", choices=names, default="auto", help="where to compute (auto: the best that works)")


def _check_scene(name: str | None) -> None:
    from labapp.scenes import scene_files

    if name is not None and name not in scene_files():
        raise PlainError(f"There is no scene named {name!r}. Choose one of {', '.join(scene_files())}.")


def _check_file(path: Path) -> None:
    from labapp.scenes import scene_files

    if path.is_file():
        return
    if str(path) in scene_files():
        raise PlainError(f"{path} is a scene, not a file. Open it with: lookuplab --scene {path}")
    raise PlainError(f"There is no file {path}. Check the name, or see lookuplab --help.")


def _check_libraries() -> None:
    if missing := missing_library():
        raise PlainError(missing)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text)
    if not match or not all(64 <= int(side) <= 4000 for side in match.groups()):
        raise argparse.ArgumentTypeError(f"a size is width x height from 64 to 4000, say 1280x800, not {text!r}")
    return int(match[1]), int(match[2])


def _version() -> str:
    from labapp.versions import lab_version

    return f"Lookup Lab {lab_version()}"
