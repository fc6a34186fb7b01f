"""Associative memory: energies, recalls, fixed points and basins."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from models.errors import LabError
from models.hopfield import basins, energy, fixed_points, recall, settle, update, weights_at
from models.lookup import soft_lookup
from tests.reference import assert_close, golden

F64 = torch.float64
ENTRIES = golden("hopfield")


def loaded(entry: dict[str, Any], dtype: str = "float64") -> tuple[torch.Tensor, torch.Tensor, float]:
    kind = getattr(torch, dtype)
    inputs = entry["inputs"]
    return torch.tensor(inputs["xi0"], dtype=kind), torch.tensor(inputs["X"], dtype=kind), 1 / inputs["beta"]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e["id"])
def test_recall_step_by_step(entry: dict[str, Any], dtype: str) -> None:
    start, patterns, tau = loaded(entry, dtype)
    path = recall(start, patterns, tau, 3)
    for row in entry["expected"]["steps"]:
        assert_close(entry, "steps", path.states[row["step"]], dtype, expected=row["xi"])
        assert_close(entry, "steps", path.energies[row["step"]], dtype, expected=row["energy"])
    end = settle(start, patterns, tau)
    weights = weights_at(end, patterns, tau)
    assert_close(entry, "fixed_point", end, dtype)
    assert_close(entry, "fixed_point_weights", weights, dtype)
    assert_close(entry, "fixed_point_energy", energy(end, patterns, tau), dtype)
    assert int(weights.argmax()) == entry["expected"]["nearest_pattern"]


def test_the_update_is_the_lookup_with_keys_as_values() -> None:
    start, patterns, tau = loaded(ENTRIES[0])
    torch.testing.assert_close(update(start, patterns, tau), soft_lookup(start, patterns, patterns, "dot", tau).output)


def test_energy_never_rises_and_its_slope_is_the_step() -> None:
    generator = torch.Generator().manual_seed(3)
    patterns = torch.randn((7, 4), generator=generator, dtype=F64)
    for tau in (0.05, 0.3, 1.0, 5.0):
        starts = torch.randn((20, 4), generator=generator, dtype=F64) * 2
        state = starts
        for _ in range(15):
            following = update(state, patterns, tau)
            assert bool((energy(following, patterns, tau) <= energy(state, patterns, tau) + 1e-12).all())
            state = following
        live = starts.clone().requires_grad_()
        (slope,) = torch.autograd.grad(energy(live, patterns, tau).sum(), live)
        torch.testing.assert_close(slope, starts - update(starts, patterns, tau))


def test_cold_memories_are_kept_and_hot_ones_blend() -> None:
    _, patterns, _ = loaded(ENTRIES[0])
    cold = fixed_points(patterns, 1 / 8)
    assert sorted(cold.pattern[cold.stable].tolist()) == [0, 1, 2]
    for point in cold.points:
        torch.testing.assert_close(update(point, patterns, 1 / 8), point)
    hot = fixed_points(patterns, 5.0)
    assert hot.points.shape == (1, 3)
    assert hot.pattern.tolist() == [-1]
    assert hot.stable.tolist() == [True]


def test_an_unstable_point_between_two_memories() -> None:
    pair = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=F64)
    found = fixed_points(pair, 0.25)
    by_pattern = dict(zip(found.pattern.tolist(), found.stable.tolist(), strict=True))
    assert by_pattern == {0: True, 1: True, -1: False}
    # The mean becomes stable where the variance over τ falls to 1.
    assert fixed_points(pair, 1.05).stable.tolist() == [True]


def test_basins_of_a_pair_are_its_two_sides() -> None:
    pair = torch.tensor([[1.0, 0.0], [-1.0, 0.0]], dtype=F64)
    x, y = torch.meshgrid(torch.linspace(-2, 2, 6, dtype=F64), torch.linspace(-1, 1, 3, dtype=F64), indexing="ij")
    which, points = basins(torch.stack([x, y], -1), pair, 0.25)
    assert which.shape == (6, 3)
    assert len(points) == 2
    assert torch.equal(points[which][..., 0] > 0, x > 0)


def test_shapes_and_temperatures_are_checked() -> None:
    with pytest.raises(LabError, match="above 0"):
        energy(torch.zeros(2), torch.zeros((3, 2)), 0.0)
    with pytest.raises(LabError, match="one width"):
        update(torch.zeros(3), torch.zeros((3, 2)))


def test_lists_are_taken_with_all_their_digits() -> None:
    patterns, start = [[1.1, 0.3], [-0.7, 0.9], [0.2, -1.3]], [0.4, 0.1]
    given = recall(start, patterns, 0.3, 5)
    expected = recall(torch.tensor(start, dtype=F64), torch.tensor(patterns, dtype=F64), 0.3, 5)
    assert torch.equal(given.states, expected.states)
    assert torch.equal(fixed_points(patterns, 0.3).points, fixed_points(torch.tensor(patterns, dtype=F64), 0.3).points)


def test_a_memory_without_patterns_says_so() -> None:
    with pytest.raises(LabError, match="Unmask an entry"):
        recall([0.4, 0.1], torch.zeros((0, 2), dtype=F64))
