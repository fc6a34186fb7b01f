"""How far an estimate spreads when the noise is drawn anew: predicted s/√n_eff, beside the measured spread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.job import Job
from models.noise_spread import predicted_spread
from models.points import Floats
from models.prepared import Estimate
from models.regression import attention_weights
from models.regression_data import DataSet, domain_of, points_of
from models.regression_fit import Summary, prepare, prepared_of, summary_of
from models.row_errors import errors_at

QUERIES = 150
REDRAWS = 200
MOST_POINTS = 5_000
"""Up to so many points the noise is redrawn."""
CHUNK = 1 << 18


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
        job.check()
        measured = _measured(data, kernel, sigma, queries, noise, question.seed)
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


def _measured(data: DataSet, kernel: str, sigma: float, queries: Floats, noise: float, seed: int) -> Floats:
    """Standard deviation (150,) of the estimates when the noise is drawn anew; the mean doesn't matter to it."""
    x, _ = points_of(data)
    draws = _draws(len(x), seed)
    scale = data.noise * data.made_by.spread(x) if data.made_by else np.full(len(x), noise)
    out = np.empty(len(queries))
    rows = max(1, CHUNK // len(x))
    for start in range(0, len(queries), rows):
        weights = attention_weights(queries[start : start + rows], x, sigma, kernel) * scale
        out[start : start + rows] = (weights @ draws).std(axis=1, ddof=1)
    return out


@lru_cache(maxsize=2)
def _draws(n: int, seed: int) -> Floats:
    """(n, 200) standard normal numbers."""
    return np.random.Generator(np.random.PCG64([seed, 7])).standard_normal((n, REDRAWS))
