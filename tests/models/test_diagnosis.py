"""The answer to "why has learning stopped?" on descents whose end is known by construction."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from models.descent import descend
from models.diagnosis import REMEDIES, diagnose
from models.errors import LabError
from models.hull import nearest_in_hull
from tests.models.diagnosis_cases import CASES, HILL, LINE, PLANE


@pytest.mark.parametrize(("kind", "name", "settings"), CASES, ids=[f"{kind}: {name}" for kind, name, _ in CASES])
def test_the_cause_is_named(kind: str, name: str, settings: dict[str, Any]) -> None:
    found = diagnose(descend(**settings))
    assert found.kind == kind, found.sentence
    assert found.remedy == REMEDIES[kind]
    assert found.sentence.endswith(".")
    assert "nan" not in found.sentence
    assert found.evidence


def test_every_kind_is_tried_five_times() -> None:
    counts = Counter(kind for kind, _, _ in CASES)
    assert len(CASES) >= 40
    steps = counts.pop("oscillating"), counts.pop("diverging")
    assert min(steps) >= 5
    assert set(counts) == {"converged", "cold_lock", "too_hot", "unreachable", "plateau"}
    assert min(counts.values()) >= 5


def test_just_outside_the_zones_is_not_the_zone() -> None:
    two = {"k": [[0.0], [1.0]], "v": [[0.0], [1.0]]}
    below = descend([4.585], target=[0.2], learning_rate=1e-3, steps=200, **two)
    assert diagnose(below).kind != "cold_lock"
    cooler = descend([0.6, -0.4], target=[0.0, 1.0], temperature=4.5, learning_rate=0.01, steps=30, **PLANE)
    assert diagnose(cooler).kind != "too_hot"
    further = descend([0.0], target=[0.0201], learning_rate=1e-9, steps=20, **LINE)
    assert diagnose(further).kind != "converged"


def test_raising_the_temperature_cures_a_cold_lock() -> None:
    settings: dict[str, Any] = {"q": [3.0, -0.2], "target": [0.0, 1.0], "learning_rate": 0.5, "steps": 400, **PLANE}
    assert diagnose(descend(temperature=0.01, **settings)).kind == "cold_lock"
    warm = descend(temperature=1.0, **settings)
    assert float(warm.losses[-1]) < 0.5 * float(warm.losses[0])


def test_the_nearest_point_of_an_unreachable_target() -> None:
    found = diagnose(descend([0.0, 0.0], target=[0.0, 2.0], learning_rate=0.5, steps=200, **PLANE))
    assert found.nearest == pytest.approx((0.0, 1.0))
    assert dict(found.evidence)["outside"] == pytest.approx(nearest_in_hull(PLANE["v"], [0.0, 2.0]).distance)
    assert diagnose(descend([0.0], target=[0.5], **LINE)).nearest is None


def test_hard_lookup_and_a_descent_that_goes_on() -> None:
    hard = diagnose(descend([0.6, -0.4], target=[0.0, 1.0], weighting="nearest", **PLANE))
    assert (hard.kind, hard.remedy) == ("hard_lookup", "soften")
    assert dict(hard.evidence)["gradient"] == 0.0
    going = diagnose(descend([0.6, -0.4], target=[0.1, 0.3], learning_rate=0.5, steps=80, **PLANE))
    assert going.kind == "learning"


def test_one_of_several_starts() -> None:
    path = descend([[3.0, -0.2], [0.0, 0.0]], target=[0.0, 1.0], temperature=0.01, learning_rate=1e-6, **PLANE)
    assert diagnose(path, 0).kind == "cold_lock"
    assert diagnose(path, 1).kind != "cold_lock"
    with pytest.raises(LabError, match="from 0 to 1"):
        diagnose(path, 2)


def test_no_step_and_a_masked_entry() -> None:
    assert diagnose(descend([0.0], target=[1.0 / 3], steps=0, **HILL)).kind == "converged"
    path = descend([0.0], target=[1.0], mask=[True, True, False], learning_rate=1.0, steps=200, **LINE)
    assert diagnose(path).kind == "unreachable"
