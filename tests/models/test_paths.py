"""The two paths of a gradient, against autograd through a lookup and through a chain."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.errors import LabError
from models.lookup import soft_lookup
from models.paths import compare_paths, crossing

F64 = torch.float64


@pytest.mark.parametrize("sought", [0, 3, 11])
def test_attention_passes_the_same_from_any_distance(sought: int) -> None:
    length, margin, tau = 12, 2.0, 0.8
    scores = torch.zeros(length, dtype=F64)
    scores[sought] = margin
    keys = scores.unsqueeze(-1).requires_grad_()
    values = torch.eye(length, dtype=F64, requires_grad=True)
    output = soft_lookup(torch.ones(1, dtype=F64), keys, values, temperature=tau).output[sought]
    by_value, by_score = torch.autograd.grad(output, (values, keys))
    paths = compare_paths(length, 0.9, margin, tau)
    distance = length - sought
    assert float(by_value[sought, sought]) == pytest.approx(paths.value_path[distance - 1], rel=1e-12)
    assert float(by_score[sought]) == pytest.approx(paths.score_path[distance - 1], rel=1e-12)


def test_a_chain_passes_a_power_of_its_factor() -> None:
    x = torch.zeros(31, dtype=F64, requires_grad=True)
    state = torch.zeros((), dtype=F64)
    for step in x:
        state = 0.7 * state + step
    (slopes,) = torch.autograd.grad(state, x)
    paths = compare_paths(30, 0.7)
    np.testing.assert_allclose(np.log10(slopes.flip(0)[1:].numpy()), paths.recurrent_log10, rtol=1e-12)


def test_a_thousand_steps_have_a_number() -> None:
    paths = compare_paths(1000, 0.1)
    assert paths.recurrent_log10[-1] == pytest.approx(-1000.0)
    assert np.ptp(paths.value_path) == 0
    assert paths.distances[[0, -1]].tolist() == [1, 1000]


def test_where_attention_overtakes_the_chain() -> None:
    paths = compare_paths(100, 0.9, 4.0)
    here = crossing(paths)
    assert here is not None
    weight = 1 / (1 + 99 * np.exp(-4.0))
    assert 0.9**here < weight <= 0.9 ** (here - 1)
    assert crossing(compare_paths(10, 1.0)) is None


def test_extremes_stay_finite() -> None:
    cold = compare_paths(5, 0.5, 4.0, 1e-3)
    assert cold.value_path[0] == 1.0
    assert cold.score_path[0] == 0.0
    wrong = compare_paths(5, 0.5, -4.0, 1e-3)
    assert np.isfinite(wrong.score_path).all()
    with pytest.raises(LabError, match="1 entry"):
        compare_paths(0)
    with pytest.raises(LabError, match="above 0"):
        compare_paths(5, 0.0)
