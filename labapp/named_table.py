"""Tables of numbers that leave the lab, and how they are written as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula, and would run, when a cell begins with it."""


@dataclass(frozen=True)
class NamedTable:
    """Columns of (title, unit) and rows of texts, numbers or None."""

    name: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Any, ...], ...]

    @property
    def header(self) -> tuple[str, ...]:
        """Titles with their units: "size, m²"."""
        return tuple(f"{title}, {unit}" if unit else title for title, unit in self.columns)


def to_csv(tables: Iterable[NamedTable]) -> str:
    """One block a table, with an empty line between: its name, its header, its rows. Numbers have every digit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, table in enumerate(tables):
        if number:
            out.write("\n")
        writer.writerow([cell_text(table.name)])
        writer.writerow([cell_text(title) for title in table.header])
        writer.writerows([cell_text(cell) for cell in row] for row in table.rows)
    return out.getvalue()


def cell_text(cell: Any) -> str:
    """A cell with every digit; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if cell is None:
        return ""
    if isinstance(cell, Integral):
        return str(int(cell))
    if not isinstance(cell, str):
        return repr(float(cell))
    return f"'{cell}" if cell.startswith(FORMULAS) and not _is_number(cell) else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
