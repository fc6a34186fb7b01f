from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.errors import LabError
from models.temperature import (
    Boltzmann,
    OutOfReachError,
    bisection_steps,
    effective_number,
    entropy_of_scores,
    entropy_slope,
    perplexity,
    temperature_for_effective_number,
    temperature_for_entropy,
    temperature_for_perplexity,
)
from tests.cases import case
from tests.reference import assert_close, golden, numbers

INF = math.inf
ENTRIES = golden("temperature", "entropy_temperature")
INVERSES = (temperature_for_entropy, temperature_for_perplexity, temperature_for_effective_number)


def named(reachable):
    entries = [entry for entry in ENTRIES if entry["expected"]["reachable"] is reachable]
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry["id"])


@named(True)
def test_the_temperature_of_an_entropy(entry):
    s, target = entry["inputs"]["s"], float(entry["inputs"]["H_target"])
    tau = temperature_for_entropy(s, target)
    assert isinstance(tau, float)
    assert_close(entry, "tau", tau)
    assert_close(entry, "weights", Boltzmann(s, tau).weights)
    assert_close(entry, "d_entropy_d_tau", entropy_slope(s, tau))
    assert float(entropy_of_scores(s, tau)) == pytest.approx(target, abs=1e-14)


@named(True)
def test_root_to_twelve_digits(entry):
    s, target = entry["inputs"]["s"], float(entry["inputs"]["H_target"])
    exact = float(numbers(entry["expected"]["tau_30_digits"]))
    # What the rounding of the target itself moves the root by; close to ln n it exceeds 1e-12.
    moved = 2**-53 * target / float(entry["expected"]["d_entropy_d_tau"]) / exact
    allowed = 1e-12 if moved < 1e-13 else 1e-12 + 8 * moved
    assert temperature_for_entropy(s, target) == pytest.approx(exact, rel=allowed)
    assert temperature_for_entropy([s, s], target)[1] == pytest.approx(exact, rel=allowed)


@named(False)
def test_no_temperature_has_it(entry):
    with pytest.raises(OutOfReachError) as caught:
        temperature_for_entropy(entry["inputs"]["s"], float(entry["inputs"]["H_target"]))
    assert_close(entry, "H_min", caught.value.lowest)
    assert_close(entry, "H_max", caught.value.highest)


@pytest.mark.parametrize("index", [0, 2])
def test_wanted_entropies_that_can_be(index):
    given, expected = case("N-08")["input"][index], case("N-08")["expected"][index]
    got = [temperature_for_entropy(given["s"], target) for target in given["H"]]
    np.testing.assert_allclose(got, expected["tau"], rtol=1e-12)


@pytest.mark.parametrize(
    ("scores", "target", "reason", "words"),
    [
        ([2, 1, 0.1], 1.2, "above", "range of the entropy is 0 nats to 1.098612 nats"),
        ([2, 1, 0.1], -0.1, "below", "range of the entropy is 0 nats to 1.098612 nats"),
        ([2, 1, 0.1], math.log(3), "hot_limit", "limit of the entropy as τ → ∞"),
        ([2, 1, 0.1], 0, "cold_limit", "limit of the entropy as τ → 0"),
        ([3, 3, 1], 0.5, "below_ties", "With 2 tied winners the entropy cannot go below 0.6931472 nats"),
        ([3, 3, 1], math.log(2), "cold_limit", "as τ → 0"),
        ([1, 1, 1], 0.5, "all_equal", "always 1.098612 nats"),
        ([5], 0.3, "one_key", "always 0 nats"),
        ([5, -INF], 0.3, "one_key", "always 0 nats"),
    ],
)
@pytest.mark.parametrize("form", ["few", "many", "rows"])
def test_wanted_entropies_that_cannot_be(scores, target, reason, words, form):
    if form == "many":
        scores = scores + [-INF] * 30
    elif form == "rows":
        scores = [scores, scores]
    with pytest.raises(OutOfReachError, match=words) as caught:
        temperature_for_entropy(scores, target)
    assert caught.value.reason == reason
    assert caught.value.sentence.startswith("Row 0: ") is (form == "rows")


def test_counts_that_cannot_be():
    for solve in (temperature_for_perplexity, temperature_for_effective_number):
        for target, words in (
            (4, "is 1 to 3"),
            (3, "limit of the"),
            (1, "limit of the"),
            (0.5, "1 to 3"),
            (-2, "1 to 3"),
        ):
            with pytest.raises(OutOfReachError, match=words):
                solve([2, 1, 0.1], target)
            with pytest.raises(OutOfReachError, match=f"Row 1: .*{words}"):
                solve([[2, 1, 0.1]] * 2, [2, target])


@pytest.mark.parametrize("scores", [[1.0, math.nan], [math.nan, 1.0], [INF, 1.0], [], [-INF, -INF], [1e308, -1e308]])
@pytest.mark.parametrize("form", ["few", "many", "rows"])
def test_scores_that_are_none(scores, form):
    scores = scores * 20 if form == "many" else [[0.0] * len(scores), scores] if form == "rows" else scores
    with pytest.raises(LabError, match=r"score|Score") as caught:
        temperature_for_entropy(scores, 0.1)
    assert not isinstance(caught.value, OutOfReachError)


@pytest.mark.parametrize("solve", INVERSES)
def test_a_target_that_is_no_number(solve):
    for scores in ([2, 1, 0.1], [[2, 1, 0.1]]):
        with pytest.raises(LabError, match="must be a number"):
            solve(scores, math.nan)


def test_perplexity_and_effective_number():
    s = [2, 1, 0.1, -3]
    for target in (1.001, 1.5, 2.0, 3.0, 3.9):
        weights = Boltzmann(s, temperature_for_perplexity(s, target)).weights
        assert float(perplexity(weights)) == pytest.approx(target, rel=1e-12)
        weights = Boltzmann(s, temperature_for_effective_number(s, target)).weights
        assert float(effective_number(weights)) == pytest.approx(target, rel=1e-12)


@pytest.mark.parametrize("solve", INVERSES)
def test_rows_are_their_rows(solve):
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(30, 40))
    rows[::3, 5:9] = -INF
    rows[1::3] = rows[1::3].round(1)
    targets = (
        rng.uniform(5.0, 30.0, size=30) if solve is not temperature_for_entropy else rng.uniform(2.0, 3.4, size=30)
    )
    got = solve(rows, targets)
    np.testing.assert_allclose(got, [solve(row, target) for row, target in zip(rows, targets, strict=True)], rtol=1e-12)
    assert isinstance(got, np.ndarray)
    np.testing.assert_array_equal(solve(torch.tensor(rows), torch.tensor(targets)).numpy(), got)
    np.testing.assert_allclose(solve(rows, targets[0]), [solve(row, targets[0]) for row in rows], rtol=1e-12)


def test_rows_in_blocks(monkeypatch):
    rows = np.random.default_rng(8).normal(size=(7, 5))
    whole = temperature_for_entropy(rows, 1.0)
    monkeypatch.setattr("models.inverse.BLOCK", 10)
    np.testing.assert_allclose(temperature_for_entropy(rows, 1.0), whole, rtol=1e-13)
    rows[5] = 1.0
    with pytest.raises(OutOfReachError, match="Row 5"):
        temperature_for_entropy(rows, 1.0)


def test_tensors_with_a_gradient_and_single_precision_are_taken():
    s = torch.tensor([2.0, 1.0, 0.25], requires_grad=True)
    assert temperature_for_entropy(s, 0.5) == temperature_for_entropy([2, 1, 0.25], 0.5)
    with pytest.raises(LabError, match="shape"):
        temperature_for_entropy(torch.zeros(1, 2, 3), 0.5)


@pytest.mark.parametrize("share", [1e-300, 1e-30, 1e-3, 0.5, 0.999])
@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("size", [3, 40, 20_000])
def test_every_size_and_scale(size, scale, share):
    s = np.random.default_rng(size).normal(size=size) * scale
    target = share * math.log(size)
    assert float(entropy_of_scores(s, temperature_for_entropy(s, target))) == pytest.approx(target, rel=2e-12)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(st.floats(-1e30, 1e30), st.integers(-3, 3), st.just(-INF)), min_size=2, max_size=60),
    st.floats(0.001, 0.999),
)
def test_the_root_has_the_entropy_and_is_the_only_one(scores, share):
    live = [score for score in scores if score > -INF]
    assume(live and min(live) < max(live))
    # A gap below 1e-90 of the largest counts as a tie, and no temperature is told from 0 below 2.2e-308.
    top, floor = max(live), max(1e-290, 1e-90 * (max(live) - min(live)))
    assume(all(score == top or top - score > floor for score in live))
    winners = live.count(top)
    target = math.log(winners) + share * math.log(len(live) / winners)
    for tau in (temperature_for_entropy(scores, target), float(temperature_for_entropy([scores], target)[0])):
        assert float(entropy_of_scores(scores, tau)) == pytest.approx(target, rel=1e-12, abs=1e-13)
        colder, hotter = entropy_of_scores(scores, [0.5 * tau, 2.0 * tau])
        assert float(colder) <= target * (1 + 1e-12)
        assert float(hotter) >= target * (1 - 1e-12)


@pytest.mark.parametrize("solve", INVERSES)
def test_gaps_over_many_powers_of_ten(solve):
    # The entropy is then a staircase over ln τ: almost flat, and steep where one more entry joins.
    rng = np.random.default_rng(11)
    for _ in range(60):
        s = -np.exp(rng.normal(size=12) * 30).clip(1e-40, 1e40)
        share = rng.choice([1e-3, 0.05, 0.3, 0.6, 0.9, 0.99])
        target = share * math.log(12) if solve is temperature_for_entropy else 12**share
        for tau in (solve(s, target), float(solve(s[None], target)[0])):
            spread = Boltzmann(s, tau)
            got = {
                temperature_for_entropy: spread.entropy,
                temperature_for_perplexity: spread.perplexity,
                temperature_for_effective_number: spread.effective_number,
            }[solve]
            assert float(got) == pytest.approx(target, rel=1e-12)


def test_the_bisection_can_be_watched():
    s, target = [2, 1, 0.1], 0.5
    steps = bisection_steps(s, target)
    answer = temperature_for_entropy(s, target)
    assert abs(steps.entropy[-1] - target) <= 1e-6
    assert np.all((steps.low < answer) & (answer < steps.high))
    np.testing.assert_allclose(steps.middle**2, steps.low * steps.high, rtol=1e-12)
    width = np.log(steps.high / steps.low)
    np.testing.assert_allclose(width[1:], 0.5 * width[:-1], rtol=1e-9)
    np.testing.assert_allclose(steps.entropy, entropy_of_scores(s, steps.middle), rtol=1e-12)
    assert (steps.low[0], steps.high[0]) == (1e-3, 1e3)


def test_the_bisection_starts_wider_where_it_must():
    for scale in (1e-9, 1e9):
        steps = bisection_steps([2 * scale, scale, 0], 0.5)
        assert steps.low[0] < temperature_for_entropy([2 * scale, scale, 0], 0.5) < steps.high[0]
        assert abs(steps.entropy[-1] - 0.5) <= 1e-6
    with pytest.raises(OutOfReachError):
        bisection_steps([1, 1], 0.5)
