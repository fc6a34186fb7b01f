from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QLocale

from labapp.errors import PlainError
from labapp.plots.data import clean, log_tick_text, nice_step, padded, tick_text


@pytest.fixture(autouse=True)
def english() -> object:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


def test_all_fine_leaves_no_note() -> None:
    x, y, note = clean([1, 2], [3, 4])
    assert (x.tolist(), y.tolist(), note) == ([1, 2], [3, 4], "")


def test_each_reason_is_counted_once() -> None:
    _, y, note = clean([1, 2, 3, 4, 5, 6], [np.inf, np.nan, -1, 0, 1e308, 10], log_y=True)
    assert note == (
        "1 value is infinite; 1 value is undefined; 2 values are zero or below and have no place on a log axis; "
        "1 value is too large or too small to draw"
    )
    assert np.flatnonzero(np.isfinite(y)).tolist() == [5]
    assert y[5] == pytest.approx(1.0)


def test_lengths_must_agree() -> None:
    with pytest.raises(PlainError, match="2 and 3"):
        clean([1, 2, 3], [1, 2])


@pytest.mark.parametrize(("data", "wanted"), [(None, (0, 1)), ((5, 5), (4.5, 5.5)), ((0, 10), (-0.5, 10.5))])
def test_margins(data: tuple[float, float] | None, wanted: tuple[float, float]) -> None:
    assert padded(data) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("value", "spacing", "text"),
    [
        (1500, 500, "1,500"),
        (-0.2, 0.2, "−0.2"),
        (-1e-17, 0.2, "0.0"),
        (0.0, 1e-7, "0"),
        (2e8, 1e8, "2×10⁸"),
        (1e-7, 1e-7, "10⁻⁷"),
    ],
)
def test_tick_texts(value: float, spacing: float, text: str) -> None:
    assert tick_text(value, spacing) == text


def test_ticks_follow_the_locale() -> None:
    QLocale.setDefault(QLocale("de_DE"))
    assert tick_text(1234.5, 0.5) == "1.234,5"


@pytest.mark.parametrize(("view", "text"), [(0, "1"), (-2, "0.01"), (3, "1,000"), (4, "10⁴"), (-7, "10⁻⁷")])
def test_log_ticks(view: float, text: str) -> None:
    assert log_tick_text(view) == text


def test_nice_steps() -> None:
    assert [nice_step(rough) for rough in (0.7, 3.0, 10.0)] == pytest.approx([0.5, 2.0, 10.0])
