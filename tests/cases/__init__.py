"""Inputs that broke other programs, with the right behaviour: one case a line in ``cases.jsonl``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@cache
def _all() -> dict[str, Any]:
    lines = (FOLDER / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


def case(identifier: str) -> dict[str, Any]:
    """The case with this id, say ``"N-01"``."""
    return _all()[identifier]


def data_file(name: str) -> Path:
    """A data file that a case names."""
    return FOLDER / "files" / name
