from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.plots.curves import Curve
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from tests.cases import case
from tests.labapp.plots.conftest import pixel, settle


def numbers(values: list[Any]) -> list[float]:
    return [float(value) for value in values]


def wheel(plot: Plot, steps: int) -> None:
    at = QPointF(plot.viewport().rect().center())
    for _ in range(abs(steps)):
        delta = QPoint(0, 120 if steps > 0 else -120)
        event = QWheelEvent(
            at, plot.viewport().mapToGlobal(at), QPoint(), delta, Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(plot.viewport(), event)


def test_g03_the_range_recovers_from_anything(shown: Callable[..., Plot]) -> None:
    given = case("G-03")["input"]
    plot = shown()
    curve = Curve(plot)
    ranges, notes, drawn = [], [], []
    for y in given["y in turn"]:
        notes.append(curve.set_data(given["x"][: len(y)], numbers(y)))
        settle(plot)
        ranges.append(plot.view.viewRange()[1])
        drawn.append(curve.drawn()[1].tolist())
    assert notes == [
        "",
        "3 values are undefined",
        "1 value is infinite",
        "2 values are too large or too small to draw",
        "",
        "",
    ]
    assert drawn[2] == [1, 2]
    low, high = ranges[4]
    assert low < 5 < high
    assert high - low <= 2
    low, high = ranges[5]
    assert 0.5 <= low <= 1
    assert 3 <= high <= 3.5


def test_g03_fitting_twice_changes_nothing(shown: Callable[..., Plot]) -> None:
    plot = shown()
    Curve(plot).set_data([1, 2, 3], [5, 5, 5])
    plot.fit()
    once = plot.view.viewRange()
    plot.fit()
    plot.fit()
    assert plot.view.viewRange() == once


def test_g04_zeros_are_left_out_of_a_log_axis_and_counted(shown: Callable[..., Plot]) -> None:
    plot = shown(log_y=True)
    curve = Curve(plot)
    note = curve.set_data([0, 1, 2, 3], case("G-04")["input"]["y"])
    plot.fit()
    x, y = curve.drawn()
    assert np.column_stack([x, 10.0**y]).tolist() == pytest.approx(np.array(case("G-04")["expected"]["drawn points"]))
    assert note == "2 values are zero or below and have no place on a log axis"
    low, high = plot.view.viewRange()[1]
    assert -3.2 <= low <= -3
    assert 0 <= high <= 0.2


@pytest.mark.parametrize("log", [True, False])
def test_g04_zoom_has_an_end(shown: Callable[..., Plot], log: bool) -> None:
    plot = shown(log_x=log, log_y=log)
    Curve(plot).set_data([0.1, 1], [0.1, 1])
    settle(plot)
    wheel(plot, -30)
    end = 12 + 1e-9 if log else 1e13
    ranges = plot.view.viewRange()
    assert all(-end <= low < high <= end for low, high in ranges)
    wheel(plot, 300)
    settle(plot)
    assert all(low < high for low, high in plot.view.viewRange())


def test_double_click_brings_the_range_back(shown: Callable[..., Plot]) -> None:
    plot = shown()
    Curve(plot).set_data([0, 1], [0, 1])
    settle(plot)
    home = plot.view.viewRange()
    wheel(plot, 3)
    assert plot.view.viewRange() != home
    at = plot.viewport().rect().center()
    for gesture in (QTest.mouseClick, QTest.mouseDClick, QTest.mouseRelease):
        gesture(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert np.allclose(plot.view.viewRange(), home)


def test_zoom_survives_new_data_and_travels_as_json(shown: Callable[..., Plot]) -> None:
    plot = shown()
    curve = Curve(plot)
    curve.set_data([0, 1], [0, 1])
    settle(plot)
    assert plot.view_state() == {}
    wheel(plot, 3)
    state = plot.view_state()
    curve.set_data([0, 100], [0, 100])
    settle(plot)
    assert plot.view_state() == state
    plot.reset_view()
    plot.restore_view(state)
    assert np.allclose(plot.view.viewRange(), [state["x"], state["y"]])
    plot.restore_view({"x": [1, float("nan")], "y": "no"})
    assert plot.view_state() == {}


def test_small_changes_leave_the_range_alone(shown: Callable[..., Plot]) -> None:
    plot = shown()
    curve = Curve(plot)
    curve.set_data([0, 1], [0, 10])
    settle(plot)
    before = plot.view.viewRange()
    curve.set_data([0, 1], [1, 9])
    settle(plot)
    assert plot.view.viewRange() == before
    curve.set_data([0, 1], [1, 2])
    settle(plot)
    assert plot.view.viewRange() != before


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_g11_data_are_where_the_axes_say(shown: Callable[..., Plot], look: Look, scale: float) -> None:
    plot = shown()
    look.set_text_scale(scale)
    marks = Marks(plot, "key")
    marks.set_data([75], [1500])
    plot.set_home((0, 150), (0, 3000))
    settle(plot)
    picture = plot.grab().toImage()
    colour = look.colour("key")
    ratio = picture.devicePixelRatio()
    hits = [
        (x / ratio, y / ratio)
        for x in range(picture.width())
        for y in range(picture.height())
        if _near(QColor(picture.pixel(x, y)), colour)
    ]
    middle = np.mean(hits, axis=0)
    at = pixel(plot, 75, 1500)
    assert abs(middle - [at.x(), at.y()]).max() <= 2
    mapped = plot.view.mapFromView(QPointF(75, 1500))
    scene = plot.view.mapToScene(mapped)
    assert abs(middle - [scene.x(), scene.y()]).max() <= 2


def _near(a: QColor, b: QColor) -> bool:
    return max(abs(a.red() - b.red()), abs(a.green() - b.green()), abs(a.blue() - b.blue())) < 60


def contrast(a: QColor, b: QColor) -> float:
    def luminance(colour: QColor) -> float:
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
        return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_g11_the_theme_is_followed_while_running(shown: Callable[..., Plot], look: Look) -> None:
    plot = shown()
    for theme in ("dark", "light"):
        look.set_theme(theme)  # type: ignore[arg-type]
        ground = plot.backgroundBrush().color()
        assert ground == look.colour("plot")
        for axis in (plot.x_axis, plot.y_axis):
            assert contrast(axis.textPen().color(), ground) >= 4.5
            assert axis.label.toHtml().lower().count(look.colour("axis").name()) >= 1


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_no_tick_or_name_is_clipped(shown: Callable[..., Plot], look: Look, scale: float) -> None:
    plot = shown(700, 500)
    look.set_text_scale(scale)
    Curve(plot).set_data([0, 100], [0, 123456])
    settle(plot)
    axis = plot.y_axis
    metrics = QFontMetricsF(axis.style["tickFont"])
    spacing, values = axis.tickValues(*axis.range, axis.length())[0]
    texts = axis.tickStrings(values, 1.0, spacing)
    assert len(texts) >= 2
    assert max(map(metrics.horizontalAdvance, texts)) <= axis.style["tickTextWidth"]
    for side in (plot.x_axis, plot.y_axis):
        box = side.label.mapRectToScene(side.label.boundingRect())
        assert plot.sceneRect().adjusted(-3, -3, 3, 3).contains(box)


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_tick_texts_do_not_touch(shown: Callable[..., Plot], look: Look, scale: float) -> None:
    plot = shown()
    look.set_text_scale(scale)
    Curve(plot).set_data([1e-6, 3e-6], [0, 1])
    settle(plot)
    axis = plot.x_axis
    (low, high), size = axis.range, axis.length()
    spacing, values = axis.tickValues(low, high, size)[0]
    widths = [
        QFontMetricsF(axis.style["tickFont"]).horizontalAdvance(t) for t in axis.tickStrings(values, 1.0, spacing)
    ]
    assert values
    for left, right, a, b in zip(values, values[1:], widths, widths[1:], strict=False):
        assert (right - left) * size / (high - low) > (a + b) / 2


def test_names_are_plain_text(shown: Callable[..., Plot]) -> None:
    plot = shown()
    plot.set_titles("<b>size</b>", "a & b")
    assert plot.x_axis.label.toPlainText() == "<b>size</b>"


def test_names_thin_out_where_room_is_short(shown: Callable[..., Plot]) -> None:
    plot = shown()
    plot.set_names("x", [f"entry {i}" for i in range(200)])
    few = plot.x_axis.tickValues(-0.5, 199.5, 500)[0][1]
    assert 3 <= len(few) <= 12
    all_ = plot.x_axis.tickValues(-0.5, 4.5, 500)[0][1]
    assert plot.x_axis.tickStrings(all_, 1, 1) == [f"entry {i}" for i in range(5)]


def test_clicks_and_hovers_come_in_data_units(shown: Callable[..., Plot], qtbot: QtBot) -> None:
    plot = shown(log_x=True)
    plot.set_home((0.01, 100), (0, 10))
    settle(plot)
    with qtbot.waitSignal(plot.clicked) as clicked:
        qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel(plot, 10, 5))
    assert clicked.args == pytest.approx([10, 5], rel=0.02)
    with qtbot.waitSignal(plot.hovered) as hovered:
        qtbot.mouseMove(plot.viewport(), pixel(plot, 0.1, 2))
    assert hovered.args == pytest.approx([0.1, 2], rel=0.03)


def test_right_click_opens_no_menu(shown: Callable[..., Plot], qtbot: QtBot) -> None:
    plot = shown()
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.RightButton, pos=plot.viewport().rect().center())
    assert QApplication.activePopupWidget() is None


def test_a_sentence_stands_for_missing_data(shown: Callable[..., Plot]) -> None:
    plot = shown()
    before = plot.grab().toImage()
    plot.show_message("no entries")
    assert plot.grab().toImage() != before
    plot.show_message("")
    assert plot.grab().toImage() == before


@pytest.mark.parametrize("height", range(150, 330, 20))
def test_equal_axes_settle_at_any_size(shown: Callable[..., Plot], height: int) -> None:
    plot = shown(170, height, equal=True)
    for reach in (0.9, 1.7, 9.99, 99.9, 1e-3, 12345.0):
        plot.set_home((-reach, reach), (-reach, reach))
        settle(plot)
        (x0, x1), (y0, y1) = plot.view.viewRange()
        size = plot.view_size()
        assert (x1 - x0) / size.width() == pytest.approx((y1 - y0) / size.height(), rel=1e-3)


def test_a_home_that_changes_in_a_drag_waits_for_its_end(shown: Callable[..., Plot]) -> None:
    plot = shown()
    plot.set_home((0, 100), (0, 100))
    settle(plot)
    plot.is_dragging = True
    plot.set_home((0, 200), (0, 200))
    settle(plot)
    assert plot.view.viewRange()[0] == pytest.approx([0, 100])
    plot.is_dragging = False
    plot.data_changed()
    settle(plot)
    assert plot.view.viewRange()[0] == pytest.approx([0, 200])


def test_a_name_that_comes_later_is_broken_into_lines_too(shown: Callable[..., Plot]) -> None:
    plot = shown(400, 160)
    for title in ("y", "a name that is a good deal longer than the axis beside which it stands"):
        plot.set_titles("x", title)
        QApplication.processEvents()
    label = plot.y_axis.label
    assert label.boundingRect().width() <= plot.y_axis.length()
    assert label.boundingRect().height() > 2.5 * plot.y_axis.metrics().height()
