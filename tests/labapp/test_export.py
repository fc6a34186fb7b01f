"""What leaves the lab: pictures of real panels and of the window, and the sentences where one can't be written."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from labapp.command import run
from labapp.errors import PlainError
from labapp.export import caption_of, save_picture, write_out
from labapp.look import Look
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.render import Picture, open_window
from labapp.window import LabWindow
from main import make_parts
from tests.cases import case

GIVEN = case("G-09")["input"]
PANELS = ("lookup", "temperature", "regression", "flow")


@pytest.fixture
def window(look: Look, qtbot: QtBot, tmp_path: Path) -> LabWindow:
    """The lab as it is, dark, and computed; what it asks is answered by the tests."""
    look.set_theme(GIVEN["theme"])
    made = open_window(make_parts(), look, Picture("rents"), "cpu")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.filing.ask = lambda *question: QMessageBox.StandardButton.Discard  # type: ignore[method-assign]
    made.show()
    made.warm_up()
    made.docks.arrange()  # whatever layout an earlier window left
    qtbot.wait(20)
    return made


def asked(window: LabWindow, path: Path, width: int | None = 800) -> list[str]:
    """Answer what the exports ask; the list takes what they report."""
    said: list[str] = []
    window.exports.ask_name = lambda *question: path  # type: ignore[method-assign]
    window.exports.ask_width = lambda suggestion: width  # type: ignore[method-assign]
    window.filing.report = lambda error, offer="": said.append(str(error)) or False  # type: ignore[method-assign]
    return said


def panel_of(window: LabWindow, name: str, qtbot: QtBot) -> Any:
    window.docks.go_to(name)
    qtbot.wait(20)
    return next(host.panel for host in window.hosts if host.spec.id == name)


def texts_of(path: Path) -> str:
    """The words of an SVG, in its order; lines and runs with a space between."""
    texts = ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    return " ".join(" ".join("".join(text.itertext()) for text in texts).split())


def action(window: LabWindow, text: str) -> Any:
    return next(each for each in window.actions() if each.text().replace("&", "") == text)


@pytest.mark.parametrize("name", PANELS)
def test_g09_every_panel_as_png_at_any_width(window: LabWindow, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    panel, out = panel_of(window, name, qtbot), tmp_path / "out.png"
    caption = caption_of(panel, name)
    for width in GIVEN["png width"]:
        save_picture(panel, window.look, out, width=width, caption=caption)
        picture = QImage(str(out))
        whole = panel.height() + caption.height(panel)
        assert picture.width() == width
        assert abs(picture.height() - whole * width / panel.width()) <= 1
        assert picture.pixelColor(1, picture.height() - 2).lightness() > 200
    assert window.look.theme == GIVEN["theme"]


@pytest.mark.parametrize("width", GIVEN["png width"])
def test_g09_symbols_are_on_their_points(window: LabWindow, qtbot: QtBot, tmp_path: Path, width: int) -> None:
    panel, out = panel_of(window, "lookup", qtbot), tmp_path / "out.png"
    save_picture(panel, window.look, out, width=width)
    picture, factor = QImage(str(out)), width / panel.width()
    plot: Plot = panel.pictures.line
    keys = next(layer for layer in plot.layers if isinstance(layer, Marks) and layer.meaning == "key")
    for x, y in zip(*keys.drawn(), strict=True):
        px, py = plot.to_pixels(float(x), float(y))
        at = plot.mapTo(panel, plot.mapFromScene(plot.view.mapToScene(float(px), float(py))))
        found = _middle(picture, QColor("#B85C00"), at.x() * factor, at.y() * factor, round(9 * factor))
        assert abs(found - at.x() * factor) <= 2 + factor  # and what mapping to whole pixels of the screen takes


def _middle(picture: QImage, colour: QColor, x: float, y: float, reach: int) -> float:
    """Middle along x of the pixels of a colour around a place, above the axis, which cuts these marks."""
    columns = [
        i + 0.5
        for i in range(int(x) - reach, int(x) + reach)
        for j in range(int(y) - reach, int(y))
        if abs(np.subtract(picture.pixelColor(i, j).getRgb(), colour.getRgb())).max() < 70
    ]
    return (min(columns) + max(columns)) / 2


@pytest.mark.parametrize("name", PANELS)
def test_g09_every_panel_as_svg_with_text_as_text(window: LabWindow, qtbot: QtBot, tmp_path: Path, name: str) -> None:
    panel, out = panel_of(window, name, qtbot), tmp_path / "out.svg"
    caption = caption_of(panel, "The title")
    save_picture(panel, window.look, out, caption=caption)
    root = ElementTree.parse(out).getroot()
    assert root.get("viewBox") == f"0 0 {panel.width()} {panel.height() + caption.height(panel)}"
    assert root.get("width")
    words = texts_of(out)
    assert "The title" in words
    for line in caption.words:
        assert set(re.findall(r"\w+", line)) <= set(re.findall(r"\w+", words))


def test_pdf_is_one_page_of_the_size_of_the_panel_with_fonts(window: LabWindow, qtbot: QtBot, tmp_path: Path) -> None:
    panel, out = panel_of(window, "lookup", qtbot), tmp_path / "out.pdf"
    save_picture(panel, window.look, out)
    content = out.read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"/FontFile" in content
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    points = 72 / panel.logicalDpiX()
    assert len(sizes) == 1
    assert [float(side) for side in sizes[0]] == pytest.approx([panel.width() * points, panel.height() * points], abs=1)


def test_what_is_half_scrolled_away_is_not_drawn_over_its_neighbours(
    window: LabWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """A vector paper doesn't clip widgets."""
    panel, out = panel_of(window, "flow", qtbot), tmp_path / "out.svg"
    save_picture(panel, window.look, out)
    words = out.read_text(encoding="utf-8")
    assert "Descent" in words
    assert "Softmax" not in words


def test_the_caption_says_title_sentence_and_settings(window: LabWindow, qtbot: QtBot) -> None:
    panel = panel_of(window, "lookup", qtbot)
    caption = caption_of(panel, "Lookup explorer")
    assert caption.title == "Lookup explorer"
    assert caption.words[0] == panel.sentence()
    for part in ("Similarity: Squared distance", "Bandwidth σ = 10", "Temperature τ = 1"):
        assert part in caption.words[1]


def test_the_panel_with_the_keys_is_exported(window: LabWindow, qtbot: QtBot, tmp_path: Path) -> None:
    said = asked(window, tmp_path / "out.svg")
    action(window, "Export picture…").trigger()
    assert "<title>Lookup explorer</title>" in (tmp_path / "out.svg").read_text(encoding="utf-8")
    panel_of(window, "regression", qtbot).toolbar.setFocus()
    window.docks.docks["regression"].widget().setFocus()
    action(window, "Export picture…").trigger()
    assert "<title>Kernel regression</title>" in (tmp_path / "out.svg").read_text(encoding="utf-8")
    assert not said


def test_the_whole_window_has_the_sentences_of_its_panels(window: LabWindow, tmp_path: Path) -> None:
    asked(window, tmp_path / "out.svg")
    action(window, "Export picture of the window…").trigger()
    words = texts_of(tmp_path / "out.svg")
    assert "Lookup explorer: 80 m² and 60 m² share" in words
    assert "Temperature and entropy: At τ = 1" in words


def test_a_width_that_is_not_given_writes_nothing(window: LabWindow, tmp_path: Path) -> None:
    asked(window, tmp_path / "out.png", width=None)
    assert not window.exports.panel_picture()
    assert not (tmp_path / "out.png").exists()


def test_copy_puts_a_light_picture_on_the_clipboard(window: LabWindow) -> None:
    action(window, "Copy picture").trigger()
    picture = QGuiApplication.clipboard().image()
    assert picture.width() == 2 * window.hosts[0].panel.width()
    assert picture.pixelColor(1, picture.height() - 2).lightness() > 200


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.bmp", "A picture's name ends in .png, .svg or .pdf; x.bmp ends in .bmp."),
        ("x", "A picture's name ends in .png, .svg or .pdf; x has no ending."),
        ("none/x.png", "The folder"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(window: LabWindow, tmp_path: Path, name: str, said: str) -> None:
    reports = asked(window, tmp_path / name)
    assert not window.exports.panel_picture()
    assert reports[0].startswith(said)


def test_a_file_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.svg").mkdir()
    with pytest.raises(PlainError, match=r"x\.svg could not be written .* a folder or a device of that name"):
        write_out(tmp_path / "x.svg", b"")


@pytest.mark.parametrize("name", ["numbers.csv", "lab.svg"])
def test_a_full_disk_leaves_the_older_file_and_nothing_else(repository: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"the older one")
    code = (
        "import resource, sys\nfrom pathlib import Path\nfrom labapp.errors import PlainError\n"
        "from labapp.export import write_out\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n    write_out(Path(sys.argv[1]), b'x' * 5000)\nexcept PlainError as error:\n    sys.exit(str(error))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / name)]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, encoding="utf-8", check=False)
    assert f"{name} could not be written to {tmp_path}: the disk is full" in done.stderr
    assert "What was there before is untouched" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b"the older one"


def test_a_name_that_gets_an_ending_replaces_nothing_unasked(
    window: LabWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from labapp import exports

    (tmp_path / "mine.svg").write_text("old")
    chosen = (str(tmp_path / "mine"), "SVG drawing (*.svg)")
    monkeypatch.setattr(exports.QFileDialog, "getSaveFileName", lambda *question: chosen)
    window.filing.ask = lambda *question: QMessageBox.StandardButton.No  # type: ignore[method-assign]
    assert window.exports.ask_name("Export", "x", "") is None
    window.filing.ask = lambda *question: QMessageBox.StandardButton.Yes  # type: ignore[method-assign]
    assert window.exports.ask_name("Export", "x", "") == tmp_path / "mine.svg"


@pytest.mark.parametrize(("ending", "begins"), [(".svg", b"<?xml"), (".pdf", b"%PDF-"), (".png", b"\x89PNG")])
def test_render_draws_what_the_ending_says(qapp: object, tmp_path: Path, ending: str, begins: bytes) -> None:
    out = tmp_path / f"out{ending}"
    command = ["render", "rents", "-o", str(out), "--panel", "lookup", "--size", "900x800", "--device", "cpu"]
    assert run(command, make_parts) == 0
    assert out.read_bytes().startswith(begins)


def test_the_numbers_of_the_explorer_are_exact(window: LabWindow, qtbot: QtBot, tmp_path: Path) -> None:
    panel = panel_of(window, "lookup", qtbot)
    asked(window, tmp_path / "out.csv")
    action(window, "Export numbers…").trigger()
    blocks = (tmp_path / "out.csv").read_text(encoding="utf-8").split("\n\n")
    name, header, *rows = csv.reader(io.StringIO(blocks[0]))
    assert (name, header[:3]) == (["Entries"], ["entry", "size, m²", "rent, per month"])
    assert [float(row[4]) for row in rows[:4]] == list(panel.table.model.cells[4])
    assert rows[-1][0] == "sum"
    soft = next(list(csv.reader(io.StringIO(block))) for block in blocks if block.startswith("Curve: soft\n"))
    curve = next(layer for layer in panel.pictures.line.layers if layer.name == "soft").data[1]
    assert [float(y) for _, y in soft[2:]] == curve.tolist()


@pytest.mark.parametrize("name", PANELS)
def test_every_panel_has_numbers(window: LabWindow, qtbot: QtBot, name: str) -> None:
    tables = panel_of(window, name, qtbot).tables()
    assert tables
    for table in tables:
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_a_descent_has_its_vectors_as_numbers(window: LabWindow, qtbot: QtBot) -> None:
    table = panel_of(window, "flow", qtbot).tables()[0]
    assert table.header[:4] == ("start", "step", "query: size, m²", "output: rent, per month")
    assert table.rows[0][2] == 75.0
    assert len(table.rows) == 101


def test_the_numbers_of_the_explorer_go_into_hdf5(window: LabWindow, qtbot: QtBot, tmp_path: Path) -> None:
    panel = panel_of(window, "lookup", qtbot)
    asked(window, tmp_path / "out.h5")
    action(window, "Export numbers…").trigger()
    with h5py.File(tmp_path / "out.h5") as file:
        found = file["results/lookup/Weights"]
        assert list(found)[:3] == ["entry", "key_size", "value_rent"]
        assert found["weight_soft"][:].tolist() == list(panel.table.model.cells[4])
        assert found["key_size"].attrs["unit"].decode() == "m²"
    assert not window.filing.open(tmp_path / "out.h5")


def test_numbers_go_into_csv_and_hdf5_alone(window: LabWindow, tmp_path: Path) -> None:
    said = asked(window, tmp_path / "out.xlsx")
    assert not window.exports.numbers()
    assert said == ["A name for numbers ends in .csv or .h5; what came is out.xlsx. Choose such a name."]


@pytest.mark.parametrize("name", PANELS)
def test_copy_as_python_puts_the_script_of_the_panel_on_the_clipboard(
    window: LabWindow, qtbot: QtBot, name: str
) -> None:
    panel = panel_of(window, name, qtbot)
    window.docks.docks[name].widget().setFocus()
    action(window, "Copy as Python").trigger()
    script = QGuiApplication.clipboard().text()
    assert script == panel.script()
    compile(script, name, "exec")
    assert "print(" in script


def test_a_panel_without_a_script_says_so(window: LabWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_of(window, "flow", qtbot), "script", lambda: "")
    window.docks.docks["flow"].widget().setFocus()
    QGuiApplication.clipboard().setText("before")
    action(window, "Copy as Python").trigger()
    assert QGuiApplication.clipboard().text() == "before"
    assert "has no script" in window.statusBar().currentMessage()
