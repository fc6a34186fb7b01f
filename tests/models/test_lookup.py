from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import LabError
from models.lookup import soft_lookup
from models.scene import Similarity
from models.similarities import SIMILARITIES, randomised, score_parameters, sigma_of
from models.weightings import WEIGHTINGS
from tests.cases import case
from tests.reference import numbers

DTYPES = ("float64", "float32")

both_dtypes = pytest.mark.parametrize("dtype", DTYPES)
every_similarity = pytest.mark.parametrize("similarity", SIMILARITIES)
every_weighting = pytest.mark.parametrize("weighting", WEIGHTINGS)


def tensor(values, dtype="float64", **keywords):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype), **keywords)


def close(actual, expected, atol=1e-9):
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=actual.dtype), atol=atol, rtol=0)


def parameters_for(similarity, d_k):
    return score_parameters(randomised(Similarity(similarity, sigma=1.3), d_k, seed=3))


def scaled(q, k, v, mask=None):
    return soft_lookup(q, k, v, "scaled_dot", mask=mask)


@both_dtypes
def test_n01_no_entry_allowed(dtype):
    given, expected = case("N-01")["input"]["a"], case("N-01")["expected"]["a"]
    q = tensor(given["Q"], dtype, requires_grad=True)
    lookup = scaled(q, tensor(given["K"], dtype), tensor(given["V"], dtype), given["allow"])
    lookup.output.sum().backward()
    atol = 1e-9 if dtype == "float64" else 1e-5
    close(lookup.weights.detach(), expected["weights"], atol)
    close(lookup.output.detach(), [expected["output"][0], 0.0], atol)
    assert lookup.found.tolist() == [True, False]
    assert q.grad[1].tolist() == expected["gradient of row 2"]
    assert q.grad[0].any()


@every_weighting
@every_similarity
def test_n01_nan_behind_the_mask_reaches_nothing(similarity, weighting):
    given = case("N-01")["input"]["b"]
    k, v = numbers(given["K"]), numbers(given["V"])
    k[2], v[2] = math.nan, math.inf
    q, k, v = (tensor(x, requires_grad=True) for x in (given["Q"], k.tolist(), v.tolist()))
    lookup = soft_lookup(q, k, v, similarity, 1.0, weighting, given["allow"], **parameters_for(similarity, 2))
    lookup.output.sum().backward()
    for part in (lookup.weights, lookup.output, q.grad, k.grad, v.grad):
        assert part.isfinite().all()
    assert not lookup.weights[:, 2].any()
    assert lookup.scores[:, 2].tolist() == [-math.inf] * 2
    if (similarity, weighting) == ("scaled_dot", "softmax"):
        close(lookup.output.detach(), case("N-01")["expected"]["b"]["output"])


def test_nan_in_a_query_that_may_ask_nothing_is_not_seen():
    k = tensor([[1, 0], [0, 1]], requires_grad=True)
    lookup = soft_lookup([[1.0, 0.0], [math.nan, 0.0]], k, [1, 2], mask=[[1, 1], [0, 0]])
    lookup.output.sum().backward()
    assert lookup.output.isfinite().all()
    assert k.grad.isfinite().all()


@pytest.mark.parametrize(("name", "bad"), [("query", 0), ("key", 1), ("value", 2)])
def test_numbers_that_are_not_finite_are_named(name, bad):
    given = [[[1.0]], [[1.0], [2.0]], [[1.0], [2.0]]]
    given[bad][-1] = [math.nan]
    with pytest.raises(LabError, match=f"{name} with index {len(given[bad]) - 1}"):
        soft_lookup(*given)


def test_scores_beyond_the_dtype_are_refused():
    with pytest.raises(LabError, match="too large"):
        soft_lookup(tensor([1e30], "float32"), tensor([[1e30], [0]], "float32"), [1, 2])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("mask", [None, [1, 1, 0]])
def test_n04_half_precision(dtype, mask):
    given, expected = case("N-04")["input"], case("N-04")["expected"]
    q, k = torch.tensor(given["q"], dtype=dtype), torch.tensor(given["K"], dtype=dtype)
    lookup = soft_lookup(q, k, torch.tensor(given["V"], dtype=dtype), mask=mask)
    assert lookup.output.isfinite().all()
    if dtype == torch.bfloat16:
        # It can't hold 299, which becomes 300: two keys are then equal, and the answer lies between their values.
        close(lookup.weights, [0.5, 0.5, 0.0], 1e-3)
        return
    close(lookup.weights, expected["weights"], 1e-12 if dtype == torch.float64 else 1e-3)
    close(lookup.output, expected["output"], 1e-12 if dtype == torch.float64 else 1e-3)


@pytest.mark.parametrize("number", [int, float, bool])
def test_n05_true_or_one_means_takes_part(number):
    given, expected = case("N-05")["input"], case("N-05")["expected"]
    mask = [[number(entry) for entry in row] for row in given["mask"]]
    close(scaled(given["Q"], given["K"], given["V"], mask).output, expected["mask = allowed"])
    close(scaled(given["Q"], given["K"], given["V"]).output, expected["no mask"])


def test_n07_a_query_on_a_key():
    given, expected = case("N-07")["input"]["a"], case("N-07")["expected"]["b"]
    q = tensor(given["q"], requires_grad=True)
    lookup = soft_lookup(q, given["K"], given["V"], "squared_distance")
    lookup.output.backward()
    close(lookup.weights.detach(), expected["weights"])
    close(q.grad, expected["d output/d q"])


def test_n07_cosine_of_a_zero_query():
    given, expected = case("N-07")["input"]["c"], case("N-07")["expected"]["c"]
    lookup = soft_lookup(tensor(given["q"], "float32"), tensor(given["K"], "float32"), given["V"], "cosine")
    close(lookup.weights, expected["weights"], 1e-5)
    close(lookup.output, expected["output"], 1e-5)


def test_k07_what_the_width_means():
    given, expected = case("K-07")["input"], case("K-07")["expected"]
    k = [[x] for x in given["x"]]
    for sigma, output in zip(given["sigma"], expected["output (weights exp(-d^2/(2 sigma^2)))"], strict=True):
        close(soft_lookup([given["q"]], k, given["y"], "squared_distance", sigma=sigma).output, output)
    close(soft_lookup([75.0], k, given["y"], "squared_distance", sigma=10).weights, expected["weights at sigma 10"])
    rooms = given["bedrooms"]
    for sigma, tau in ((sigma_of(1.5), 1.0), (math.sqrt(0.5), 2 / 3)):
        lookup = soft_lookup([3.0], [[x] for x in rooms["keys"]], rooms["values"], "squared_distance", tau, sigma=sigma)
        close(lookup.weights, expected["bedrooms"]["weights"])
        close(lookup.output, expected["bedrooms"]["output"])


def test_exact_compares_queries_and_keys_whatever_the_similarity():
    k, v = [[0.0, 1.0], [2.0, 0.0], [0.0, 1.0]], [[1.0], [2.0], [3.0]]
    for similarity in SIMILARITIES:
        lookup = soft_lookup(
            [[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]], k, v, similarity, weighting="exact", **parameters_for(similarity, 2)
        )
        assert lookup.weights.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert lookup.output.tolist() == [[1], [2], [0]]
        assert lookup.found.tolist() == [True, True, False]
    # The square of this difference is 0 in float64, and yet the two aren't equal.
    assert not soft_lookup([1e-200], [[0.0]], [1.0], "squared_distance", weighting="exact").found


@every_weighting
def test_shapes(weighting):
    q, k, v = torch.ones(3, 2), torch.rand(4, 2), torch.rand(4, 5)

    def shapes(q, v, k=k):
        lookup = soft_lookup(q, k, v, weighting=weighting)
        return [tuple(part.shape) for part in (lookup.scores, lookup.weights, lookup.output, lookup.found)]

    assert shapes(q, v) == [(3, 4), (3, 4), (3, 5), (3,)]
    assert shapes(q[0], v) == [(4,), (4,), (5,), ()]
    assert shapes(q, v[:, 0]) == [(3, 4), (3, 4), (3,), (3,)]
    assert shapes(q[0], v[:, 0]) == [(4,), (4,), (), ()]
    assert shapes(q.expand(6, 3, 2), v) == [(6, 3, 4), (6, 3, 4), (6, 3, 5), (6, 3)]
    assert shapes(q[0], v.expand(6, 4, 5), k.expand(6, 4, 2)) == [(6, 4), (6, 4), (6, 5), (6,)]
    assert shapes(q, v[:0], k[:0]) == [(3, 0), (3, 0), (3, 5), (3,)]


@pytest.mark.parametrize(
    ("arguments", "keywords", "words"),
    [
        (([1.0], [1.0, 2.0], [1, 2]), {}, r"keys \(m, d_k\)"),
        (([1.0], [[1.0], [2.0]], [1, 2, 3]), {}, "One value for each of 2 keys"),
        (([1.0], [[1.0]], [1]), {"similarity": "manhattan"}, "squared_distance"),
        (([1.0], [[1.0]], [1]), {"weighting": "argmax"}, "nearest"),
        (([1.0], [[1.0]], [1]), {"sigma": 2}, "no parameter 'sigma'"),
        (([1.0], [[1.0]], [1]), {"similarity": "additive", "w": [1]}, "needs W1, W2"),
        (([1.0], [[1.0]], [1]), {"similarity": "bilinear", "M": [[1, 2]]}, r"\(1, 1\)"),
        (([1.0], [[1.0]], [1]), {"mask": [True, False]}, "mask"),
        (([1.0], [[1.0]], [1]), {"temperature": -1}, "from 0 up"),
        ((torch.ones(2, 1, 1), torch.ones(3, 1, 1), [1]), {}, "Batch"),
        (([1.0, 2.0], [[1.0]], [1]), {"weighting": "exact", "similarity": "bilinear", "M": [[1], [1]]}, "one length"),
    ],
)
def test_what_is_refused_is_said(arguments, keywords, words):
    with pytest.raises(LabError, match=words):
        soft_lookup(*arguments, **keywords)


@every_weighting
@every_similarity
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 4), m=st.integers(1, 6), tau=st.floats(0.05, 20))
def test_laws(similarity, weighting, seed, n, m, tau):
    generator = torch.Generator().manual_seed(seed)
    q, k, v = (torch.randn(rows, 2, generator=generator, dtype=torch.float64) for rows in (n, m, m))
    mask = torch.rand(n, m, generator=generator) < 0.7

    def look(q, k, v, mask):
        return soft_lookup(q, k, v, similarity, tau, weighting, mask, **parameters_for(similarity, 2))

    whole = look(q, k, v, mask)
    assert (whole.weights >= 0).all()
    torch.testing.assert_close(whole.weights.sum(-1), whole.found.to(torch.float64))
    assert not whole.weights[~mask].any()
    assert whole.found.equal(mask.any(-1) if weighting != "exact" else torch.zeros(n, dtype=torch.bool))
    inside = whole.output[whole.found]
    assert ((inside >= v.amin(0) - 1e-12) & (inside <= v.amax(0) + 1e-12)).all()
    alone = look(q[0], k, v, mask[0])
    torch.testing.assert_close(whole.output[0], alone.output)
    order = torch.randperm(m, generator=generator)
    turned = look(q, k[order], v[order], mask[:, order])
    torch.testing.assert_close(turned.weights, whole.weights[:, order])
    torch.testing.assert_close(turned.output, whole.output)


@pytest.mark.parametrize("weighting", ["softmax", "sparsemax", "entmax15"])
def test_gradients_of_a_masked_lookup_are_right(weighting):
    q, k, v = (
        tensor(x).requires_grad_() for x in ([[0.6, -0.4], [1, 2]], [[1, 0.2], [-0.5, 0.8], [0.3, -1]], [1, 2, 4])
    )
    mask = torch.tensor([[True, True, False], [True, True, True]])

    def output(q, k, v):
        return soft_lookup(q, k, v, "squared_distance", 1.0, weighting, mask, sigma=1.5).output

    assert torch.autograd.gradcheck(output, (q, k, v))
