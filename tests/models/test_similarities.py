from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.arrays import Array
from models.errors import LabError
from models.scene import Similarity
from models.similarities import (
    SIMILARITIES,
    all_pairs,
    fitting,
    randomised,
    score_parameters,
    sharpness_of,
    sigma_of,
    squared_distance,
)
from models.weightings import softmax
from tests.cases import case
from tests.reference import assert_close, golden, numbers

DTYPES = ("float64", "float32")
HALF = math.sqrt(0.5)
"""The sigma at which the score is the plain negative squared distance."""

NAMES = {
    "dot": ("dot", {}),
    "scaled_dot": ("scaled_dot", {}),
    "neg_sq_distance": ("squared_distance", {"sigma": HALF}),
    "general": ("bilinear", {}),
    "additive": ("additive", {}),
    "cosine": ("cosine", {}),
}

both_dtypes = pytest.mark.parametrize("dtype", DTYPES)
every_similarity = pytest.mark.parametrize("name", SIMILARITIES)


def tensor(values, dtype="float64"):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype))


def parameters_for(name, d_k):
    return score_parameters(randomised(Similarity(name, sigma=1.3, beta=2.0), d_k, seed=3))


@both_dtypes
@pytest.mark.parametrize("entry", golden("similarities", "similarity_scores"), ids=lambda entry: entry["id"])
def test_scores_are_the_golden_ones(entry, dtype):
    inputs = entry["inputs"]
    name, parameters = NAMES[inputs["similarity"]]
    given = {key: inputs[key] for key in ("M", "W1", "W2", "w", "beta") if key in inputs}
    scores = SIMILARITIES[name](tensor(inputs["q"], dtype), tensor(inputs["K"], dtype), **parameters, **given)
    assert scores.dtype == getattr(torch, dtype)
    assert_close(entry, "scores", scores, dtype)
    weights = softmax(scores, inputs["tau"])
    assert_close(entry, "weights", weights, dtype)
    assert_close(entry, "output", weights @ tensor(inputs["V"], dtype), dtype)


@both_dtypes
@pytest.mark.parametrize("entry", golden("similarities", "distance_vs_dot"), ids=lambda entry: entry["id"])
def test_distance_is_twice_the_dot_product_less_the_squared_length_of_the_key(entry, dtype):
    q, k, tau = tensor(entry["inputs"]["q"], dtype), tensor(entry["inputs"]["K"], dtype), entry["inputs"]["tau"]
    dot, distance = SIMILARITIES["dot"](q, k), squared_distance(q, k, HALF)
    lengths = (k**2).sum(-1)
    assert_close(entry, "weights_distance", softmax(distance, tau), dtype)
    assert_close(entry, "weights_bias_form", softmax(2 * dot - lengths, tau), dtype)
    assert_close(entry, "weights_2dot", softmax(2 * dot, tau), dtype)
    assert_close(entry, "weights_dot", softmax(dot, tau), dtype)
    assert_close(entry, "weights_half_distance", softmax(squared_distance(q, k), tau), dtype)
    assert_close(entry, "key_sq_norms", lengths, dtype)
    dropped = (distance - (2 * dot - lengths)).mean()
    assert_close(entry, "dropped_constant", dropped, dtype)


@pytest.mark.parametrize("entry", golden("similarities", "query_norm_as_temperature"), ids=lambda entry: entry["id"])
def test_the_length_of_the_query_acts_as_the_inverse_temperature(entry):
    q, k = tensor(entry["inputs"]["q"]), tensor(entry["inputs"]["K"])
    for row, c in zip(entry["expected"]["rows"], entry["inputs"]["c"], strict=True):
        assert_close(entry, "weights", softmax(SIMILARITIES["dot"](c * q, k)), expected=row["weights"])
        if c:
            assert_close(entry, "weights", softmax(SIMILARITIES["dot"](q, k), 1 / c), expected=row["weights"])


@pytest.mark.parametrize("entry", golden("house", "sharpness_equivalents"), ids=lambda entry: entry["id"])
def test_sharpness_and_sigma_are_tied(entry):
    assert_close(entry, "sigma", sigma_of(entry["inputs"]["sharpness"]))
    assert sharpness_of(float(entry["expected"]["sigma"])) == pytest.approx(entry["inputs"]["sharpness"], rel=1e-12)
    assert_close(entry, "tau", 1 / entry["inputs"]["sharpness"])


def test_sharpness_zero_is_an_infinite_sigma():
    assert sigma_of(0) == math.inf
    assert sharpness_of(math.inf) == 0
    assert squared_distance([1.0], [[1.0], [9.0]], math.inf).tolist() == [0, 0]
    with pytest.raises(LabError, match="sharpness"):
        sigma_of(-1)


def test_n07_cosine_at_a_zero_vector_is_zero_and_flat():
    given = case("N-07")["input"]["c"]
    q = torch.tensor(given["q"], dtype=torch.float32, requires_grad=True)
    k = torch.tensor(given["K"], dtype=torch.float32, requires_grad=True)
    scores = SIMILARITIES["cosine"](q, k)
    (softmax(scores) @ torch.tensor(given["V"], dtype=torch.float32)).backward()
    assert scores.tolist() == case("N-07")["expected"]["c"]["similarity"]
    assert q.grad.tolist() == [0, 0]
    assert not k.grad.any()


@pytest.mark.parametrize("length", [1e-30, 1, 1e30])
def test_cosine_of_vectors_of_any_length_in_float32(length):
    q = torch.tensor([length, length], dtype=torch.float32)
    scores = SIMILARITIES["cosine"](q, torch.tensor([[1.0, 0.0], [2.0, 2.0]]))
    torch.testing.assert_close(scores, torch.tensor([HALF, 1.0]), atol=1e-6, rtol=0)


def test_k09_large_offsets_in_float32():
    x = 700001 + 13 * torch.arange(30, dtype=torch.float32)
    q = torch.tensor(case("K-09")["input"]["q"], dtype=torch.float32)
    for dtype, tolerance in ((torch.float32, 1e-3), (torch.float64, 1e-9)):
        scores = squared_distance(q[:, None].to(dtype), x[:, None].to(dtype), sigma=10)
        output = softmax(scores) @ torch.arange(30, dtype=dtype)
        wanted = torch.tensor(case("K-09")["expected"]["output"], dtype=dtype)
        torch.testing.assert_close(output, wanted, atol=tolerance, rtol=0)


def test_a_tiny_or_huge_sigma_gives_no_nan():
    for sigma in (1e-200, 1e200):
        scores = squared_distance([1.0], [[1.0], [2.0]], sigma)
        assert not scores.isnan().any()
        assert scores[0] == 0


def test_sigma_may_be_learned():
    sigma = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda sigma: squared_distance([1.0, 2.0], [[1.0, 1.0], [2.0, 0.0]], sigma), sigma)


@every_similarity
def test_gradients_are_right_for_queries_and_keys(name):
    q = tensor([[0.6, -0.4], [1.0, 0.2]]).requires_grad_()
    k = tensor([[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1]]).requires_grad_()
    assert torch.autograd.gradcheck(lambda q, k: SIMILARITIES[name](q, k, **parameters_for(name, 2)), (q, k))


@every_similarity
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4), m=st.integers(1, 5), d=st.integers(1, 4))
def test_laws(name, seed, n, m, d):
    generator = np.random.default_rng(seed)
    q, k = generator.normal(size=(2, n, d)), generator.normal(size=(2, m, d))
    parameters = parameters_for(name, d)
    batch = SIMILARITIES[name](q, k, **parameters)
    assert batch.shape == (2, n, m)
    torch.testing.assert_close(batch[1], SIMILARITIES[name](q[1], k[1], **parameters))
    torch.testing.assert_close(batch[1, 0], SIMILARITIES[name](q[1, 0], k[1], **parameters))
    order = generator.permutation(m)
    torch.testing.assert_close(SIMILARITIES[name](q[0], k[0][order], **parameters), batch[0][:, order])


@every_similarity
def test_lists_count_as_float64_and_half_precision_is_widened(name):
    parameters = parameters_for(name, 2)
    assert SIMILARITIES[name]([1, 2], [[1, 0], [0, 1]], **parameters).dtype == torch.float64
    half = torch.tensor([[3.0, 1.0]], dtype=torch.float16)
    plain = {key: torch.as_tensor(np.array(value), dtype=torch.float32) for key, value in parameters.items()}
    scores = SIMILARITIES[name](half, half, **plain)
    assert torch.equal(scores, SIMILARITIES[name](half.float(), half.float(), **plain))


@every_similarity
@pytest.mark.parametrize(("q", "k"), [([1.0, 2.0], [[1.0], [2.0]]), ([1.0], [1.0, 2.0]), (1.0, [[1.0]])])
def test_shapes_that_do_not_fit_are_named(name, q, k):
    with pytest.raises(LabError, match="expected"):
        SIMILARITIES[name](q, k, **parameters_for(name, 1))


@pytest.mark.parametrize("sigma", [0, -1, math.nan, -math.inf, "wide"])
def test_sigma_is_positive(sigma):
    with pytest.raises(LabError, match="sigma"):
        squared_distance([1.0], [[1.0]], sigma)


def test_beta_is_finite():
    with pytest.raises(LabError, match="beta"):
        SIMILARITIES["cosine"]([1.0], [[1.0]], math.nan)


@pytest.mark.parametrize("values", [["a"], [[1.0], [1.0, 2.0]], [1j], torch.tensor([1j])])
def test_what_is_not_numbers_is_refused(values):
    with pytest.raises(LabError):
        SIMILARITIES["dot"](values, [[1.0]])


def test_all_pairs_holds_a_block_at_a_time(monkeypatch):
    q, k, sizes = torch.randn(7, 3, dtype=torch.float64), torch.randn(5, 3, dtype=torch.float64), []

    def distance(a, b):
        sizes.append((a - b).numel())
        return ((a - b) ** 2).sum(-1)

    whole = all_pairs(q, k, distance)
    monkeypatch.setattr("models.similarities.BLOCK", 30)
    sizes.clear()
    assert torch.equal(all_pairs(q, k, distance), whole)
    assert sizes == [30, 30, 30, 15]


def test_score_parameters_are_those_of_the_chosen_similarity():
    assert score_parameters(Similarity("dot")) == {}
    assert score_parameters(Similarity("squared_distance", sigma=2.0)) == {"sigma": 2.0}
    assert score_parameters(Similarity("cosine", beta=3.0)) == {"beta": 3.0}
    assert score_parameters(Similarity("bilinear", matrix=Array([[2.0]])))["M"].tolist() == [[2.0]]
    assert set(score_parameters(Similarity("additive"))) == {"W1", "W2", "w"}


def test_fitting_replaces_only_what_does_not_fit():
    drawn = randomised(Similarity("bilinear"), 3, seed=5, hidden=2)
    assert fitting(drawn, 3) == drawn
    assert randomised(Similarity("bilinear"), 3, seed=5, hidden=2) == drawn
    assert randomised(Similarity("bilinear"), 3, seed=6, hidden=2) != drawn
    fitted = fitting(drawn, 2)
    assert fitted.matrix == fitted.query_weights == Array(np.eye(2))
    assert fitted.out_weights == Array([1.0, 1.0])
