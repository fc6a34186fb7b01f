"""Kernel regression in several dimensions with one scale per coordinate, learned by leave-one-out error.

Scores are −½ Σ_k (w_k(q_k − x_k))²; only the first of five coordinates matters to the truth 2 sin x₁ + x₁, and learning
finds that out. Small n: all pairs are held at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.adam import Adam
from models.backend import Place
from models.job import DirectJob, Job
from models.lazy import torch
from models.points import Floats

if TYPE_CHECKING:
    from torch import Tensor

DIMENSIONS = 5
TESTS = 1000


@dataclass(frozen=True)
class MetricData:
    """n points (n, 5) with noisy labels (n,), and test points (1000, 5) with the truth."""

    x: Floats
    y: Floats
    test_x: Floats
    test_truth: Floats


@dataclass(frozen=True)
class MetricFit:
    """One way to weigh coordinates: scales w (5,), its leave-one-out error and its test error against the truth."""

    scales: Floats
    leave_one_out: float
    test: float


@dataclass(frozen=True)
class LearnedMetric:
    """The three rivals, and the way of the learned one: scales (steps+1, 5), leave-one-out errors (steps+1,)."""

    isotropic: MetricFit
    learned: MetricFit
    oracle: MetricFit
    path: Floats
    errors: Floats


def metric_data(n: int, seed: int) -> MetricData:
    """x even on [0, 5)⁵, y = 2 sin x₁ + x₁ + standard normal; drawn on the CPU."""
    generator = torch.Generator().manual_seed(seed)
    x = 5 * torch.rand(n, DIMENSIONS, generator=generator, dtype=torch.float64)
    noise = torch.randn(n, generator=generator, dtype=torch.float64)
    test = 5 * torch.rand(TESTS, DIMENSIONS, generator=generator, dtype=torch.float64)
    truth = [2 * torch.sin(points[:, 0]) + points[:, 0] for points in (x, test)]
    return MetricData(x.numpy(), (truth[0] + noise).numpy(), test.numpy(), truth[1].numpy())


def leave_one_out_and_gradient(scales: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Mean squared leave-one-out error and its gradient by the scales (d,), for x (n, d) and y (n,).

    With residuals r_i and B_ij = r_i a_ij (y_j − ŷ_i): ∂E/∂w_k = −(2 w_k/n) Σ_ij B_ij (x_ik − x_jk)².
    """
    weights = _weights(x, x, scales, leave_out=True)
    fit = weights @ y
    residual = fit - y
    # Rows of B sum to zero, so the square of x_i drops out.
    weights *= residual[:, None]
    weights *= y[None, :] - fit[:, None]
    spread = weights.sum(dim=0) @ (x * x) - 2 * (x * (weights @ x)).sum(dim=0)
    return (residual * residual).mean(), -2 * scales * spread / len(y)


def _weights(q: Tensor, x: Tensor, scales: Tensor, leave_out: bool = False) -> Tensor:
    """Softmax weights (n, m)."""
    a, b = q * scales, x * scales
    scores = a @ b.T
    scores -= 0.5 * (b * b).sum(dim=1)
    if leave_out:
        scores.fill_diagonal_(float("-inf"))
    return torch.softmax(scores, dim=1)


def learn_metric(
    data: MetricData,
    *,
    learning_rate: float = 0.02,
    steps: int = 1500,
    job: Job | None = None,
) -> LearnedMetric:
    """Best isotropic bandwidth, then Adam (Kingma & Ba, 2015) on the scales from there, and the oracle beside them.

    The oracle sees the first coordinate alone, its bandwidth chosen by leave-one-out error. Calls ``job.check`` each
    step and ``job.partial`` with the path so far (k, 5) every 25.
    """
    work = job or DirectJob()
    return work.backend.run(lambda place: _learned(data, learning_rate, steps, work, place))


def _learned(data: MetricData, learning_rate: float, steps: int, job: Job, place: Place) -> LearnedMetric:
    # Distances are all that counts, and centred points keep the products of the scores small.
    centre = data.x.mean(axis=0)
    x, y, test = (place.tensor(values) for values in (data.x - centre, data.y, data.test_x - centre))
    truth = place.tensor(data.test_truth)
    tables = (x, y, test, truth)
    isotropic = _best(np.ones(DIMENSIONS), np.geomspace(0.1, 10, 60), tables, job)
    path, errors = _adam(place.tensor(isotropic.scales), x, y, learning_rate, steps, job)
    learned = _fit(place.tensor(path[-1]), tables)
    oracle = _best(np.eye(DIMENSIONS)[0], np.geomspace(0.05, 10, 120), tables, job)
    return LearnedMetric(isotropic, learned, oracle, path, errors)


def _adam(start: Tensor, x: Tensor, y: Tensor, rate: float, steps: int, job: Job) -> tuple[Floats, Floats]:
    scales = start.clone().requires_grad_(True)
    optimiser = Adam([scales], rate)
    path, errors = np.empty((steps + 1, len(start))), np.empty(steps + 1)
    for step in range(steps + 1):
        job.check()
        with torch.no_grad():
            error, scales.grad = leave_one_out_and_gradient(scales, x, y)
        path[step], errors[step] = scales.detach().cpu().numpy(), float(error)
        if step < steps:
            optimiser.step()
        if step % 25 == 0:
            job.progress(step / max(1, steps))
            job.partial(path[: step + 1].copy())
    return path, errors


def _best(direction: Floats, widths: Floats, tables: tuple[Any, ...], job: Job) -> MetricFit:
    x, y, _, _ = tables
    candidates = [torch.as_tensor(direction / width, dtype=x.dtype).to(x.device) for width in widths]
    errors = []
    for scales in candidates:
        job.check()
        errors.append(float(leave_one_out_and_gradient(scales, x, y)[0]))
    return _fit(candidates[int(np.argmin(errors))], tables)


def _fit(scales: Tensor, tables: tuple[Any, ...]) -> MetricFit:
    x, y, test, truth = tables
    error, _ = leave_one_out_and_gradient(scales, x, y)
    off = _weights(test, x, scales) @ y - truth
    return MetricFit(scales.cpu().numpy().astype(np.float64), float(error), float((off * off).mean()))
