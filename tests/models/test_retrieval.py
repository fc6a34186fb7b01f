from __future__ import annotations

import math

import pytest
import torch

from models.errors import LabError
from models.lookup import soft_lookup
from models.retrieval import retrieval_accuracy, retrieval_sigma, unit_keys
from models.weightings import ties
from tests.reference import assert_close, golden


@pytest.mark.parametrize("entry", golden("retrieval", "retrieval_sigma"), ids=lambda entry: entry["id"])
def test_the_width_for_a_wanted_weight(entry):
    sigma = retrieval_sigma(entry["inputs"]["m"], entry["inputs"]["alpha"])
    assert_close(entry, "sigma", sigma)
    assert_close(entry, "inverse_sigma_squared", sigma**-2)


@pytest.mark.parametrize("entry", golden("retrieval", "retrieval_mean_alpha"), ids=lambda entry: entry["id"])
def test_the_mean_weight_of_the_right_key(entry):
    m, d_k, expected = entry["inputs"]["m"], entry["inputs"]["d"], entry["expected"]
    sigma, databases = retrieval_sigma(m, entry["inputs"]["alpha"]), 400 // m * 10
    assert_close(entry, "sigma", sigma)
    # The approximation takes all keys to be at right angles.
    orthogonal = soft_lookup(torch.eye(m)[0].double(), torch.eye(m).double(), torch.eye(m), "dot", sigma**2)
    assert_close(entry, "alpha_under_approximation", orthogonal.weights[0])
    assert_close(entry, "competitor_under_approximation", orthogonal.weights[1] / orthogonal.weights[0])
    k = torch.stack([unit_keys(m, d_k, seed) for seed in range(databases)])
    weights = soft_lookup(k, k, k, "squared_distance", sigma=sigma).weights
    own = weights.diagonal(dim1=-2, dim2=-1).mean().item()
    error = {20: 0.016, 200: 0.0042}[m] / math.sqrt(databases)
    assert own == pytest.approx(float(expected["mean_alpha"]), abs=4 * error)
    assert own > float(expected["alpha_at_mean_competitors"]) - 4 * error


@pytest.mark.parametrize("entry", golden("retrieval", "retrieval_accuracy"), ids=lambda entry: entry["id"])
def test_accuracy_over_noise(entry):
    m, d_k, noise = (entry["inputs"][name] for name in ("m", "d", "tau"))
    p, queries = float(entry["expected"]["accuracy"]), 400
    found = retrieval_accuracy(noise, m, d_k, queries, seed=1)
    assert abs(found - p) <= 4 * math.sqrt(p * (1 - p) / queries) + 1 / queries * (p < 1)


@pytest.mark.parametrize("entry", golden("retrieval", "retrieval_small"), ids=lambda entry: entry["id"])
def test_the_nearest_key_is_retrieved_at_every_width(entry):
    q, k, expected = entry["inputs"]["q"], entry["inputs"]["K"], entry["expected"]
    for row, sigma in zip(expected["rows"], entry["inputs"]["sigma"], strict=True):
        lookup = soft_lookup(q, k, k, "squared_distance", sigma=sigma)
        assert_close(entry, "squared_distances", -2 * sigma**2 * lookup.scores)
        assert_close(entry, "weights", lookup.weights, expected=row["weights"])
        assert ties(lookup.scores) == [row["retrieved"]] == [expected["nearest"]]


def test_unit_keys_have_length_one_and_follow_the_seed():
    k = unit_keys(200, 16, seed=4)
    assert k.shape == (200, 16)
    torch.testing.assert_close(k.norm(dim=-1), torch.ones(200, dtype=torch.float64))
    assert torch.equal(k, unit_keys(200, 16, seed=4))
    assert not torch.equal(k, unit_keys(200, 16, seed=5))


@pytest.mark.parametrize(("m", "weight"), [(1, 0.9), (20, 1.0), (20, 0.05), (20, math.nan)])
def test_a_weight_that_no_width_gives_is_refused(m, weight):
    with pytest.raises(LabError, match="weight"):
        retrieval_sigma(m, weight)


def test_noise_is_not_negative():
    with pytest.raises(LabError, match="Noise"):
        retrieval_accuracy(-0.1)
