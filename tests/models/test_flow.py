"""The signal per entry, the query step, and the names that notebooks call, on the worked examples."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from models import flow
from models.flow import query_step, score_gradient, softmax_jacobian
from models.lookup import soft_lookup
from models.weightings import WEIGHTINGS
from tests.cases import case
from tests.reference import assert_close, golden

F64 = torch.float64
DTYPES = pytest.mark.parametrize("dtype", ["float64", "float32"])


@DTYPES
@pytest.mark.parametrize("entry", golden("gradients", "softmax_jacobian"), ids=lambda e: e["id"])
def test_softmax_jacobian(entry: dict[str, Any], dtype: str) -> None:
    scores = torch.tensor(entry["inputs"]["s"], dtype=getattr(torch, dtype))
    jacobian = softmax_jacobian(scores, entry["inputs"]["tau"])
    assert_close(entry, "jacobian", jacobian, dtype)
    assert_close(entry, "frobenius_norm", torch.linalg.vector_norm(jacobian), dtype)


@DTYPES
@pytest.mark.parametrize("entry", golden("gradients", "output_grad_scores"), ids=lambda e: e["id"])
def test_score_gradient(entry: dict[str, Any], dtype: str) -> None:
    kind, inputs = getattr(torch, dtype), entry["inputs"]
    scores, v = torch.tensor(inputs["s"], dtype=kind), torch.tensor(inputs["V"], dtype=kind)
    rows = score_gradient(scores, v, inputs["tau"])
    assert_close(entry, "output", WEIGHTINGS["softmax"](scores, inputs["tau"]) @ v, dtype)
    assert_close(entry, "do_ds_rows", rows, dtype)
    assert_close(entry, "row_norms", torch.linalg.vector_norm(rows, dim=-1), dtype)
    assert float(rows.sum(0).abs().max()) <= (1e-15 if dtype == "float64" else 1e-6)


@DTYPES
@pytest.mark.parametrize("entry", golden("gradients", "output_grad_values"), ids=lambda e: e["id"])
def test_the_slope_by_a_value_is_its_weight(entry: dict[str, Any], dtype: str) -> None:
    kind, inputs = getattr(torch, dtype), entry["inputs"]
    scores = torch.tensor(inputs["s"], dtype=kind)
    v = torch.zeros((len(scores), 1), dtype=kind, requires_grad=True)
    output = soft_lookup(torch.ones(1, dtype=kind), scores.unsqueeze(-1), v, temperature=inputs["tau"]).output
    (slopes,) = torch.autograd.grad(output.sum(), v)
    assert_close(entry, "coefficients", slopes.squeeze(-1), dtype)
    assert_close(entry, "sum", slopes.sum(), dtype)


@DTYPES
@pytest.mark.parametrize("entry", golden("sparse", "sparsemax_output_grad"), ids=lambda e: e["id"])
def test_sparsemax_slopes_stay_on_the_support(entry: dict[str, Any], dtype: str) -> None:
    kind, inputs = getattr(torch, dtype), entry["inputs"]
    scores, v = torch.tensor(inputs["s"], dtype=kind), torch.tensor(inputs["V"], dtype=kind)
    weights = WEIGHTINGS["sparsemax"](scores, inputs["tau"])
    rows = score_gradient(scores, v, inputs["tau"], "sparsemax")
    assert weights.nonzero().squeeze(-1).tolist() == entry["expected"]["support"]
    assert_close(entry, "output", weights @ v, dtype)
    assert_close(entry, "do_ds_rows", rows, dtype)
    assert rows[2].tolist() == [0.0, 0.0]


def test_sparsemax_slopes_behind_a_mask() -> None:
    wanted = case("N-09")["expected"][0]["Jacobian on the first two"]
    jacobian = softmax_jacobian([1.0, 0.8, 5.0], 1.0, "sparsemax", [True, True, False])
    assert jacobian[:2, :2].tolist() == wanted
    assert jacobian[2].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_slopes_of_every_weighting_are_autograd(weighting: str) -> None:
    generator = torch.Generator().manual_seed(11)
    for _ in range(30):
        scores, v = (torch.randn(s, generator=generator, dtype=F64) for s in ((7,), (7, 3)))
        tau = 10.0 ** float(torch.rand((), generator=generator) * 4 - 2)
        mask = torch.rand(7, generator=generator) < 0.8
        weigh = WEIGHTINGS[weighting]
        automatic = torch.autograd.functional.jacobian(lambda s, t=tau, on=mask, weigh=weigh: weigh(s, t, on), scores)
        closed = softmax_jacobian(scores, tau, weighting, mask)
        torch.testing.assert_close(closed, automatic, rtol=1e-10, atol=1e-10)
        torch.testing.assert_close(
            score_gradient(scores, v, tau, weighting, mask), closed.mT @ v, rtol=1e-9, atol=1e-10
        )


@DTYPES
@pytest.mark.parametrize("entry", golden("query_learning", "query_step"), ids=lambda e: e["id"])
def test_query_step(entry: dict[str, Any], dtype: str) -> None:
    kind, inputs = getattr(torch, dtype), entry["inputs"]
    q, k, v, target = (torch.tensor(inputs[name], dtype=kind) for name in ("q", "K", "V", "target"))
    loss, gradient = query_step(q, k, v, target, inputs["tau"])
    lookup = soft_lookup(q, k, v, temperature=inputs["tau"])
    assert_close(entry, "loss", loss, dtype)
    assert_close(entry, "grad", gradient, dtype)
    assert_close(entry, "grad_norm", torch.linalg.vector_norm(gradient), dtype)
    assert_close(entry, "weights", lookup.weights, dtype)
    assert_close(entry, "output", lookup.output, dtype)


def test_a_cold_gradient_is_tiny_and_exact_never_noise() -> None:
    entries = {entry["id"]: entry for entry in golden("query_learning", "query_step")}
    inputs, expected = (entries["query_step_cold_0.01"][part] for part in ("inputs", "expected"))
    _, gradient = query_step(inputs["q"], inputs["K"], inputs["V"], inputs["target"], 0.01)
    assert gradient.tolist() == pytest.approx([float(x) for x in expected["grad"]], rel=1e-10)
    _, colder = query_step(inputs["q"], inputs["K"], inputs["V"], inputs["target"], 0.001)
    assert colder.tolist() == [0.0, 0.0]


def test_hard_lookup_has_gradient_exactly_zero() -> None:
    entry = golden("query_learning", "query_step")[0]["inputs"]
    loss, gradient = query_step(entry["q"], entry["K"], entry["V"], entry["target"], weighting="nearest")
    assert float(loss) > 0.1
    assert gradient.tolist() == [0.0, 0.0]


def test_score_gradient_of_plain_values_loses_the_axis() -> None:
    rows = score_gradient([2.0, 1.0, 0.1], [1.0, 0.0, -1.0])
    assert rows.tolist() == score_gradient([2.0, 1.0, 0.1], [[1.0], [0.0], [-1.0]]).squeeze(-1).tolist()


def test_the_names_that_notebooks_call_are_there() -> None:
    for name in ("score_gradient", "query_jacobian", "query_step", "descend"):
        assert callable(getattr(flow, name))
