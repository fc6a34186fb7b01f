"""What reading a table gives: columns, the lines left out with their reasons, and what was recognised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from labapp.tables.missing import is_missing

Kind = Literal["number", "text", "date"]
Numbers = NDArray[np.float64]
MOST_SHOWN = 60


@dataclass(frozen=True, eq=False)
class Column:
    """One column of n rows.

    ``texts`` are the cells as they stand in the file; ``values`` their float64 numbers, NaN where there is none
    (throughout for kind "text", days since 1970-01-01 for kind "date"). Where the file leaves open whether a mark is a
    decimal or a thousands mark, ``other_values`` hold the reading that was not taken; ``doubt`` is a sentence about any
    other doubt.
    """

    name: str
    kind: Kind
    texts: tuple[str, ...]
    values: Numbers
    unit: str = ""
    other_values: Numbers | None = None
    doubt: str = ""

    @property
    def is_numeric(self) -> bool:
        return self.kind == "number"

    @property
    def has_values(self) -> bool:
        """Whether the cells stand on a scale: numbers, and dates counted in days."""
        return self.kind != "text"


@dataclass(frozen=True)
class LeftOut:
    """A line of the file that gives no row, and why; ``cells`` are its fields for the preview."""

    line: int
    reason: str
    cells: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        return f"line {self.line} {self.reason}"


@dataclass(frozen=True)
class Recognised:
    """How the file was read. ``header_line`` is 0 where there is none; ``thousands`` is empty where none was seen.

    ``first_lines`` are the first filled lines, number and text, among which a person can pick the column names.
    """

    encoding: str
    separator: str
    decimal: str
    thousands: str = ""
    title_lines: tuple[str, ...] = ()
    header_line: int = 0
    units_line: int = 0
    first_lines: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Table:
    """A table as read. ``lines[i]`` is the line of the file, from 1, on which row i begins.

    ``left_out`` are lines that could not become rows; ``notes`` are sentences about what was recognised or is in doubt;
    ``remarks`` say of single lines what is odd about them ("has 1 field instead of 2").
    """

    name: str
    columns: tuple[Column, ...]
    lines: NDArray[np.int64]
    left_out: tuple[LeftOut, ...]
    recognised: Recognised
    notes: tuple[str, ...] = ()
    question: str = ""
    remarks: Mapping[int, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return len(self.lines)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        return self.columns[self.names.index(name)]

    def select(self, names: Iterable[str]) -> Selection:
        """The rows that have a number in every one of the columns ``names`` (text columns ask for nothing)."""
        wanted = tuple(column for column in map(self.column, names) if column.has_values)
        gaps = [np.isnan(column.values) for column in wanted]
        missing = np.logical_or.reduce(gaps) if gaps else np.zeros(self.rows, dtype=bool)
        return Selection(self, wanted, np.flatnonzero(~missing), np.flatnonzero(missing))


@dataclass(frozen=True, eq=False)
class Selection:
    """``rows`` (indices into the table) in which every wanted column has a value, and those that were ``lost``."""

    table: Table
    wanted: tuple[Column, ...]
    rows: NDArray[np.intp]
    lost: NDArray[np.intp]

    @property
    def count_left_out(self) -> int:
        return len(self.lost) + len(self.table.left_out)

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Every line that gives no row, in the order of the file."""
        return self.first_left_out(self.count_left_out)

    def first_left_out(self, most: int) -> tuple[LeftOut, ...]:
        """The first of them: of a million gaps a list shows few."""
        lost = [self.why_not(int(row)) for row in self.lost[:most]]
        return tuple(sorted((*self.table.left_out[:most], *lost), key=lambda entry: entry.line)[:most])

    def why_not(self, row: int) -> LeftOut:
        """Why a lost row is lost."""
        line = int(self.table.lines[row])
        cells = tuple(column.texts[row] for column in self.table.columns)
        if line in self.table.remarks:
            return LeftOut(line, self.table.remarks[line], cells)
        reasons = [_reason(column, row) for column in self.wanted if np.isnan(column.values[row])]
        return LeftOut(line, " and ".join(reasons), cells)


def _reason(column: Column, row: int) -> str:
    text = column.texts[row]
    return f"has no {column.name}" if is_missing(text) else f'says "{shorten(text)}" under {column.name}'


def shorten(text: str, length: int = MOST_SHOWN) -> str:
    """The text on one line, cut to ``length`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
