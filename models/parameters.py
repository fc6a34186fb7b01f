"""Fields of states with what a user must know of them: declared once, used by control, docstring, reader and test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Any


def parameter(
    default: Any,
    *,
    label: str,
    symbol: str = "",
    unit: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    step: float | None = None,
    log: bool = False,
    choices: Iterable[str] | Callable[[], Iterable[str]] | None = None,
    help: str = "",
) -> Any:
    """A dataclass field with its label, symbol (plain text, say ``τ``), unit, closed range, step and choices.

    ``log`` asks for a logarithmic slider. ``choices`` lists the names that a text field may have. The shell reads the
    metadata by these very keys.
    """
    metadata = {
        "label": label,
        "symbol": symbol,
        "unit": unit,
        "minimum": minimum,
        "maximum": maximum,
        "step": step,
        "log": log,
        "choices": choices,
        "help": help,
    }
    return field(default=default, metadata=metadata)
