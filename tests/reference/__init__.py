"""Exact values of the worked examples, computed independently to high precision; see ``golden.json``, "meta"."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent


@cache
def load(name: str) -> Any:
    """The parsed file ``name`` of this folder."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def golden(topic: str, kind: str | None = None) -> list[dict[str, Any]]:
    """The entries of a topic, all or those of one kind; a misspelt name fails here, not silently in no test."""
    entries = [entry for entry in load("golden.json")["topics"][topic] if kind in (None, entry["kind"])]
    assert entries, f"golden.json has nothing of kind {kind!r} in topic {topic!r}"
    return entries


def numbers(value: Any) -> np.ndarray:
    """Decimal strings, nested as they come, as float64; None (undefined) becomes NaN."""
    if isinstance(value, list):
        return np.array([numbers(item) for item in value])
    return np.array(np.nan if value is None else float(value))


def tolerance(entry: dict[str, Any], field: str, dtype: str = "float64") -> tuple[float, float]:
    """(atol, rtol) of one expected field of an entry."""
    given = entry["tolerance"][dtype]
    given = given.get("fields", {}).get(field, given)
    return float(given["atol"]), float(given["rtol"])


def assert_close(entry: dict[str, Any], field: str, actual: Any, dtype: str = "float64", expected: Any = None) -> None:
    """|actual − expected| ≤ atol + rtol·|expected| in every element, with the entry's own tolerance for the field."""
    wanted = numbers(entry["expected"][field] if expected is None else expected)
    atol, rtol = tolerance(entry, field, dtype)
    np.testing.assert_allclose(np.asarray(actual, dtype=float), wanted, atol=atol, rtol=rtol, err_msg=entry["id"])
