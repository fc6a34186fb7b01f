"""The Jacobian by the query: exact values, autograd over random lookups, fields, and inputs that broke others."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pytest
import torch

from models.dictionary import open_dictionary
from models.errors import LabError
from models.flow import key_jacobian, query_jacobian, query_step, score_gradients
from models.jacobians import loss_field
from models.lookup import soft_lookup
from models.score_gradients import CLOSED_FORMS
from models.similarities import SIMILARITIES
from models.slopes import RESPONSES
from models.tensors import as_mask
from models.weightings import WEIGHTINGS
from tests.cases import case
from tests.models.random_lookups import Case, random_case
from tests.reference import assert_close, golden

F64, F32 = torch.float64, torch.float32
SEEDS = range(45)


def tensors(entry: dict[str, Any], dtype: Any = F64) -> tuple[torch.Tensor, ...]:
    inputs = entry["inputs"]
    return tuple(torch.tensor(inputs[name], dtype=dtype) for name in ("q", "K", "V"))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("entry", golden("gradients", "query_jacobian"), ids=lambda e: e["id"])
def test_query_jacobian_of_the_worked_example(entry: dict[str, Any], dtype: str) -> None:
    q, k, v = tensors(entry, getattr(torch, dtype))
    tau = entry["inputs"]["tau"]
    lookup = soft_lookup(q, k, v, temperature=tau)
    jacobian = query_jacobian(q, k, v, tau)
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)
    assert_close(entry, "kbar", lookup.weights @ k, dtype)
    assert_close(entry, "jacobian", jacobian, dtype)
    assert_close(entry, "frobenius_norm", torch.linalg.vector_norm(jacobian), dtype)
    assert_close(entry, "jacobian_wrt_key_0", key_jacobian(q, k, v, 0, tau), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("entry", golden("gradients", "query_jacobian_distance"), ids=lambda e: e["id"])
def test_query_jacobian_of_distances(entry: dict[str, Any], dtype: str) -> None:
    # −‖q−k‖²/τ is the squared distance with 2σ² = 1.
    q, k, v = tensors(entry, getattr(torch, dtype))
    settings: dict[str, Any] = {"similarity": "squared_distance", "sigma": math.sqrt(0.5)}
    tau = entry["inputs"]["tau"]
    lookup = soft_lookup(q, k, v, temperature=tau, **settings)
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)
    assert_close(entry, "jacobian", query_jacobian(q, k, v, tau, **settings), dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("entry", golden("gradients", "self_covariance_jacobian"), ids=lambda e: e["id"])
def test_keys_as_values_give_a_covariance(entry: dict[str, Any], dtype: str) -> None:
    kind = getattr(torch, dtype)
    q, k = (torch.tensor(entry["inputs"][name], dtype=kind) for name in ("q", "K"))
    jacobian, lookup = query_jacobian(q, k, k), soft_lookup(q, k, k)
    found = {
        "weights": lookup.weights,
        "output": lookup.output,
        "jacobian": jacobian,
        "eigenvalues": torch.linalg.eigvalsh(jacobian),
        "trace": jacobian.trace(),
    }
    for field in entry["expected"]:
        assert_close(entry, field, found[field], dtype)
    assert float(torch.linalg.eigvalsh(jacobian)[0]) >= -1e-6


def test_a_longer_query_saturates() -> None:
    (entry,) = golden("gradients", "self_covariance_limit")
    u, k = (torch.tensor(entry["inputs"][name], dtype=F64) for name in ("u", "K"))
    scores = k @ u
    best = int(scores.argmax())
    assert best == entry["expected"]["best_index"]
    margin = scores[best] - scores[torch.arange(len(k)) != best].max()
    assert_close(entry, "margin", margin)
    for row in entry["expected"]["rows"]:
        q = float(row["c"]) * u
        lookup = soft_lookup(q, k, k)
        others = lookup.weights[torch.arange(len(k)) != best].sum()
        norm = torch.linalg.vector_norm(query_jacobian(q, k, k))
        assert_close(entry, "rows", others, expected=row["one_minus_max_weight"])
        assert_close(entry, "rows", norm, expected=row["frobenius_norm"])
        assert_close(entry, "rows", lookup.output, expected=row["output"])


def test_a_saturated_jacobian_keeps_its_digits() -> None:
    """Far below rounding of the values: the difference of products would give 1e-13 where 1e-40 is right."""
    (entry,) = golden("gradients", "grad_norm_vs_tau")
    q, k, v = tensors(entry)
    row = entry["expected"]["rows"][0]
    alone = torch.linalg.vector_norm(query_jacobian(q, k, v, float(row["tau"])))
    among = torch.linalg.vector_norm(query_jacobian(torch.stack([-q, q]), k, v, float(row["tau"]))[1])
    assert float(alone) == pytest.approx(float(row["frobenius_norm"]), rel=1e-10)
    assert float(among) == pytest.approx(float(row["frobenius_norm"]), rel=1e-10)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_closed_form_is_autograd(similarity: str, weighting: str) -> None:
    for seed in SEEDS:
        lookup = random_case(seed, similarity, weighting)
        closed = query_jacobian(lookup.q, lookup.k, lookup.v, **lookup.settings)
        automatic = lookup.by_autograd()
        assert float((closed - automatic).abs().max()) <= 1e-10 * max(1.0, float(automatic.abs().max())), seed


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_closed_form_is_autograd_in_single_precision(similarity: str) -> None:
    """Against autograd in float64 from the very scores that float32 gave.

    Autograd in float32 itself is no measure: near saturation its softmax loses more than 1e-5, the closed form doesn't.
    """
    for seed in SEEDS:
        single = random_case(seed, similarity, dtype=F32)
        closed = query_jacobian(single.q, single.k, single.v, **single.settings)
        automatic = from_given_scores(single, similarity)
        assert closed.dtype == F32
        assert float((closed - automatic).abs().max()) <= 1e-5 * max(1.0, float(automatic.abs().max())), seed


def from_given_scores(single: Case, similarity: str) -> torch.Tensor:
    """Σ_j ∂o/∂s_j (∂s_j/∂q)ᵀ (n, d_v, d_k), both by autograd in float64, at scores that were rounded to float32."""
    scores = soft_lookup(single.q, single.k, single.v, **single.settings).scores.to(F64)
    mask = as_mask(single.settings["mask"], scores.shape)
    rows = []
    for row, slopes in enumerate(slopes_by_autograd(single, similarity)):
        weigh = partial(WEIGHTINGS["softmax"], temperature=single.settings["temperature"], mask=mask[row])
        rows.append(single.v.to(F64).mT @ torch.autograd.functional.jacobian(weigh, scores[row]) @ slopes)
    return torch.stack(rows)


def slopes_by_autograd(lookup: Case, similarity: str) -> torch.Tensor:
    """∂s_j/∂q (n, m, d_k) in float64."""
    parameters = {
        name: torch.as_tensor(lookup.settings[name], dtype=F64) for name in SIMILARITIES[similarity].parameters
    }
    score = partial(SIMILARITIES[similarity], k=lookup.k.to(F64), **parameters)
    return torch.stack([torch.autograd.functional.jacobian(score, q) for q in lookup.q.to(F64)])


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_score_gradients_are_autograd(similarity: str) -> None:
    for seed in SEEDS:
        lookup = random_case(seed, similarity)
        parameters = {name: lookup.settings[name] for name in SIMILARITIES[similarity].parameters}
        closed = score_gradients(lookup.q, lookup.k, similarity, **parameters)
        torch.testing.assert_close(closed, slopes_by_autograd(lookup, similarity), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_loss_gradient_is_the_jacobian_times_the_residual(similarity: str) -> None:
    for seed in SEEDS:
        lookup = random_case(seed, similarity)
        target = torch.linspace(-1, 1, lookup.v.shape[-1], dtype=F64)
        loss, gradient = query_step(lookup.q, lookup.k, lookup.v, target, **lookup.settings)
        residual = soft_lookup(lookup.q, lookup.k, lookup.v, **lookup.settings).output - target
        jacobian = query_jacobian(lookup.q, lookup.k, lookup.v, **lookup.settings)
        torch.testing.assert_close(loss, residual.square().sum(-1) / 2)
        expected = (residual.unsqueeze(-2) @ jacobian).squeeze(-2)
        assert float((gradient - expected).abs().max()) <= 1e-10 * max(1.0, float(expected.abs().max()))


def test_every_similarity_and_weighting_has_its_closed_form() -> None:
    assert set(CLOSED_FORMS) == set(SIMILARITIES)
    assert set(RESPONSES) == set(WEIGHTINGS)


@pytest.mark.parametrize("similarity", ["dot", "additive"])
def test_a_field_is_its_queries_one_by_one(similarity: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.jacobians.BLOCK", 100)
    lookup = random_case(7, similarity)
    q = torch.randn((40, lookup.k.shape[1]), generator=torch.Generator().manual_seed(1), dtype=F64)
    settings = {**lookup.settings, "temperature": 0.3}
    together = query_jacobian(q.view(4, 10, -1), lookup.k, lookup.v, **settings).view(40, lookup.v.shape[1], -1)
    for row, one in enumerate(q):
        torch.testing.assert_close(
            together[row], query_jacobian(one, lookup.k, lookup.v, **settings), rtol=1e-10, atol=1e-12
        )


def test_a_common_shift_of_keys_and_values_costs_no_digits() -> None:
    lookup = random_case(3, "squared_distance")
    settings = {**lookup.settings, "temperature": 1.0, "mask": None}
    near = query_jacobian(lookup.q, lookup.k, lookup.v, **settings)
    far = query_jacobian(lookup.q + 2.0**20, lookup.k + 2.0**20, lookup.v + 2.0**20, **settings)
    torch.testing.assert_close(far, near, rtol=0, atol=1e-8)


def test_values_as_a_plain_row_lose_the_axis() -> None:
    k, v = [[40.0], [60.0], [80.0]], [900.0, 1200.0, 1500.0]
    settings: dict[str, Any] = {"similarity": "squared_distance", "sigma": 10.0}
    flat = query_jacobian([65.0], k, v, **settings)
    assert flat.shape == (1,)
    column = query_jacobian([65.0], k, [[x] for x in v], **settings)
    assert float(flat[0]) == float(column[0, 0])


def test_case_no_entry_allowed_and_nan_behind_the_mask() -> None:
    inputs = case("N-01")["input"]
    q, k, v = (torch.tensor(inputs["a"][name], dtype=F64) for name in ("Q", "K", "V"))
    jacobian = query_jacobian(q, k, v, similarity="scaled_dot", mask=inputs["a"]["allow"])
    assert jacobian[1].tolist() == case("N-01")["expected"]["a"]["gradient of row 2"]
    assert bool(jacobian[0].abs().min() > 0)
    spoiled, hidden = k.clone(), v.clone()
    spoiled[2], hidden[2] = math.nan, math.nan
    mask = inputs["b"]["allow"]
    behind = query_jacobian(q, spoiled, hidden, similarity="scaled_dot", mask=mask)
    torch.testing.assert_close(behind, query_jacobian(q, k[:2], v[:2], similarity="scaled_dot"))
    loss, gradient = query_step(q, spoiled, hidden, 12.0, similarity="scaled_dot", mask=mask)
    assert bool(loss.isfinite().all())
    assert bool(gradient.isfinite().all())


def test_case_query_on_a_key_and_zero_vector() -> None:
    inputs, expected = case("N-07")["input"], case("N-07")["expected"]
    q, k, v = inputs["a"]["q"], inputs["a"]["K"], inputs["a"]["V"]
    b = query_jacobian(q, k, v, similarity="squared_distance")
    torch.testing.assert_close(b, torch.tensor(expected["b"]["d output/d q"], dtype=F64), rtol=0, atol=1e-12)
    c = inputs["c"]
    zero, keys = torch.tensor(c["q"], dtype=F32), torch.tensor(c["K"], dtype=F32)
    assert query_jacobian(zero, keys, torch.tensor(c["V"], dtype=F32), similarity="cosine").tolist() == [0.0, 0.0]


def test_case_plain_distance_has_slope_zero_on_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A similarity without a closed form gets its slopes from autograd."""
    inputs, expected = case("N-07")["input"]["a"], case("N-07")["expected"]["a"]

    def distance(q: Any, k: Any) -> torch.Tensor:
        return -torch.linalg.vector_norm(q.unsqueeze(-2) - k, dim=-1)

    monkeypatch.setitem(SIMILARITIES._entries, "distance", type(SIMILARITIES["dot"])("distance", "", "", "", distance))
    found = query_jacobian(inputs["q"], inputs["K"], inputs["V"], similarity="distance")
    torch.testing.assert_close(found, torch.tensor(expected["d output/d q"], dtype=F64), rtol=0, atol=1e-12)


def test_case_query_step_of_the_exercise() -> None:
    inputs, expected = case("S-04")["input"], case("S-04")["expected"]
    q, k, v, target = (inputs[name] for name in ("q", "K", "V", "target"))
    loss, gradient = query_step(q, k, v, target, inputs["tau"])
    assert float(loss) == pytest.approx(expected["loss"], abs=1e-12)
    assert gradient.tolist() == pytest.approx(expected["right"], abs=1e-12)
    for wrong in expected["name these"].values():
        assert gradient.tolist() != pytest.approx(wrong, abs=1e-6)


def test_case_one_of_the_two_means_must_be_weighted() -> None:
    inputs, expected = case("S-04")["input"], case("S-05")["expected"]
    q, k, v = (torch.tensor(inputs[name], dtype=F64) for name in ("q", "K", "V"))
    right = torch.tensor(expected["right"], dtype=F64)
    torch.testing.assert_close(query_jacobian(q, k, v, inputs["tau"]), right, rtol=0, atol=1e-12)
    a = soft_lookup(q, k, v, temperature=inputs["tau"]).weights.unsqueeze(-1)
    plain_keys = (a * (v - (a * v).sum(0))).mT @ (k - k.mean(0)) / inputs["tau"]
    plain_values = (a * (v - v.mean(0))).mT @ (k - (a * k).sum(0)) / inputs["tau"]
    both = (a * (v - v.mean(0))).mT @ (k - k.mean(0)) / inputs["tau"]
    torch.testing.assert_close(plain_keys, right, rtol=0, atol=1e-12)
    torch.testing.assert_close(plain_values, right, rtol=0, atol=1e-12)
    wrong = torch.tensor(expected["both plain"]["value"], dtype=F64)
    torch.testing.assert_close(both, wrong, rtol=0, atol=1e-12)


def test_scores_that_overflow_are_said_in_words() -> None:
    with pytest.raises(LabError, match="too large"):
        query_jacobian([[1.0], [1e200]], [[1e200], [2e200]], [[0.0], [1.0]])
    # Finite scores whose quotient with τ overflows have an answer: the lookup is hard there.
    assert query_jacobian([1.0], [[1e307], [2e307]], [[0.0], [1.0]], temperature=1e-3).tolist() == [[0.0]]


def test_temperature_zero_is_the_hard_lookup_with_slope_zero() -> None:
    k, v = [[1.0, 0.2], [-0.5, 0.8]], [[1.0], [0.0]]
    assert query_jacobian([0.6, -0.4], k, v, temperature=0.0).abs().max() == 0
    rows, book = open_dictionary([[0.6, -0.4]], k, v, "dot", 0.0, "softmax", None, {})
    assert loss_field(rows, book, torch.zeros((1, 1), dtype=F64))[1].abs().max() == 0


def test_shapes_that_do_not_fit_are_refused() -> None:
    k, v = [[1.0, 0.2], [-0.5, 0.8]], [[1.0], [0.0]]
    with pytest.raises(LabError, match="one a row"):
        query_jacobian([1.0, 2.0], [k, k], v)
    with pytest.raises(LabError, match="target of 1 numbers"):
        query_step([1.0, 2.0], k, v, [1.0, 2.0])
    with pytest.raises(LabError, match="entry from 0 to 1"):
        key_jacobian([1.0, 2.0], k, v, 2)
