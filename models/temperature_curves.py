"""What one row of scores gives over all temperatures: computed in pieces, each kept, whatever the present τ."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.backend import CPU, Place
from models.entropy import temperature_curve
from models.job import Job
from models.score_row import as_numbers
from models.sparsity import support_sizes
from models.temperature_state import HIGHEST, LOWEST

Numbers = npt.NDArray[Any]

POINTS = 121
"""Temperatures of a curve: 20 a decade."""
ROUGH = 8
MANY = 4096
"""Rows longer than this are worth the way to the device."""
PIECE = 2**20
"""Scores × temperatures of one piece: some 10 ms on a CPU, so that a job is checked often enough."""


@dataclass(frozen=True)
class Curves:
    """Every field (t,), over the temperatures from 10⁻³ to 10³ at equal steps of their logarithm."""

    temperature: Numbers
    entropy: Numbers
    slope: Numbers
    perplexity: Numbers
    effective_number: Numbers
    log_sum_exp: Numbers
    largest_derivative: Numbers
    sparsemax_support: Numbers
    entmax15_support: Numbers


def temperatures() -> Numbers:
    """The temperatures of every curve."""
    return np.geomspace(LOWEST, HIGHEST, POINTS)


def place_for(count: int, place: Place) -> Place:
    """Where a row of so many scores is computed: a short one is done before a device has begun."""
    return place if count > MANY else CPU


def curves_of(scores: Array, place: Place, job: Job) -> Curves:
    """The curves of scores (m,); pieces that are known already cost nothing."""
    step = _step(scores)
    pieces = []
    for first in range(0, POINTS, step):
        pieces.append(_piece(scores, place, temperatures()[first : first + step].tobytes()))
        job.check()
        if step < POINTS:
            job.progress(min(1.0, (first + step) / POINTS))
    _known(scores, place).add(POINTS)
    if len(pieces) == 1:
        return pieces[0]
    joined = (np.concatenate([getattr(piece, field.name) for piece in pieces]) for field in fields(Curves))
    return Curves(*joined)


def rough_curves(scores: Array, place: Place) -> Curves:
    """The curves at a few temperatures, to be shown until those at all are known."""
    return _piece(scores, place, temperatures()[:: POINTS // ROUGH].tobytes())


def are_known(scores: Array, place: Place) -> bool:
    """Whether these curves were computed a short while ago."""
    return POINTS in _known(scores, place)


def _step(scores: Array) -> int:
    return max(1, min(POINTS, PIECE // max(1, len(scores))))


@lru_cache(maxsize=4)
def _known(scores: Array, place: Place) -> set[int]:
    """How many temperatures of the curves are known: filled by ``curves_of``."""
    return set()


@lru_cache(maxsize=64)
def _piece(scores: Array, place: Place, temperature: bytes) -> Curves:
    """``temperature`` are the bytes of a float64 array (t,): what the cache can compare."""
    taus = np.frombuffer(temperature)
    row = place.tensor(scores.values)
    curve = temperature_curve(row, place.tensor(taus))
    measured = (as_numbers(getattr(curve, field.name)) for field in fields(curve) if field.name != "temperature")
    supports = (as_numbers(support_sizes(row, place.tensor(taus), name)) for name in ("sparsemax", "entmax15"))
    return Curves(taus, *measured, *supports)
