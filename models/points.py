"""Points (x, y) prepared for kernel sums: sorted, repeats of x merged, values centred and scaled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from models.errors import LabError

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

LARGEST = 4e307
"""Beyond it the sum of four numbers overflows float64."""


def as_numbers(values: Any, what: str) -> Floats:
    """Anything array-like or a tensor as a float64 array, copied only where it must be."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as fault:
        raise LabError(f"{what} must be numbers; what came can't be read as such ({fault}).") from None


def check_bandwidth(bandwidth: float) -> float:
    """The bandwidth as a float, if it is positive, finite and no subnormal."""
    number = float(bandwidth)
    if not 1e-300 <= number <= 1e300:
        raise LabError(f"The bandwidth must be a positive number (1e-300 to 1e300); {number:g} came. Choose a width.")
    return number


@dataclass(frozen=True, eq=False)
class Points:
    """u different keys in rising order, made of n rows.

    ``masses`` (3, u) holds per key Σa, Σa·z and Σa², with z = (y − ``centre``)/``scale``, so that |z| ≤ 1, and a the
    weight of a row (1 where none are given). ``rows`` (n,) are the rows that were kept (pairs with a NaN or an infinity
    are dropped and counted), in the order given; ``key`` (n,) is the key of each, ``z`` (n,) its value.
    """

    positions: Floats
    masses: Floats
    centre: float
    scale: float
    key: Integers
    z: Floats
    weights: Floats | None
    rows: Integers
    dropped: int
    lowest: float
    highest: float

    @classmethod
    def of(cls, x: Any, y: Any, weights: Any = None) -> Points:
        """Points from n pairs in any order; weights (n,) ≥ 0 count a row more than once."""
        xs, ys, a = _checked(x, y, weights)
        rows = _finite_rows(xs, ys, a)
        dropped = len(xs) - len(rows)
        if dropped:
            xs, ys, a = xs[rows], ys[rows], None if a is None else a[rows]
        if not len(xs):
            raise LabError("There is no data: not one pair (x, y) of finite numbers came. Give at least one.")
        lowest, highest = float(ys.min()), float(ys.max())
        if max(abs(lowest), abs(highest), -float(xs.min()), float(xs.max())) > LARGEST:
            raise LabError(f"Numbers up to {LARGEST:g} were expected; a larger one came. Use another unit.")
        centre = 0.5 * lowest + 0.5 * highest
        scale = max(highest - centre, centre - lowest) or 1.0
        z = ys - centre
        z /= scale
        positions, masses, key = _merged(xs, z, a)
        return cls(positions, masses, centre, scale, key, z, a, rows, dropped, lowest, highest)

    @property
    def row_masses(self) -> Floats:
        """Weight of each row, (n,)."""
        return np.ones(len(self.z)) if self.weights is None else self.weights

    @cached_property
    def rows_per_key(self) -> Integers:
        return np.bincount(self.key, minlength=len(self.positions))

    @cached_property
    def total_square(self) -> float:
        """Σa² of all rows."""
        return float(self.masses[2].sum())

    @cached_property
    def farthest(self) -> float:
        return float(np.abs(self.positions[[0, -1]]).max())

    def values(self, sums_of_values: Floats, sums: Floats) -> Floats:
        """Estimates in the unit of y; a weighted mean stays inside the data whatever the rounding."""
        return np.clip(self.centre + self.scale * (sums_of_values / sums), self.lowest, self.highest)


def _checked(x: Any, y: Any, weights: Any) -> tuple[Floats, Floats, Floats | None]:
    xs, ys = as_numbers(x, "x"), as_numbers(y, "y")
    a = None if weights is None else as_numbers(weights, "The weights")
    shapes = [xs.shape, ys.shape] + ([] if a is None else [a.shape])
    if xs.ndim != 1 or len(set(shapes)) > 1:
        raise LabError(f"x and y (and weights) must be lists of one length; shapes {shapes} came.")
    if a is not None and (a < 0).any():
        raise LabError("Weights must not be negative; at least one is. Give weights of 0 or more.")
    return xs, ys, a


def _finite_rows(xs: Floats, ys: Floats, a: Floats | None) -> Integers:
    keep = np.isfinite(xs)
    keep &= np.isfinite(ys)
    if a is not None:
        # A row of weight 0 takes no part, and would leave a key without mass.
        keep &= np.isfinite(a) & (a > 0)
    return np.flatnonzero(keep)


def _merged(xs: Floats, z: Floats, a: Floats | None) -> tuple[Floats, Floats, Integers]:
    """Sorted different x (u,), their masses (3, u) and the key of each row (n,)."""
    n = len(xs)
    order = None if (xs[1:] >= xs[:-1]).all() else np.argsort(xs)
    if order is not None:
        xs, z, a = xs[order], z[order], None if a is None else a[order]
    new = np.empty(n, dtype=bool)
    new[0] = True
    np.not_equal(xs[1:], xs[:-1], out=new[1:])
    masses = np.empty((3, n))
    if a is None:
        masses[0] = masses[2] = 1
        masses[1] = z
    else:
        masses[0] = a
        np.multiply(a, z, out=masses[1])
        np.multiply(a, a, out=masses[2])
    starts = np.flatnonzero(new)
    if len(starts) == n:
        ranks = np.arange(n)
    else:
        xs, masses = xs[starts], np.add.reduceat(masses, starts, axis=1)
        ranks = np.cumsum(new) - 1
    if order is None:
        return xs, masses, ranks
    key = np.empty(n, dtype=np.int64)
    key[order] = ranks
    return xs, masses, key
