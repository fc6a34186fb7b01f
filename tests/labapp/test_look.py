"""Theme, colours, text size."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtGui import QColor, QFontInfo
from PySide6.QtWidgets import QApplication

from labapp.look import LARGEST, SMALLEST, Look, theme_colours


def luminance(colour: QColor) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: QColor, b: QColor) -> float:
    """The contrast of two colours (WCAG 2)."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_readable(look: Look, theme: str) -> None:
    look.set_theme(theme)  # type: ignore[arg-type]
    meanings = ("query", "key", "value", "output", "gradient", "truth")
    pairs = [*itertools.product(meanings, ("base", "plot"))]
    pairs += itertools.product(("text", "muted", "link", "warning"), ("window", "base", "alternate", "button"))
    for ink, ground in pairs:
        assert contrast(look.colour(ink), look.colour(ground)) >= 4.5, (ink, ground)
    assert contrast(look.colour("accent_text"), look.colour("accent")) >= 4.5
    assert contrast(look.colour("axis"), look.colour("plot")) >= 4.5


def test_the_colours_of_the_lesson_are_those_of_the_design() -> None:
    light, dark = theme_colours("light"), theme_colours("dark")
    names = ("query", "key", "value", "output", "gradient", "truth")
    assert [light[name] for name in names] == ["#0072B2", "#B85C00", "#00795A", "#A8327A", "#C0392B", "#444444"]
    assert [dark[name] for name in names] == ["#56B4E9", "#E69F00", "#3DD6A8", "#E78AC3", "#FF7F6E", "#BBBBBB"]
    assert set(light) == set(dark)


@pytest.mark.parametrize(("asked", "given"), [(0.0, SMALLEST), (100.0, LARGEST), (float("nan"), 1.0), (1.5, 1.5)])
def test_text_size_is_bounded(look: Look, asked: float, given: float) -> None:
    assert Look("light", asked).text_scale == given
    look.set_text_scale(asked)
    assert look.text_scale == given


def test_a_second_look_does_not_build_on_the_first(look: Look) -> None:
    size = QFontInfo(QApplication.font()).pointSizeF()
    look.set_present(True)
    assert QFontInfo(QApplication.font()).pixelSize() >= 24
    Look("light")
    assert QFontInfo(QApplication.font()).pointSizeF() == pytest.approx(size)


def test_every_change_is_told(look: Look) -> None:
    told: list[int] = []
    look.changed.connect(lambda: told.append(1))
    look.set_theme("dark")
    look.set_text_scale(1.2)
    look.set_present(True)
    assert len(told) == 3
