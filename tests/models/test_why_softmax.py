from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import LabError
from models.temperature import (
    CLIP_FLOOR,
    CLIP_START,
    Boltzmann,
    cross_entropy,
    divide_by_sum,
    entropy,
    log_sum_exp,
    logit_scale,
    shift_difference,
    softmax_jacobian,
    weight_ratio,
)
from models.weightings import softmax
from tests.reference import assert_close, golden, numbers

INF = math.inf


def tensor(values, dtype="float64"):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype))


def named(topic, kind):
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


both_dtypes = pytest.mark.parametrize("dtype", ["float64", "float32"])


@both_dtypes
@named("softmax", "lse_bounds")
def test_log_sum_exp_lies_between_its_bounds(entry, dtype):
    s = tensor(entry["inputs"]["s"], dtype).requires_grad_()
    got = log_sum_exp(s)
    got.value.backward()
    assert_close(entry, "lse", got.value.detach(), dtype)
    assert_close(entry, "max", got.lower.detach(), dtype)
    assert_close(entry, "upper", got.upper.detach(), dtype)
    assert_close(entry, "gap_above_max", got.above_lower.detach(), dtype)
    assert_close(entry, "gap_below_upper", got.below_upper.detach(), dtype)
    assert_close(entry, "gradient", s.grad, dtype)


@both_dtypes
@named("softmax", "shift_invariance")
def test_a_shift_changes_the_divided_sum_alone(entry, dtype):
    s, c = tensor(entry["inputs"]["s"], dtype), float(entry["inputs"]["c"])
    rounding = 4 * torch.finfo(s.dtype).eps * (abs(c) + 2)
    assert shift_difference(s, c) == pytest.approx(float(entry["expected"]["max_abs_difference"]), abs=rounding)
    assert_close(entry, "lse_shift", log_sum_exp(s + c).value - log_sum_exp(s).value, dtype)
    for field, shift in (("divide_by_sum", 0.0), ("divide_by_sum_shifted", c)):
        got = divide_by_sum(s + shift)
        if entry["expected"][field] is None:
            assert got.weights is None
            assert got.problems == ("The scores sum to 0: division by zero.",)
        else:
            assert_close(entry, field, got.weights, dtype)


def test_what_is_wrong_with_dividing_by_the_sum():
    assert divide_by_sum([2, 1, 0.1]).problems == ()
    assert divide_by_sum([2, -1]).problems == ("Some weights are negative.", "A weight exceeds 1.")
    assert "The sum is negative, so the lowest score gets the largest weight." in divide_by_sum([-3, 1]).problems
    assert divide_by_sum([0.1, 0.2, -0.3]).weights is None
    np.testing.assert_array_equal(divide_by_sum([1, 3, -INF]).weights, [0.25, 0.75, 0.0])
    assert divide_by_sum([1, 3]).total == 4.0


def test_clip_constants():
    (entry,) = golden("temperature", "clip_scale")
    assert float(entry["inputs"]["tau_init"]) == CLIP_START
    assert_close(entry, "tau_min", CLIP_FLOOR)
    assert_close(entry, "scale_init", math.exp(logit_scale(CLIP_START)))
    assert_close(entry, "logit_scale_init", logit_scale(CLIP_START))
    assert_close(entry, "logit_scale_max", logit_scale(CLIP_FLOOR))


@both_dtypes
@named("temperature", "clip_row")
def test_a_row_of_clip(entry, dtype):
    cosines, tau = tensor(entry["inputs"]["cosines"], dtype), float(entry["inputs"]["tau"])
    weights = Boltzmann(cosines, tau).weights
    assert_close(entry, "weights", weights, dtype)
    assert_close(entry, "entropy", entropy(weights), dtype)
    assert_close(entry, "cross_entropy_index_0", cross_entropy(cosines, 0, tau), dtype)


@both_dtypes
@named("gradients", "softmax_jacobian")
def test_jacobian(entry, dtype):
    s, tau = tensor(entry["inputs"]["s"], dtype), float(entry["inputs"]["tau"])
    jacobian = softmax_jacobian(s, tau)
    assert_close(entry, "jacobian", jacobian, dtype)
    assert float(Boltzmann(s, tau).largest_derivative) == pytest.approx(
        float(jacobian.abs().max()), rel=1e-5, abs=1e-30
    )


@pytest.mark.parametrize("tau", [0.02, 0.3, 1.0, 50.0])
def test_largest_derivative_needs_no_matrix(tau):
    s = torch.randn(30, dtype=torch.float64, generator=torch.Generator().manual_seed(4)).requires_grad_()
    exact = torch.autograd.functional.jacobian(lambda x: softmax(x, tau), s)
    got = softmax_jacobian(s.detach(), tau)
    torch.testing.assert_close(got, exact, rtol=1e-9, atol=1e-15)
    assert float(Boltzmann(s.detach(), tau).largest_derivative) == pytest.approx(float(got.abs().max()), rel=1e-14)


def test_learning_signal_vanishes_at_both_ends():
    largest = Boltzmann([2, 1, 0.1], [1e-3, 0.5, 1e3]).largest_derivative
    assert float(largest[0]) == 0.0
    assert float(largest[1]) > 0.2
    assert float(largest[2]) < 1e-3


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e30, 1e30) | st.just(-INF), min_size=2, max_size=40), st.floats(-30, 30))
def test_ratio_rule_and_bounds(scores, power):
    tau = 10.0**power
    if scores[1] == -INF:
        with pytest.raises(LabError, match="ratio"):
            weight_ratio(scores, 0, 1, tau)
        scores[1] = 0.0
    got = log_sum_exp(scores, tau)
    rounding = 1e-14 * (abs(float(got.lower)) + tau)
    assert float(got.lower) <= float(got.value) <= float(got.upper) + rounding
    assert float(got.above_lower) >= 0.0
    assert float(got.below_upper) >= 0.0
    weights = softmax(scores, tau)
    ratio = weight_ratio(scores, 0, 1, tau)
    assert ratio >= 0.0
    if float(weights[1]) > 1e-290 and float(weights[0]) > 1e-290:
        assert ratio == pytest.approx(float(weights[0] / weights[1]), rel=1e-9)


def test_what_cannot_be_asked():
    with pytest.raises(LabError, match="takes part"):
        log_sum_exp([[1.0, 2.0], [-INF, -INF]])
    with pytest.raises(LabError, match="ratio"):
        weight_ratio([1.0, 2.0], 0, 1, 0.0)
    with pytest.raises(LabError, match="One row"):
        softmax_jacobian([[1.0, 2.0]])
    assert weight_ratio([1e30, 0.0], 0, 1) == INF
