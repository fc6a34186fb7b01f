"""Made-up data: the same from a seed, of the right shape."""

from __future__ import annotations

import numpy as np
import pytest

from models.data_recipes import BOOK, QUANTUM, RECIPES, draw, recipe
from models.errors import LabError
from models.noise_spread import measured_spread, predicted_spread
from models.regression import nadaraya_watson
from tests.cases import case
from tests.models.test_regression import GRID, TRUTH, X, Y


def test_t05_the_textbooks_data():
    expected = case("T-05")["expected"]
    data = draw(BOOK)
    np.testing.assert_array_equal(data.x, X)
    np.testing.assert_array_equal(data.y, Y)
    np.testing.assert_allclose([data.x[0], data.x[-1]], expected["x first, last"], atol=1e-4)
    errors = [np.mean((nadaraya_watson(GRID, data.x, data.y, sigma).y - TRUTH) ** 2) for sigma in (0.1, 0.5, 2)]
    np.testing.assert_allclose(errors, expected["MSE to the noise-free curve"], atol=1e-4)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_repeats_itself_and_leaves_the_world_alone(name):
    np.random.seed(7)
    before = np.random.get_state()[1].copy()
    first, again, other = draw(name, 500, 0.3, 1), draw(name, 500, 0.3, 1), draw(name, 500, 0.3, 2)
    np.testing.assert_array_equal(before, np.random.get_state()[1])
    np.testing.assert_array_equal(first.x, again.x)
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(first.y, other.y)
    assert (np.diff(first.x) >= 0).all()
    inside = [(low <= first.x) & (first.x <= high) for low, high in recipe(name).pieces]
    assert all(part.any() for part in inside)
    assert np.any(inside, axis=0).all()
    np.testing.assert_array_equal(first.truth, recipe(name).truth(first.x))
    np.testing.assert_allclose(draw(name, 500, 0.0, 1).y, first.truth, atol=QUANTUM)


def test_noise_scales_and_is_drawn_anew():
    quiet, loud = draw("heteroscedastic", 4000, 1, 3), draw("heteroscedastic", 4000, 2, 3)
    np.testing.assert_allclose(loud.y - loud.truth, 2 * (quiet.y - quiet.truth), atol=4 * QUANTUM)
    off = np.abs(quiet.y - quiet.truth)
    assert off[quiet.x > 4].mean() > 3 * off[quiet.x < 1].mean()
    again = draw("heteroscedastic", 4000, 1, 3, redraw=1)
    np.testing.assert_array_equal(again.x, quiet.x)
    assert not np.array_equal(again.y, quiet.y)


def test_what_has_no_answer_gets_a_sentence():
    with pytest.raises(LabError, match="sine, step"):
        draw("sinus", 10)
    with pytest.raises(LabError, match="At least 1"):
        draw("sine", 0)
    with pytest.raises(LabError, match="40 points, not 41"):
        draw(BOOK, 41)
    with pytest.raises(LabError, match="2 redraws"):
        measured_spread(GRID, X, 0.5, redraws=1)


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_the_measured_spread_is_the_predicted_one(sigma):
    measured = measured_spread(GRID, X, sigma, 1.0)
    predicted = predicted_spread(nadaraya_watson(GRID, X, Y, sigma).effective_number, 1.0)
    np.testing.assert_allclose(measured / predicted, 1, atol=0.25)


def test_noise_of_each_point_may_be_its_own():
    one, each = measured_spread(GRID, X, 0.5, 0.3, seed=4), measured_spread(GRID, X, 0.5, np.full(len(X), 0.3), seed=4)
    np.testing.assert_array_equal(one, each)
    assert measured_spread(2.5, X, 0.5, seed=4) == pytest.approx(measured_spread([2.5], X, 0.5, seed=4)[0])
    far = measured_spread([1.0, 99.0], X, 0.5, kernel="boxcar")
    assert far[0] > 0
    assert np.isnan(far[1])
