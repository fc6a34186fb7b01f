"""The norm of the gradient over the temperature, and the zones."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.descent import descend
from models.errors import LabError
from models.flow import query_step, softmax_jacobian
from models.lookup import soft_lookup
from models.saturation import COLD, COLD_LOCK, HARD_LOOKUP, HEALTHY, HOT, HOT_SHARE, PRESETS, saturation, zone
from models.similarities import SIMILARITIES
from tests.reference import assert_close, golden

(ENTRY,) = golden("gradients", "grad_norm_vs_tau")
Q, K, V = (ENTRY["inputs"][name] for name in ("q", "K", "V"))


def test_norms_of_the_worked_example() -> None:
    found = saturation(Q, K, V, ENTRY["inputs"]["tau"])
    expected = [row["frobenius_norm"] for row in ENTRY["expected"]["rows"]]
    assert_close(ENTRY, "rows", found.norms, expected=expected)
    # To all digits, also where the norm is 1e-40: the curve is drawn on a logarithmic axis.
    np.testing.assert_allclose(found.norms.numpy(), np.array(expected, dtype=float), rtol=1e-11)


def test_the_temperature_of_the_largest_norm() -> None:
    best = float(ENTRY["expected"]["argmax_tau"])
    found = saturation(Q, K, V, np.linspace(0.06, 0.07, 2001))
    assert found.peak == pytest.approx(best, abs=5e-6)
    assert_close(ENTRY, "max_norm", found.norms.max())


def test_largest_slope_is_the_largest_entry_of_the_softmax_jacobian() -> None:
    found = saturation(Q, K, V, [0.01, 0.1, 1.0, 10.0])
    scores = SIMILARITIES["dot"](Q, K)
    for tau, slope in zip([0.01, 0.1, 1.0, 10.0], found.slopes, strict=True):
        assert float(slope) == pytest.approx(float(softmax_jacobian(scores, tau).max()), rel=1e-12)


def test_zones_follow_their_rule_and_meet_at_the_borders() -> None:
    found = saturation(Q, K, V)
    order = [COLD, HEALTHY, HOT]
    places = [order.index(name) for name in found.zones]
    assert places == sorted(places)
    assert set(found.zones) == set(order)
    assert found.cold_below is not None
    assert found.hot_above is not None
    cold = soft_lookup(Q, K, V, temperature=found.cold_below).weights
    hot = soft_lookup(Q, K, V, temperature=found.hot_above).weights
    assert float(cold.max()) == pytest.approx(0.99, abs=1e-9)
    assert float(1 / hot.square().sum()) == pytest.approx(HOT_SHARE * len(K), abs=1e-9)


def test_a_tie_is_never_cold_and_masked_entries_are_not_counted() -> None:
    tied = saturation([0.0, 0.0], K, V)
    assert tied.cold_below is None
    assert set(tied.zones) == {HOT}
    masked = saturation(Q, K, V, [1e3], mask=[True, True, False, True])
    assert masked.zones == (HOT,)
    assert zone(torch.tensor([1.0])) == COLD


def test_sparse_weighting_is_cold_with_slope_zero() -> None:
    found = saturation(Q, K, V, [0.01, 1.0], weighting="sparsemax")
    assert found.zones == (COLD, HEALTHY)
    assert float(found.norms[0]) == 0.0


def test_preset_cold_lock_is_stuck_and_learns_at_one() -> None:
    start = (COLD_LOCK.query, COLD_LOCK.keys, COLD_LOCK.values, COLD_LOCK.target)
    loss, gradient = query_step(*start, COLD_LOCK.temperature)
    assert float(loss) == pytest.approx(1.0)
    assert float(torch.linalg.vector_norm(gradient)) < 1e-40
    stuck = descend(*start, COLD_LOCK.temperature, COLD_LOCK.learning_rate, 200)
    assert torch.equal(stuck.queries[-1], stuck.queries[0])
    warm = descend(*start, 1.0, COLD_LOCK.learning_rate, 400)
    assert float(warm.losses[-1]) < 0.5 * float(warm.losses[0])


def test_preset_hard_lookup_has_no_gradient() -> None:
    start = (HARD_LOOKUP.query, HARD_LOOKUP.keys, HARD_LOOKUP.values, HARD_LOOKUP.target)
    loss, gradient = query_step(*start, HARD_LOOKUP.temperature, weighting=HARD_LOOKUP.weighting)
    assert float(loss) > 0.1
    assert gradient.tolist() == [0.0, 0.0]
    assert set(PRESETS) == {"cold_lock", "hard_lookup"}


def test_what_has_no_curve_is_refused() -> None:
    with pytest.raises(LabError, match="above 0"):
        saturation(Q, K, V, [0.0, 1.0])
    with pytest.raises(LabError, match="One query"):
        saturation([Q, Q], K, V)
