"""The learned metric: the reference run, and the gradient by hand against autograd."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.learned_metric import learn_metric, leave_one_out_and_gradient, metric_data
from tests.reference import golden, load


def test_the_gradient_is_autograds():
    data = metric_data(60, 3)
    x, y = torch.tensor(data.x), torch.tensor(data.y)
    scales = torch.tensor([1.0, -0.4, 0.7, 0.0, 2.0], dtype=torch.float64, requires_grad=True)
    scores = -(((x[:, None] - x) * scales) ** 2).sum(dim=2) / 2
    scores = scores.masked_fill(torch.eye(60, dtype=torch.bool), -torch.inf)
    error = ((torch.softmax(scores, dim=1) @ y - y) ** 2).mean()
    error.backward()
    with torch.no_grad():
        found, gradient = leave_one_out_and_gradient(scales, x, y)
    assert float(found) == pytest.approx(float(error.detach()), rel=1e-12)
    np.testing.assert_allclose(gradient, scales.grad, atol=1e-12)


def test_learning_finds_the_coordinate_that_matters():
    reference = load("learned_metric.json")["runs"]["200"][0]
    bands = golden("learned_metric", "learned_metric_bands")[0]["expected"]["summary"]
    found = learn_metric(metric_data(200, 0))
    assert found.isotropic.scales[0] == pytest.approx(1 / reference["isotropic"]["sigma"])
    assert found.isotropic.leave_one_out == pytest.approx(reference["isotropic"]["loo"], rel=1e-9)
    assert found.isotropic.test == pytest.approx(reference["isotropic"]["test"], rel=1e-9)
    assert found.oracle.leave_one_out == pytest.approx(reference["oracle_loo"]["loo"], rel=1e-9)
    assert found.oracle.test == pytest.approx(reference["oracle_loo"]["test"], rel=1e-9)
    assert found.learned.leave_one_out == pytest.approx(reference["learned"]["loo"], rel=1e-4)
    for name, fit in (("isotropic", found.isotropic), ("learned", found.learned), ("oracle_loo", found.oracle)):
        band = {key: float(value) for key, value in bands[f"{name}.test"].items()}
        assert band["min"] - 3 * band["sd"] <= fit.test <= band["max"] + 3 * band["sd"]
    scales = np.abs(found.learned.scales)
    assert scales[0] > 2 * scales[1:].max()
    assert found.oracle.test < found.learned.test < found.isotropic.test
    assert found.path.shape == (1501, 5)
    assert found.errors[-1] == pytest.approx(found.learned.leave_one_out)


def test_a_thousand_points_start_from_the_reference_bandwidth():
    reference = load("learned_metric.json")["runs"]["1000"][0]["isotropic"]
    found = learn_metric(metric_data(1000, 0), steps=2)
    assert found.isotropic.scales[0] == pytest.approx(1 / reference["sigma"])
    assert found.isotropic.test == pytest.approx(reference["test"], rel=1e-9)
    assert found.errors[1] < found.errors[0]
