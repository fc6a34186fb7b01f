"""Plots and panels as pictures: PNG at any width, SVG, PDF. Light colours by default, whatever the theme on screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QMarginsF, QPoint, QRect, QSize, QSizeF
from PySide6.QtGui import QImage, QImageWriter, QPageSize, QPaintDevice, QPainter, QPdfWriter, QRegion
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSpinBox, QComboBox, QMenuBar, QTabBar, QWidget

from labapp.errors import PlainError
from labapp.formula import FormulaView
from labapp.look import Look
from labapp.plots import svg
from labapp.plots.caption import Caption
from labapp.plots.plot import Plot

WIDEST = 4000
POINTS_PER_INCH = 72.0
ATOMS = (QAbstractSpinBox, QComboBox)
"""Controls that are drawn as a whole or not at all."""
SHARP = 3
"""Dots a pixel of what can't be drawn in lines."""
MOST = 0.8
"""Part of its width of which a widget that reaches over an edge must be in sight to be drawn."""
Colours = Literal["light", "dark", "present theme"]


def image_of(
    widget: QWidget, look: Look, width: int | None = None, colours: Colours = "light", caption: Caption | None = None
) -> QImage:
    """The widget (a plot, a panel, a window) as it would look on a screen with more dots: text and lines grow with it.

    ``width`` in pixels, up to 4,000; that of the widget where it is None. The height is in proportion within a pixel.
    """
    width = widget.width() if width is None else width
    if not 1 <= width <= WIDEST:
        raise PlainError(f"A picture is 1 to {WIDEST} pixels wide; what came is {width}.")
    sharpness = width / widget.width()
    with _printed(widget, look, colours, sharpness):
        height = max(1, round(_size(widget, caption).height() * sharpness))
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(sharpness)
        _paint(widget, image, look, caption)
    image.setDevicePixelRatio(1.0)
    return image


def png_of(
    widget: QWidget, look: Look, width: int | None = None, colours: Colours = "light", caption: Caption | None = None
) -> bytes:
    """The picture of a widget as PNG."""
    image, buffer = image_of(widget, look, width, colours, caption), _Paper()
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return buffer.content


def svg_of(widget: QWidget, look: Look, colours: Colours = "light", caption: Caption | None = None) -> bytes:
    """The widget as a vector drawing, with its size in pixels."""
    buffer, generator, clips = _Paper(), svg.generator(), svg.Clips(has_marks=True)
    generator.setOutputDevice(buffer)
    generator.setResolution(widget.logicalDpiX())
    generator.setTitle(_title(widget, caption))
    with _printed(widget, look, colours), _marked(widget, clips):
        size = _size(widget, caption)
        generator.setSize(size)
        generator.setViewBox(QRect(QPoint(0, 0), size))
        _paint(widget, generator, look, caption, clips)
    return svg.mended(buffer.content, clips)


def pdf_of(widget: QWidget, look: Look, colours: Colours = "light", caption: Caption | None = None) -> bytes:
    """The widget on one page of its size, as a vector drawing."""
    buffer = _Paper()
    writer = QPdfWriter(buffer)
    writer.setResolution(widget.logicalDpiX())
    writer.setTitle(_title(widget, caption))
    with _printed(widget, look, colours):
        points = QSizeF(_size(widget, caption)) * (POINTS_PER_INCH / widget.logicalDpiX())
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        writer.setPageSize(QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch))
        _paint(widget, writer, look, caption, svg.Clips(has_marks=False))
    return buffer.content


class _Paper(QBuffer):
    """Bytes that a picture is written into."""

    def __init__(self) -> None:
        super().__init__()
        self.open(QIODevice.OpenModeFlag.WriteOnly)

    @property
    def content(self) -> bytes:
        return bytes(self.data().data())


def _title(widget: QWidget, caption: Caption | None) -> str:
    return caption.title if caption is not None else widget.accessibleName() or widget.windowTitle()


def _size(widget: QWidget, caption: Caption | None) -> QSize:
    """The widget's and below it the caption's, in pixels."""
    return widget.size() + QSize(0, caption.height(widget) if caption is not None else 0)


def _paint(
    widget: QWidget, paper: QPaintDevice, look: Look, caption: Caption | None, clips: svg.Clips | None = None
) -> None:
    with QPainter(paper) as painter:
        painter.fillRect(QRect(QPoint(0, 0), _size(widget, caption)), look.colour("window"))
        if clips is None:
            QWidget.render(widget, painter, QPoint(0, 0))  # a graphics view's own render takes other arguments
        else:
            _draw(widget, painter, QPoint(0, 0), widget.rect(), clips)
        if caption is not None:
            painter.setPen(look.colour("text"))
            caption.paint(painter, widget)


def _draw(widget: QWidget, painter: QPainter, at: QPoint, room: QRect, clips: svg.Clips) -> None:
    """The widget and what is in it. On vector papers Qt's clip of widgets has no effect, so that only what is in sight
    is asked for, and tabs, whose shape is meant to be clipped, come before the pages that cover them.
    """
    whole = QRect(at, widget.size())
    room = room.intersected(whole)
    inner = [child for child in widget.children() if isinstance(child, QWidget) and child.isVisible()]
    is_view = isinstance(widget.parent(), QAbstractScrollArea)
    is_cut = room.height() < whole.height() or room.width() < MOST * whole.width()
    if room.isEmpty() or (is_cut and not is_view and (not inner or isinstance(widget, ATOMS))):
        return
    clips.begin(painter, room)
    if isinstance(widget, QMenuBar):
        _draw_dots(widget, painter, at)
    else:
        in_sight = QRegion(room.translated(-at))
        QWidget.render(widget, painter, room.topLeft(), in_sight, QWidget.RenderFlag(0))
    for child in sorted(inner, key=lambda child: not isinstance(child, QTabBar)):
        if not child.isWindow():
            _draw(child, painter, at + child.pos(), room, clips)
    clips.end(painter)


def _draw_dots(widget: QWidget, painter: QPainter, at: QPoint) -> None:
    """Draw what needs clips of its own: a menu bar covers its words, all but those that it clips out."""
    dots = QImage(widget.size() * SHARP, QImage.Format.Format_ARGB32_Premultiplied)
    dots.setDevicePixelRatio(SHARP)
    widget.render(dots)
    painter.drawImage(QRect(at, widget.size()), dots)


@contextmanager
def _marked(widget: QWidget, clips: svg.Clips) -> Iterator[None]:
    """What is drawn between the axes of a plot is clipped there."""
    items = [svg.ClipItem(plot.view, clips, begins) for plot in _plots(widget) for begins in (True, False)]
    try:
        yield
    finally:
        for item in items:
            item.scene().removeItem(item)


@contextmanager
def _printed(widget: QWidget, look: Look, colours: Colours, sharpness: float = 1.0) -> Iterator[None]:
    """Everything as it is drawn on paper, for a moment."""
    formulas = [*widget.findChildren(FormulaView), *([widget] if isinstance(widget, FormulaView) else [])]
    with _coloured(look, colours), _exporting(widget, sharpness):
        for formula in formulas:
            formula.is_printed = True
        try:
            yield
        finally:
            for formula in formulas:
                formula.is_printed = False


@contextmanager
def _coloured(look: Look, colours: Colours) -> Iterator[None]:
    """Everything in other colours for a moment."""
    before = look.theme
    changes = colours != "present theme" and (colours == "dark") != look.is_dark
    if changes:
        look.set_theme("dark" if colours == "dark" else "light")
        QCoreApplication.sendPostedEvents()  # Qt tells widgets of a new palette by posted events
    try:
        yield
    finally:
        if changes:
            look.set_theme(before)


@contextmanager
def _exporting(widget: QWidget, sharpness: float) -> Iterator[None]:
    """Symbols as outlines instead of screen pixels, pictures of points as sharp as the paper."""
    plots = _plots(widget)
    items = [item for plot in plots for item in plot.scene().items() if isinstance(item, pg.GraphicsItem)]
    for plot in plots:
        plot.show_dots(sharpness)
    _settle(plots, sharpness)
    for item in items:
        item.setExportMode(True, {"antialias": True})
    try:
        yield
    finally:
        for item in items:
            item.setExportMode(False)
        for plot in plots:
            plot.show_dots(plot.devicePixelRatioF())
        _settle(plots, 1.0)


def _plots(widget: QWidget) -> list[Plot]:
    return [*widget.findChildren(Plot), *([widget] if isinstance(widget, Plot) else [])]


def _settle(plots: list[Plot], sharpness: float) -> None:
    for plot in plots:
        plot.scene().prepareForPaint()
        for layer in plot.layers:
            layer.settle(sharpness)
