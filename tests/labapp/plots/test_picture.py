from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from labapp.errors import PlainError
from labapp.export import save_picture
from labapp.look import Look
from labapp.plots.curves import Curve
from labapp.plots.density import DensityImage
from labapp.plots.marks import Marks
from labapp.plots.picture import image_of, svg_of
from labapp.plots.plot import Plot
from tests.cases import case
from tests.labapp.plots.conftest import pixel, settle

GIVEN = case("G-09")["input"]
X, Y = [0.0, 1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 5.0, 4.0]


@pytest.fixture
def plot(shown: Callable[..., Plot], look: Look) -> Plot:
    """Five points with symbols and a curve, 600×400, dark, as the case has it."""
    look.set_theme(GIVEN["theme"])
    plot = shown(600, 400, grid=False)
    Curve(plot, "query").set_data(X, Y)
    Marks(plot, "key").set_data(X, Y)
    settle(plot)
    return plot


def centres(picture: QImage, colour: QColor, guesses: list[tuple[float, float]], reach: int) -> list[np.ndarray]:
    """Middle of the pixels of a colour around each guess."""
    found = []
    for x, y in guesses:
        hits = [
            (i + 0.5, j + 0.5)
            for i in range(int(x) - reach, int(x) + reach)
            for j in range(int(y) - reach, int(y) + reach)
            if picture.valid(i, j) and _near(picture.pixelColor(i, j), colour)
        ]
        box = np.array(hits)
        found.append((box.min(axis=0) + box.max(axis=0)) / 2)
    return found


def _near(a: QColor, b: QColor) -> bool:
    return max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue())) < 70


@pytest.mark.parametrize("width", GIVEN["png width"])
def test_g09_png_of_any_width(plot: Plot, look: Look, tmp_path: Path, width: int) -> None:
    save_picture(plot, look, tmp_path / "plot.png", width=width)
    picture = QImage(str(tmp_path / "plot.png"))
    assert picture.width() == width
    assert abs(picture.height() - 400 * width / 600) <= 1
    factor = width / 600
    guesses = [(pixel(plot, x, y).x() * factor, pixel(plot, x, y).y() * factor) for x, y in zip(X, Y, strict=True)]
    for (x, y), guess in zip(zip(X, Y, strict=True), guesses, strict=True):
        px, py = plot.to_pixels(x, y)
        true = plot.view.mapToScene(float(px), float(py))
        (middle,) = centres(picture, QColor("#B85C00"), [guess], round(9 * factor))
        assert abs(middle - [true.x() * factor, true.y() * factor]).max() <= 2


def test_g09_background_is_light_unless_asked(plot: Plot, look: Look) -> None:
    assert image_of(plot, look).pixelColor(300, 1).lightness() > 200
    assert image_of(plot, look, colours="dark").pixelColor(300, 1).lightness() < 60
    assert look.theme == "dark"
    assert plot.backgroundBrush().color() == look.colour("plot")


def test_g09_svg_is_whole_light_and_has_a_size(plot: Plot, look: Look, tmp_path: Path) -> None:
    save_picture(plot, look, tmp_path / "plot.svg")
    root = ElementTree.parse(tmp_path / "plot.svg").getroot()
    assert root.get("viewBox") == "0 0 600 400"
    assert root.get("width")
    renderer = QSvgRenderer(str(tmp_path / "plot.svg"))
    assert renderer.isValid()
    picture = QImage(600, 400, QImage.Format.Format_ARGB32)
    picture.fill(0)
    with QPainter(picture) as painter:
        renderer.render(painter)
    assert picture.pixelColor(300, 1).lightness() > 200
    for x, y in zip(X, Y, strict=True):
        at = pixel(plot, x, y)
        (middle,) = centres(picture, QColor("#B85C00"), [(at.x(), at.y())], 9)
        assert abs(middle - [at.x(), at.y()]).max() <= 2


def test_lines_and_text_grow_with_the_picture(plot: Plot, look: Look) -> None:
    small, large = image_of(plot, look, 600), image_of(plot, look, 2400)
    share = [_share(picture, QColor("#0072B2")) for picture in (small, large)]
    assert share[1] == pytest.approx(share[0], rel=0.25)


def _share(picture: QImage, colour: QColor) -> float:
    shrunk = picture.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(shrunk.constBits(), dtype=np.uint8).reshape(shrunk.height(), -1, 4)[:, :, :3]
    near = abs(pixels.astype(int) - [colour.blue(), colour.green(), colour.red()]).max(axis=2) < 60
    return float(near.mean())


def test_a_picture_too_wide_is_refused(plot: Plot, look: Look) -> None:
    with pytest.raises(PlainError, match="4000"):
        image_of(plot, look, 4001)


def test_points_are_drawn_as_sharp_as_the_paper(plot: Plot, look: Look) -> None:
    density = DensityImage(plot)
    density.set_data(np.linspace(0, 4, 1000), np.linspace(1, 5, 1000))
    image_of(plot, look, 1800)
    made = density.renders
    image_of(plot, look, 1800)
    assert density.renders > made
    assert b"<svg" in svg_of(plot, look)
