"""How far an estimate spreads when the noise is drawn anew: predicted s/√n_eff, beside the measured spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.job import Job
from models.noise_spread import measured_spread, predicted_spread
from models.points import Floats
from models.prepared import Estimate
from models.regression_data import DataSet, domain_of, points_of
from models.regression_fit import Summary, prepare, prepared_of, summary_of
from models.row_errors import errors_at

QUERIES = 150
MOST_POINTS = 5_000
"""Up to so many points the noise is redrawn."""


@dataclass(frozen=True)
class SpreadQuestion:
    """All that the section depends on."""

    data: DataSet
    kernel: str
    bandwidth: float
    seed: int


@dataclass(frozen=True)
class SpreadResult:
    """What the section draws, over queries (150,)."""

    question: SpreadQuestion
    queries: Floats
    estimate: Estimate
    truth: Floats | None
    noise: float
    """s, the standard deviation of the noise."""
    is_known: bool
    """Whether s is the recipe's; else it is estimated by leaving each row out."""
    predicted: Floats
    """s/√n_eff, the standard deviation of an average of n_eff values."""
    measured: Floats | None
    """Standard deviation over 200 redraws; None where the points are many."""
    summary: Summary


def compute_spread(question: SpreadQuestion, job: Job) -> SpreadResult:
    """The prediction from n_eff, and 200 redraws of all labels."""
    data, kernel, sigma = question.data, question.kernel, question.bandwidth
    prepared = prepare(data, job)
    low, high = domain_of(data)
    queries = np.linspace(low, high, QUERIES)
    estimate = prepared.estimate(queries, sigma, kernel)
    noise, is_known = _noise(data, kernel, sigma)
    with np.errstate(invalid="ignore"):
        predicted = predicted_spread(estimate.effective_number, noise)
    measured = None
    if data.n <= MOST_POINTS:
        x, _ = points_of(data)
        each = data.noise * data.made_by.spread(x) if data.made_by else noise
        measured = measured_spread(queries, x, sigma, each, kernel=kernel, seed=question.seed, job=job)
    truth = data.truth(queries) if data.truth else None
    summary = summary_of(data, kernel, sigma)
    return SpreadResult(question, queries, estimate, truth, noise, is_known, predicted, measured, summary)


def _noise(data: DataSet, kernel: str, sigma: float) -> tuple[float, bool]:
    """s and whether it is known: the recipe's (its mean square where it depends on x), or the leave-one-out error's."""
    x, _ = points_of(data)
    if data.made_by is not None:
        return data.noise * float(np.sqrt(np.mean(data.made_by.spread(x) ** 2))), True
    if len(x) < 2:
        return np.nan, False
    return float(np.sqrt(errors_at(prepared_of(data), sigma, kernel).leave_one_out)), False
