"""How much an estimate moves when the noise is drawn anew: measured, beside the predicted s/√n_eff."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.errors import LabError
from models.job import DirectJob, Job
from models.lazy import torch
from models.points import Floats, as_numbers
from models.prepared import Prepared

REDRAWS = 200


def predicted_spread(effective_number: Floats, noise: float) -> Floats:
    """s/√n_eff: the standard deviation of Σ a_i y_i for independent noise of standard deviation s."""
    return noise / np.sqrt(effective_number)


def measured_spread(
    xq: Any,
    x: Any,
    bandwidth: float,
    noise: float = 1.0,
    *,
    kernel: str = "gaussian",
    redraws: int = REDRAWS,
    seed: int = 0,
    job: Job | None = None,
) -> Floats:
    """Standard deviation (n,) of the estimate over redraws of the noise at fixed x (m,), NaN where undefined.

    The estimate is linear in y, so noise alone is smoothed; it is drawn on the CPU from the seed.
    """
    if redraws < 2:
        raise LabError(f"A spread needs at least 2 redraws; {redraws} came.")
    job = job or DirectJob()
    # The draws belong to no row in particular: in order of x they need no sorting.
    keys, queries = np.sort(as_numbers(x, "x")), as_numbers(xq, "The queries")
    generator = torch.Generator().manual_seed(seed)
    first = np.zeros(queries.shape)
    second = np.zeros(queries.shape)
    for done in range(redraws):
        job.check()
        draws = torch.randn(len(keys), generator=generator, dtype=torch.float64).numpy()
        y = Prepared.of(keys, draws).estimate(queries, bandwidth, kernel).y
        # Noise has mean 0, so the plain sums of squares keep their digits.
        first += y
        second += y * y
        job.progress((done + 1) / redraws)
    mean = first / redraws
    return noise * np.sqrt(np.maximum(second / redraws - mean * mean, 0) * (redraws / (redraws - 1)))
