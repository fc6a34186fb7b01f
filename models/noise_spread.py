"""How much an estimate moves when the noise is drawn anew: measured, beside the predicted s/√n_eff."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from models.errors import LabError
from models.job import DirectJob, Job
from models.points import Floats, as_numbers
from models.regression import attention_weights

REDRAWS = 200
CHUNK = 1 << 18
"""Weights that are held at once."""


def predicted_spread(effective_number: Floats, noise: float) -> Floats:
    """s/√n_eff: the standard deviation of Σ a_i y_i for independent noise of standard deviation s."""
    return noise / np.sqrt(effective_number)


def measured_spread(
    xq: Any,
    x: Any,
    bandwidth: float,
    noise: Any = 1.0,
    *,
    kernel: str = "gaussian",
    redraws: int = REDRAWS,
    seed: int = 0,
    job: Job | None = None,
) -> Floats:
    """Standard deviation of the estimate, in the shape of ``xq``, over redraws of the noise at fixed x (m,).

    NaN where undefined. ``noise`` is its standard deviation, one number or one for each x. The estimate is linear in
    y, so noise alone is smoothed; it comes from the seed by PCG64 (O'Neill, 2014). Holds m × ``redraws`` numbers.
    """
    if redraws < 2:
        raise LabError(f"A spread needs at least 2 redraws; {redraws} came.")
    keys, asked = as_numbers(x, "x"), as_numbers(xq, "The queries")
    queries = asked.ravel()
    draws, job = _draws(len(keys), redraws, seed), job or DirectJob()
    scale = np.broadcast_to(as_numbers(noise, "The noise"), keys.shape)
    out = np.empty(len(queries))
    rows = max(1, CHUNK // len(keys))
    for start in range(0, len(queries), rows):
        job.check()
        weights = attention_weights(queries[start : start + rows], keys, bandwidth, kernel) * scale
        out[start : start + rows] = (weights @ draws).std(axis=1, ddof=1)
    return out.reshape(asked.shape)


@lru_cache(maxsize=2)
def _draws(n: int, redraws: int, seed: int) -> Floats:
    """(n, redraws) standard normal numbers. Not to be written to."""
    return np.random.Generator(np.random.PCG64([seed, 7])).standard_normal((n, redraws))
