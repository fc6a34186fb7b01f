"""Closed form, autograd and central differences side by side."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from models.errors import LabError
from models.lookup import soft_lookup
from models.similarities import SIMILARITIES
from models.verification import central_difference, verify
from tests.models.random_lookups import random_case
from tests.reference import assert_close, golden, numbers

F64 = torch.float64


@pytest.mark.parametrize("entry", golden("gradients", "query_jacobian"), ids=lambda e: e["id"])
def test_central_difference_of_the_worked_example(entry: dict[str, Any]) -> None:
    inputs = entry["inputs"]
    q, k, v = (torch.tensor(inputs[name], dtype=F64) for name in ("q", "K", "V"))
    found = central_difference(lambda at: soft_lookup(at, k, v, temperature=inputs["tau"]).output, q, inputs["fd_step"])
    expected = numbers(entry["expected"]["central_difference"])
    assert abs(found.numpy() - expected).max() <= (1e-9 if inputs["tau"] >= 1 else 1e-7)
    exact = numbers(entry["expected"]["jacobian"])
    error = float(entry["expected"]["fd_max_abs_error_exact_arithmetic"])
    assert abs(found.numpy() - exact).max() == pytest.approx(error, abs=3e-9)


@pytest.mark.parametrize("entry", golden("gradients", "query_jacobian"), ids=lambda e: e["id"])
def test_three_ways_agree(entry: dict[str, Any]) -> None:
    inputs = entry["inputs"]
    found = verify(inputs["q"], inputs["K"], inputs["V"], inputs["tau"])
    assert_close(entry, "jacobian", found.closed)
    assert_close(entry, "jacobian", found.autograd)
    assert found.autograd_error <= 1e-13
    assert found.numeric_error <= 1e-8
    assert found.numeric_error == float(found.errors.min())
    assert found.eigenvalues is None


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_every_similarity_agrees(similarity: str) -> None:
    lookup = random_case(12, similarity)
    settings = {**lookup.settings, "temperature": 0.8}
    found = verify(lookup.q[0], lookup.k, lookup.v, **settings)
    assert found.autograd_error <= 1e-12
    assert found.numeric_error <= 1e-8


def test_the_best_step_lies_between_bending_and_rounding() -> None:
    wide = verify([0.6, -0.4], [[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1]], [[1.0], [0.0], [-1.0]])
    assert 1e-7 < wide.step < 1e-3
    assert float(wide.errors[0]) > 100 * wide.numeric_error
    assert float(wide.errors[-1]) > 100 * wide.numeric_error
    narrow = verify([0.6, -0.4], [[1.0, 0.2], [-0.5, 0.8], [0.3, -1.1]], [[1.0], [0.0], [-1.0]], dtype="float32")
    assert narrow.step > wide.step
    assert narrow.closed.dtype == torch.float32
    assert narrow.autograd_error <= 1e-5
    assert narrow.numeric_error <= 1e-3


def test_keys_as_values_are_positive_semidefinite() -> None:
    (entry, equal) = golden("gradients", "self_covariance_jacobian")
    found = verify(entry["inputs"]["q"], entry["inputs"]["K"], entry["inputs"]["K"])
    assert found.eigenvalues is not None
    assert_close(entry, "eigenvalues", found.eigenvalues)
    same = verify(equal["inputs"]["q"], equal["inputs"]["K"], equal["inputs"]["K"])
    assert same.closed.abs().max() == 0


def test_what_cannot_be_verified() -> None:
    with pytest.raises(LabError, match="float64 or float32"):
        verify([1.0], [[1.0]], [[1.0]], dtype="float16")
    with pytest.raises(LabError, match="One query"):
        verify([[1.0]], [[1.0]], [[1.0]])
