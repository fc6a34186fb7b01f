"""The nearest point of a convex hull, by its law: no corner lies on the target's side of it."""

from __future__ import annotations

import numpy as np
import pytest

from models.errors import LabError
from models.hull import nearest_in_hull


@pytest.mark.parametrize("seed", range(60))
def test_no_corner_is_nearer_than_the_plane_through_the_point(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(random.integers(1, 30), random.integers(1, 6)))
    target = random.normal(size=points.shape[1]) * random.choice([0.1, 1.0, 3.0])
    if seed % 4 == 0:
        points, target = np.round(points), np.round(target)
    found = nearest_in_hull(points, target)
    assert found.weights.min() >= 0
    assert found.weights.sum() == pytest.approx(1.0, abs=1e-12)
    assert found.point == pytest.approx(found.weights @ points, abs=1e-12)
    assert found.distance == pytest.approx(np.linalg.norm(found.point - target), abs=1e-9)
    assert ((points - found.point) @ (target - found.point)).max() <= 1e-10


def test_inside_on_a_side_and_at_a_corner() -> None:
    square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    assert nearest_in_hull(square, [0.5, 1.5]).distance == pytest.approx(0.0, abs=1e-12)
    assert nearest_in_hull(square, [1.0, -3.0]).point == pytest.approx([1.0, 0.0])
    assert nearest_in_hull(square, [5.0, 6.0]).point == pytest.approx([2.0, 2.0])
    assert nearest_in_hull(square, [5.0, 6.0]).distance == pytest.approx(5.0)


def test_large_units_and_equal_points() -> None:
    rents = [[900.0], [1200.0], [1500.0], [1500.0]]
    assert nearest_in_hull(rents, [1600.0]).distance == pytest.approx(100.0)
    assert nearest_in_hull([[3.0, 4.0]] * 3, [0.0, 0.0]).distance == pytest.approx(5.0)


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(LabError, match="Points"):
        nearest_in_hull([[1.0, 2.0]], [1.0])
