from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import LabError
from models.temperature import entry_temperatures, support_sizes
from models.weightings import WEIGHTINGS
from tests.reference import golden

INF = math.inf
sparse = pytest.mark.parametrize("weighting", ["sparsemax", "entmax15"])


@sparse
@pytest.mark.parametrize("entry", golden("sparse", "sparse_weights"), ids=lambda entry: entry["id"])
def test_support_at_a_temperature(entry, weighting):
    size = support_sizes(entry["inputs"]["s"], [float(entry["inputs"]["tau"])], weighting)
    assert size.tolist() == [entry["expected"][f"{weighting}_support"]]


def test_where_entries_enter():
    # Sparsemax: 2 − 1, then (2 − 0.1) + (1 − 0.1); 1.5-entmax: half the roots of 1 and of 1.9² + 0.9².
    np.testing.assert_allclose(entry_temperatures([0.1, 2, 1], "sparsemax"), [2.8, 0.0, 1.0], rtol=1e-14)
    np.testing.assert_allclose(
        entry_temperatures([0.1, 2, 1], "entmax15"), [0.5 * math.sqrt(4.42), 0.0, 0.5], rtol=1e-14
    )
    assert entry_temperatures([1.0, 1.0, -INF], "sparsemax").tolist() == [0.0, 0.0, INF]
    assert entry_temperatures([1.0, 5.0, -INF], "softmax").tolist() == [0.0, 0.0, INF]


@sparse
@settings(max_examples=80, deadline=None)
@given(
    scores=st.lists(st.integers(-8, 8) | st.floats(-20, 20), min_size=1, max_size=30),
    taus=st.lists(st.floats(0.01, 100), min_size=1, max_size=8),
)
def test_support_is_that_of_the_weights(weighting, scores, taus):
    enters = entry_temperatures(scores, weighting)
    for tau, size in zip(taus, support_sizes(scores, taus, weighting), strict=True):
        weights = WEIGHTINGS[weighting](scores, tau)
        far = (enters - tau).abs() > 1e-9 * tau
        assert torch.equal((weights > 0)[far], (enters < tau)[far])
        assert abs(int(size) - int((weights > 0).sum())) <= int((~far).sum())


@sparse
def test_single_precision_at_1e30_and_ties_at_zero(weighting):
    enters = entry_temperatures(torch.tensor([1e30, 0.0, -1e30, 1e30]), weighting)
    assert bool(enters.isfinite().all())
    assert support_sizes([3.0, 3.0, 1.0], [0.0, 1e-9, 1e9], weighting).tolist() == [2, 2, 3]
    assert bool((support_sizes(np.arange(50.0), np.geomspace(0.01, 1e3, 99), weighting).diff() >= 0).all())


def test_what_cannot_be_asked():
    with pytest.raises(LabError, match="sparsemax"):
        entry_temperatures([1.0], "nearest")
    with pytest.raises(LabError, match="One row"):
        entry_temperatures([[1.0]], "sparsemax")
