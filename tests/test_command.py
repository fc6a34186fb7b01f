"""The command line: every command and option, and one plain sentence with code 2 for what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from labapp import command, screen
from labapp.document import Document
from labapp.errors import PlainError
from labapp.scenes import Shelf, scene_files
from labapp.store import Store
from main import make_parts
from models.app_state import AppState
from models.arrays import Array

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "mine.h5"
    shelf = Shelf(AppState, Array)
    Document(Store(shelf.state("houses")), shelf, Array).save(path, {}, None)
    return path


def lookuplab(*arguments: object) -> int:
    return command.run([str(each) for each in arguments], make_parts)


def refusal(capsys: Captured, *arguments: object) -> str:
    """The one line that the command says of wrong input."""
    assert lookuplab(*arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.strip()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--scene", "nothing"), "There is no scene named 'nothing'. Choose one of rents, "),
        (("missing.h5",), "There is no file missing.h5."),
        (("rents",), "rents is a scene, not a file."),
        (("--device", "abacus"), "Argument --device: invalid choice: 'abacus'"),
        (("a", "b"), "Unrecognized arguments: b. See lookuplab --help."),
        (("--nonsense",), "Unrecognized arguments: --nonsense."),
        (("render",), "The following arguments are required: FILE.h5|SCENE, -o/--out. See lookuplab render --help."),
        (("render", "rents"), "The following arguments are required: -o/--out."),
        (("render", "nothing", "-o", "x.png"), "There is no scene named 'nothing'."),
        (("render", "missing.h5", "-o", "x.png"), "There is no file missing.h5."),
        (("render", "rents", "-o", "/no/where/x.png"), "The folder /no/where does not exist."),
        (("render", "rents", "-o", "x.png", "--theme", "pink"), "Argument --theme: invalid choice: 'pink'"),
        (("render", "rents", "-o", "x.png", "--device", "abacus"), "Argument --device: invalid choice"),
        (("info",), "The following arguments are required: FILE.h5."),
        (("info", "missing.h5"), "There is no file missing.h5."),
        (("check",), "The following arguments are required: FILE.h5."),
        (("diff", "a.h5"), "The following arguments are required: B.h5."),
        (("diff", "a.h5", "b.h5"), "“a.h5” is not there."),
        (("scenes", "more"), "Unrecognized arguments: more. See lookuplab scenes --help."),
    ],
)
def test_wrong_input(capsys: Captured, arguments: tuple[str, ...], sentence: str) -> None:
    assert refusal(capsys, *arguments).startswith(sentence)


@pytest.mark.parametrize("size", ["big", "100", "10x10", "5000x100", "-1x5", "100x100x100", "1e3x100"])
def test_wrong_size(capsys: Captured, size: str) -> None:
    said = refusal(capsys, "render", "rents", "-o", "x.png", f"--size={size}")
    assert said.startswith("Argument --size: a size is width x height from 64 to 4000, say 1280x800")


def test_a_session_and_a_scene_at_once(capsys: Captured, session: Path) -> None:
    assert refusal(capsys, session, "--scene", "rents").startswith("Give either a session or a scene, not both")


def test_a_file_that_is_no_session(capsys: Captured, tmp_path: Path) -> None:
    (tmp_path / "junk.h5").write_bytes(b"junk" * 1000)
    assert "“junk.h5” is not a session" in refusal(capsys, "info", tmp_path / "junk.h5")


@pytest.mark.parametrize("name", [(), ("render",), ("info",), ("check",), ("diff",), ("scenes",)])
def test_help(capsys: Captured, name: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as end:
        lookuplab(*name, "--help")
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: {' '.join(('lookuplab', *name))} ")
    if not name:
        for part in ("--device", "--scene", "--version", "render", "info", "check", "diff", "scenes"):
            assert part in said


def test_version(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as end:
        lookuplab("--version")
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("Lookup Lab ")


def test_scenes(capsys: Captured) -> None:
    assert lookuplab("scenes") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(scene_files())


def test_info(capsys: Captured, session: Path) -> None:
    assert lookuplab("info", session) == 0
    said = capsys.readouterr().out
    assert said.startswith("mine.h5: ")
    assert "scene" in said


def test_check(capsys: Captured, session: Path, tmp_path: Path) -> None:
    assert lookuplab("check", session) == 0
    assert capsys.readouterr().out == "“mine.h5” is sound, in format 1.0.\n"
    (tmp_path / "junk.h5").write_bytes(b"junk" * 1000)
    assert lookuplab("check", session, tmp_path / "junk.h5", tmp_path / "missing.h5") == 1
    said = capsys.readouterr().out
    assert "“junk.h5” is not a session" in said
    assert "“missing.h5” is not there" in said


def test_diff(capsys: Captured, session: Path, tmp_path: Path) -> None:
    assert lookuplab("diff", session, session) == 0
    assert capsys.readouterr().out == "The two labs are the same.\n"
    shelf = Shelf(AppState, Array)
    store = Store(shelf.state("houses"))
    store.dispatch(lambda state: replace(state, scene=replace(state.scene, temperature=2.5)), "Heat")
    Document(store, shelf, Array).save(tmp_path / "warm.h5", {}, None)
    assert lookuplab("diff", session, tmp_path / "warm.h5") == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("scene.temperature: ")
    assert line.endswith(" → 2.5")


@pytest.mark.parametrize("panel", [None, "lookup"])
@pytest.mark.parametrize("theme", ["light", "dark", "present"])
def test_render(qapp: object, session: Path, tmp_path: Path, theme: str, panel: str | None) -> None:
    out = tmp_path / "out.png"
    chosen = ("--panel", panel) if panel else ()
    assert lookuplab("render", session, "-o", out, "--size", "1000x900", "--theme", theme, *chosen) == 0
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1000, 900)
    lightness = sum(image.pixelColor(x, y).lightness() for x in range(0, 1000, 20) for y in range(0, 900, 20)) / 2250
    assert (lightness < 128) == (theme == "dark")


def test_an_unknown_panel(qapp: object, capsys: Captured, tmp_path: Path) -> None:
    said = refusal(capsys, "render", "rents", "-o", tmp_path / "x.png", "--panel", "nothing")
    assert said.startswith("There is no panel named 'nothing'. Choose one of lookup")


def test_a_missing_library_is_named(capsys: Captured, monkeypatch: pytest.MonkeyPatch, session: Path) -> None:
    monkeypatch.setitem(screen.QT_LIBRARIES, "libnothing.so.9", "libnothing9")
    for arguments in (("--scene", "rents"), ("render", "rents", "-o", "x.png")):
        said = refusal(capsys, *arguments)
        assert "libnothing.so.9" in said
        assert "apt install libnothing9" in said
    assert lookuplab("info", session) == 0


def test_a_missing_python_library_is_named(capsys: Captured) -> None:
    def parts() -> object:
        raise ModuleNotFoundError("No module named 'pyqtgraph'", name="pyqtgraph.functions")

    assert command.run(["--scene", "rents"], parts) == 2
    assert capsys.readouterr().err.startswith("The library pyqtgraph.functions is missing. ")


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faulthandler.enable", lambda file: os.close(file))  # a crash of the suite is told by the suite

    def parts() -> object:
        raise ModuleNotFoundError("No module named 'panels.gone'", name="panels.gone")

    with pytest.raises(ModuleNotFoundError):
        command.run(["--scene", "rents"], parts)


def test_a_folder_for_the_tour_that_can_not_be_made(tmp_path: Path) -> None:
    from labapp.render import tour

    (tmp_path / "file").touch()
    with pytest.raises(PlainError, match="can't be made"):
        next(tour(make_parts(), tmp_path / "file" / "tour"))  # type: ignore[arg-type]


# Without a screen: in a process of its own, since Qt would end it.


def without_screen(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    main = Path(__file__).parent.parent / "main.py"
    return subprocess.run(
        [sys.executable, str(main), *arguments],
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"DISPLAY": ":987"},
        {"WAYLAND_DISPLAY": "wayland-987"},
        {"QT_QPA_PLATFORM": "xcb"},
        {"QT_QPA_PLATFORM": "wayland"},
    ],
    ids=str,
)
def test_no_screen_is_said_in_plain_words(environment: dict[str, str]) -> None:
    done = without_screen(**environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("No screen was found, so the window can't be shown.")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a screen")
def test_pictures_need_no_screen(tmp_path: Path) -> None:
    out = tmp_path / "out.png"
    done = without_screen("render", "two-entries", "-o", str(out), "--size", "640x480")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert QImage(str(out)).width() == 640
