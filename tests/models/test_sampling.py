from __future__ import annotations

import math

import numpy as np
import pytest

from models.errors import LabError
from models.temperature import Boltzmann, draw, draw_counts


def test_counts_agree_with_the_weights():
    weights = Boltzmann([2, 1, 0.1]).weights
    counts = draw_counts(weights, 10_000, seed=5)
    assert int(counts.sum()) == 10_000
    spread = (10_000 * weights * (1 - weights)).sqrt()
    assert bool(((counts - 10_000 * weights).abs() < 4 * spread).all())


def test_a_seed_says_all():
    weights = [0.2, 0.5, 0.3]
    assert draw(weights, 100, 1).tolist() == draw(weights, 100, 1).tolist()
    assert draw(weights, 100, 1).tolist() != draw(weights, 100, 2).tolist()
    assert draw(weights, 1000, 1)[:100].tolist() == draw(weights, 100, 1).tolist()


def test_what_has_no_weight_is_never_drawn():
    counts = draw_counts([0.0, 0.5, 0.0, 0.5, 0.0], 10_000, 3)
    assert counts.shape == (5,)
    assert counts[[0, 2, 4]].tolist() == [0, 0, 0]
    assert draw_counts([0.0, 1.0], 1, 0).tolist() == [0, 1]


def test_a_hundred_thousand_entries():
    weights = np.full(100_000, 1e-5, dtype=np.float32)
    assert draw(weights, 10_000, 0).unique().numel() > 9_000


@pytest.mark.parametrize("draws", [0, 10_001])
def test_numbers_of_draws_that_are_none(draws):
    with pytest.raises(LabError, match="draws"):
        draw([1.0], draws, 0)


@pytest.mark.parametrize("weights", [[0.0, 0.0], [-1.0, 2.0], [math.nan, 1.0], [[1.0]]])
def test_weights_that_are_none(weights):
    with pytest.raises(LabError, match="Weights"):
        draw(weights, 1, 0)
