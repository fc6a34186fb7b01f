"""Drawings as other programs read them: everything where it was, at its size, and nothing outside its frame."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QFontInfo, QFontMetricsF, QImage
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.plots.curves import Curve
from labapp.plots.heatmap import HeatMap
from labapp.plots.picture import svg_of
from labapp.plots.plot import Plot
from labapp.plots.svg import ClipItem
from tests.labapp.plots.conftest import settle

Element = ElementTree.Element
SVG = "{http://www.w3.org/2000/svg}"


def drawn(widget: QWidget, look: Look) -> Element:
    return ElementTree.fromstring(svg_of(widget, look))


def with_clips(root: Element) -> Iterator[tuple[Element, list[QRectF]]]:
    """Every element with the frames that it is clipped to."""
    shapes = {shape.get("id"): points_of(shape[0]) for shape in root.iter(f"{SVG}clipPath")}

    def walk(element: Element, frames: list[QRectF]) -> Iterator[tuple[Element, list[QRectF]]]:
        name = element.get("clip-path", "")[5:-1]
        inner = [*frames, frame_of(shapes[name])] if name else frames
        yield element, inner
        for child in element:
            yield from walk(child, inner)

    yield from walk(root[-1], [])


def points_of(element: Element) -> np.ndarray:
    text = element.get("points") or element.get("d", "").replace("M", " ").replace("L", " ")
    return np.array([[float(part) for part in pair.split(",")] for pair in text.split()])


def frame_of(points: np.ndarray) -> QRectF:
    (left, top), (right, bottom) = points.min(0), points.max(0)
    return QRectF(left, top, right - left, bottom - top)


@pytest.fixture
def plot(shown: Callable[..., Plot]) -> Plot:
    """A line that leaves the picture at both sides."""
    plot = shown(500, 300, grid=False)
    plot.set_home(x=(0.0, 1.0), y=(0.0, 1000.0))
    Curve(plot, "query").set_data([-3.0, 0.25, 0.75, 4.0], [-5000.0, 250.0, 750.0, 5000.0])
    settle(plot)
    return plot


def curve_of(root: Element, look: Look) -> tuple[np.ndarray, list[QRectF]]:
    blue = look.colour("query").name()
    found = [
        (element, frames)
        for group, frames in with_clips(root)
        if group.get("stroke") == blue
        for element in group
        if element.tag in (f"{SVG}path", f"{SVG}polyline")
    ]
    return np.concatenate([points_of(element) for element, _ in found]), found[0][1]


def test_what_leaves_the_axes_is_clipped_there(plot: Plot, look: Look) -> None:
    _, frames = curve_of(drawn(plot, look), look)
    view = plot.view.mapRectToScene(plot.view.boundingRect())
    assert frames[-1].getCoords() == pytest.approx(view.getCoords(), abs=0.02)  # type: ignore[arg-type]


def test_a_line_is_scaled_by_its_points_and_keeps_its_width(plot: Plot, look: Look) -> None:
    root = drawn(plot, look)
    points, _ = curve_of(root, look)
    middle = [plot.view.mapToScene(*map(float, plot.to_pixels(x, y))) for x, y in ((0.25, 250.0), (0.75, 750.0))]
    for place in middle:
        assert np.abs(points - [place.x(), place.y()]).max(axis=1).min() < 0.02
    assert all("vector-effect" not in element.attrib for element in root.iter())


def test_text_names_its_font_and_its_length(plot: Plot, look: Look) -> None:
    texts = [text for text in drawn(plot, look).iter(f"{SVG}text") if len(text.text or "") > 1]
    assert len(texts) > 5
    for text in texts:
        assert text.get("font-family") == f"'{QFontInfo(plot.font()).family()}', sans-serif"
        font = plot.font()
        font.setPixelSize(int(text.get("font-size", "0")))
        length = QFontMetricsF(font).horizontalAdvance(text.text or "")
        assert float(text.get("textLength", "0")) == pytest.approx(length, rel=0.1)


def test_nothing_of_the_marks_is_left(plot: Plot, look: Look) -> None:
    words = {text.text for text in drawn(plot, look).iter(f"{SVG}text")}
    assert words
    assert not any(word and ("end" in word or len(word) > 16) for word in words)
    assert not any(isinstance(item, ClipItem) for item in plot.scene().items())


def test_what_is_scrolled_out_of_sight_is_not_drawn(look: Look, qtbot: QtBot) -> None:
    area, inner = QScrollArea(), QWidget()
    column = QVBoxLayout(inner)
    for number in range(30):
        column.addWidget(QLabel(f"line {number}"))
    area.setWidget(inner)
    area.resize(200, 150)
    qtbot.addWidget(area)
    area.show()
    area.verticalScrollBar().setValue(100)
    root = drawn(area, look)
    place = QRectF(area.viewport().rect().translated(area.viewport().mapTo(area, QPoint(0, 0))))
    words = [(element.text, frames) for element, frames in with_clips(root) if element.tag == f"{SVG}text"]
    assert 2 <= len(words) <= 8
    assert "line 0" not in dict(words)
    for _, frames in words:
        assert any(frame == place for frame in frames)


def test_the_cells_of_a_heat_map_stay_apart(shown: Callable[..., Plot], look: Look) -> None:
    plot = shown(400, 300)
    HeatMap(plot).set_data(np.array([[0.0, 1.0], [1.0, 0.0]]))
    settle(plot)
    links = [image.get("{http://www.w3.org/1999/xlink}href", "") for image in drawn(plot, look).iter(f"{SVG}image")]
    pictures = [QImage.fromData(base64.b64decode(link.partition("base64,")[2])) for link in links]
    picture = max(pictures, key=QImage.width)
    assert picture.width() > 800
    halves = [picture.pixelColor(x, 10).name() for x in (1, picture.width() // 2 - 1, picture.width() // 2 + 1)]
    assert halves[0] == halves[1] != halves[2]
