from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from labapp.errors import PlainError
from labapp.plots.colours import cell_codes, colour_table, map_colours, no_data_colour
from labapp.plots.heatmap import MOST_CELLS, HeatMap
from labapp.plots.plot import Plot
from tests.labapp.plots.conftest import pixel, settle

NO_DATA = no_data_colour(False).rgb()


def weights_colour(weight: float) -> int:
    """The colour of a weight, worked out from viridis itself."""
    return colour_table("weights", False)[1 + round(weight * 254)]


@pytest.fixture
def plot(shown: Callable[..., Plot]) -> Plot:
    return shown(grid=False)


def test_g02_a_flat_map_has_the_colour_of_its_value(plot: Plot) -> None:
    heat = HeatMap(plot)
    heat.set_data(np.full((4, 4), 0.25))
    settle(plot)
    assert heat.levels == (0.0, 1.0)
    at = pixel(plot, 1, 2)
    drawn = plot.grab().toImage().pixelColor(at)
    assert drawn.rgb() == weights_colour(0.25)
    assert drawn.rgb() not in (weights_colour(0.0), weights_colour(1.0))


def test_g02_cells_without_a_number_have_their_own_colour(plot: Plot) -> None:
    heat = HeatMap(plot)
    values = np.eye(4)
    values[2] = np.nan
    assert heat.set_data(values) == ""
    settle(plot)
    picture = plot.grab().toImage()
    assert picture.pixelColor(pixel(plot, 1, 2)).rgb() == NO_DATA
    assert picture.pixelColor(pixel(plot, 1, 1)).rgb() == weights_colour(1.0)
    assert heat.bar is not None
    assert heat.bar._gaps
    heat.set_data(np.full((4, 4), np.nan))
    assert {heat.colour_of(i, j) for i in range(4) for j in range(4)} == {NO_DATA}
    assert heat.levels == (0.0, 1.0)


@pytest.mark.parametrize("kind", ["weights", "signed"])
def test_g02_infinity_after_a_normal_picture(plot: Plot, kind: str) -> None:
    heat = HeatMap(plot, kind)  # type: ignore[arg-type]
    heat.set_data(np.eye(2))
    settle(plot)
    assert heat.set_data([[np.inf, 1], [0, -np.inf]]) == "2 cells are infinite"
    settle(plot)
    assert heat.colour_of(0, 0) == heat.colour_of(1, 1) == NO_DATA
    assert np.isfinite(heat.levels).all()


@pytest.mark.parametrize("values", [[[0.5]], np.eye(3, dtype=bool), np.eye(3, dtype=np.float16)])
def test_g02_any_small_matrix(plot: Plot, values: object) -> None:
    heat = HeatMap(plot)
    assert heat.set_data(values) == ""  # type: ignore[arg-type]
    settle(plot)
    assert heat.colour_of(0, 0) == weights_colour(float(np.asarray(values)[0, 0]))


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
def test_g02_no_keys_is_a_sentence(plot: Plot, shape: tuple[int, int]) -> None:
    heat = HeatMap(plot, empty="There are no entries.")
    heat.set_data(np.zeros(shape))
    settle(plot)
    assert plot.view.message == "There are no entries."
    heat.set_data(np.eye(2))
    assert plot.view.message == ""


def test_a_vector_is_no_matrix(plot: Plot) -> None:
    with pytest.raises(PlainError, match=r"\(3,\)"):
        HeatMap(plot).set_data([1, 2, 3])


def test_signed_data_are_centred_at_zero(plot: Plot) -> None:
    heat = HeatMap(plot, "signed")
    heat.set_data([[-1, 0], [0.5, 3]])
    assert heat.levels == (-3, 3)
    assert heat.colour_of(0, 1) == colour_table("signed", False)[128]
    assert heat.bar is not None
    assert heat.bar.texts() == ("−3", "0", "3")
    heat.set_data([[0, 0], [0, 0]])
    assert heat.levels == (-1, 1)
    heat.set_data([[0, 1]], limit=10)
    assert heat.levels == (-10, 10)


def test_row_0_is_on_top(plot: Plot) -> None:
    HeatMap(plot).set_data(np.eye(4), rows=list("abcd"), columns=list("efgh"))
    settle(plot)
    assert pixel(plot, 0, 0).y() < pixel(plot, 0, 3).y()
    assert plot.y_axis.names == ("a", "b", "c", "d")


def test_a_map_over_a_plane_has_its_rows_upwards(plot: Plot) -> None:
    heat = HeatMap(plot, "weights", rows_down=False)
    heat.set_data([[0, 1], [0, 0]], span=((-1, 1), (10, 20)))
    settle(plot)
    assert pixel(plot, 0, 12).y() > pixel(plot, 0, 18).y()
    picture = plot.grab().toImage()
    assert picture.pixelColor(pixel(plot, 0.5, 12)).rgb() == weights_colour(1.0)
    assert picture.pixelColor(pixel(plot, 0.5, 18)).rgb() == weights_colour(0.0)


def test_a_huge_map_keeps_its_single_spike(plot: Plot) -> None:
    values = np.zeros((3, 5 * MOST_CELLS), dtype=np.float32)
    values[1, 3333] = -1.0
    heat = HeatMap(plot, "signed")
    heat.set_data(values)
    settle(plot)
    assert heat._cells.codes.shape == (3, MOST_CELLS)
    assert heat._cells.codes.min() == 1
    cell = heat.cell_at(_view_point(plot, 3333, 1))
    assert cell is not None
    assert cell[0] == 1
    assert abs(cell[1] - 3333) <= 10


def _view_point(plot: Plot, x: float, y: float) -> QPointF:
    px, py = plot.to_pixels(x, y)
    return QPointF(float(px), float(py))


def lightness(colours: np.ndarray) -> np.ndarray:
    """CIE L* of sRGB colours (0…255)."""
    part = colours / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return np.where(luminance > 0.008856, 116 * np.cbrt(luminance) - 16, 903.3 * luminance)


def test_weights_rise_steadily_in_lightness() -> None:
    steps = np.diff(lightness(map_colours("weights", False)))
    assert (steps > 0).all()


@pytest.mark.parametrize("dark", [False, True])
def test_signed_colours_leave_the_middle_steadily(dark: bool) -> None:
    light = lightness(map_colours("signed", dark))
    away = np.diff(light[127:]), np.diff(light[127::-1])
    for steps in away:
        assert (steps > 0).all() if dark else (steps < 0).all()
    assert light[0] == pytest.approx(light[-1], abs=12)


def test_codes_cover_the_levels() -> None:
    codes = cell_codes(np.array([[-1.0, 0.0, 0.5, 1.0, 7.0, np.nan]]), 0.0, 1.0)
    assert codes.tolist() == [[1, 1, 128, 255, 255, 0]]


def test_the_legend_says_0_to_1(plot: Plot) -> None:
    heat = HeatMap(plot)
    assert heat.bar is not None
    assert heat.bar.texts() == ("0", "1")


def test_frames_for_row_and_entry(plot: Plot) -> None:
    heat = HeatMap(plot)
    heat.set_data(np.eye(3))
    settle(plot)
    plain = plot.grab().toImage()
    heat.show_row(1)
    framed = plot.grab().toImage()
    assert framed != plain
    heat.show_row(None)
    heat.show_lit(7)
    assert plot.grab().toImage() == plain
