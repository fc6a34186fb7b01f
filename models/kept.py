"""A few results kept by their question, for computations that also take a job, which is no part of the question."""

from __future__ import annotations


class Kept:
    """The ``size`` newest results. Used on the worker thread alone."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._found: dict[object, object] = {}

    def get(self, key: object) -> object | None:
        """The result of a question, None where it isn't known."""
        return self._found.get(key)

    def put(self, key: object, value: object) -> None:
        """Keep a result; the oldest of too many goes."""
        while len(self._found) >= self._size:
            del self._found[next(iter(self._found))]
        self._found[key] = value
