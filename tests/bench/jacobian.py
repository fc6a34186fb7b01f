"""A field of Jacobians against torch's own ways: run with ``python -m tests.bench.jacobian``.

1,000 queries × 1,000 keys, float64, one thread, everything in one run. Prints medians in milliseconds, the ratios that
are asked for, and the largest difference from autograd.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from models.flow import query_jacobian

SIZE = 1000
ROUNDS = 7


def milliseconds(works: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The median of each; they take turns, so that a machine that is busy for a while slows all of them."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds + 1):
        for name, work in works.items():
            for _ in range(1 if name == "looped" else 5):
                start = time.perf_counter()
                work()
                if turn:
                    times[name].append(time.perf_counter() - start)
    return {name: 1e3 * statistics.median(values) for name, values in times.items()}


def measure(width: int) -> dict[str, float]:
    """Times of one width d = d_k = d_v, and the error."""
    generator = torch.Generator().manual_seed(width)
    q, k, v = (torch.randn(SIZE, width, generator=generator, dtype=torch.float64) for _ in range(3))

    def answer(query: torch.Tensor) -> torch.Tensor:
        return torch.softmax(k @ query, -1) @ v

    def mapped() -> torch.Tensor:
        return torch.func.vmap(torch.func.jacrev(answer))(q)

    def looped() -> torch.Tensor:
        return torch.stack([torch.autograd.functional.jacobian(answer, row) for row in q])

    works: dict[str, Callable[[], Any]] = {
        "closed": lambda: query_jacobian(q, k, v),
        "forward": lambda: torch.softmax(q @ k.T, -1) @ v,
        "mapped": mapped,
        "looped": looped,
    }
    error = float((query_jacobian(q, k, v) - mapped()).abs().max())
    return {**milliseconds(works, ROUNDS), "error": error}


LIMITS = {2: {"mapped": 4.0, "looped": 40.0}, 16: {"mapped": 12.0}}
"""How many times faster than these the closed form is to be."""


def main() -> None:
    """Print every ratio with its limit."""
    torch.set_num_threads(1)
    for width, limits in LIMITS.items():
        found = measure(width)
        print(f"d = {width:2}: " + ", ".join(f"{name} {found[name]:.4g} ms" for name in found if name != "error"))
        for name, least in limits.items():
            ratio = found[name] / found["closed"]
            print(f"  {name} / closed = {ratio:.1f}, at least {least:g}: {'held' if ratio >= least else 'MISSED'}")
        ratio = found["closed"] / found["forward"]
        if width == 2:
            print(f"  closed / forward = {ratio:.2f}, at most 2.2: {'held' if ratio <= 2.2 else 'MISSED'}")
        print(f"  largest difference {found['error']:.1e}, at most 1e-13: {found['error'] <= 1e-13}")


if __name__ == "__main__":
    main()
