from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import temperature as subject
from models.errors import LabError
from models.temperature import (
    Boltzmann,
    effective_number,
    entropy,
    entropy_of_scores,
    entropy_slope,
    perplexity,
    temperature_curve,
)
from models.weightings import softmax
from tests.cases import case
from tests.reference import assert_close, golden, numbers

INF = math.inf


def tensor(values, dtype="float64"):
    return torch.tensor(numbers(values), dtype=getattr(torch, dtype))


def named(topic, kind):
    return pytest.mark.parametrize("entry", golden(topic, kind), ids=lambda entry: entry["id"])


both_dtypes = pytest.mark.parametrize("dtype", ["float64", "float32"])


@both_dtypes
@pytest.mark.parametrize(
    "entry", golden("temperature", "softmax_tau") + golden("softmax", "softmax_tau"), ids=lambda entry: entry["id"]
)
def test_measures_at_a_temperature(entry, dtype):
    s, tau = tensor(entry["inputs"]["s"], dtype), float(entry["inputs"]["tau"])
    spread = Boltzmann(s, tau)
    weights = softmax(s, tau)
    assert_close(entry, "weights", spread.weights, dtype)
    assert_close(entry, "entropy", spread.entropy, dtype)
    assert_close(entry, "entropy", entropy(weights), dtype)
    assert_close(entry, "d_entropy_d_tau", entropy_slope(s, tau), dtype)
    assert_close(entry, "n_eff", spread.effective_number, dtype)
    assert_close(entry, "n_eff", effective_number(weights), dtype)
    assert_close(entry, "perplexity", spread.perplexity, dtype)
    assert_close(entry, "perplexity", perplexity(weights), dtype)


@both_dtypes
@named("temperature", "softmax_scaled")
def test_scores_times_c_are_temperature_one_over_c(entry, dtype):
    s, tau = tensor(entry["inputs"]["s"], dtype), 1.0 / float(entry["inputs"]["c"])
    assert_close(entry, "weights", Boltzmann(s, tau).weights, dtype)
    assert_close(entry, "entropy", entropy_of_scores(s, tau), dtype)
    assert_close(entry, "entropy", entropy(softmax(s, tau)), dtype)
    assert_close(entry, "one_minus_max", Boltzmann(s, tau).rest / Boltzmann(s, tau).z, dtype)


def test_tiny_entropies_keep_their_relative_precision():
    entry = next(e for e in golden("temperature", "softmax_scaled") if e["id"] == "s210_scale100")
    expected = float(entry["expected"]["entropy"])
    assert float(entropy_of_scores(entry["inputs"]["s"], 0.01)) == pytest.approx(expected, rel=1e-12, abs=0.0)


@both_dtypes
@named("temperature", "softmax_limits")
def test_both_limits(entry, dtype):
    s = tensor(entry["inputs"]["s"], dtype)
    for tau in (0.0, 1e-30):
        assert_close(entry, "cold_weights", Boltzmann(s, tau).weights, dtype)
        assert_close(entry, "cold_entropy", entropy_of_scores(s, tau), dtype)
    assert_close(entry, "hot_weights", Boltzmann(s, 1e30).weights, dtype)
    assert_close(entry, "hot_entropy", entropy_of_scores(s, 1e30), dtype)


@both_dtypes
@named("n_eff", "n_eff_of_weights")
def test_counts_of_weights(entry, dtype):
    weights = tensor([float(Fraction(str(a))) for a in entry["inputs"]["weights"]], dtype)
    assert_close(entry, "n_eff", effective_number(weights), dtype)
    assert_close(entry, "perplexity", perplexity(weights), dtype)
    assert_close(entry, "variance_factor", 1 / effective_number(weights), dtype)
    assert_close(entry, "sd_factor", effective_number(weights) ** -0.5, dtype)


@both_dtypes
@pytest.mark.parametrize("index", range(6))
def test_temperature_zero_and_near_zero(index, dtype):
    given, expected = case("N-02")["input"][index], case("N-02")["expected"][index]
    tolerance = 1e-12 if dtype == "float64" else 1e-6
    # 1e308 is beyond float32; 1e38 is its like there.
    spread = Boltzmann(tensor(given["s"], dtype), given["tau"] if dtype == "float64" else min(given["tau"], 1e38))
    np.testing.assert_allclose(spread.weights, expected["weights"], rtol=0, atol=tolerance)
    assert float(spread.entropy) == pytest.approx(expected["H"], abs=tolerance)
    assert float(entropy(spread.weights)) == pytest.approx(expected["H"], abs=tolerance)


@both_dtypes
@pytest.mark.parametrize("index", range(3))
def test_entropy_of_weights_that_are_exactly_zero(index, dtype):
    given, expected = case("N-06")["input"][index], case("N-06")["expected"][index]
    tolerance = 1e-12 if dtype == "float64" else 1e-6
    for measure in (lambda s: entropy(softmax(s)), lambda s: entropy(torch.softmax(s, -1)), entropy_of_scores):
        s = tensor(given["s"], dtype).requires_grad_()
        value = measure(s)
        value.backward()
        assert float(value.detach()) == pytest.approx(expected["H"], abs=tolerance)
        np.testing.assert_allclose(s.grad, expected["dH/ds"], rtol=0, atol=tolerance)


def test_gradient_of_the_entropy_is_finite_by_the_weights_too():
    weights = torch.tensor([0.5, 0.5, 0.0], requires_grad=True)
    entropy(weights).backward()
    assert bool(weights.grad.isfinite().all())


def test_entropy_is_never_below_zero():
    above_one = torch.tensor([1.0000001, 0.0])
    for weights in (above_one, torch.tensor([0.0, 1.0])):
        value = float(entropy(weights))
        assert value == 0.0
        assert math.copysign(1.0, value) == 1.0


def test_temperature_in_the_wrong_place():
    expected = case("S-08")["expected"]
    s, tau = case("S-08")["input"]["s"], case("S-08")["input"]["tau"]
    weights = Boltzmann(s, tau).weights
    np.testing.assert_allclose(weights, expected["right"], rtol=0, atol=1e-9)
    powers = Boltzmann(s).weights ** (1 / tau)
    np.testing.assert_allclose(powers / powers.sum(), expected["p^(1/tau) renormalised"]["value"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(Boltzmann(s, 1 / tau).weights, expected["multiplied"], rtol=0, atol=1e-9)


def test_a_row_in_which_nothing_takes_part_has_nothing():
    blocked = torch.full((2, 3), -INF)
    spread = Boltzmann(blocked)
    for value in (spread.weights, spread.entropy, spread.perplexity, spread.effective_number, spread.slope):
        assert not bool(value.any())
    assert float(perplexity([0.0, 0.0])) == float(effective_number([0.0, 0.0])) == float(entropy([0.0, 0.0])) == 0.0


@pytest.mark.parametrize("tau", [-1.0, math.nan, INF, -INF, -0.0])
def test_temperatures_that_are_none(tau):
    with pytest.raises(LabError, match="temperature"):
        entropy_slope([1.5, 0.5, -0.5], tau)


@pytest.mark.parametrize("scores", [[1.0, math.nan], [], 3.0])
def test_scores_that_are_none(scores):
    with pytest.raises(LabError):
        entropy_of_scores(scores, 1.0)


def test_shapes():
    rows = torch.randn(4, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    taus = torch.tensor([0.3, 0.5, 1.0, 2.0], dtype=torch.float64)
    each = [float(entropy_slope(row, tau)) for row, tau in zip(rows, taus, strict=True)]
    np.testing.assert_allclose(entropy_slope(rows, taus), each, rtol=1e-14)
    assert entropy_slope(rows, 0.5).shape == entropy(softmax(rows)).shape == (4,)
    assert entropy_slope(rows[0], taus).shape == (4,)
    assert entropy_of_scores(rows.float(), 0.5).dtype == torch.float32
    assert entropy_of_scores(rows.half(), 0.5).dtype == torch.float32


def test_curve_is_the_same_in_pieces(monkeypatch):
    scores, taus = [2.0, 1.0, 0.1, -INF], np.geomspace(1e-3, 1e3, 50)
    whole = temperature_curve(scores, taus)
    monkeypatch.setattr("models.entropy.CHUNK", 12)
    pieces = temperature_curve(scores, taus)
    for name in vars(whole):
        torch.testing.assert_close(getattr(pieces, name), getattr(whole, name), rtol=0, atol=0)
        assert getattr(whole, name).shape == (50,)


def test_curve_is_its_points_and_its_slope_their_difference():
    scores = [2.0, 1.0, 0.1]
    curve = temperature_curve(scores, [0.5, 0.5 + 1e-6])
    spread = Boltzmann(scores, 0.5)
    for name in ("entropy", "slope", "perplexity", "effective_number", "log_sum_exp", "largest_derivative"):
        assert float(getattr(curve, name)[0]) == pytest.approx(float(getattr(spread, name)), rel=1e-14)
    assert float(curve.entropy.diff()) / 1e-6 == pytest.approx(float(curve.slope.mean()), rel=1e-6)


def test_curve_of_a_hundred_thousand_scores_is_finite():
    scores = torch.randn(100_000, generator=torch.Generator().manual_seed(3))
    curve = temperature_curve(scores, torch.tensor([1e-3, 1.0, 1e3]))
    assert all(bool(getattr(curve, name).isfinite().all()) for name in vars(curve))
    assert float(curve.entropy[2]) == pytest.approx(math.log(100_000), rel=1e-5)


def test_curve_wants_one_row():
    with pytest.raises(LabError, match="One row"):
        temperature_curve([[1.0, 2.0]], [1.0])


@st.composite
def many_scores(draw):
    """1 to 100,000 scores of a dtype, up to ±1e30, with ties and −inf but at least one that takes part."""
    size = draw(st.sampled_from([1, 2, 3, 7, 50, 1000, 100_000]))
    scale = 10.0 ** draw(st.integers(-30, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = rng.normal(size=size).clip(-1, 1) * scale
    if draw(st.booleans()):
        scores = np.round(scores / scale * 2) / 2 * scale
    if draw(st.booleans()):
        scores[rng.random(size) < 0.3] = -INF
        scores[rng.integers(size)] = scale * draw(st.sampled_from([-1.0, 0.0, 1.0]))
    return torch.tensor(scores, dtype=getattr(torch, draw(st.sampled_from(["float32", "float64"]))))


temperatures = st.floats(-300, 300).map(lambda power: 10.0**power)


@settings(max_examples=100, deadline=None)
@given(many_scores(), st.floats(-36, 36))
def test_nothing_is_nan_and_all_stays_in_its_bounds(scores, power):
    live = int((scores > -INF).sum())
    spread = Boltzmann(scores, 10.0**power)
    slack = 200 * torch.finfo(scores.dtype).eps * (1 + math.log(live))
    assert float(spread.weights.sum()) == pytest.approx(1.0, abs=slack)
    assert 0.0 <= float(spread.entropy) <= math.log(live) + slack
    assert 0.0 <= float(entropy(spread.weights)) <= math.log(live) + slack
    assert 1.0 - slack <= float(spread.effective_number) <= float(spread.perplexity) * (1 + slack)
    assert float(spread.perplexity) <= live * (1 + slack)
    assert float(spread.slope) >= 0.0
    assert float(spread.largest_derivative) >= 0.0
    assert not math.isnan(float(spread.log_sum_exp))


@settings(max_examples=60, deadline=None)
@given(many_scores())
def test_entropy_never_falls_with_the_temperature(scores):
    size = float(scores[scores > -INF].abs().max()) or 1.0
    taus = torch.tensor(np.geomspace(1e-3, 1e3, 40) * min(size, 1e30), dtype=scores.dtype)
    curve = temperature_curve(scores, taus)
    slack = 100 * torch.finfo(scores.dtype).eps * (1 + float(curve.entropy.max()))
    assert bool((curve.entropy.diff() >= -slack).all())
    assert bool((curve.slope >= 0).all())
    assert bool((curve.effective_number.diff() >= -slack * curve.effective_number.max()).all())


@settings(max_examples=60, deadline=None)
@given(many_scores(), st.floats(-2, 2))
def test_gradient_by_the_scores_is_finite_and_sums_to_zero(scores, power):
    s = scores.requires_grad_()
    entropy_of_scores(s, 10.0**power).backward()
    assert bool(s.grad.isfinite().all())
    assert float(s.grad.sum()) == pytest.approx(0.0, abs=1e-3 * float(s.grad.abs().sum()) + 1e-6)


def test_every_public_name_is_there_and_torch_is_not_loaded_for_it():
    assert all(hasattr(subject, name) for name in subject.__all__)
    code = "import sys, models.temperature; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
