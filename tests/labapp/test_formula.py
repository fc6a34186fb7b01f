"""Formulas in colours, and the line with the numbers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.formula import FormulaView, broken, coloured_tex, formula_svg, render_formula, runs_of
from labapp.look import Look

TEX = (
    r"\output{o}=\sum_i \frac{e^{\query{q}\cdot \key{k_i}/\tau}}{\sum_j e^{\query{q}\cdot \key{k_j}/\tau}}\,\value{v_i}"
)


@pytest.fixture
def look(qtbot: QtBot) -> Iterator[Look]:
    font, palette = QFont(QApplication.font()), QApplication.palette()
    yield Look(theme="light")
    QApplication.setFont(font)
    QApplication.setPalette(palette)


@pytest.fixture
def view(look: Look, qtbot: QtBot) -> FormulaView:
    made = FormulaView(look)
    qtbot.addWidget(made)
    made.set_formula(TEX, "The output is the weighted sum of the values")
    made.set_numbers(r"\output{1,372} = 0.49·\value{1,200} + 0.51·\value{1,500}")
    made.resize(400, made.sizeHint().height())
    return made


def colours_in(image: QImage) -> set[str]:
    points = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return {QColor(image.pixelColor(x, y)).name() for x, y in points if image.pixelColor(x, y).alpha() == 255}


def test_marks_become_pieces() -> None:
    pieces = [("o = ", None), ("1", "output"), ("·", None), ("{2}", "value"), (" end", None)]
    assert list(runs_of(r"o = \output{1}·\value{{2}} end")) == pieces
    assert list(runs_of("")) == []


def test_marks_become_colours(look: Look) -> None:
    assert coloured_tex(r"\query{q_{i}}k", look.colour) == r"{\textcolor{#0072b2}{q_{i}}}k"
    nested = coloured_tex(r"\output{\frac{\value{v}}{2}}", look.colour)
    assert nested.count("textcolor") == 2
    assert nested.count("{") == nested.count("}")


def test_symbols_are_drawn_in_the_colour_of_their_meaning(look: Look) -> None:
    for theme in ("light", "dark"):
        look.set_theme(theme)
        found = colours_in(render_formula(TEX, look.colour, 60))
        for meaning in ("query", "key", "value", "output", "text"):
            assert look.colour(meaning).name() in found


def test_pictures_are_kept(look: Look) -> None:
    render_formula(TEX, look.colour, 20)
    before = formula_svg.cache_info()
    render_formula(TEX, look.colour, 60, 2.0)
    after = formula_svg.cache_info()
    assert (after.misses, after.hits) == (before.misses, before.hits + 1)


def test_the_first_paint_does_not_wait_and_nothing_jumps(view: FormulaView, qtbot: QtBot) -> None:
    height = view.sizeHint().height()
    view.grab()
    assert view._image.isNull()
    qtbot.waitUntil(lambda: not view._image.isNull())
    assert view.sizeHint().height() == height


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_the_formula_fits_its_room(look: Look, view: FormulaView, scale: float) -> None:
    look.set_text_scale(scale)
    view.resize(150, view.sizeHint().height())
    view.typeset()
    size = view._image.deviceIndependentSize()
    assert 0 < size.width() <= 150
    assert 0 < size.height() <= view._formula_height()


def test_numbers_wrap_between_words(view: FormulaView) -> None:
    runs = list(runs_of(r"aa·\value{bb} + cc"))
    metrics = QFontMetricsF(view.font())
    lines = broken(runs, metrics, metrics.horizontalAdvance("aa·bb + "))
    assert ["".join(text for text, _ in line).strip() for line in lines] == ["aa·bb +", "cc"]


def test_height_stays_when_numbers_get_shorter(view: FormulaView) -> None:
    view.set_numbers(" + ".join([r"0.49·\value{1,200}"] * 12))
    tall = view.sizeHint().height()
    view.set_numbers("1")
    assert view.sizeHint().height() == tall


def test_said_in_words(view: FormulaView) -> None:
    assert view.accessibleName() == "The output is the weighted sum of the values"
    assert view.accessibleDescription() == "1,372 = 0.49·1,200 + 0.51·1,500"


def test_a_theme_change_is_followed(look: Look, view: FormulaView, qtbot: QtBot) -> None:
    look.set_text_scale(3.0)
    view.typeset()
    look.set_theme("dark")
    view.grab()
    qtbot.waitUntil(lambda: look.colour("query").name() in colours_in(view._image))


def test_importing_does_not_load_the_typesetter() -> None:
    code = "import sys, labapp.formula; sys.exit('ziamath' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_last_word_of_a_line_fits_too(qapp: object) -> None:
    metrics = QFontMetricsF(QApplication.font())
    runs = [("one two ", None), ("three)", "output")]
    whole = metrics.horizontalAdvance("one two ") + metrics.horizontalAdvance("three)")
    assert len(broken(runs, metrics, whole)) == 1
    assert len(broken(runs, metrics, whole - 1)) == 2
