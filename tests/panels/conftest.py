"""One Python aside for all tests that run scripts: torch is loaded there once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.panels.script_cases import Notebook


@pytest.fixture(scope="session")
def aside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """Runs scripts in a folder of its own."""
    opened = Notebook(Path(__file__).parents[2], tmp_path_factory.mktemp("notebook"))
    yield opened
    opened.close()
