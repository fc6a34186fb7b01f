"""The learned metric, played step by step."""

from __future__ import annotations

import numpy as np
import pytest

from models.job import DirectJob
from models.learned_metric import learn_metric, metric_data
from models.metric_lesson import MOST_AHEAD, MetricQuestion, MetricResult, compute_metric
from models.regression_state import Metric
from tests.reference import load


class Told(DirectJob):
    def __init__(self) -> None:
        super().__init__()
        self.results: list[MetricResult] = []

    def partial(self, result: MetricResult) -> None:
        self.results.append(result)


def play(step: int, job: DirectJob | None = None, seed: int = 0) -> MetricResult:
    return compute_metric(MetricQuestion(Metric("200", seed, step)), job or DirectJob())


def test_rivals_are_those_of_the_worked_experiment() -> None:
    result, run = play(0), load("learned_metric.json")["runs"]["200"][0]
    assert result.isotropic.leave_one_out == pytest.approx(run["isotropic"]["loo"], rel=1e-9)
    assert result.isotropic.test == pytest.approx(run["isotropic"]["test"], rel=1e-9)
    assert result.oracle.test == pytest.approx(run["oracle_loo"]["test"], rel=1e-9)
    np.testing.assert_allclose(result.learned.scales, result.isotropic.scales)


def test_playing_goes_the_way_of_learning_at_once() -> None:
    whole = learn_metric(metric_data(200, 1), steps=30)
    job = Told()
    result = play(30, job, seed=1)
    np.testing.assert_allclose(result.path, np.abs(whole.path), rtol=1e-9)
    np.testing.assert_allclose(result.errors, whole.errors, rtol=1e-9)
    assert [told.step for told in job.results] == [5, 10, 15, 20, 25]
    assert play(10, seed=1).learned.test == pytest.approx(job.results[1].learned.test)


def test_a_leap_is_learned_in_parts() -> None:
    assert play(1500, seed=2).step == MOST_AHEAD
    assert play(1500, seed=2).step == 2 * MOST_AHEAD
