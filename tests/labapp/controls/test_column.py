from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from labapp.controls import ControlColumn, ParameterControl, PlayBar, control_for
from tests.labapp.controls.toy import Bench, State, show_unfocused, turn_wheel

NAMES = ("tau", "size", "kind", "on", "seed", "width", "name")


@pytest.fixture
def column(bench: Bench, qtbot: QtBot) -> ControlColumn:
    controls: list[QWidget] = [control_for(bench.lab, State, f"settings.{name}") for name in NAMES]
    made: ControlColumn = bench.follow(ControlColumn([*controls, PlayBar()]))
    qtbot.addWidget(made)
    made.resize(300, 150)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("width", [300, 500, 900])
def test_nothing_is_clipped(bench: Bench, column: ControlColumn, scale: float, width: int) -> None:
    bench.look.set_text_scale(scale)
    column.resize(width, 200)
    for _ in range(3):  # a layout in a layout settles in rounds
        QApplication.processEvents()
    for child in column.widget().findChildren(QWidget):
        if child.isVisible() and child.parentWidget().layout() is not None:
            need = child.minimumSizeHint()
            assert child.width() >= need.width(), child
            assert child.height() >= need.height(), child
            assert child.parentWidget().rect().contains(child.geometry()), child


def test_g08_the_wheel_over_a_control_scrolls(bench: Bench, column: ControlColumn) -> None:
    show_unfocused(column)
    tau = column.findChildren(ParameterControl)[0]
    assert tau.slider is not None
    bar = column.verticalScrollBar()
    for widget in (tau.slider, tau.box):
        bar.setValue(0)
        turn_wheel(widget)
        assert bar.value() > 0
    assert bench.store.undo_label == ""


def test_g11_every_control_is_reached_by_tab_and_has_a_name(column: ControlColumn) -> None:
    first = column.findChildren(ParameterControl)[0].slider
    assert first is not None
    first.setFocus()
    seen = []
    for _ in range(40):
        widget = QApplication.focusWidget()
        if widget in seen:
            break
        seen.append(widget)
        column.focusNextChild()
    assert all(widget.accessibleName() for widget in seen)
    assert {widget.accessibleName() for widget in seen} >= {
        "Temperature τ",
        "Size q",
        "Similarity",
        "Show the staircase",
        "Seed",
        "Bandwidth",
        "Name",
        "Position",
        "Speed",
    }


def test_labels_stand_in_line_at_any_text_size(bench: Bench, column: ControlColumn) -> None:
    bench.look.set_text_scale(2.0)
    QApplication.processEvents()
    labels = [control.label for control in column.findChildren(ParameterControl)]
    widest = max(label.sizeHint().width() for label in labels)
    assert {label.minimumWidth() for label in labels} == {widest}


def test_shows_the_state_in_all(bench: Bench, column: ControlColumn) -> None:
    assert column.findChildren(ParameterControl)[1].box.value == 70.0


def test_a_vertical_bar_brings_no_horizontal_one(column: ControlColumn) -> None:
    column.resize(column.minimumSizeHint().width(), 150)
    QApplication.processEvents()
    assert column.verticalScrollBar().isVisible()
    assert not column.horizontalScrollBar().isVisible()
