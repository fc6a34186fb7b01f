from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from models.cost import lookup_cost, parameter_counts, score_multiply_adds
from models.errors import LabError
from models.similarities import SIMILARITIES
from tests.reference import golden


def plain(expected: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in expected.items()}


@pytest.mark.parametrize("entry", golden("cost", "cost_counts"), ids=lambda entry: entry["id"])
def test_counts_are_the_golden_ones(entry):
    counts = asdict(lookup_cost(**entry["inputs"]))
    expected = plain(entry["expected"])
    assert {name: counts[name] for name in expected} == expected


@pytest.mark.parametrize("entry", golden("cost", "parameter_counts"), ids=lambda entry: entry["id"])
def test_parameters_are_the_golden_ones(entry):
    assert asdict(parameter_counts(**entry["inputs"])) == entry["expected"]


def test_shapes():
    cost = lookup_cost(3, 4, 2, 5)
    assert (cost.query_shape, cost.key_shape, cost.value_shape) == ((3, 2), (4, 2), (4, 5))
    assert cost.score_shape == cost.weight_shape == (3, 4)


def test_cost_of_each_similarity():
    counted = {name: score_multiply_adds(3, 4, 2, name, hidden=5) for name in SIMILARITIES}
    assert counted == {
        "dot": 24,
        "scaled_dot": 24,
        "squared_distance": 24,
        "cosine": 24 + 14,
        "bilinear": 24 + 12,
        "additive": 3 * 4 * 5 + 7 * 5 * 2,
    }


@pytest.mark.parametrize("wrong", [{"n": 0}, {"m": -1}, {"d_k": 1.5}])
def test_counts_are_whole_and_positive(wrong):
    with pytest.raises(LabError, match=next(iter(wrong))):
        lookup_cost(**{"n": 1, "m": 1, "d_k": 1, "d_v": 1, **wrong})
