"""Random states through the file and back: equal, and the same bytes."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, seed, settings

from tests.labapp.session import Toy
from tests.labapp.session.test_round_trip import TOYS, kinds, packed, unpacked


def torture(folder: Path, count: int, first: int) -> str:
    @seed(first)
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(TOYS)
    def goes_through(state: Toy) -> None:
        data = packed(state)
        again = unpacked(data, Toy)
        assert kinds(again) == kinds(state)
        assert packed(again) == data

    goes_through()
    return f"{count} random states came back equal, with the same bytes"
