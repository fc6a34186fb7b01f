from __future__ import annotations

import resource
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from labapp.panel import Highlight
from labapp.plots.arrows import Arrows, arrow_path
from labapp.plots.bars import Bars
from labapp.plots.contours import Contours, level_segments
from labapp.plots.curves import Band, Curve, Polygon
from labapp.plots.density import DensityImage, pixel_counts
from labapp.plots.handles import LineHandle
from labapp.plots.heatmap import HeatMap
from labapp.plots.linked import Linked
from labapp.plots.marks import FULL, LEAST, Marks
from labapp.plots.plot import Plot
from labapp.plots.symbols import symbol_of
from labapp.plots.text import TextMarks
from tests.labapp.plots.conftest import pixel, settle

MakePlot = Callable[..., Plot]


def test_each_meaning_has_its_mark() -> None:
    assert [symbol_of(meaning) for meaning in ("key", "value", "output", "truth")] == ["s", "o", "d", "x"]


def test_the_area_of_a_mark_is_its_weight(shown: MakePlot) -> None:
    marks = Marks(shown(), "key")
    marks.set_data([1, 2, 3, 4], [1, 1, 1, 1], [1.0, 0.25, 0.0, np.nan])
    assert marks.sizes().tolist() == [FULL, FULL / 2, LEAST, LEAST]


def test_entries_keep_their_numbers_when_some_cannot_be_drawn(shown: MakePlot) -> None:
    plot = shown()
    marks = Marks(plot, "key")
    assert marks.set_data([1, 2, 3], [1, np.nan, 3]) == "1 value is undefined"
    settle(plot)
    px, py = plot.to_pixels(3, 3)
    assert marks.entry_at(QPointF(float(px), float(py))) == 2
    assert marks.entry_at(QPointF(float(px) - 60, float(py))) is None


def test_a_band_has_gaps(shown: MakePlot) -> None:
    band = Band(shown())
    x = np.arange(7.0)
    y = np.array([0, 0, 0, np.nan, 0, 0, 0])
    assert band.set_data(x, y, y + 1) == "1 value is undefined"
    path = band.items[0].path()  # type: ignore[attr-defined]
    assert path.contains(QPointF(1, 0.5))
    assert not path.contains(QPointF(3, 0.5))
    assert path.contains(QPointF(5, 0.5))


def test_a_polygon_closes_itself(shown: MakePlot) -> None:
    hull = Polygon(shown())
    hull.set_data([0, 1, 0], [0, 0, 1])
    assert hull.items[0].path().contains(QPointF(0.2, 0.2))  # type: ignore[attr-defined]
    assert hull.extent() == ((0, 1), (0, 1))


def test_bars_stand_on_zero_and_keep_it_in_view(shown: MakePlot) -> None:
    plot = shown()
    bars = Bars(plot, "key")
    bars.set_data([0.2, -0.1, np.inf])
    settle(plot)
    low, high = plot.view.viewRange()[1]
    assert low < -0.1
    assert high > 0.2
    assert bars.set_data([0.5, 0.6]) == ""
    plot.fit()
    assert plot.view.viewRange()[1][0] <= 0


def test_a_bar_is_found_above_and_below_it(shown: MakePlot) -> None:
    plot = shown()
    bars = Bars(plot, "key")
    bars.set_data([0.2, 0.0, 1.0])
    settle(plot)
    px, _ = plot.to_pixels([0, 1, 1.5], [0, 0, 0])
    assert [bars.entry_at(QPointF(x, 30)) for x in px] == [0, 1, None]


def test_an_arrow_is_a_filled_outline_with_a_head() -> None:
    path = arrow_path(np.array([[0.0, 0.0]]), np.array([[100.0, 0.0]]), np.array([4.0]), 7.0)
    assert path.contains(QPointF(50, 1.5))
    assert not path.contains(QPointF(50, 3))
    assert path.contains(QPointF(92, 3))
    box = path.boundingRect()
    assert (box.left(), box.right()) == pytest.approx((0, 100))


def test_arrows_without_length_or_place_are_left_out(shown: MakePlot) -> None:
    plot = shown(log_x=True)
    arrows = Arrows(plot)
    assert arrows.set_data([1, -1], [1, 1], [1, 2], [1, 2]) == "1 value is zero or below and has no place on a log axis"
    assert all(outline.isEmpty() for outline in arrows.items[0].outlines)  # type: ignore[attr-defined]


def test_a_field_is_one_path_and_follows_the_view(shown: MakePlot) -> None:
    plot = shown()
    arrows = Arrows(plot)
    x, y = np.meshgrid(np.arange(40.0), np.arange(40.0))
    arrows.set_data(x, y, x + 0.5, y + 0.5)
    plot.set_home((0, 40), (0, 40))
    settle(plot)
    item = arrows.items[0]
    before = item.lines.elementCount()  # type: ignore[attr-defined]
    assert before == 40 * 40 * 6
    box = item.lines.boundingRect()  # type: ignore[attr-defined]
    plot.set_home((0, 80), (0, 80))
    settle(plot)
    assert item.lines.boundingRect().width() == pytest.approx(box.width() / 2, rel=0.02)  # type: ignore[attr-defined]


def test_contours_lie_on_the_circle() -> None:
    x = np.linspace(-2, 2, 81)
    grid_x, grid_y = np.meshgrid(x, x)
    segments = level_segments(x, x, grid_x**2 + grid_y**2, np.array(1.0))
    assert np.hypot(*segments.reshape(-1, 2).T) == pytest.approx(1.0, abs=2e-3)
    length = np.linalg.norm(segments[:, 0] - segments[:, 1], axis=1).sum()
    assert length == pytest.approx(2 * np.pi, rel=1e-3)


def test_contours_of_a_saddle_and_of_missing_data() -> None:
    x = np.array([0.0, 1.0])
    joined = level_segments(x, x, np.array([[1.0, 0.0], [0.0, 1.0]]), np.array(0.4))
    apart = level_segments(x, x, np.array([[1.0, 0.0], [0.0, 1.0]]), np.array(0.6))
    assert len(joined) == len(apart) == 2
    assert _cuts_off(joined, (1, 0))
    assert _cuts_off(apart, (0, 0))
    assert len(level_segments(x, x, np.array([[1.0, np.nan], [0.0, 1.0]]), np.array(0.5))) == 0
    assert len(level_segments(x[:1], x, np.array([[1.0], [0.0]]), np.array(0.5))) == 0


def _cuts_off(segments: np.ndarray, corner: tuple[float, float]) -> bool:
    """One segment has both its ends on the two edges that meet in the corner."""
    return any(all(end[0] == corner[0] or end[1] == corner[1] for end in segment) for segment in segments)


def test_several_levels_are_the_lines_of_each() -> None:
    x, y = np.linspace(-2, 2, 23), np.linspace(-1, 3, 17)
    z = np.sin(3 * x) * np.cos(2 * y[:, None]) + 0.1 * x
    levels = np.array([-0.6, 0.0, 0.4, 7.0])
    together = level_segments(x, y, z, levels)
    each = [level_segments(x, y, z, level) for level in levels[:, None]]
    assert sorted(together.tolist()) == sorted(np.concatenate(each).tolist())
    assert min(map(len, each[:3])) > 20
    assert len(each[3]) == 0


def test_contours_do_not_widen_the_range(shown: MakePlot) -> None:
    plot = shown()
    Curve(plot).set_data([0, 1], [0, 1])
    contours = Contours(plot)
    x = np.linspace(-50, 50, 20)
    contours.set_data(x, x, np.add.outer(x, x), [0, 1])
    plot.fit()
    assert plot.view.viewRange()[0][1] < 2


def test_labels_are_kept_apart_and_inside(shown: MakePlot) -> None:
    plot = shown()
    x = np.linspace(0, 0.05, 12)
    Marks(plot, "key").set_data([0, 1], [0, 1])
    labels = TextMarks(plot)
    labels.set_data(x, x, [f"<b>entry {i}</b>" for i in range(12)])
    settle(plot)
    placed = labels.shown()
    assert 1 <= len(placed) < 12
    assert placed[0][1] == "<b>entry 0</b>"
    assert not any(a.intersects(b) for i, (a, _) in enumerate(placed) for b, _ in placed[i + 1 :])


def test_a_million_points_are_one_picture_until_the_view_changes(shown: MakePlot) -> None:
    plot = shown()
    density = DensityImage(plot)
    generator = np.random.default_rng(0)
    density.set_data(generator.normal(size=1_000_000), generator.normal(size=1_000_000))
    curve = Curve(plot)
    settle(plot)
    made = density.renders
    for shift in range(5):
        curve.set_data([-1, 1], [shift / 10, 0])
        plot.grab()
    assert density.renders == made
    plot.set_home((0, 1), (0, 1))
    QTest.qWait(150)
    plot.grab()
    assert density.renders == made + 1


def test_points_fall_on_their_pixels() -> None:
    counts = pixel_counts(np.array([0.5, 2.9, 2.1, -1, 9]), np.array([0.5, 1.1, 1.9, 0, 0]), 3, 2)
    assert counts.tolist() == [[1, 0, 0], [0, 0, 2]]


def test_the_lit_entry_is_the_same_in_all_views(shown: MakePlot) -> None:
    highlight = Highlight()
    plot, other, third = (shown(250, 250) for _ in range(3))
    for number, window in enumerate((plot, other, third)):
        window.move(255 * number, 0)
    marks, bars, heat = Marks(plot, "key"), Bars(third, "key"), HeatMap(other)
    marks.set_data([1, 2, 3], [1, 2, 3])
    bars.set_data([0.1, 0.2, 0.7])
    heat.set_data(np.eye(3))
    for layer in (marks, bars, heat):
        Linked(highlight, layer.plot, layer)
    settle(plot)
    dark = [layer.plot.grab().toImage() for layer in (marks, bars, heat)]
    QTest.mouseMove(plot.viewport(), pixel(plot, 2, 2))
    assert highlight.entry == 1
    lit = [layer.plot.grab().toImage() for layer in (marks, bars, heat)]
    assert all(a != b for a, b in zip(dark, lit, strict=True))
    QTest.mouseMove(other.viewport(), pixel(other, 2, 0))
    assert highlight.entry == 2
    QTest.mouseMove(plot.viewport(), pixel(plot, 1.5, 1.5))
    assert highlight.entry is None
    assert [layer.plot.grab().toImage() for layer in (bars, heat)] == dark[1:]


def test_the_legend_has_a_row_for_each_visible_name(shown: MakePlot) -> None:
    plot = shown()
    first, second = Curve(plot, name="soft"), Curve(plot, "truth", name="truth")
    Curve(plot)
    for curve in (first, second):
        curve.set_data([0, 1], [0, 1])
    assert [row[0] for row in plot.legend.rows] == ["soft", "truth"]
    second.visible = False
    assert [row[0] for row in plot.legend.rows] == ["soft"]
    first.remove()
    assert plot.legend.rows == []


def test_g10_redrawing_leaves_nothing_behind(shown: MakePlot) -> None:
    plot, map_plot = shown(), shown()
    curve, marks = Curve(plot, name="soft"), Marks(plot, "key", name="keys")
    bars, arrows, line = Bars(plot), Arrows(plot), LineHandle(plot, "query", "Query")
    heat = HeatMap(map_plot)
    x = np.linspace(0, 1, 50)
    used = items = rows = 0
    for step in range(3000):
        phase = step / 100
        curve.set_data(x, np.sin(x + phase))
        marks.set_data([0, 0.5, 1], [0, 1, 0], [0.5 + 0.5 * np.sin(phase), 0.5, 0.1])
        bars.set_data([np.cos(phase), 0.5])
        arrows.set_data([0], [0], [np.cos(phase)], [1])
        heat.set_data(np.outer(x, np.abs(np.sin(x + phase))))
        line.show_position(0.5 + 0.4 * np.sin(phase))
        if step % 30 == 0:
            plot.viewport().repaint()
            map_plot.viewport().repaint()
        if step == 300:
            used, items, rows = _peak_kilobytes(), len(plot.scene().items()), len(plot.legend.rows)
    assert _peak_kilobytes() - used < 30_000
    assert len(plot.scene().items()) == items
    assert len(plot.legend.rows) == rows == 2


def _peak_kilobytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_heat_map_tells_cell_and_row(shown: MakePlot) -> None:
    plot = shown()
    hovered: list[tuple[int | None, int | None]] = []
    clicked: list[tuple[int, int]] = []
    heat = HeatMap(
        plot,
        on_hover=lambda row, column: hovered.append((row, column)),
        on_click=lambda row, column: clicked.append((row, column)),
    )
    heat.set_data(np.eye(4))
    settle(plot)
    QTest.mouseMove(plot.viewport(), pixel(plot, 3, 1))
    QTest.mouseMove(plot.viewport(), pixel(plot, 3, 1) + QPoint(2, 2))
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=pixel(plot, 0, 2))
    assert hovered[0] == (1, 3)
    assert clicked == [(2, 0)]
    QTest.mouseMove(plot.viewport(), QPoint(1, 1))
    assert hovered[-1] == (None, None)


def test_one_bar_of_many_is_seen(shown: MakePlot) -> None:
    plot = shown(300, 200)
    bars = Bars(plot, "query", 0.8)
    heights = np.zeros(2000)
    heights[700] = 1.0
    bars.set_data(heights)
    plot.set_home((-1, 2000), (0, 1))
    settle(plot)
    picture, at = plot.grab().toImage(), pixel(plot, 700, 0.5)
    near = {picture.pixelColor(at.x() + dx, at.y()).name() for dx in (-1, 0, 1)}
    assert plot.look.colour("query").name() in near
