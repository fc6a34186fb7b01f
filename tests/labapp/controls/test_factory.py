from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labapp.controls import (
    ChoiceControl,
    IntegerControl,
    ParameterControl,
    TextControl,
    ToggleControl,
    control_for,
)
from tests.labapp.controls.toy import Bench, State, show_unfocused, turn_wheel

KINDS = {
    "tau": ParameterControl,
    "width": ParameterControl,
    "seed": IntegerControl,
    "kind": ChoiceControl,
    "on": ToggleControl,
    "name": TextControl,
}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_the_type_chooses_the_control(bench: Bench, qtbot: QtBot, name: str, kind: type) -> None:
    control = control_for(bench.lab, State, f"settings.{name}")
    qtbot.addWidget(control)
    assert type(control) is kind
    bench.follow(control)
    assert bench.store.undo_label == ""


def test_a_type_without_control_is_refused(bench: Bench) -> None:
    @dataclass(frozen=True)
    class Odd:
        pair: tuple[float, float] = (0.0, 1.0)

    with pytest.raises(TypeError, match="pair"):
        control_for(bench.lab, Odd, "pair")


def test_choice(bench: Bench, qtbot: QtBot) -> None:
    labels = {"squared_distance": "distance −(q−k)²"}
    control = bench.follow(control_for(bench.lab, State, "settings.kind", labels=labels))
    qtbot.addWidget(control)
    assert [control.combo.itemText(i) for i in range(2)] == ["dot", "distance −(q−k)²"]
    show_unfocused(control)
    turn_wheel(control.combo)
    assert bench.settings.kind == "dot"
    qtbot.keyClick(control.combo, Qt.Key.Key_Down)
    assert bench.settings.kind == "squared_distance"
    bench.store.undo()
    assert control.combo.currentData() == "dot"


def test_toggle(bench: Bench, qtbot: QtBot) -> None:
    control = bench.follow(control_for(bench.lab, State, "settings.on"))
    qtbot.addWidget(control)
    qtbot.keyClick(control.box, Qt.Key.Key_Space)
    assert bench.settings.on is False
    bench.store.undo()
    assert control.box.isChecked()
    assert bench.store.undo_label == ""


def test_text_waits_until_it_is_finished(bench: Bench, qtbot: QtBot) -> None:
    control = bench.follow(control_for(bench.lab, State, "settings.name"))
    qtbot.addWidget(control)
    qtbot.keyClicks(control.edit, "!")
    bench.store.dispatch(lambda s: type(s)(settings=s.settings, count=1), "Other")
    assert (control.edit.text(), bench.settings.name) == ("Mine!", "Mine")
    qtbot.keyClick(control.edit, Qt.Key.Key_Return)
    assert bench.settings.name == "Mine!"
    bench.store.undo()
    assert control.edit.text() == "Mine"


def test_optional_number(bench: Bench, qtbot: QtBot) -> None:
    control = bench.follow(control_for(bench.lab, State, "settings.width", optional="automatic"))
    qtbot.addWidget(control)
    assert control.box.text() == ""
    assert control.box.lineEdit().placeholderText() == "automatic"
    qtbot.keyClick(control.slider, Qt.Key.Key_End)
    assert bench.settings.width == 10.0
    control.box.lineEdit().setText("")
    control.box.commit()
    assert bench.settings.width is None


def test_integer(bench: Bench, qtbot: QtBot) -> None:
    control = bench.follow(control_for(bench.lab, State, "settings.seed"))
    qtbot.addWidget(control)
    qtbot.keyClick(control.box, Qt.Key.Key_Up)
    assert bench.settings.seed == 4
    assert isinstance(bench.settings.seed, int)
    control.box.lineEdit().setText("-1")
    control.box.commit()
    assert bench.settings.seed == 4
    assert "between 0 and 1000000000" in bench.said[0]
