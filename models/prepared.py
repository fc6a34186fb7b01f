"""A data set prepared once, so that a bandwidth costs a fraction of a millisecond at any size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from models.compact_sums import Windows, compact_sums
from models.errors import LabError
from models.gaussian_sums import Sketch, gaussian_sums
from models.kernel_sums import CHUNK, COMPACT_POWERS, Sums
from models.kernels import KERNELS
from models.lazy import torch
from models.points import Floats, Points, as_numbers, check_bandwidth

COMPACT = ("boxcar", *COMPACT_POWERS)


@dataclass(frozen=True)
class Estimate:
    """Kernel estimates at n queries, in the shape of the queries.

    ``y``: NaN where undefined. ``effective_number``: 1/Σa² of the weights, from 1 to the number of points, NaN where
    undefined. ``defined``: False where the window is empty or the query is no number.
    """

    y: Floats
    effective_number: Floats
    defined: np.typing.NDArray[np.bool_]

    @property
    def undefined(self) -> int:
        """How many queries have no estimate."""
        return int(self.defined.size - np.count_nonzero(self.defined))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Points with the sketches that the kernels need, each made at its first use and kept. Arrays are numpy float64.

    Not for two threads at once.
    """

    points: Points

    @classmethod
    def of(cls, x: Any, y: Any, weights: Any = None) -> Prepared:
        """From pairs (x, y) in any order, (n,) each; weights (n,) ≥ 0 count a row more than once.

        Pairs with a NaN or an infinity are left out (``points.dropped`` counts them). Raises ``LabError`` where shapes
        disagree or nothing is left.
        """
        return cls(Points.of(x, y, weights))

    @cached_property
    def sketch(self) -> Sketch:
        return Sketch(self.points)

    @cached_property
    def windows(self) -> Windows:
        return Windows(self.points)

    def estimate(self, xq: Any, bandwidth: float, kernel: str = "gaussian") -> Estimate:
        """ŷ(q) = Σ K((q−x_i)/σ) y_i / Σ K((q−x_i)/σ) (Nadaraya, 1964; Watson, 1964) at queries of any shape."""
        queries = as_numbers(xq, "The queries")
        sigma = check_bandwidth(bandwidth)
        q = queries.ravel()
        finite = np.isfinite(q)
        all_finite = bool(finite.all())
        if all_finite:
            y, number, defined = self._ratios(self.sums(q, sigma, kernel))
        else:
            y, number, defined = np.full(q.shape, np.nan), np.full(q.shape, np.nan), finite
            y[finite], number[finite], defined[finite] = self._ratios(self.sums(q[finite], sigma, kernel))
        return Estimate(y.reshape(queries.shape), number.reshape(queries.shape), defined.reshape(queries.shape))

    def _ratios(self, sums: Sums) -> tuple[Floats, Floats, np.typing.NDArray[np.bool_]]:
        defined = sums.mass > 0
        with np.errstate(invalid="ignore", divide="ignore"):
            y = self.points.values(sums.value, sums.mass)
            number = sums.mass * (sums.mass / sums.square)
        return y, number, defined

    def sums(self, q: Floats, bandwidth: float, kernel: str = "gaussian", slopes: bool = False) -> Sums:
        """The sums behind an estimate, at finite queries (n,); slopes by log bandwidth where asked for."""
        if not len(q):
            return Sums.of(np.zeros((5, 0)))
        if kernel == "gaussian":
            return gaussian_sums(self.sketch, q, bandwidth, slopes)
        if kernel in COMPACT:
            return compact_sums(self.windows, q, bandwidth, kernel)
        if kernel == "constant":
            totals = np.concatenate([self.points.masses.sum(axis=1), [0.0, 0.0]])
            return Sums.of(np.repeat(totals[:, None], len(q), axis=1))
        return self._registered_sums(q, bandwidth, kernel, slopes)

    def _registered_sums(self, q: Floats, bandwidth: float, kernel: str, slopes: bool) -> Sums:
        """Any other kernel of the registry, over all keys in bounded chunks."""
        if slopes:
            KERNELS[kernel]
            raise LabError(
                f"The slope by bandwidth is known for {', '.join(('gaussian', *COMPACT))}, not for {kernel}."
            )
        keys, masses = self.points.positions, self.points.masses
        out = np.zeros((5, len(q)))
        step = max(1, CHUNK // len(keys))
        for start in range(0, len(q), step):
            weights = kernel_values(kernel, (q[start : start + step, None] - keys) / bandwidth)
            out[:2, start : start + step] = masses[:2] @ weights.T
            out[2, start : start + step] = masses[2] @ (weights * weights).T
        return Sums.of(out)


def kernel_values(kernel: str, u: Floats) -> Floats:
    """KERNELS[kernel] on numpy arrays."""
    values = KERNELS[kernel](torch.as_tensor(u))
    return np.asarray(values.numpy(), dtype=np.float64)
