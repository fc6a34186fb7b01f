"""A tenth of ``make torture``, in the suite."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.torture import damages, failing, kills, states, windows

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="forks, limits and a preloaded library")


@LINUX
def test_kills(tmp_path: Path) -> None:
    assert "100 kills" in kills.torture(tmp_path, 100, 1)


@LINUX
@pytest.mark.skipif(sys.platform == "linux" and failing.compiler() is None, reason="no C compiler")
def test_each_failing_call_and_each_full_disk(tmp_path: Path) -> None:
    assert "old or new" in failing.torture(tmp_path, 1, 1)


def test_damages(tmp_path: Path) -> None:
    assert "the others identical" in damages.torture(tmp_path, 1_000, 1)


def test_random_states(tmp_path: Path) -> None:
    assert "200 random states" in states.torture(tmp_path, 200, 1)


def test_lessons_with_two_windows(qapp: object, tmp_path: Path) -> None:
    assert "10 lessons" in windows.torture(tmp_path, 10, 1)
