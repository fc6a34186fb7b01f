from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.handles import HandleSet, LineHandle, PointHandle, VectorHandle, bind_drag, bind_set_drag
from labapp.plots.plot import Plot
from labapp.store import Store
from tests.labapp.plots.conftest import State, pixel, settle

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def plot(shown: Callable[..., Plot]) -> Plot:
    plot = shown()
    plot.set_home((0, 150), (0, 3000))
    settle(plot)
    return plot


def press(plot: Plot, at: QPoint) -> None:
    QTest.mouseMove(plot.viewport(), at)
    QTest.mousePress(plot.viewport(), LEFT, pos=at)


def move(plot: Plot, at: QPoint, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A move with the button held, which ``QTest.mouseMove`` can't send."""
    where = plot.viewport().mapToGlobal(QPointF(at))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(at), where, Qt.MouseButton.NoButton, LEFT, keys)
    QApplication.sendEvent(plot.viewport(), event)


def release(plot: Plot, at: QPoint) -> None:
    QTest.mouseRelease(plot.viewport(), LEFT, pos=at)


def point_in_lab(plot: Plot, lab: Lab, store: Store) -> PointHandle:
    handle = PointHandle(plot, "query", "Query")
    bind_drag(handle, lab, "Move query", lambda state, x, y: replace(state, x=x, y=y))

    def show(state: State) -> None:
        handle.show_position(state.x, state.y)

    store.changed.connect(show)
    show(store.state)
    return handle


def test_a_drag_is_one_undo_step(plot: Plot, lab: Lab, store: Store) -> None:
    handle = point_in_lab(plot, lab, store)
    press(plot, pixel(plot, 70, 1500))
    for x in (75, 85, 100):
        move(plot, pixel(plot, x, 2000))
    release(plot, pixel(plot, 100, 2000))
    assert store.state.x == pytest.approx(100, abs=0.5)
    assert store.state.y == pytest.approx(2000, abs=15)
    assert handle.grip.xs[0] == store.state.x
    assert store.undo_label == "Move query"
    store.undo()
    assert store.state == State()
    assert store.undo_label == ""


def test_two_drags_are_two_steps(plot: Plot, lab: Lab, store: Store) -> None:
    point_in_lab(plot, lab, store)
    for start, stop in ((70, 90), (90, 110)):
        press(plot, pixel(plot, start, 1500))
        move(plot, pixel(plot, stop, 1500))
        release(plot, pixel(plot, stop, 1500))
    store.undo()
    assert store.state.x == pytest.approx(90, abs=0.5)


def test_a_click_without_a_move_changes_nothing(plot: Plot, lab: Lab, store: Store) -> None:
    handle = point_in_lab(plot, lab, store)
    press(plot, pixel(plot, 70, 1500))
    release(plot, pixel(plot, 70, 1500))
    assert store.undo_label == ""
    assert handle.grip.hasFocus()


def test_escape_in_mid_drag_takes_it_back(plot: Plot, lab: Lab, store: Store) -> None:
    handle = point_in_lab(plot, lab, store)
    press(plot, pixel(plot, 70, 1500))
    move(plot, pixel(plot, 100, 1000))
    assert store.state != State()
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert store.state == State()
    move(plot, pixel(plot, 120, 1000))
    release(plot, pixel(plot, 120, 1000))
    assert store.state == State()
    assert store.undo_label == ""
    assert (handle.grip.xs[0], handle.grip.ys[0]) == (70, 1500)


def test_shift_moves_at_a_tenth(plot: Plot, lab: Lab, store: Store) -> None:
    point_in_lab(plot, lab, store)
    at = pixel(plot, 70, 1500)
    press(plot, at)
    move(plot, at + QPoint(100, 0), Qt.KeyboardModifier.ShiftModifier)
    release(plot, at + QPoint(100, 0))
    width = plot.view_size().width()
    assert store.state.x - 70 == pytest.approx(10 * 150 / width, abs=1e-6)


def test_ctrl_snaps_to_the_ticks(plot: Plot, lab: Lab, store: Store) -> None:
    point_in_lab(plot, lab, store)
    press(plot, pixel(plot, 70, 1500))
    move(plot, pixel(plot, 93, 1777), Qt.KeyboardModifier.ControlModifier)
    release(plot, pixel(plot, 93, 1777))
    for value, axis in ((store.state.x, plot.x_axis), (store.state.y, plot.y_axis)):
        steps = value / axis.snap_step()
        assert steps == pytest.approx(round(steps), abs=1e-9)
    assert store.state.x == pytest.approx(93, abs=plot.x_axis.snap_step())


def test_keys_move_in_three_sizes(plot: Plot, lab: Lab, store: Store) -> None:
    handle = point_in_lab(plot, lab, store)
    handle.grip.take_focus(0)
    QTest.keyClick(plot, Qt.Key.Key_Right)
    step = store.state.x - 70
    assert step == pytest.approx(1.0)
    QTest.keyClick(plot, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert store.state.x == pytest.approx(70.9)
    QTest.keyClick(plot, Qt.Key.Key_PageUp)
    assert store.state.y == pytest.approx(1500 + 10 * 20)
    QTest.keyClick(plot, Qt.Key.Key_Down)
    assert store.state.y == pytest.approx(1500 + 9 * 20)


def test_keys_within_a_second_are_one_step(plot: Plot, lab: Lab, store: Store, qtbot: QtBot) -> None:
    handle = point_in_lab(plot, lab, store)
    handle.grip.take_focus(0)
    for _ in range(3):
        QTest.keyClick(plot, Qt.Key.Key_Right)
    with qtbot.waitSignal(handle.drag_finished, timeout=3000):
        pass
    QTest.keyClick(plot, Qt.Key.Key_Right)
    store.undo()
    assert store.state.x == pytest.approx(73)
    store.undo()
    assert store.state == State()


def test_showing_a_position_sends_nothing(plot: Plot, qtbot: QtBot) -> None:
    handle = PointHandle(plot, "query", "Query")
    with qtbot.assertNotEmitted(handle.dragged):
        handle.show_position(10, 20)


def test_a_line_moves_across_only(plot: Plot) -> None:
    line = LineHandle(plot, "query", "Query")
    line.show_position(70)
    sent: list[tuple[float, float]] = []
    line.dragged.connect(lambda x, y: sent.append((x, y)))
    press(plot, pixel(plot, 70, 400))
    move(plot, pixel(plot, 90, 2500))
    release(plot, pixel(plot, 90, 2500))
    assert sent[-1][0] == pytest.approx(90, abs=0.5)
    line.grip.take_focus(0)
    count = len(sent)
    QTest.keyClick(plot, Qt.Key.Key_Up)
    assert len(sent) == count


def test_g04_a_marker_on_a_log_axis_is_in_its_place(shown: Callable[..., Plot]) -> None:
    plot = shown(log_x=True)
    plot.set_home((0.01, 100), (0, 1))
    settle(plot)
    line = LineHandle(plot, "query", "Bandwidth")
    line.dragged.connect(lambda x, _: line.show_position(x))
    line.show_position(0.5)
    assert line.grip.xs[0] == pytest.approx(-0.301030, abs=1e-6)
    sent: list[float] = []
    line.dragged.connect(lambda x, _: sent.append(x))
    press(plot, pixel(plot, 0.5, 0.5))
    move(plot, pixel(plot, 5, 0.5))
    release(plot, pixel(plot, 5, 0.5))
    assert sent[-1] == pytest.approx(5, rel=0.02)
    assert 10 ** line.grip.xs[0] == pytest.approx(sent[-1], rel=1e-12)


def test_a_vector_is_moved_by_its_tip(plot: Plot) -> None:
    vector = VectorHandle(plot, "query", "Query")
    vector.show_position(70, 1500, origin=(10, 100))
    sent: list[tuple[float, float]] = []
    vector.dragged.connect(lambda x, y: sent.append((x, y)))
    for start in ((40, 800), (70, 1500)):
        press(plot, pixel(plot, *start))
        move(plot, pixel(plot, 90, 2000))
        release(plot, pixel(plot, 90, 2000))
        if start == (40, 800):
            assert sent == []
            plot.reset_view()
    assert sent[-1] == pytest.approx((90, 2000), rel=0.01)


def test_a_set_moves_the_nearest(plot: Plot, lab: Lab) -> None:
    keys = HandleSet(plot, "key", "Key")
    keys.show_positions([20, 60, 100], [500, 1000, 1500])
    moved: list[tuple[int, float, float]] = []
    state: Any = replace(State())

    def update(state: State, entry: int, x: float, y: float) -> State:
        moved.append((entry, x, y))
        return state

    bind_set_drag(
        keys, Lab(lambda change, *_: change(state), lab.take_back, lab.look, lab.highlight), "Move key", update
    )
    press(plot, pixel(plot, 60, 1000))
    move(plot, pixel(plot, 65, 1200))
    release(plot, pixel(plot, 65, 1200))
    assert moved[-1] == pytest.approx((1, 65, 1200), rel=0.01)


def test_two_hundred_points_are_one_item(plot: Plot) -> None:
    before = len(plot.scene().items())
    keys = HandleSet(plot, "key", "Key")
    keys.show_positions(range(200), range(200))
    assert len(plot.scene().items()) == before + 1
    assert keys.grip.nearest(keys.grip.at(137)) == 137


def test_tab_reaches_each_draggable_and_leaves(qtbot: QtBot, lab: Lab) -> None:
    plot = Plot(lab.look, "x", "y")
    window = QWidget()
    layout = QHBoxLayout(window)
    before, after = QLineEdit(), QLineEdit()
    for widget in (before, plot, after):
        layout.addWidget(widget)
    qtbot.addWidget(window)
    line, keys = LineHandle(plot, "query", "Query"), HandleSet(plot, "key", "Key")
    line.show_position(0.5)
    keys.show_positions([0.1, 0.2], [0.1, 0.2])
    window.show()
    window.activateWindow()
    before.setFocus()
    qtbot.waitUntil(before.hasFocus)
    seen = []
    for _ in range(4):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        seen.append((line.grip.hasFocus(), keys.grip.hasFocus() and keys.entry, after.hasFocus()))
    assert seen == [(True, False, False), (False, 0, False), (False, 1, False), (False, False, True)]
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
    assert keys.grip.hasFocus()
    assert keys.entry == 1


def test_focus_and_hover_are_seen(plot: Plot) -> None:
    handle = PointHandle(plot, "query", "Query")
    handle.show_position(70, 1500)
    settle(plot)
    plain = plot.grab().toImage()
    QTest.mouseMove(plot.viewport(), pixel(plot, 70, 1500))
    hovered = plot.grab().toImage()
    assert hovered != plain
    assert handle.grip.cursor().shape() == Qt.CursorShape.SizeAllCursor
    QTest.mouseMove(plot.viewport(), pixel(plot, 20, 500))
    assert plot.grab().toImage() == plain
    handle.grip.take_focus(0)
    assert plot.grab().toImage() != plain
    assert plot.accessibleDescription() == "Query: 70, 1500"


def test_the_range_stands_still_during_a_drag(plot: Plot) -> None:
    plot.set_home()
    curve = Curve(plot)
    curve.set_data([0, 100], [0, 100])
    settle(plot)
    handle = PointHandle(plot, "query", "Query")
    handle.show_position(50, 50)
    before = plot.view.viewRange()
    press(plot, pixel(plot, 50, 50))
    move(plot, pixel(plot, 60, 60))
    curve.set_data([0, 1000], [0, 1000])
    settle(plot)
    assert plot.view.viewRange() == before
    release(plot, pixel(plot, 60, 60))
    settle(plot)
    assert plot.view.viewRange() != before
