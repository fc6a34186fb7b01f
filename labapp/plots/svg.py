"""SVG as every program draws it. What Qt writes looks right to Qt alone, so that it is put in order here.

- Clips. As "SVG Tiny" Qt writes none; as "SVG 1.1" it writes them in the wrong place. Here they are marked while the
  drawing is made, by texts that nobody sees, and become groups with a clip afterwards.
- Lines whose width is meant in pixels under a scale: ``vector-effect`` is unknown to many programs, so that points are
  scaled instead.
- Text: the family that Qt really took, with a substitute, and the length that it had.
- Pictures of few, large dots (a heat map): most programs would smooth them into each other, so that they get more dots.
"""

from __future__ import annotations

import math
import re
import secrets
from collections.abc import Callable, Iterator
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPainter,
    QPen,
    QTransform,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsItem

Element = ElementTree.Element
Place = Callable[[float, float], str]

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", XLINK)

_PAIR = re.compile(r"(-?[\d.]+(?:e[-+]?\d+)?),(-?[\d.]+(?:e[-+]?\d+)?)")
_LINK = f"{{{XLINK}}}href"
_LARGE, _DOTS, _MOST = 1.5, 4, 2400
"""Pixels of a dot from which on it is repeated, how many dots a pixel then has, and a picture along a side at most."""
_FONT = ("font-family", "font-size", "font-weight", "font-style")
_MEASURED = 100
"""Pixels of the letters by which the length of a text is measured."""


class Clips:
    """Marks in a drawing where a clip begins and ends. Without a token there are none, for papers that Qt clips."""

    def __init__(self, has_marks: bool) -> None:
        self.token = secrets.token_hex(8) if has_marks else ""

    def begin(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """What follows is seen inside the rectangle alone, in the painter's present coordinates."""
        around = QRectF(rect)
        self._mark(painter, f"{around.left()!r} {around.top()!r} {around.right()!r} {around.bottom()!r}")

    def end(self, painter: QPainter) -> None:
        self._mark(painter, "end")

    def _mark(self, painter: QPainter, text: str) -> None:
        if self.token:
            painter.save()
            painter.setPen(QPen())
            painter.drawText(QPointF(0, 0), f"{self.token} {text}")
            painter.restore()


class ClipItem(QGraphicsItem):
    """The begin or the end of a clip around what else is in an item."""

    def __init__(self, around: QGraphicsItem, clips: Clips, begins: bool) -> None:
        super().__init__(around)
        self._around, self._clips, self._begins = around, clips, begins
        self.setZValue(-1e9 if begins else 1e9)

    def boundingRect(self) -> QRectF:  # noqa: N802
        return self._around.boundingRect()

    def paint(self, painter: QPainter, option: object, widget: object = None) -> None:
        if self._begins:
            self._clips.begin(painter, self.boundingRect())
        else:
            self._clips.end(painter)


def generator() -> QSvgGenerator:
    """What writes the drawing that ``mended`` puts in order."""
    return QSvgGenerator(QSvgGenerator.SvgVersion.SvgTiny12)


def mended(drawing: bytes, clips: Clips) -> bytes:
    """The drawing of a ``generator`` with its marks turned into clips."""
    root = ElementTree.fromstring(drawing)
    root.set("version", "1.1")
    root.attrib.pop("baseProfile", None)
    defs, body = root.find(f"{{{SVG}}}defs"), root[-1]
    assert defs is not None
    groups = list(body)
    for group in groups:
        body.remove(group)
    _gather(groups, body, defs, clips.token)
    _prune(body)
    for group in list(body.iter(f"{{{SVG}}}g")):
        _unscale(group)
    for text in body.iter(f"{{{SVG}}}text"):
        _measure(text)
    for group in body.iter(f"{{{SVG}}}g"):
        for image in group.findall(f"{{{SVG}}}image"):
            _sharpen(image, _transform(group) if "transform" in group.attrib else _transform(image))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _gather(groups: list[Element], body: Element, defs: Element, token: str) -> None:
    """Put the groups, one after another as Qt wrote them, into those of their clips."""
    open_clips = [body]
    for group in groups:
        part = _like(group, open_clips[-1])
        for element in group:
            mark = (element.text or "") if element.tag == f"{{{SVG}}}text" else ""
            if not mark.startswith(token):
                part.append(element)
                continue
            if mark.endswith("end"):
                open_clips.pop()
            else:
                open_clips.append(_clip(open_clips[-1], defs, _transform(group), mark))
            part = _like(group, open_clips[-1])


def _like(group: Element, parent: Element) -> Element:
    """An empty group with the same pen, brush and place; every text has a font of its own."""
    attributes = {name: value for name, value in group.attrib.items() if name not in _FONT}
    return ElementTree.SubElement(parent, group.tag, attributes)


def _clip(parent: Element, defs: Element, transform: QTransform, mark: str) -> Element:
    left, top, right, bottom = map(float, mark.split()[1:])
    name = f"clip{len(defs)}"
    place = _placer(transform)
    corners = " ".join(place(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)))
    shape = ElementTree.SubElement(defs, f"{{{SVG}}}clipPath", {"id": name})
    ElementTree.SubElement(shape, f"{{{SVG}}}polygon", {"points": corners})
    return ElementTree.SubElement(parent, f"{{{SVG}}}g", {"clip-path": f"url(#{name})"})


def _prune(parent: Element) -> None:
    """Leave out groups with nothing in them: most of what Qt writes."""
    for child in list(parent):
        if child.tag == f"{{{SVG}}}g":
            _prune(child)
            if not len(child):
                parent.remove(child)


def _unscale(group: Element) -> None:
    """Scale the points of lines in the place of the lines."""
    transform = _transform(group)
    keeps_size = transform == QTransform.fromTranslate(transform.dx(), transform.dy())
    is_gradient = group.get("fill", "").startswith("url")  # which is placed by the transform
    widths_are_pixels = any(child.get("vector-effect") == "non-scaling-stroke" for child in group)
    if widths_are_pixels and not keeps_size and not is_gradient:
        matrix = group.attrib.pop("transform")
        for child in group:
            if not _map(child, _placer(transform)):
                child.set("transform", f"{matrix} {child.get('transform', '')}".strip())
    if keeps_size or not is_gradient:
        for child in group:
            child.attrib.pop("vector-effect", None)


def _map(element: Element, place: Place) -> bool:
    """Place the points of a path; False for what has none."""
    tag = element.tag.removeprefix(f"{{{SVG}}}")
    if tag == "rect":
        left, top, width, height = (float(element.attrib.pop(name)) for name in ("x", "y", "width", "height"))
        right, bottom = left + width, top + height
        element.tag = f"{{{SVG}}}polygon"
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        element.set("points", " ".join(place(x, y) for x, y in corners))
        return True
    name = {"path": "d", "polyline": "points", "polygon": "points"}.get(tag)
    if name is None:
        return False
    element.set(name, _PAIR.sub(lambda pair: place(float(pair[1]), float(pair[2])), element.get(name, "")))
    return True


def _placer(transform: QTransform) -> Place:
    """A point by the transform, to a hundredth of a pixel."""

    def place(x: float, y: float) -> str:
        point = transform.map(QPointF(x, y))
        return ",".join(f"{value:.2f}".rstrip("0").rstrip(".") for value in (point.x(), point.y()))

    return place


def _transform(group: Element) -> QTransform:
    numbers = re.fullmatch(r"matrix\((.*)\)", group.get("transform", ""))
    return QTransform(*map(float, numbers[1].split(","))) if numbers else QTransform()


def _measure(text: Element) -> None:
    """Name the family that was found, and say how long the text is, whatever letters another program has."""
    font = QFont(text.get("font-family", ""))
    font.setPixelSize(_MEASURED)
    font.setWeight(QFont.Weight(int(text.get("font-weight", "400"))))
    font.setItalic(text.get("font-style") == "italic")
    text.set("font-family", ", ".join(_families(font)))
    if len(text.text or "") > 1:
        length = QFontMetricsF(font).horizontalAdvance(text.text or "") * float(text.get("font-size", "0")) / _MEASURED
        text.set("textLength", f"{length:.2f}")
        text.set("lengthAdjust", "spacingAndGlyphs")


def _families(font: QFont) -> Iterator[str]:
    info = QFontInfo(font)
    yield f"'{info.family()}'"
    yield "monospace" if info.fixedPitch() else "sans-serif"


def _sharpen(image: Element, transform: QTransform) -> None:
    """Repeat dots that are seen larger than others."""
    picture = QImage.fromData(QByteArray.fromBase64(image.get(_LINK, "").partition("base64,")[2].encode()))
    size = QSizeF(float(image.get("width", "0")), float(image.get("height", "0")))
    seen = transform.mapRect(QRectF(QPointF(0, 0), size)).size()
    if picture.isNull() or max(seen.width() / picture.width(), seen.height() / picture.height()) < _LARGE:
        return
    across, down = (
        min(math.ceil(_DOTS * wide / count), max(1, _MOST // count))
        for wide, count in ((seen.width(), picture.width()), (seen.height(), picture.height()))
    )
    more = picture.scaled(picture.width() * across, picture.height() * down)
    paper = QBuffer()
    paper.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(paper, QByteArray(b"png")).write(more)
    image.set(_LINK, "data:image/png;base64," + bytes(paper.data().toBase64().data()).decode())
    image.set("image-rendering", "optimizeSpeed")
