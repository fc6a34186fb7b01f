"""Up to millions of points as one picture, drawn again only when data or view change."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem

from labapp.plots.data import Floats, bounds, clean
from labapp.plots.layer import Layer
from labapp.plots.plot import Plot

SETTLE_MS = 60
"""While the view moves the old picture is stretched; this long after its last move a new one is made."""
SPARSE = 100_000
"""With fewer points in view each is a dot of some pixels, with more a single pixel."""


class DensityImage(Layer):
    """Points as dots that darken where they lie thick. Costs one picture a frame, whatever their number."""

    def __init__(self, plot: Plot, meaning: str = "value", name: str = "") -> None:
        self.meaning = meaning
        self._x = self._y = np.empty(0)
        self._view: tuple[Floats, Floats] = (self._x, self._y)
        self._picture = _Picture(self)
        self.renders = 0
        """How many pictures have been made: for tests."""
        super().__init__(plot, self._picture, name=name, pixels=True)
        self._timer = QTimer(plot, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self.settle)

    def set_data(self, x: ArrayLike, y: ArrayLike) -> str:
        """Points ``(n,)`` in data units; the note on those that can't be drawn."""
        self._x, self._y = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
        return self.redraw()

    def redraw(self) -> str:
        x, y, note = clean(self._x, self._y, self.plot.x_axis.is_log, self.plot.y_axis.is_log)
        if note:
            fine = np.isfinite(y)
            x, y = x[fine], y[fine]
        self._view = (x, y)
        self._extent = bounds(x), bounds(y)
        self._picture.forget()
        self.plot.data_changed()
        return note

    def restyle(self) -> None:
        self._picture.forget()

    def place(self) -> None:
        self._picture.prepareGeometryChange()
        if self._picture.corners is not None:
            self._timer.start()

    def settle(self, sharpness: float = 1.0) -> None:
        """Make the picture for the present view, with ``sharpness`` dots a pixel."""
        self._timer.stop()
        size = self.plot.view_size()
        width, height = (max(1, round(side * sharpness)) for side in (size.width(), size.height()))
        px, py = self.plot.to_pixels(*self._view)
        counts = pixel_counts(px * sharpness, py * sharpness, width, height)
        radius = round((1 if counts.sum() < SPARSE else 0) * self.plot.look.scale * sharpness)
        self._picture.show(shaded(counts, radius, self.plot.look.colour(self.meaning)))
        self.renders += 1

    def sample(self) -> tuple[QPen, str] | None:
        return QPen(self.plot.look.colour(self.meaning)), "o"


class _Picture(QGraphicsItem):
    def __init__(self, layer: DensityImage) -> None:
        super().__init__()
        self.layer = layer
        self.image: QImage | None = None
        self.corners: tuple[tuple[float, float], tuple[float, float]] | None = None
        """Upper left and lower right of the picture, in view units."""
        self.setZValue(-40)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def forget(self) -> None:
        self.corners = None
        self.update()

    def show(self, image: QImage) -> None:  # type: ignore[override]
        plot = self.layer.plot
        size = plot.view_size()
        self.image = image
        self.corners = plot.from_pixels(QPointF(0, 0)), plot.from_pixels(QPointF(size.width(), size.height()))
        self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802
        size = self.layer.plot.view_size()
        return QRectF(0, 0, size.width(), size.height())

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if self.corners is None:
            self.layer.settle()
        if self.corners is None or self.image is None:
            return
        px, py = self.layer.plot.to_pixels(*zip(*self.corners, strict=True))
        place = QRectF(QPointF(px[0], py[0]), QPointF(px[1], py[1]))
        if abs(place.width() - self.image.width()) < 1 and abs(place.height() - self.image.height()) < 1:
            painter.drawImage(place.topLeft().toPoint(), self.image)  # several times faster than a stretched one
        else:
            painter.drawImage(place, self.image)


def pixel_counts(px: Floats, py: Floats, width: int, height: int) -> np.ndarray:
    """How many points fall on each pixel, ``(height, width)``; points outside are left out."""
    inside = (px >= 0) & (px < width) & (py >= 0) & (py < height)
    place = py[inside].astype(np.int32) * np.int32(width) + px[inside].astype(np.int32)
    return np.bincount(place, minlength=width * height).reshape(height, width)


def shaded(counts: np.ndarray, radius: int, colour: QColor) -> QImage:
    """Counts as opacities of one colour: one point is seen well, the densest pixel is solid."""
    for axis in (0, 1):
        counts = _spread(counts, radius, axis)
    most = int(counts.max(initial=1))
    levels = np.zeros(most + 1)
    levels[1:] = 0.45 + 0.55 * np.log(np.arange(1, most + 1)) / max(np.log(most), 1.0)
    table = (np.round(levels * 255).astype(np.uint32) << 24) | (colour.rgb() & 0xFFFFFF)
    pixels = np.ascontiguousarray(table[counts].astype(np.uint32))
    height, width = counts.shape
    return QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_ARGB32).convertToFormat(
        QImage.Format.Format_ARGB32_Premultiplied
    )


def _spread(counts: np.ndarray, radius: int, axis: int) -> np.ndarray:
    """Widen each dot along an axis."""
    wide = counts.copy()
    for shift in range(1, radius + 1):
        near, far = [slice(None)] * 2, [slice(None)] * 2
        near[axis], far[axis] = slice(shift, None), slice(None, -shift)
        wide[tuple(near)] = np.maximum(wide[tuple(near)], counts[tuple(far)])
        wide[tuple(far)] = np.maximum(wide[tuple(far)], counts[tuple(near)])
    return wide
