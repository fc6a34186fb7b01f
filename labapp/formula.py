"""Formulas typeset with the symbols in the colours of their meaning, and a line below with the numbers put in."""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Any

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QThreadPool,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontInfo, QFontMetricsF, QImage, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from labapp.look import Look

MEANINGS = ("query", "key", "value", "output", "gradient", "truth")
FORMULA_EM = 1.25
"""Size of the formula's letters, in those of the text."""
_MACRO = re.compile(r"\\(" + "|".join(MEANINGS) + r")\s*\{")
_ONE_AT_A_TIME = threading.Lock()
_DRAWN_AT = 24.0
"""Size in which the vector pictures are made; they are drawn in any."""

Colour = Callable[[str], QColor]
Run = tuple[str, str | None]


def runs_of(marked: str) -> Iterator[Run]:
    r"""Text with marks such as ``\query{69.9}``, cut into pieces of (text, meaning or None)."""
    while mark := _MACRO.search(marked):
        if mark.start():
            yield marked[: mark.start()], None
        end = _closing(marked, mark.end())
        yield marked[mark.end() : end], mark[1]
        marked = marked[end + 1 :]
    if marked:
        yield marked, None


def coloured_tex(tex: str, colour: Colour) -> str:
    r"""``\query{q}`` becomes ``\textcolor{#0072B2}{q}``; marks may be nested in anything, also in each other."""
    while mark := _MACRO.search(tex):
        end = _closing(tex, mark.end())
        inner = tex[mark.end() : end]
        tex = f"{tex[: mark.start()]}{{\\textcolor{{{colour(mark[1]).name()}}}{{{inner}}}}}{tex[end + 1 :]}"
    return tex


@lru_cache(maxsize=256)
def formula_svg(tex: str, colour: str) -> bytes:
    """The picture of plain LaTeX as SVG; 10 to 140 ms for a new formula. May be called from any thread."""
    with _ONE_AT_A_TIME:
        return bytes(_typesetter()(tex, size=_DRAWN_AT, color=colour).svg(), "utf-8")


def render_formula(tex: str, colour: Colour, size: float, device_pixel_ratio: float = 1.0) -> QImage:
    r"""A picture of marked LaTeX with letters of ``size`` pixels, on nothing.

    ``colour(meaning)`` gives the colours of the marks and, for "text", of the rest.
    """
    renderer = _renderer(tex, colour)
    return _rasterise(renderer, QSizeF(renderer.defaultSize()) * (size / _DRAWN_AT), device_pixel_ratio)


class _Aside(QObject):
    """Typesets in other threads, for all views: one that its thread outlived would be destroyed in that thread."""

    ready = Signal(str, str)

    def start(self, tex: str, colour: str) -> None:
        def work() -> None:
            try:
                formula_svg(tex, colour)
            finally:
                self.ready.emit(tex, colour)  # a formula that can't be typeset says so when it is asked for again

        QThreadPool.globalInstance().start(work)


@cache
def _aside() -> _Aside:
    return _Aside()


class FormulaView(QWidget):
    """A formula and, below it, the same with the present numbers.

    The formula is typeset after the first paint, in room that is reserved, and drawn smaller where it doesn't fit. The
    line of numbers is plain text with colours, cheap enough for every frame of a drag; it wraps, and once it has
    taken a second line it keeps that until the widget is resized.
    """

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._tex = ""
        self._plain = ""
        self._image = QImage()
        self._drawn_for: object = None
        self._runs: list[Run] = []
        self._lines = 1
        self._waits_for = ("", "")
        _aside().ready.connect(self._on_ready)
        self.is_printed = False
        """Whether the formula is drawn in lines instead of pixels, for paper."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._on_look)

    def set_formula(self, tex: str, plain: str) -> None:
        """Show marked LaTeX; ``plain`` says the same in words, for those who hear it."""
        if tex == self._tex:
            return
        self._tex, self._plain = tex, plain
        self.setAccessibleName(plain)
        self.updateGeometry()
        self.update()

    def set_numbers(self, marked: str) -> None:
        r"""The second line: text with marks, such as ``"o = 0.49·\\value{210} + …"``."""
        runs = list(runs_of(marked))
        if runs == self._runs:
            return
        self._runs = runs
        self.setAccessibleDescription("".join(text for text, _ in runs))
        lines = len(self._broken())
        if lines > self._lines:
            self._lines = lines
            self.updateGeometry()
        self.update(self._numbers_rect().toAlignedRect())

    def sizeHint(self) -> QSize:  # noqa: N802
        height = self._formula_height() + self._lines * self._line_height() + 4
        return QSize(round(24 * self._em()), round(height))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(round(8 * self._em()), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        if self.is_printed and self._tex:
            renderer, size = self._fitted()
            renderer.render(painter, QRectF(QPointF(0, (self._formula_height() - size.height()) / 2), size))
        elif not self._image.isNull():
            painter.drawImage(QPointF(0, self._formula_top()), self._image)
        if self._drawn_for != self._wanted():
            self._prepare()
        self._paint_numbers(painter)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._count_lines()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._count_lines()

    def _on_look(self) -> None:
        self._count_lines()
        self.update()

    def _count_lines(self) -> None:
        self._lines = max(1, len(self._broken()))
        self.updateGeometry()

    def _colour(self, meaning: str) -> QColor:
        return self._look.colour(meaning)

    def _wanted(self) -> object:
        text = self._colour("text").name()
        return self._tex, text, self.width(), self._em(), self.devicePixelRatioF()

    def _prepare(self) -> None:
        """Make the formula's picture aside: the first costs 0.4 s with its fonts, and the window would stand still."""
        wanted = coloured_tex(self._tex, self._colour), self._colour("text").name()
        if wanted != self._waits_for:
            self._waits_for = wanted
            _aside().start(*wanted)

    @Slot(str, str)
    def _on_ready(self, tex: str, colour: str) -> None:
        if (tex, colour) == self._waits_for:
            self.typeset()

    @Slot()
    def typeset(self) -> None:
        """Draw the formula now; a picture that is saved doesn't wait for a second paint."""
        self._waits_for = ("", "")
        self._drawn_for = self._wanted()
        if not self._tex:
            self._image = QImage()
        else:
            self._image = _rasterise(*self._fitted(), self.devicePixelRatioF())
        self.update()

    def _fitted(self) -> tuple[QSvgRenderer, QSizeF]:
        """What draws the formula, and the size in which it fits the room."""
        renderer = _renderer(self._tex, self._colour)
        size = QSizeF(renderer.defaultSize()) * (FORMULA_EM * self._em() / _DRAWN_AT)
        room = QSizeF(self.width(), self._formula_height())
        fits = size.width() <= room.width() and size.height() <= room.height()
        return renderer, size if fits else size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)

    def _formula_height(self) -> float:
        """Room that is kept for the formula before it is typeset, so that nothing jumps."""
        if not self._tex:
            return 0.0
        is_tall = "frac" in self._tex
        return FORMULA_EM * self._em() * (3.8 if is_tall else 3.2 if "\\sum" in self._tex else 1.9)

    def _formula_top(self) -> float:
        return (self._formula_height() - self._image.deviceIndependentSize().height()) / 2

    def _numbers_rect(self) -> QRectF:
        top = self._formula_height()
        return QRectF(0, top, self.width(), self.height() - top)

    def _broken(self) -> list[list[Run]]:
        return broken(self._runs, QFontMetricsF(self.font()), self.width())

    def _paint_numbers(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        plain = self.palette().color(QPalette.ColorRole.WindowText)
        y = self._formula_height() + metrics.ascent()
        for line in self._broken():
            x = 0.0
            for text, meaning in line:
                painter.setPen(self._colour(meaning) if meaning else plain)
                painter.drawText(QPointF(x, y), text)
                x += metrics.horizontalAdvance(text)
            y += self._line_height()

    def _line_height(self) -> float:
        return QFontMetricsF(self.font()).lineSpacing()

    def _em(self) -> float:
        return float(QFontInfo(self.font()).pixelSize())


def broken(runs: list[Run], metrics: QFontMetricsF, width: float) -> list[list[Run]]:
    """The pieces in lines no wider than ``width``, broken at spaces; a word wider than that stands alone."""
    lines: list[list[Run]] = [[]]
    x = 0.0
    for word in _words(runs):
        *first, last = (text for text, _ in word)
        before = sum(map(metrics.horizontalAdvance, first))
        advance = before + metrics.horizontalAdvance(last)
        if lines[-1] and x + before + metrics.horizontalAdvance(last.rstrip()) > width:
            lines.append([])
            x = 0.0
        lines[-1].extend(word)
        x += advance
    return lines


def _words(runs: list[Run]) -> Iterator[list[Run]]:
    """Pieces that no space divides, each with the space behind it; a word may have pieces of several meanings."""
    word: list[Run] = []
    for text, meaning in runs:
        for part in re.findall(r"\S+\s*|\s+", text):
            word.append((part, meaning))
            if part[-1].isspace():
                yield word
                word = []
    if word:
        yield word


@cache
def _typesetter() -> Callable[..., Any]:
    """The class that typesets LaTeX. Importing it takes 0.2 s, so it waits for the first formula."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ziamath 0.13 reads its font the old way
        from ziamath.config import config
        from ziamath.zmath import Latex
    config.svg2 = False  # Qt draws nothing of SVG 2
    return Latex


def _renderer(tex: str, colour: Colour) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(formula_svg(coloured_tex(tex, colour), colour("text").name())))


def _rasterise(renderer: QSvgRenderer, size: QSizeF, device_pixel_ratio: float) -> QImage:
    pixels = (size * device_pixel_ratio).toSize().expandedTo(QSize(1, 1))
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(device_pixel_ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter, QRectF(QPointF(0, 0), image.deviceIndependentSize()))
    painter.end()
    return image


def _closing(text: str, start: int) -> int:
    """Where the brace that was opened before ``start`` closes; the end of the text where it doesn't."""
    depth = 1
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)
