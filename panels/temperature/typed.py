"""Scores as a person types or pastes them."""

from __future__ import annotations

import re

import numpy as np

from labapp.errors import PlainError
from labapp.numbers import parse_number


def scores_in(text: str) -> np.ndarray:
    """The numbers (m,) of a text: one a line or a cell, or apart by semicolons, commas or spaces.

    A comma inside a number is its decimal mark where something else divides the numbers ("2,5; 1"). Raises
    ``PlainError`` for what isn't a number.
    """
    pieces = [piece for piece in _pieces(text.strip()) if piece.strip()]
    if not pieces:
        raise PlainError("Scores were expected, such as 2; 1; 0.1. Type two or more.")
    return np.array([parse_number(piece) for piece in pieces])


def _pieces(text: str) -> list[str]:
    if re.search(r"[;\n\t]", text):
        return re.split(r"[;\n\t\r]+", text)
    if re.search(r",\s", text) or (text.count(",") and "." in text):
        return re.split(r"\s*,\s*|\s+", text)
    if re.search(r"\s", text):
        return text.split()
    return text.split(",") if text.count(",") > 1 else [text]
