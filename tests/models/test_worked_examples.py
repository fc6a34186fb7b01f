"""The numbers that the lesson's texts print: rents, house prices, tokens, the two-entry database, self-attention."""

from __future__ import annotations

import math

import pytest
import torch

from models.lookup import soft_lookup
from models.similarities import sigma_of
from models.weightings import ties
from tests.reference import assert_close, golden, numbers

PLAIN = math.sqrt(0.5)
"""The sigma at which the score is the plain negative squared distance."""

both_dtypes = pytest.mark.parametrize("dtype", ["float64", "float32"])


def tensor(values, dtype="float64", **keywords):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype), **keywords)


def every(topic, kind):
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


def table(inputs, dtype="float64"):
    """Keys (m, 1) and values (m,) of a worked example with numbers as keys."""
    return tensor(inputs["keys"], dtype)[:, None], tensor(inputs["values"], dtype)


def by_distance(inputs, q, dtype="float64", sigma=PLAIN, **keywords):
    k, v = table(inputs, dtype)
    return soft_lookup(tensor([q], dtype), k, v, "squared_distance", sigma=sigma, **keywords)


def percent(weights):
    return [round(100 * weight) for weight in weights.tolist()]


@every("rent", "rent_hard")
def test_the_nearest_rent(entry):
    expected, q = entry["expected"], entry["inputs"]["q"]
    lookup = by_distance(entry["inputs"], q, weighting="nearest")
    assert_close(entry, "scores", lookup.scores)
    assert_close(entry, "one_hot", lookup.weights)
    assert_close(entry, "output", lookup.output)
    assert lookup.weights.argmax() == expected["index"]
    assert ties(lookup.scores) == expected["tied_indices"]
    assert_close(entry, "mean_of_tied_values", by_distance(entry["inputs"], q, temperature=0).output)


@every("rent", "rent_jump")
def test_the_hard_rent_jumps_where_the_soft_one_glides(entry):
    inputs = entry["inputs"]
    queries = inputs["q_before"], inputs["q_after"]
    before, after = (by_distance(inputs, q, weighting="nearest").output for q in queries)
    assert_close(entry, "hard_before", before)
    assert_close(entry, "hard_after", after)
    assert_close(entry, "hard_jump", after - before)
    before, after = (by_distance(inputs, q, sigma=inputs["sigma"]).output for q in queries)
    assert_close(entry, "soft_before", before)
    assert_close(entry, "soft_after", after)
    assert_close(entry, "soft_change", after - before)


def test_the_slope_of_the_staircase_is_zero():
    q = tensor([75], requires_grad=True)
    soft_lookup(
        q, tensor([[60], [80]]), tensor([1200, 1500]), "squared_distance", weighting="nearest"
    ).output.backward()
    assert q.grad.tolist() == [0]


@both_dtypes
@every("rent", "rent_soft")
def test_the_soft_rent(entry, dtype):
    inputs, (k, v) = entry["inputs"], table(entry["inputs"], dtype)
    q = tensor([inputs["q"]], dtype, requires_grad=True)
    lookup = soft_lookup(q, k, v, "squared_distance", sigma=inputs["sigma"])
    lookup.output.backward()
    assert_close(entry, "scores", lookup.scores.detach(), dtype)
    assert_close(entry, "weights", lookup.weights.detach(), dtype)
    assert_close(entry, "output", lookup.output.detach(), dtype)
    assert_close(entry, "d_output_d_q", q.grad[0], dtype)
    assert percent(lookup.weights) == entry["expected"]["weights_percent_rounded"]


@every("rent", "rent_sigma_limits")
def test_both_ends_of_the_bandwidth(entry):
    inputs = entry["inputs"]
    assert_close(entry, "sigma_to_0", by_distance(inputs, inputs["q"], sigma=1e-3).output)
    assert_close(entry, "sigma_to_inf", by_distance(inputs, inputs["q"], sigma=1e12).output)


@both_dtypes
@every("rent", "rent_dot_scores")
def test_the_dot_product_favours_the_longest_key(entry, dtype):
    (k, v), inputs = table(entry["inputs"], dtype), entry["inputs"]
    lookup = soft_lookup(tensor([inputs["q"]], dtype), k, v, "dot", inputs["tau"])
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)


@every("house", "house_display")
def test_the_house_as_the_text_prints_it(entry):
    inputs, expected = entry["inputs"], entry["expected"]
    lookup = by_distance(inputs, inputs["query"], sigma=sigma_of(inputs["sharpness"]))
    products = lookup.weights * tensor(inputs["values"])
    assert_close(entry, "answer", lookup.output)
    assert_close(entry, "weights", lookup.weights)
    assert_close(entry, "products", products)
    assert_close(entry, "share_of_answer_percent", 100 * products / lookup.output)
    assert [f"{score:.2f}" for score in lookup.scores.tolist()] == expected["score_text"]
    assert [f"{weight}%" for weight in percent(lookup.weights)] == expected["weight_text"]


@pytest.mark.parametrize("topic", ["house", "d2l_small"])
def test_exact_finds_only_what_is_listed(topic):
    (entry,) = golden(topic, "house_exact")
    for row in entry["expected"]["rows"]:
        lookup = by_distance(entry["inputs"], float(row["q"]), weighting="exact")
        assert bool(lookup.found) == row["found"]
        assert_close(entry, "rows", lookup.weights, expected=row["weights"])
        if row["found"]:
            assert_close(entry, "rows", lookup.output, expected=row["answer"])
            assert lookup.weights.argmax() == row["index"]


@every("house", "house_nearest")
def test_the_nearest_house_and_its_ties(entry):
    for row in entry["expected"]["rows"]:
        lookup = by_distance(entry["inputs"], float(row["q"]), weighting="nearest")
        assert_close(entry, "rows", lookup.output, expected=row["answer"])
        assert_close(entry, "rows", lookup.weights, expected=row["weights"])
        assert ties(lookup.scores) == row["tied_indices"]
        assert (len(ties(lookup.scores)) > 1) == row["tie"]
        limit = by_distance(entry["inputs"], float(row["q"]), temperature=0).output
        assert_close(entry, "rows", limit, expected=row["soft_limit_sharpness_to_inf"])


@both_dtypes
@every("house", "house_soft")
def test_the_soft_house(entry, dtype):
    (k, v), sigma = table(entry["inputs"], dtype), sigma_of(entry["inputs"]["sharpness"])
    q = tensor(entry["inputs"]["queries"], dtype)[:, None].requires_grad_()
    lookup = soft_lookup(q, k, v, "squared_distance", sigma=sigma)
    lookup.output.sum().backward()
    for index, row in enumerate(entry["expected"]["rows"]):
        parts = {
            "scores": lookup.scores[index],
            "weights": lookup.weights[index],
            "products": lookup.weights[index] * v,
            "answer": lookup.output[index],
            "slope_d_answer_d_q": q.grad[index, 0],
        }
        for name, part in parts.items():
            assert_close(entry, name, part.detach(), dtype, row[name])
        assert percent(lookup.weights[index]) == row["weights_percent_rounded"]


@both_dtypes
@every("tokens", "token_scene")
def test_the_cat_sat_on_the(entry, dtype):
    inputs, expected = entry["inputs"], entry["expected"]
    k = tensor(inputs["keys"], dtype)
    v = tensor(inputs["values"], dtype) if "values" in inputs else k
    lookup = soft_lookup(tensor(inputs["q"], dtype), k, v)
    assert_close(entry, "scores", lookup.scores, dtype)
    assert_close(entry, "weights", lookup.weights, dtype)
    if "output" in expected:
        assert_close(entry, "output", lookup.output, dtype)
    if dtype == "float64":
        assert ties(lookup.scores) == expected["tied_indices"]
        assert percent(lookup.weights) == expected["weights_percent_rounded"]


@both_dtypes
@every("d2l_small", "two_entry")
def test_the_two_entry_database(entry, dtype):
    lookup = by_distance(entry["inputs"], entry["inputs"]["q"], dtype, sigma_of(1 / entry["inputs"]["scale"]))
    assert_close(entry, "scores", lookup.scores, dtype)
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)
    assert_close(entry, "logit_of_second_weight", lookup.scores[1] - lookup.scores[0], dtype)


@every("d2l_small", "two_entry_facts")
def test_what_the_two_entry_database_can_answer(entry):
    inputs, expected = entry["inputs"], entry["expected"]
    slope, middle = float(expected["logit_slope"]), float(expected["midpoint_query"])

    def ask(q, **keywords):
        return by_distance(inputs, q, sigma=sigma_of(1 / inputs["scale"]), **keywords)

    scores = ask(0.0).scores
    assert_close(entry, "logit_intercept", scores[1] - scores[0])
    assert_close(entry, "midpoint_output", ask(middle).output)
    assert ask(float(expected["query_for_want"])).output.item() == pytest.approx(inputs["want"], rel=1e-12)
    assert_close(entry, "sigma_to_0_left_of_mid", ask(middle - 0.01, temperature=0).output)
    assert_close(entry, "sigma_to_0_right_of_mid", ask(middle + 0.01, temperature=0).output)
    assert_close(entry, "sigma_to_0_at_mid", ask(middle, temperature=0).output)
    assert_close(entry, "sigma_to_inf", ask(middle, temperature=1e300).output)
    (k, v), q = table(inputs), tensor([middle], requires_grad=True)
    soft_lookup(q, k, v, "squared_distance", sigma=sigma_of(1 / inputs["scale"])).output.backward()
    assert_close(entry, "slope_at_mid", q.grad[0])
    assert slope == pytest.approx(q.grad.item() / (v[1] - v[0]).item() * 4)
    low, high = (float(end) for end in expected["reach_open_interval"])
    assert low < ask(1.0).output < ask(6.0).output < high


@both_dtypes
@every("d2l_small", "average_of_two")
def test_a_query_that_averages_two_values(entry, dtype):
    m, c = entry["inputs"]["m"], entry["inputs"]["c"]
    k = torch.eye(m, dtype=getattr(torch, dtype))
    weights = soft_lookup(c * (k[2] + k[5]), k, k).weights
    assert_close(entry, "selected_weight_each", weights[2], dtype)
    assert_close(entry, "other_weight_each", weights[0], dtype)
    assert_close(entry, "selected_total", weights[2] + weights[5], dtype)


@every("d2l_small", "average_of_two_c")
def test_how_long_that_query_must_be(entry):
    k = torch.eye(entry["inputs"]["m"], dtype=torch.float64)
    weights = soft_lookup(float(entry["expected"]["c_min"]) * (k[0] + k[1]), k, k).weights
    assert (weights[0] + weights[1]).item() == pytest.approx(entry["inputs"]["total"], rel=1e-12)


@every("d2l_small", "orthogonal_unequal")
def test_a_long_key_wins_unless_the_query_is_balanced(entry):
    inputs = entry["inputs"]
    k = torch.diag(tensor([1, inputs["norm_b_over_a"], *inputs["other_norms"]]))
    balanced = soft_lookup(inputs["c"] * (k[0] / (k[0] @ k[0]) + k[1] / (k[1] @ k[1])), k, k)
    naive = soft_lookup(inputs["c"] * (k[0] + k[1]), k, k)
    assert_close(entry, "balanced_scores", balanced.scores)
    assert_close(entry, "balanced_weights", balanced.weights)
    assert_close(entry, "naive_scores", naive.scores)
    assert_close(entry, "naive_weights", naive.weights)
    assert ties(naive.scores) == [entry["expected"]["naive_limit_index"]]


@both_dtypes
@every("batch", "soft_lookup_batch")
def test_several_queries_at_once(entry, dtype):
    inputs = entry["inputs"]
    q, k, v = (tensor(inputs[name], dtype) for name in "QKV")
    lookup = soft_lookup(q, k, v, temperature=inputs["tau"])
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)


@both_dtypes
def test_self_attention(dtype):
    (entry,) = golden("batch", "self_attention_bare")
    x = tensor(entry["inputs"]["X"], dtype)
    lookup = soft_lookup(x, x, x)
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)


@both_dtypes
def test_causal_self_attention(dtype):
    (entry,) = golden("masks", "causal_self_attention")
    x = tensor(entry["inputs"]["X"], dtype)
    lookup = soft_lookup(x, x, x, temperature=entry["inputs"]["tau"], mask=torch.ones(4, 4).tril())
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)
    assert not lookup.weights.triu(1).any()


def test_the_order_of_the_entries_does_not_matter():
    (entry,) = golden("batch", "permuted_pairs")
    inputs, order = entry["inputs"], entry["inputs"]["permutation"]
    k, v = tensor(inputs["K"]), tensor(inputs["V"])
    plain = soft_lookup(inputs["q"], k, v, temperature=inputs["tau"])
    turned = soft_lookup(inputs["q"], k[order], v[order], temperature=inputs["tau"])
    assert_close(entry, "output", plain.output)
    assert_close(entry, "weights", plain.weights)
    assert_close(entry, "weights_permuted", turned.weights)
    assert_close(entry, "output_permuted", turned.output)


def test_exact_lookup_as_a_map_is_the_identity():
    (entry,) = golden("n_eff", "literal")
    x = torch.arange(10.0)[:, None]
    weights = soft_lookup(x, x, x, "squared_distance", weighting="exact").weights
    for name, on in (("diagonal", torch.eye(10).bool()), ("off_diagonal", ~torch.eye(10).bool())):
        assert_close(entry, name, weights[on])
