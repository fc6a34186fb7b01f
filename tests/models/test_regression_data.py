"""Data sets of the kernel regression: the book's points, recipes, edits, tables of one's own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from models.data_recipes import QUANTUM, RECIPES
from models.errors import LabError
from models.regression_data import (
    KEPT,
    DataSet,
    add_point,
    domain_of,
    drawn,
    move_point,
    own_data,
    points_of,
    remove_point,
)
from models.scene import Column
from tests.reference import load


def test_book_points_are_the_books_to_the_bit() -> None:
    book, data = load("d2l_data.json"), DataSet()
    assert data.x is not None
    assert data.y is not None
    np.testing.assert_array_equal(data.x.values, book["x_train"])
    np.testing.assert_array_equal(data.y.values, book["y_train"])
    assert drawn(data) == data
    assert domain_of(data) == (0.0, 5.0)


def test_redrawn_noise_keeps_x_and_changes_y() -> None:
    first = drawn(replace(DataSet(), redraw=1))
    second = drawn(replace(DataSet(), redraw=2))
    assert first.x == second.x == DataSet().x
    assert first.y != second.y != DataSet().y


@pytest.mark.parametrize("name", list(RECIPES))
def test_a_recipe_gives_the_same_numbers_again(name: str) -> None:
    data = drawn(DataSet(name, n=500, seed=3))
    assert data == drawn(DataSet(name, n=500, seed=3))
    assert data.x != drawn(DataSet(name, n=500, seed=4)).x
    x, y = points_of(data)
    low, high = domain_of(data)
    assert len(x) == len(y) == 500
    assert low <= x.min() <= x.max() <= high
    assert (np.diff(x) >= 0).all()
    np.testing.assert_array_equal(y / QUANTUM, np.round(y / QUANTUM))


def test_without_noise_the_labels_are_the_truth() -> None:
    data = drawn(DataSet("doppler", n=200, noise=0.0))
    x, y = points_of(data)
    assert data.truth is not None
    np.testing.assert_allclose(y, data.truth(x), atol=QUANTUM)


def test_clusters_leave_a_gap() -> None:
    x, _ = points_of(drawn(DataSet("two_clusters", n=1000)))
    assert not ((x > 1.5) & (x < 3.5)).any()


def test_noise_scales_the_same_draws() -> None:
    half, full = (drawn(DataSet("sine", n=100, noise=noise)) for noise in (0.5, 1.0))
    x, y = points_of(full)
    assert full.truth is not None
    np.testing.assert_allclose(2 * (points_of(half)[1] - full.truth(x)), y - full.truth(x), atol=4 * QUANTUM)


def test_large_sets_are_their_recipe_alone() -> None:
    data = drawn(DataSet("sine", n=KEPT + 1))
    assert not data.is_kept
    assert len(points_of(data)[0]) == KEPT + 1
    with pytest.raises(LabError, match="Choose fewer points"):
        move_point(data, 0, 1.0, 1.0)


def test_points_are_added_moved_and_removed() -> None:
    data = move_point(add_point(DataSet(), 6.0, 7.0), 40, 6.5, 8.0)
    assert (data.n, data.edited, domain_of(data)) == (41, True, (0.0, 6.5))
    assert points_of(data)[1][40] == 8.0
    again = remove_point(data, 40)
    assert (again.x, again.y) == (DataSet().x, DataSet().y)


def test_the_last_point_stays() -> None:
    data = own_data(np.array([1.0]), np.array([2.0]), Column("x"), Column("y"))
    assert domain_of(data) == (0.5, 1.5)
    with pytest.raises(LabError, match="last point stays"):
        remove_point(data, 0)


def test_rows_with_gaps_are_left_out() -> None:
    data = own_data(np.array([1.0, np.nan, 3.0]), np.array([1.0, 2.0, np.inf]), Column("x"), Column("y"))
    assert points_of(data)[0].tolist() == [1.0]
    with pytest.raises(LabError, match="There is no data"):
        own_data(np.array([np.nan]), np.array([1.0]), Column("x"), Column("y"))
