"""What ``temperature_for_entropy`` costs beside the root finders of scipy, in one run on one thread.

    python -m tests.bench.temperature

Each line is the cost of three targets (0.1, 0.5 and 0.9 of ln n). The competitors take turns in every round, so that
what else the machine does hits all alike; the median of the rounds is printed, and the ratio is the median of the
rounds' own ratios.
"""

# ruff: noqa: E402 - the number of threads is read when numpy is imported
from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import math
import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq, elementwise
from scipy.special import softmax
from scipy.stats import entropy

from models.temperature import temperature_for_entropy

SHARES = (0.1, 0.5, 0.9)
LOW, HIGH = 1e-3, 1e3
# Of a thousand rows some have two winners closer than 1e-3.
ROWS_LOW = 1e-7
RTOL = 1e-12


def as_a_user(scores: np.ndarray, target: float) -> float:
    """scipy's softmax and entropy in brentq."""
    return brentq(lambda tau: entropy(softmax(scores / tau)) - target, LOW, HIGH, xtol=1e-300, rtol=RTOL)


def lean(scores: np.ndarray, target: float) -> float:
    """brentq in ln τ on H = ln Σe^x − Σx e^x / Σe^x, with nothing left to strip."""
    below = scores - scores.max()

    def off(u: float) -> float:
        x = below * math.exp(-u)
        e = np.exp(x)
        total = e.sum()
        return math.log(total) - (e @ x) / total - target

    return math.exp(brentq(off, math.log(LOW), math.log(HIGH), xtol=RTOL))


def lean_in_python(scores: np.ndarray, target: float) -> float:
    """``lean`` in plain Python, the faster form for a handful of scores."""
    top = scores.max()
    below = (scores - top).tolist()

    def off(u: float) -> float:
        beta, total, mean = math.exp(-u), 0.0, 0.0
        for x in below:
            x *= beta
            e = math.exp(x)
            total += e
            mean += e * x
        return math.log(total) - mean / total - target

    return math.exp(brentq(off, math.log(LOW), math.log(HIGH), xtol=RTOL))


def many_rows(scores: np.ndarray, target: float) -> np.ndarray:
    """scipy's vectorised bracketing root finder, in ln τ on the lean form."""
    below = scores - scores.max(axis=1, keepdims=True)

    def off(u: np.ndarray, row: np.ndarray) -> np.ndarray:
        x = below[row] * np.exp(-u)[:, None]
        e = np.exp(x)
        total = e.sum(axis=1)
        return np.log(total) - np.einsum("ij,ij->i", e, x) / total - target

    rows = np.arange(len(scores))
    bracket = (np.full(len(rows), math.log(ROWS_LOW)), np.full(len(rows), math.log(HIGH)))
    result = elementwise.find_root(off, bracket, args=(rows,), tolerances={"xatol": RTOL, "xrtol": 0.0, "fatol": 0.0})
    assert result.success.all()
    return np.exp(result.x)


def seconds(solve: Callable[..., object], scores: np.ndarray, times: int) -> float:
    size = scores.shape[-1]
    start = time.perf_counter()
    for _ in range(times):
        for share in SHARES:
            solve(scores, share * math.log(size))
    return (time.perf_counter() - start) / times


def compare(title: str, other: Callable[..., object], scores: np.ndarray, goal: float, times: int, rounds: int) -> None:
    wanted = 0.5 * math.log(scores.shape[-1])
    np.testing.assert_allclose(temperature_for_entropy(scores, wanted), other(scores, wanted), rtol=1e-9)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(seconds(temperature_for_entropy, scores, times))
        theirs.append(seconds(other, scores, max(1, times // 10)))
    ratio = statistics.median(mine / its for mine, its in zip(ours, theirs, strict=True))
    verdict = "met" if ratio <= goal else "MISSED"
    print(
        f"{title:<44} {statistics.median(ours) * 1e6:>9.1f} µs beside {statistics.median(theirs) * 1e6:>9.1f} µs"
        f"   ratio {ratio:.4f}   goal {goal:.4f}   {verdict}"
    )


def main() -> None:
    draw = np.random.default_rng(20240501)
    three, thousand, many = np.array([2.0, 1.0, 0.1]), draw.normal(size=1000), draw.normal(size=100_000)
    compare("3 scores, brentq on softmax and entropy", as_a_user, three, 1 / 100, 200, 9)
    compare("1,000 scores, brentq on softmax and entropy", as_a_user, thousand, 1 / 30, 100, 9)
    compare("3 scores, brentq on the lean form", lean, three, 1 / 2.5, 300, 15)
    compare("3 scores, brentq on the lean form in Python", lean_in_python, three, 1 / 2.5, 300, 15)
    compare("1,000 scores, brentq on the lean form", lean, thousand, 1.0, 100, 15)
    compare("100,000 scores, brentq on the lean form", lean, many, 0.65, 10, 9)
    compare("1,000 rows of 64, elementwise.find_root", many_rows, draw.normal(size=(1000, 64)), 0.6, 10, 9)


if __name__ == "__main__":
    main()
