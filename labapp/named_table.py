"""Tables and maps of numbers that leave the lab, and how they are written as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Protocol, Union

if TYPE_CHECKING:  # a window is made before numpy is loaded
    from numpy.typing import NDArray

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for a formula, and would run, when a cell begins with it."""

Cells = Union[Sequence[Any], "NDArray[Any]"]


@dataclass(frozen=True, eq=False)
class Column:
    """A quantity with its unit, and its cells: texts, numbers or None."""

    title: str
    cells: Cells
    unit: str = ""

    @property
    def header(self) -> str:
        """The title with its unit: "size, m²"."""
        return f"{self.title}, {self.unit}" if self.unit else self.title


@dataclass(frozen=True, eq=False)
class NamedTable:
    """Columns of one length."""

    name: str
    columns: tuple[Column, ...]

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.header for column in self.columns)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The cells row by row, numbers as Python has them."""
        return list(zip(*(plain(column.cells) for column in self.columns), strict=True))


@dataclass(frozen=True, eq=False)
class NamedMap:
    """A matrix ``values (n, m)`` in ``unit``; ``down (n)`` and ``across (m)`` name or place its rows and columns."""

    name: str
    down: Column
    across: Column
    values: NDArray[Any]
    unit: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What stands down, then a column for each cell across."""
        corner = Column(f"{self.down.header} \\ {self.across.header}", self.down.cells)
        titles = (exact_text(cell) for cell in plain(self.across.cells))
        return corner, *(Column(title, values) for title, values in zip(titles, self.values.T, strict=True))

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(column.title for column in self.columns)

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return [(cell, *row) for cell, row in zip(plain(self.down.cells), self.values.tolist(), strict=True)]


Table = NamedTable | NamedMap


@dataclass(frozen=True, eq=False)
class PanelNumbers:
    """All that one panel shows, under the panel's id and title."""

    id: str
    title: str
    tables: tuple[Table, ...]


class Named(Protocol):
    """What has a name and a unit: a column of keys or values."""

    @property
    def name(self) -> str: ...

    @property
    def unit(self) -> str: ...


def vectors(prefix: str, named: Iterable[Named], values: NDArray[Any]) -> tuple[Column, ...]:
    """Vectors ``values (n, d)`` as a column for each of their d numbers: "query: size"."""
    return tuple(
        Column(f"{prefix}: {one.name}", numbers, one.unit) for one, numbers in zip(named, values.T, strict=True)
    )


def plain(cells: Cells) -> Sequence[Any]:
    """The cells as Python has them: numpy's own numbers are slow to write."""
    as_list: Callable[[], list[Any]] | None = getattr(cells, "tolist", None)
    return cells if as_list is None else as_list()  # type: ignore[return-value]


def to_csv(tables: Iterable[Table]) -> str:
    """One block a table, with an empty line between: its name, its header, its rows. Numbers have every digit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, table in enumerate(tables):
        if number:
            out.write("\n")
        for line in _lines(table):
            writer.writerow(map(cell_text, line))
    return out.getvalue()


def _lines(table: Table) -> Iterator[Iterable[Any]]:
    yield (f"{table.name}, {table.unit}" if isinstance(table, NamedMap) and table.unit else table.name,)
    yield table.header
    yield from table.rows


def cell_text(cell: Any) -> str:
    """A cell with every digit; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = exact_text(cell)
    is_formula = isinstance(cell, str) and text.startswith(FORMULAS) and not _is_number(text)
    return f"'{text}" if is_formula else text


def exact_text(cell: Any) -> str:
    """A cell with every digit."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    return str(int(cell)) if isinstance(cell, Integral) else repr(float(cell))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
