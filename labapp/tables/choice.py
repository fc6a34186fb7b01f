"""What the person chose from a table: which columns play which role, and which rows are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labapp.tables.table import Column, Numbers, Table

MANY_GAPS = 0.25


@dataclass(frozen=True)
class Role:
    """What a column can be used as. ``many``: several columns may; ``numeric``: only those with numbers or dates."""

    id: str
    label: str
    many: bool = True
    numeric: bool = True
    required: bool = True

    def takes(self, column: Column) -> bool:
        return column.has_values or not self.numeric


@dataclass(frozen=True, eq=False)
class ImportChoice:
    """Columns by the id of their role (a role that nobody plays has none) and the indices of the kept rows."""

    table: Table
    columns: Mapping[str, tuple[Column, ...]]
    rows: NDArray[np.intp]

    def names(self, role: str) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns[role])

    def units(self, role: str) -> tuple[str, ...]:
        return tuple(column.unit for column in self.columns[role])

    def values(self, role: str) -> Numbers:
        """The kept numbers of a role, shape (rows, columns)."""
        columns = [column.values[self.rows] for column in self.columns[role]]
        return np.stack(columns, axis=1) if columns else np.empty((len(self.rows), 0))

    def texts(self, role: str) -> tuple[str, ...]:
        """The kept cells of a role's first column as they stand in the file; empty texts where it has none."""
        if not self.columns[role]:
            return ("",) * len(self.rows)
        texts = self.columns[role][0].texts
        return tuple(texts[row] for row in self.rows)


def usual_roles(table: Table, roles: Sequence[Role]) -> dict[int, str]:
    """A first proposal, role ids by column position: to each role in turn the first free column made for it.

    Columns with many gaps come last. Dates are left to the person: they rarely are what is looked up.
    """
    proposal: dict[int, str] = {}
    for role in roles:
        kind = "number" if role.numeric else "text"
        free = [at for at, column in enumerate(table.columns) if column.kind == kind and at not in proposal]
        if free:
            proposal[min(free, key=lambda at: (kind == "number" and _has_many_gaps(table.columns[at]), at))] = role.id
    return proposal


def _has_many_gaps(column: Column) -> bool:
    return bool(np.isnan(column.values).mean() > MANY_GAPS)
