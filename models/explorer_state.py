"""What the explorer keeps beside the scene: the way of the query, pins, which lookups are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.errors import LabError
from models.parameters import parameter

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Sweep:
    """A straight way for the query: where Play runs, and the range of the curve in one dimension."""

    start: Array = Array([0.0])
    """(d_k,)"""
    end: Array = Array([1.0])
    """(d_k,)"""

    def __post_init__(self) -> None:
        if self.start.shape != self.end.shape or self.start.values.ndim != 1:
            raise LabError(f"A way needs two points of one size; {self.start.shape} and {self.end.shape} came.")

    def at(self, fraction: npt.ArrayLike) -> Numbers:
        """Queries (n, d_k) at fractions (n,) of the way."""
        return self.start.values + np.atleast_1d(fraction)[:, None] * (self.end.values - self.start.values)

    def fraction(self, query: Array) -> float:
        """How far along the way a query is, by the nearest point on it."""
        way = self.end.values - self.start.values
        length = float(way @ way)
        return float(np.clip((query.values - self.start.values) @ way / length, 0, 1)) if length else 0.0


@dataclass(frozen=True)
class Pin:
    """A curve kept for comparison, with the setting that gave it."""

    label: str
    x: Array
    y: Array


@dataclass(frozen=True)
class Sizes:
    """Sizes typed in to see what a lookup of that size costs."""

    queries: int = parameter(1024, label="Queries", symbol="n", minimum=1, maximum=1_000_000, log=True)
    entries: int = parameter(1024, label="Entries", symbol="m", minimum=1, maximum=1_000_000, log=True)
    key_size: int = parameter(64, label="Numbers in a key", symbol="d_k", minimum=1, maximum=4096, log=True)
    value_size: int = parameter(64, label="Numbers in a value", symbol="d_v", minimum=1, maximum=4096, log=True)


@dataclass(frozen=True)
class ExplorerState:
    """What the explorer shows beside the scene: which lookups are drawn, and the way that the query sweeps."""

    show_exact: bool = parameter(True, label="Exact", help="A match, or not found.")
    show_nearest: bool = parameter(True, label="Nearest", help="The best entry alone; ties go to the first.")
    show_soft: bool = parameter(True, label="Soft", help="The weighted average of all entries.")
    column: int = parameter(0, label="Value drawn", minimum=0, help="Which number of the values has the curve.")
    sweep: Sweep = Sweep()
    pins: tuple[Pin, ...] = ()
    sizes: Sizes = Sizes()
