"""Kernel regression (Nadaraya, 1964; Watson, 1964): attention with keys x_i, values y_i and scores −(q−x_i)²/(2σ²).

Queries, x and y are one-dimensional, anything array-like or tensors; results are numpy float64. Where one data set is
asked many times, prepare it once: ``Prepared.of(x, y).estimate(xq, bandwidth)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.bandwidth import search_bandwidth
from models.errors import LabError
from models.kernel_sums import nearest_distance, scores_beyond_nearest
from models.leave_one_out import leave_one_out_errors
from models.points import Floats, as_numbers, check_bandwidth
from models.prepared import Estimate, Prepared, kernel_values

__all__ = [
    "Estimate",
    "Prepared",
    "attention_weights",
    "best_bandwidth",
    "leave_one_out",
    "nadaraya_watson",
]


def nadaraya_watson(
    xq: Any, x: Any, y: Any, bandwidth: float, kernel: str = "gaussian", weights: Any = None
) -> Estimate:
    """Estimates at queries ``xq`` (n,) or one number, from pairs x, y (m,); never n×m beyond a bounded chunk.

    The bandwidth is σ of the Gaussian exp(−d²/(2σ²)) or the half-width of a window. Pairs with a NaN are left out.
    Raises ``LabError`` for no data, a bandwidth that isn't positive, or an unknown kernel.
    """
    return Prepared.of(x, y, weights).estimate(xq, bandwidth, kernel)


def attention_weights(xq: Any, x: Any, bandwidth: float, kernel: str = "gaussian") -> Floats:
    """The weights (n, m), or (m,) for one query: rows sum to 1, or are NaN where the window is empty.

    A softmax of the scores, so that far queries stay finite.
    """
    queries, keys = as_numbers(xq, "The queries"), as_numbers(x, "x")
    sigma = check_bandwidth(bandwidth)
    if keys.ndim != 1 or not len(keys) or not np.isfinite(keys).all() or not np.isfinite(queries).all():
        raise LabError("The map of weights needs a list of keys and queries that are all finite numbers.")
    q = queries.reshape(-1, 1)
    if kernel == "gaussian":
        nearest = nearest_distance(np.sort(keys), q[:, 0])[:, None]
        weights = np.exp(scores_beyond_nearest(q - keys, nearest, sigma))
    else:
        weights = kernel_values(kernel, (q - keys) / sigma)
    with np.errstate(invalid="ignore"):
        weights /= weights.sum(axis=1, keepdims=True)
    return weights.reshape(*queries.shape, len(keys))


def leave_one_out(x: Any, y: Any, bandwidths: Any, kernel: str = "gaussian") -> Floats:
    """Mean squared leave-one-out error for each bandwidth, in the shape of ``bandwidths``.

    One row at a time is left out, by its index. Rows with nobody else in their window have no estimate and are not in
    the mean (``leave_one_out_errors`` counts them); NaN where that is all of them. Raises ``LabError`` below 2 points.
    """
    widths = as_numbers(bandwidths, "The bandwidths")
    return leave_one_out_errors(Prepared.of(x, y), widths.ravel(), kernel).error.reshape(widths.shape)


def best_bandwidth(x: Any, y: Any, kernel: str = "gaussian", bounds: tuple[float, float] | None = None) -> float:
    """The bandwidth with the least leave-one-out error inside ``bounds``; see ``search_bandwidth`` for the default."""
    return search_bandwidth(Prepared.of(x, y), kernel, bounds).bandwidth
