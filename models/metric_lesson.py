"""The learned metric, played step by step: isotropic bandwidth, one scale per coordinate as far as learned, oracle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from models.adam import Adam
from models.checked_job import CheckedJob
from models.job import Job
from models.kept import Kept
from models.lazy import torch
from models.learned_metric import MetricFit, learn_metric, leave_one_out_and_gradient, metric_data
from models.points import Floats
from models.regression_state import Metric

RATE = 0.02
"""Learning rate of Adam."""
MOST_AHEAD = 100
"""Steps that one question may go beyond what is learned."""
TOLD = 5
"""Steps between two partial results."""


@dataclass(frozen=True)
class MetricQuestion:
    """The experiment, and the step to which it is played."""

    metric: Metric


@dataclass(frozen=True)
class MetricResult:
    """What the section draws: three ways to weigh five coordinates, and the way of the learned one so far."""

    question: MetricQuestion
    step: int
    """The step that is shown; below the one asked for while learning goes on."""
    reached: int
    """The furthest step learned so far."""
    isotropic: MetricFit
    learned: MetricFit
    oracle: MetricFit
    path: Floats
    """(reached+1, 5): absolute scales."""
    errors: Floats
    """(reached+1,): leave-one-out errors."""


class _Learner:
    """Adam (Kingma & Ba, 2015) on the scales, from the best isotropic bandwidth; it goes on where it stopped.

    Lives on the worker thread alone.
    """

    def __init__(self, n: int, seed: int, job: Job) -> None:
        self.data = metric_data(n, seed)
        rivals = learn_metric(self.data, steps=0, job=CheckedJob(job))
        self.isotropic, self.oracle = rivals.isotropic, rivals.oracle
        centre = self.data.x.mean(axis=0)
        self._x, self._test = torch.as_tensor(self.data.x - centre), torch.as_tensor(self.data.test_x - centre)
        self._y = torch.as_tensor(self.data.y)
        self._scales = torch.as_tensor(self.isotropic.scales.copy()).requires_grad_(True)
        self._optimiser = Adam([self._scales], RATE)
        self.path: list[Floats] = [self.isotropic.scales.copy()]
        self.errors: list[float] = []
        self._look()

    @property
    def reached(self) -> int:
        return len(self.path) - 1

    def advance(self) -> None:
        """One step on."""
        self._optimiser.step()
        self.path.append(self._scales.detach().numpy().copy())
        self._look()

    def _look(self) -> None:
        """Error and gradient where the scales are now."""
        with torch.no_grad():
            error, self._scales.grad = leave_one_out_and_gradient(self._scales, self._x, self._y)
        self.errors.append(float(error))

    def fit_at(self, step: int) -> MetricFit:
        """The learned scales after so many steps, with their test error."""
        scales = self.path[step]
        w = torch.as_tensor(scales)
        a, b = self._test * w, self._x * w
        scores = a @ b.T - 0.5 * (b * b).sum(dim=1)
        fit = torch.softmax(scores, dim=1) @ self._y
        test = float(np.mean((fit.numpy() - self.data.test_truth) ** 2))
        return MetricFit(scales, self.errors[step], test)


_learners = Kept(2)


def compute_metric(question: MetricQuestion, job: Job) -> MetricResult:
    """Plays the learning to the step asked for, at most ``MOST_AHEAD`` beyond what is known; shows the way there."""
    with _one_thread():
        return _played(question, job)


def _played(question: MetricQuestion, job: Job) -> MetricResult:
    metric = question.metric
    key = (metric.size, metric.seed)
    learner = _learners.get(key)
    if learner is None:
        learner = _Learner(int(metric.size), metric.seed, job)
        _learners.put(key, learner)
    assert isinstance(learner, _Learner)
    goal = min(metric.step, learner.reached + MOST_AHEAD)
    while learner.reached < goal:
        job.check()
        learner.advance()
        if learner.reached % TOLD == 0 and learner.reached < goal:
            job.partial(_result(question, learner, learner.reached))
    return _result(question, learner, min(metric.step, learner.reached))


@contextmanager
def _one_thread() -> Iterator[None]:
    """Matrices this small are slower on several threads, and fifty times slower where the processor is shared."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _result(question: MetricQuestion, learner: _Learner, step: int) -> MetricResult:
    return MetricResult(
        question,
        step,
        learner.reached,
        learner.isotropic,
        learner.fit_at(step),
        learner.oracle,
        np.abs(np.array(learner.path[: step + 1])),
        np.array(learner.errors[: step + 1]),
    )
