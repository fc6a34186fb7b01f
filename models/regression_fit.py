"""The fit: estimates over a range of queries, the present query, the attention map, and the numbers of the read-out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from models.bandwidth import truth_errors
from models.job import Job
from models.kernel_sums import COMPACT_POWERS
from models.points import Floats, Integers
from models.prepared import Estimate, Prepared, kernel_values
from models.regression import attention_weights
from models.regression_data import KEPT, DataSet, domain_of, points_of
from models.regression_state import FitPin
from models.row_errors import errors_at, rows_measured

QUERIES = 500
MAP_ROWS, MAP_KEYS = 50, 2_000
"""Queries of the attention map; sets of more points have none."""
MARKED = 2_000
"""Up to so many points are marks of their own, with the weight that they have for the query."""
FAR = 2.0
"""Beyond the data: so many ranges of x to either side."""
NAIVE_KEYS = 20_000
WINDOW = 121


@dataclass(frozen=True)
class FitQuestion:
    """All that the fit depends on."""

    data: DataSet
    kernel: str
    bandwidth: float
    query: float
    pins: tuple[FitPin, ...]
    beyond: bool
    naive: bool


@dataclass(frozen=True)
class Summary:
    """The read-out. Errors are mean squares, NaN where there is none; n_eff is over the queries that are defined."""

    n: int
    rows: int
    """Rows that training and leave-one-out error are a mean of."""
    training: float
    leave_one_out: float
    alone: int
    """Rows with nobody else in their window: not in the leave-one-out error."""
    truth: float
    """Error against the truth at 50 queries; the nearest point answers for an empty window."""
    fewest: float
    most: float
    undefined: int
    queries: int


@dataclass(frozen=True)
class Asked:
    """The present query: its estimate, n_eff, and the kernel's own picture around it."""

    estimate: float
    effective_number: float
    window_x: Floats
    window: Floats
    """(121,): kernel values, 1 at the query."""
    weights: Floats | None
    """(n,) of the points as given, None where they are many or the window is empty."""


@dataclass(frozen=True)
class KeyMap:
    """Weights of queries (r,) over the keys in rising order (n,): rows sum to 1, NaN where undefined."""

    queries: Floats
    weights: Floats
    effective_number: Floats
    order: Integers
    """Which point of the data each column is."""


@dataclass(frozen=True)
class FitResult:
    """What the section draws."""

    question: FitQuestion
    x: Floats
    y: Floats
    domain: tuple[float, float]
    """Where the data live, without what lies beyond."""
    queries: Floats
    estimate: Estimate
    truth: Floats | None
    pins: tuple[Floats, ...]
    naive: Floats | None
    breaks_at: float
    """The query beyond the data from which the naive quotient is undefined; NaN where it is not shown or never is."""
    asked: Asked
    map: KeyMap | None
    summary: Summary


def compute_fit(question: FitQuestion, job: Job) -> FitResult:
    """The whole section; what the bandwidth doesn't change is kept from one question to the next."""
    data, sigma, kernel = question.data, question.bandwidth, question.kernel
    prepared = prepare(data, job)
    x, y = points_of(data)
    queries = queries_of(data, question.beyond)
    estimate = _estimate(data, question.beyond, kernel, sigma)
    naive, breaks_at = _naive(question, queries)
    return FitResult(
        question,
        x,
        y,
        domain_of(data),
        queries,
        estimate,
        data.truth(queries) if data.truth else None,
        tuple(_estimate(data, question.beyond, pin.kernel, pin.bandwidth).y for pin in question.pins),
        naive,
        breaks_at,
        _asked(prepared, question, x),
        _key_map(data, kernel, sigma),
        summary_of(data, kernel, sigma, question.beyond),
    )


def prepare(data: DataSet, job: Job) -> Prepared:
    """The points made ready, with progress where that lasts."""
    if data.n > KEPT:
        job.progress(0.1)
        points_of(data)
        job.progress(0.3)
    return prepared_of(data)


@lru_cache(maxsize=2)
def prepared_of(data: DataSet) -> Prepared:
    """The points made ready, kept for the next question about the same data."""
    return Prepared.of(*points_of(data))


@lru_cache(maxsize=8)
def queries_of(data: DataSet, beyond: bool) -> Floats:
    """500 queries over the domain, or far beyond it on both sides."""
    low, high = domain_of(data)
    far = FAR * (high - low) if beyond else 0.0
    return np.linspace(low - far, high + far, QUERIES)


@lru_cache(maxsize=16)
def _estimate(data: DataSet, beyond: bool, kernel: str, sigma: float) -> Estimate:
    return prepared_of(data).estimate(queries_of(data, beyond), sigma, kernel)


@lru_cache(maxsize=8)
def grid_of(data: DataSet) -> tuple[Floats, Floats | None]:
    """The 50 queries at which errors against the truth are taken, and the truth there: low, low + range/50, …"""
    low, high = domain_of(data)
    grid = low + (high - low) * np.arange(MAP_ROWS) / MAP_ROWS
    return grid, data.truth(grid) if data.truth else None


@lru_cache(maxsize=64)
def summary_of(data: DataSet, kernel: str, sigma: float, beyond: bool = False) -> Summary:
    """The numbers of the read-out."""
    prepared = prepared_of(data)
    grid, truth = grid_of(data)
    width = np.array([sigma])
    errors = errors_at(prepared, sigma, kernel)
    found = _estimate(data, beyond, kernel, sigma)
    numbers = found.effective_number[found.defined]
    return Summary(
        n=len(prepared.points.z),
        rows=rows_measured(prepared),
        training=errors.training,
        leave_one_out=errors.leave_one_out,
        alone=errors.alone,
        truth=np.nan if truth is None else float(truth_errors(prepared, grid, truth, width, kernel).error[0]),
        fewest=float(numbers.min()) if len(numbers) else np.nan,
        most=float(numbers.max()) if len(numbers) else np.nan,
        undefined=found.undefined,
        queries=found.defined.size,
    )


def _asked(prepared: Prepared, question: FitQuestion, x: Floats) -> Asked:
    q, sigma, kernel = question.query, question.bandwidth, question.kernel
    found = prepared.estimate(q, sigma, kernel)
    weights = None
    if len(x) <= MARKED and bool(found.defined):
        weights = attention_weights(q, x, sigma, kernel)
    window_x, window = window_of(kernel, q, sigma)
    return Asked(float(found.y), float(found.effective_number), window_x, window, weights)


def window_of(kernel: str, q: float, sigma: float) -> tuple[Floats, Floats]:
    """The kernel's own picture around a query: x and values, 1 at the query, 0 at the ends of a compact one."""
    u = np.linspace(-1, 1, WINDOW) * (3.5 if kernel == "gaussian" else 1.0)
    values = kernel_values(kernel, u)
    if kernel == "boxcar" or kernel in COMPACT_POWERS:
        values[[0, -1]] = 0.0
    return q + sigma * u, values


@lru_cache(maxsize=4)
def _key_map(data: DataSet, kernel: str, sigma: float) -> KeyMap | None:
    x, _ = points_of(data)
    if len(x) > MAP_KEYS:
        return None
    order = np.argsort(x, kind="stable")
    queries = grid_of(data)[0]
    weights = attention_weights(queries, x[order], sigma, kernel)
    with np.errstate(divide="ignore", invalid="ignore"):
        numbers = 1 / (weights**2).sum(axis=1)
    return KeyMap(queries, weights, numbers, order)


def _naive(question: FitQuestion, queries: Floats) -> tuple[Floats | None, float]:
    """The quotient as it is written, in float32, and the query to the right of the data where it breaks off."""
    x, y = points_of(question.data)
    if not question.naive or len(x) > NAIVE_KEYS:
        return None, np.nan
    naive = naive_quotient(queries, x, y, question.bandwidth, question.kernel)
    low, high = float(x.max()), float(queries[-1])
    if not high > low or np.isfinite(naive[-1]) or question.kernel == "constant":
        return naive, np.nan
    for _ in range(50):
        middle = (low + high) / 2
        fine = np.isfinite(naive_quotient(np.array([middle]), x, y, question.bandwidth, question.kernel)[0])
        low, high = (middle, high) if fine else (low, middle)
    return naive, high


def naive_quotient(q: Floats, x: Floats, y: Floats, sigma: float, kernel: str) -> Floats:
    """Σ K y / Σ K in float32 without any precaution: NaN where every kernel value underflows to 0."""
    out = np.empty(len(q))
    step = max(1, 200_000 // len(x))
    for start in range(0, len(q), step):
        u = (q[start : start + step, None] - x).astype(np.float32) / np.float32(sigma)
        weights: npt.NDArray[np.float32] = (
            np.exp(-(u * u) / np.float32(2))
            if kernel == "gaussian"
            else kernel_values(kernel, u.astype(np.float64)).astype(np.float32)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            out[start : start + step] = (weights @ y.astype(np.float32)) / weights.sum(axis=1)
    return out
