from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from pytestqt.qtbot import QtBot

from labapp.controls.number_box import NumberBox
from labapp.controls.scale import Scale
from tests.cases import case
from tests.labapp.controls.toy import Bench, show_unfocused, turn_wheel

TAU = Scale(1e-3, 1e4, log=True)


@pytest.fixture
def box(bench: Bench, qtbot: QtBot) -> NumberBox:
    made = NumberBox(TAU)
    qtbot.addWidget(made)
    made.show_value(1.0)
    return made


def typed(box: NumberBox, text: str, qtbot: QtBot) -> list[Any]:
    """Type over what is there and press Return; what the box then asks for."""
    asked: list[Any] = []
    box.value_edited.connect(asked.append)
    box.selectAll()
    qtbot.keyClick(box, Qt.Key.Key_Delete)
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    box.value_edited.disconnect(asked.append)
    return asked


@pytest.mark.parametrize("locale", ["de_DE", "en_US", "C"])
def test_g07_decimal_sign(box: NumberBox, qtbot: QtBot, locale: str) -> None:
    QLocale.setDefault(QLocale(locale))
    data = case("G-07")
    for text, value in zip(data["input"]["typed in tau"], data["expected"]["tau"], strict=True):
        box.show_value(1.0)
        assert typed(box, text, qtbot) == [value]


def test_g07_small_values_are_not_rounded(box: NumberBox, qtbot: QtBot) -> None:
    wide = NumberBox()
    qtbot.addWidget(wide)
    wide.show_value(1e-6)
    assert wide.text() == "1e-6"
    assert typed(box, "0,001", qtbot) == [0.001]


def test_a_shown_value_is_never_changed_by_leaving(box: NumberBox, qtbot: QtBot) -> None:
    asked: list[Any] = []
    box.value_edited.connect(asked.append)
    box.show_value(1 / 3)
    box.editingFinished.emit()
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert asked == []
    assert box.value == 1 / 3


@pytest.mark.parametrize("text", case("N-03")["input"]["tau typed, loaded from a session, or passed by API"])
def test_n03_refused_with_the_range_and_the_last_good_value_stays(box: NumberBox, qtbot: QtBot, text: str) -> None:
    refused: list[str] = []
    box.refused.connect(refused.append)
    assert typed(box, text, qtbot) == []
    assert box.value == 1.0
    assert box.text() == text
    assert "between 0.001 and 10000" in refused[0]
    assert box.problem == box.toolTip() == box.accessibleDescription() == refused[0]


def test_escape_and_new_values_clear_a_refusal(box: NumberBox, qtbot: QtBot) -> None:
    typed(box, "abc", qtbot)
    box.show_value(1.0)
    assert box.text() == "abc", "the same value leaves alone what is being typed"
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert (box.text(), box.problem, box.accessibleDescription()) == ("1", "", "")
    typed(box, "abc", qtbot)
    box.show_value(2.0)
    assert (box.text(), box.problem) == ("2", "")


def test_arrows_step_on_the_scale(box: NumberBox, qtbot: QtBot) -> None:
    asked: list[Any] = []
    box.value_edited.connect(asked.append)
    qtbot.keyClick(box, Qt.Key.Key_Up)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert asked == [1.12, 1.0]


def test_whole_numbers(bench: Bench, qtbot: QtBot) -> None:
    box = NumberBox(Scale(0, 10**9, integer=True))
    qtbot.addWidget(box)
    box.show_value(123456789)
    assert box.text() == "123456789"
    assert typed(box, "2,5", qtbot) == []
    assert "whole number" in box.problem
    asked = typed(box, "7", qtbot)
    assert asked == [7]
    assert isinstance(asked[0], int)


def test_empty_means_none_where_that_is_allowed(bench: Bench, qtbot: QtBot) -> None:
    box = NumberBox(TAU, optional="automatic")
    qtbot.addWidget(box)
    box.show_value(2.0)
    assert typed(box, "", qtbot) == [None]
    assert typed(box, "3", qtbot) == [3.0]


def test_g08_wheel_without_focus(box: NumberBox, qtbot: QtBot) -> None:
    asked: list[Any] = []
    box.value_edited.connect(asked.append)
    show_unfocused(box)
    turn_wheel(box)
    assert asked == []
    box.setFocus()
    turn_wheel(box)
    assert asked == [0.891]
