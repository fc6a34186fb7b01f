from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.controls.parameter import ParameterControl
from labapp.controls.value_slider import ValueSlider
from tests.labapp.controls.toy import Bench, Settings, State, show_unfocused, turn_wheel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def control(bench: Bench, qtbot: QtBot) -> ParameterControl:
    made: ParameterControl = bench.follow(ParameterControl(bench.lab, "settings.tau", State))
    qtbot.addWidget(made)
    made.resize(500, 40)
    made.show()
    qtbot.waitExposed(made)
    return made


def slider_of(control: ParameterControl) -> ValueSlider:
    assert control.slider is not None
    return control.slider


def handle(slider: ValueSlider) -> QPoint:
    left, right = slider._handle_span()
    return QPoint((left + right) // 2, slider.height() // 2)


def drag(slider: ValueSlider, qtbot: QtBot, moves: int = 5, modifier: Qt.KeyboardModifier | None = None) -> QPoint:
    """Press on the handle and move right; the button stays down."""
    start = handle(slider)
    modifiers = modifier or Qt.KeyboardModifier.NoModifier
    qtbot.mousePress(slider, LEFT, pos=start)
    for i in range(1, moves + 1):
        end = start + QPoint(10 * i, 0)
        _move(slider, end, modifiers)
    return end


def _move(slider: ValueSlider, to: QPoint, modifiers: Qt.KeyboardModifier) -> None:
    where = QPointF(slider.mapToGlobal(to))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(to), where, Qt.MouseButton.NoButton, LEFT, modifiers)
    QApplication.sendEvent(slider, event)


def test_shows_the_state_and_dispatches_nothing(bench: Bench, control: ParameterControl) -> None:
    assert control.box.value == 2.0
    assert slider_of(control).shown == 2.0
    assert bench.store.undo_label == ""


def test_one_drag_is_one_step(bench: Bench, control: ParameterControl, qtbot: QtBot) -> None:
    slider = slider_of(control)
    end = drag(slider, qtbot)
    qtbot.mouseRelease(slider, LEFT, pos=end)
    first = bench.settings.tau
    assert first > 2.0
    assert control.box.value == first
    end = drag(slider, qtbot)
    qtbot.mouseRelease(slider, LEFT, pos=end)
    assert bench.settings.tau > first
    assert bench.store.undo_label == "Change Temperature"
    bench.store.undo()
    assert bench.settings.tau == first
    bench.store.undo()
    assert bench.settings.tau == 2.0 == slider.shown
    assert bench.store.undo_label == ""


def test_escape_takes_a_drag_back(bench: Bench, control: ParameterControl, qtbot: QtBot) -> None:
    slider = slider_of(control)
    end = drag(slider, qtbot)
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert bench.settings.tau == 2.0 == slider.shown
    assert bench.store.undo_label == bench.store.redo_label == ""
    _move(slider, end + QPoint(30, 0), Qt.KeyboardModifier.NoModifier)
    qtbot.mouseRelease(slider, LEFT, pos=end)
    assert bench.settings.tau == 2.0, "the rest of the gesture does nothing"


def test_shift_is_fine_and_ctrl_snaps(bench: Bench, control: ParameterControl, qtbot: QtBot) -> None:
    slider = slider_of(control)
    drag(slider, qtbot, modifier=Qt.KeyboardModifier.ShiftModifier)
    fine = bench.settings.tau
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    drag(slider, qtbot)
    coarse = bench.settings.tau
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert 2.0 < fine < coarse
    drag(slider, qtbot, modifier=Qt.KeyboardModifier.ControlModifier)
    assert f"{bench.settings.tau:.0e}"[0] in "125"
    assert float(f"{bench.settings.tau:.0e}") == bench.settings.tau


def test_g11_keys_move_and_join_within_a_second(bench: Bench, control: ParameterControl, qtbot: QtBot) -> None:
    slider = slider_of(control)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_PageUp):
        qtbot.keyClick(slider, key)
    assert bench.settings.tau == pytest.approx(2.0 * 10 ** (12 / 20), rel=0.01)
    control.binding.pause.timeout.emit()
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    assert bench.settings.tau == 1e-3
    bench.store.undo()
    assert bench.settings.tau > 2.0
    bench.store.undo()
    assert bench.settings.tau == 2.0


def test_g08_the_wheel_needs_the_focus(bench: Bench, control: ParameterControl) -> None:
    slider = slider_of(control)
    show_unfocused(control)
    turn_wheel(slider)
    turn_wheel(control.box)
    assert bench.settings.tau == 2.0
    control.window().activateWindow()
    slider.setFocus()
    assert slider.hasFocus()
    turn_wheel(slider)
    assert bench.settings.tau < 2.0


def test_typed_values_go_beyond_a_narrowed_slider(bench: Bench, qtbot: QtBot) -> None:
    control = bench.follow(ParameterControl(bench.lab, "settings.tau", State, low=0.1, high=10.0))
    qtbot.addWidget(control)
    control.box.lineEdit().setText("500")
    control.box.commit()
    assert bench.settings.tau == 500.0
    assert control.slider.value() == control.slider.maximum()


def test_reset_goes_to_the_outermost_default(bench: Bench, control: ParameterControl, qtbot: QtBot) -> None:
    qtbot.keyClick(slider_of(control), Qt.Key.Key_Home)
    [reset] = control.actions()
    assert reset.text() == "Reset this"
    reset.trigger()
    assert bench.settings.tau == State().settings.tau == 2.0
    assert Settings().tau == 1.0
    assert bench.store.undo_label == "Reset Temperature"


def test_a_field_without_range_has_no_slider(bench: Bench, qtbot: QtBot) -> None:
    control = ParameterControl(bench.lab, "settings.free", State)
    qtbot.addWidget(control)
    assert control.slider is None


def test_g11_names(control: ParameterControl) -> None:
    assert slider_of(control).accessibleName() == control.box.accessibleName() == "Temperature τ"
    assert slider_of(control).accessibleDescription() == "2"
    assert control.label.text() == "Temperature τ"
    assert control.label.toolTip() == "Divides."
