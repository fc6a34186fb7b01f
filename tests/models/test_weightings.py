from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import LabError
from models.weightings import WEIGHTINGS, softmax, sparsemax, ties
from tests.cases import case
from tests.reference import assert_close, golden, numbers

DTYPES = ("float64", "float32")
SOFT = ("softmax", "sparsemax", "entmax15")
INF = math.inf


def tensor(values, dtype="float64", **keywords):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype), **keywords)


def close(actual, expected, atol=1e-12):
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=actual.dtype), atol=atol, rtol=0)


def named(topic, kind):
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


both_dtypes = pytest.mark.parametrize("dtype", DTYPES)
every_weighting = pytest.mark.parametrize("name", WEIGHTINGS)


@both_dtypes
@named("softmax", "shift_invariance")
def test_a_shift_changes_nothing(entry, dtype):
    s, c = entry["inputs"]["s"], float(entry["inputs"]["c"])
    assert_close(entry, "softmax", softmax(tensor(s, dtype)), dtype)
    shifted = softmax(tensor(s, dtype) + c)
    # Adding c rounds the scores themselves to about |c| times the dtype's precision.
    close(shifted, numbers(entry["expected"]["softmax_shifted"]), 1e-6 + abs(c) * torch.finfo(shifted.dtype).eps)


@both_dtypes
@named("softmax", "lse_bounds")
def test_softmax_is_the_slope_of_log_sum_exp(entry, dtype):
    assert_close(entry, "gradient", softmax(tensor(entry["inputs"]["s"], dtype)), dtype)


@both_dtypes
@named("softmax", "closed_form_one_match")
def test_one_match_among_zeros(entry, dtype):
    weights = softmax(tensor([entry["inputs"]["hit"]] + [0] * (entry["inputs"]["m"] - 1), dtype))
    assert_close(entry, "alpha_1", weights[0], dtype)
    assert_close(entry, "alpha_other", weights[-1], dtype)
    assert_close(entry, "sum", weights.sum(), dtype)


@both_dtypes
@named("softmax", "softmax_tau")
def test_softmax_of_scores(entry, dtype):
    weights = softmax(tensor(entry["inputs"]["s"], dtype), entry["inputs"]["tau"])
    assert_close(entry, "weights", weights, dtype)
    assert ties(entry["inputs"]["s"]) == [entry["expected"]["argmax"]]


def test_one_unit_of_score_is_a_factor_e():
    (entry,) = golden("softmax", "literal")
    weights = softmax([1, 0])
    assert_close(entry, "e", weights[0] / weights[1])


@both_dtypes
@named("softmax", "hull_bounds")
def test_the_output_lies_in_the_hull(entry, dtype):
    inputs, expected = entry["inputs"], entry["expected"]
    weights = softmax(tensor(inputs["s"], dtype), inputs["tau"])
    output = weights @ tensor(inputs["V"], dtype)
    assert_close(entry, "output", output, dtype)
    assert_close(entry, "smallest_weight", weights.min(), dtype)
    for row in expected["rows"]:
        along = (tensor(row["direction"], dtype) @ output).item()
        assert float(row["min"]) - 1e-6 <= along <= float(row["max"]) + 1e-6
        assert_close(entry, "output", along, dtype, row["output"])


@both_dtypes
@named("masks", "masked_softmax")
def test_masked_scores(entry, dtype):
    inputs = entry["inputs"]
    scores = tensor(inputs["s"], dtype)
    by_score = softmax(scores, inputs["tau"])
    by_mask = softmax(scores.nan_to_num(neginf=7.0), inputs["tau"], mask=scores > -INF)
    assert torch.equal(by_score, by_mask)
    assert bool(by_score.any()) == entry["expected"]["defined"]
    if entry["expected"]["defined"]:
        assert_close(entry, "weights", by_score, dtype)
        assert (by_score[scores == -INF] == 0).all()
        assert_close(entry, "output", by_score @ tensor(inputs["V"], dtype), dtype)


@both_dtypes
@pytest.mark.parametrize("name", SOFT)
@named("sparse", "sparse_weights")
def test_sparse_weights(entry, name, dtype):
    weights = WEIGHTINGS[name](tensor(entry["inputs"]["s"], dtype), entry["inputs"]["tau"])
    assert_close(entry, name, weights, dtype)
    if name != "softmax":
        assert int((weights > 0).sum()) == entry["expected"][f"{name}_support"]


def test_the_slope_of_a_sparsemax_output():
    (entry,) = golden("sparse", "sparsemax_output_grad")
    scores, v = tensor(entry["inputs"]["s"], requires_grad=True), tensor(entry["inputs"]["V"])
    output = sparsemax(scores, entry["inputs"]["tau"]) @ v
    slopes = torch.stack([torch.autograd.grad(part, scores, retain_graph=True)[0] for part in output], dim=-1)
    assert_close(entry, "output", output.detach())
    assert_close(entry, "do_ds_rows", slopes)


@pytest.mark.parametrize("name", SOFT)
def test_gradients_and_their_gradients_are_right(name):
    s = tensor([[2, 1, 0.1, -0.4], [0.3, -3, 0.2, 0.5]], requires_grad=True)
    mask = torch.tensor([True, True, False, True])
    assert torch.autograd.gradcheck(lambda s: WEIGHTINGS[name](s, 1.7, mask), s)
    assert torch.autograd.gradgradcheck(lambda s: WEIGHTINGS[name](s, 1.7, mask), s)


def test_the_temperature_may_be_learned():
    tau = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda tau: softmax([2.0, 1.0, 0.1], tau), tau)


@pytest.mark.parametrize("index", range(6))
def test_n02_temperature_near_zero(index):
    given, expected = case("N-02")["input"][index], case("N-02")["expected"][index]
    weights = softmax(given["s"], given["tau"])
    close(weights, expected["weights"])
    close(softmax(tensor(given["s"], "float32"), given["tau"]), expected["weights"], 1e-6)


@every_weighting
@pytest.mark.parametrize("tau", [0, 1e-310, 5e-324])
def test_n02_the_cold_limit_has_slope_zero(name, tau):
    s = tensor([[2, 2, 0.1, -INF], [0, -1, -2, 0.0]], requires_grad=True)
    weights = WEIGHTINGS[name](s, tau)
    (weights * tensor([1, 2, 3, 4])).sum().backward()
    assert torch.equal(s.grad, torch.zeros_like(s))
    if name in SOFT:
        close(weights.detach(), [[0.5, 0.5, 0, 0], [0.5, 0, 0, 0.5]], 1e-15)


@every_weighting
@pytest.mark.parametrize("tau", [-1, -0.0, math.nan, INF, -INF, "-1", "", "abc", "nan", None, torch.tensor([1.0, 2.0])])
def test_n03_temperatures_that_are_refused(name, tau):
    with pytest.raises(LabError, match="from 0 up"):
        WEIGHTINGS[name](case("N-03")["input"]["s"], tau)


def test_n03_the_good_temperatures():
    expected = case("N-03")["expected"]["good weights at tau=1"]
    close(softmax(case("N-03")["input"]["s"], 1), expected)
    assert softmax([2, 1, 0.1], "1e-400").tolist() == [1, 0, 0]


@pytest.mark.parametrize("index", range(5))
def test_n09_sparsemax(index):
    z, expected = case("N-09")["input"][index]["z"], case("N-09")["expected"][index]
    scores = tensor(z)
    weights = sparsemax(scores)
    assert torch.equal(weights, sparsemax(scores.expand(2, 3, -1))[1, 2])
    if index == 4:
        assert weights.tolist() == [0, 0]
        return
    close(weights, expected["weights"], 1e-9)


def test_n09_the_jacobian_beside_a_blocked_entry():
    s = tensor([[[1, 0.8, -INF]]], requires_grad=True)
    weights = sparsemax(s)[0, 0]
    rows = [torch.autograd.grad(weight, s, retain_graph=True)[0][0, 0] for weight in weights]
    close(torch.stack(rows)[:2, :2], case("N-09")["expected"][0]["Jacobian on the first two"], 1e-9)
    assert torch.stack(rows)[:, 2].tolist() == [0, 0, 0]


def test_s01_rows_sum_to_one():
    right = case("S-01")["expected"]["right"]
    weights = softmax(case("S-01")["input"]["S (2 queries x 3 keys)"])
    close(weights, right["weights"], 1e-9)
    close(weights @ tensor(case("S-01")["input"]["V"]), right["output"], 1e-9)


@pytest.mark.parametrize(("index", "scores"), [(0, "s"), (1, "S")])
def test_s02_each_row_has_its_own_maximum(index, scores):
    close(softmax(case("S-02")["input"][index][scores]), case("S-02")["expected"][index]["weights"])


@every_weighting
@both_dtypes
@pytest.mark.parametrize("row", [[1e30, -1e30, 0, 1], [INF, 1, INF, -INF], [-INF] * 4, [-1e38, -3e38, 3e38, -INF]])
@pytest.mark.parametrize("tau", [0, 1e-30, 1, 1e30, 1e308])
def test_no_nan_forward_or_backward(name, dtype, row, tau):
    scores = tensor(row, dtype, requires_grad=True)
    weights = WEIGHTINGS[name](scores, tau)
    (weights * tensor([1, -2, 3, 4], dtype)).sum().backward()
    assert weights.isfinite().all()
    assert scores.grad.isfinite().all()
    assert (weights[scores == -INF] == 0).all()


@every_weighting
def test_nan_behind_a_mask_is_not_seen_and_before_it_is_refused(name):
    scores = tensor([0, 0.5, "nan"], requires_grad=True)
    weights = WEIGHTINGS[name](scores, mask=[1, 1, 0])
    weights[0].backward()
    assert weights[2] == 0
    assert scores.grad.isfinite().all()
    with pytest.raises(LabError, match="not a number"):
        WEIGHTINGS[name](scores)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@every_weighting
def test_half_precision_is_widened(name, dtype):
    scores = torch.tensor([3.0, 1.0, 2.5, 0.0], dtype=dtype)
    assert torch.equal(WEIGHTINGS[name](scores), WEIGHTINGS[name](scores.float()))


@every_weighting
def test_an_empty_dictionary_gives_no_weights(name):
    assert WEIGHTINGS[name](torch.zeros(2, 0)).shape == (2, 0)


def test_nearest_takes_the_first_and_ties_tells_all():
    assert WEIGHTINGS["nearest"]([[1, 3, 3], [2, 2, 0]]).tolist() == [[0, 1, 0], [1, 0, 0]]
    assert WEIGHTINGS["nearest"]([1, 3, 3], mask=[1, 0, 1]).tolist() == [0, 0, 1]
    assert ties([1, 3, 3]) == [1, 2]
    assert ties([1, 3, 3], mask=[1, 0, 1]) == [2]
    assert ties([-INF, -INF]) == []
    with pytest.raises(LabError, match="one query"):
        ties([[1, 2]])


def test_exact_needs_a_score_of_zero():
    assert WEIGHTINGS["exact"]([[-1, 0, 0], [-1, -2, -3]]).tolist() == [[0, 1, 0], [0, 0, 0]]
    assert WEIGHTINGS["exact"]([-1, 0, 0], mask=[1, 0, 1]).tolist() == [0, 0, 1]


@pytest.mark.parametrize("mask", [[1, 0.5, 0], [0, -INF, 0], [[1, 1]], [[[1, 1, 1]]] * 2, ["yes", "no", "no"]])
def test_masks_that_are_refused(mask):
    with pytest.raises(LabError):
        softmax([1.0, 2.0, 3.0], mask=mask)


scores_of_a_row = st.lists(st.floats(-50, 50), min_size=1, max_size=12)


@every_weighting
@settings(deadline=None, max_examples=60)
@given(row=scores_of_a_row, tau=st.floats(0.01, 100), data=st.data())
def test_laws(name, row, tau, data):
    weighting, scores = WEIGHTINGS[name], torch.tensor(row, dtype=torch.float64)
    weights = weighting(scores, tau)
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1 if name != "exact" or 0 in row else 0, abs=1e-12)
    order = torch.tensor(data.draw(st.permutations(range(len(row)))))
    if name in SOFT:
        close(weighting(scores[order], tau), weights[order].tolist())
        # Entmax has a square root in it, so that the rounding of the shifted scores shows a little more.
        close(weighting(scores + 10, tau), weights.tolist(), 1e-10)
        assert (weights[scores.argsort()].diff() >= -1e-15).all()
    batch = torch.stack([scores, scores[order]])
    assert torch.equal(weighting(batch, tau)[1], weighting(scores[order], tau))
    blocked = data.draw(st.lists(st.booleans(), min_size=len(row), max_size=len(row)))
    alone = weighting(scores[torch.tensor(blocked)], tau)
    close(weighting(scores, tau, blocked)[torch.tensor(blocked)], alone.tolist())
