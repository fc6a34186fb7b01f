"""What a computation may ask of whoever runs it."""

from __future__ import annotations

from typing import Any, Protocol

from models.backend import Backend


class Job(Protocol):
    """One run of a computation. The shell's runner has the real one; scripts and tests pass a ``DirectJob``."""

    backend: Backend

    def check(self) -> None:
        """Raise if nobody wants the answer any more; long computations call it at least every 50 ms."""

    def partial(self, result: Any) -> None:
        """Show an unfinished result."""

    def progress(self, fraction: float) -> None:
        """Say how far the computation is, 0 to 1."""


class DirectJob:
    """A job for scripts and tests: never cancelled, partial results are dropped."""

    def __init__(self, backend: Backend | None = None) -> None:
        self.backend = backend or Backend("cpu")

    def check(self) -> None: ...

    def partial(self, result: Any) -> None: ...

    def progress(self, fraction: float) -> None: ...
