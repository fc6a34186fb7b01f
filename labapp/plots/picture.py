"""Plots and panels as pictures: PNG at any width, SVG. Light colours by default, whatever the theme on screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QCoreApplication, QIODevice, QPoint, QRect
from PySide6.QtGui import QImage, QImageWriter, QPaintDevice, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from labapp.errors import PlainError
from labapp.look import Look
from labapp.plots.plot import Plot

WIDEST = 4000
Colours = Literal["light", "dark", "present theme"]


def image_of(widget: QWidget, look: Look, width: int | None = None, colours: Colours = "light") -> QImage:
    """The widget (a plot, a panel, a window) as it would look on a screen with more dots: text and lines grow with it.

    ``width`` in pixels, up to 4,000; that of the widget where it is None. The height is in proportion within a pixel.
    """
    width = widget.width() if width is None else width
    if not 1 <= width <= WIDEST:
        raise PlainError(f"A picture is 1 to {WIDEST} pixels wide; what came is {width}.")
    sharpness = width / widget.width()
    image = QImage(width, max(1, round(widget.height() * sharpness)), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(sharpness)
    with _coloured(look, colours), _exporting(widget, sharpness):
        _paint(widget, image, look)
    image.setDevicePixelRatio(1.0)
    return image


def save_png(widget: QWidget, look: Look, path: Path, width: int | None = None, colours: Colours = "light") -> None:
    """Write the picture of a widget as PNG."""
    writer = QImageWriter(str(path), QByteArray(b"png"))
    if not writer.write(image_of(widget, look, width, colours)):
        raise PlainError(f"The picture could not be written to {path}. Choose a folder that you may write to.")


def svg_of(widget: QWidget, look: Look, colours: Colours = "light") -> bytes:
    """The widget as a vector drawing, with its size in pixels."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(widget.size())
    generator.setResolution(widget.logicalDpiX())
    generator.setViewBox(QRect(QPoint(0, 0), widget.size()))
    generator.setTitle(widget.accessibleName() or widget.windowTitle())
    with _coloured(look, colours), _exporting(widget, 1.0):
        _paint(widget, generator, look)
    return bytes(data.data())


def save_svg(widget: QWidget, look: Look, path: Path, colours: Colours = "light") -> None:
    """Write the widget as SVG."""
    try:
        path.write_bytes(svg_of(widget, look, colours))
    except OSError as error:
        raise PlainError(
            f"The picture could not be written to {path}. Choose a folder that you may write to."
        ) from error


def _paint(widget: QWidget, paper: QPaintDevice, look: Look) -> None:
    with QPainter(paper) as painter:
        painter.fillRect(widget.rect(), look.colour("window"))
        QWidget.render(widget, painter, QPoint(0, 0))  # a graphics view's own render takes other arguments


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
    plots = [*widget.findChildren(Plot), *([widget] if isinstance(widget, Plot) else [])]
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


def _settle(plots: list[Plot], sharpness: float) -> None:
    for plot in plots:
        plot.scene().prepareForPaint()
        for layer in plot.layers:
            layer.settle(sharpness)
