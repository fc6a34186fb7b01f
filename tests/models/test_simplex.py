from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from models.errors import LabError
from models.temperature import (
    CORNERS,
    Boltzmann,
    entropy,
    entropy_contour,
    entropy_grid,
    simplex_coordinates,
    simplex_path,
    simplex_weights,
)


def test_corners_centre_and_back():
    np.testing.assert_allclose(simplex_coordinates(np.eye(3)), CORNERS, atol=1e-15)
    np.testing.assert_allclose(simplex_coordinates([1 / 3] * 3), np.mean(CORNERS, axis=0), atol=1e-15)
    assert simplex_coordinates([0.25, 0.75]).tolist() == [0.75, 0.0]
    weights = Boltzmann(torch.randn(20, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))).weights
    torch.testing.assert_close(simplex_weights(simplex_coordinates(weights)), weights, rtol=0, atol=1e-15)
    for count in (1, 4):
        with pytest.raises(LabError, match="Two or three"):
            simplex_coordinates([1.0] * count)


def test_path_leads_from_the_corner_to_the_centre():
    path = simplex_path([2, 1, 0.1], np.geomspace(1e-3, 1e9, 50))
    assert path.shape == (50, 2)
    np.testing.assert_allclose(path[0], CORNERS[0], atol=1e-12)
    np.testing.assert_allclose(path[-1], np.mean(CORNERS, axis=0), atol=1e-8)
    middle = simplex_path([2, 2, 0.1], [1e-3])[0]
    np.testing.assert_allclose(middle, [0.5, 0.0], atol=1e-12)


def test_grid_holds_the_entropy_inside_and_zero_outside():
    grid = entropy_grid(61)
    assert grid.entropy.shape == grid.inside.shape == (61, 61)
    assert bool(grid.entropy.isfinite().all())
    assert 1.098 < float(grid.entropy.max()) <= math.log(3)
    assert float(grid.entropy[0, 30]) == pytest.approx(math.log(2))
    assert float(grid.entropy[~grid.inside].abs().max()) == 0.0
    assert bool(grid.inside[0].all())
    assert float(grid.inside.double().mean()) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("level", [0.2, math.log(2) - 0.01, 0.7, 1.0, 1.09])
def test_contours_have_their_entropy(level):
    points = entropy_contour(level)
    drawn = points[points.isfinite().all(-1)]
    np.testing.assert_allclose(entropy(simplex_weights(drawn).clamp(min=0)), level, atol=1e-9)
    # Below ln 2 the contour is cut by the edges, above it is closed.
    assert (len(drawn) == len(points)) is (level >= math.log(2))
    assert len(drawn) > 10


@pytest.mark.parametrize("level", [0.0, math.log(3), math.nan])
def test_contours_that_are_none(level):
    with pytest.raises(LabError, match="contour"):
        entropy_contour(level)
