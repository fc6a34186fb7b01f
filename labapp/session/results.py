"""Numbers for other programs: the groups and arrays below ``/results``, which the lab itself never reads."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labapp.named_table import Cells, Column, NamedMap, PanelNumbers, Table, exact_text, plain
from labapp.session.document import NUMBERS

NOTE = (
    "Numbers of Lookup Lab. /results/<panel>/<table> holds a dataset for each column, or rows, columns and values of a "
    "map; titles and units are attributes."
)
MOST_TITLE = 500
"""Bytes of a title or a unit; what is longer is cut."""
LONGEST_NAME = 48
_SIGNS = {"∂": "d", "√": "sqrt", "×": "x", "∞": "inf", "Σ": "sum", "−": "-", "÷": "/"}


@dataclass(frozen=True)
class Entry:
    """A group (``values`` None) or an array under its path, with texts that say what it is."""

    path: str
    texts: dict[str, str] = field(default_factory=dict)
    values: np.ndarray[Any, Any] | None = None

    def __post_init__(self) -> None:
        cut = {
            name: text.encode("utf-8", "replace")[:MOST_TITLE].decode("utf-8", "ignore")
            for name, text in self.texts.items()
        }
        object.__setattr__(self, "texts", cut)

    @property
    def size(self) -> int:
        return 0 if self.values is None else self.values.nbytes


def attributes(app_version: str) -> dict[str, str]:
    """What the root of a file of nothing but numbers says."""
    return {"format": NUMBERS, "app_version": app_version, "note": NOTE}


def entries(panels: Iterable[PanelNumbers]) -> Iterator[Entry]:
    """Groups before what is in them. The same numbers give the same entries."""
    yield Entry("results")
    for panel in panels:
        top = f"results/{slug(panel.id)}"
        yield Entry(top, {"title": panel.title})
        for name, table in zip(unique([table.name for table in panel.tables]), panel.tables, strict=True):
            yield Entry(f"{top}/{name}", {"title": table.name})
            yield from _of_table(f"{top}/{name}", table)


def _of_table(path: str, table: Table) -> Iterator[Entry]:
    if isinstance(table, NamedMap):
        yield _entry(f"{path}/rows", table.down)
        yield _entry(f"{path}/columns", table.across)
        yield _entry(f"{path}/values", Column(table.name, table.values, table.unit))
        return
    for name, column in zip(unique([column.title for column in table.columns]), table.columns, strict=True):
        yield _entry(f"{path}/{name}", column)


def _entry(path: str, column: Column) -> Entry:
    return Entry(path, {"title": column.title, "unit": column.unit}, stored(column.cells))


def stored(cells: Cells) -> np.ndarray[Any, Any]:
    """Cells as int64, float64 (NaN where there is none) or texts of one length in UTF-8; mixed ones are texts."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "biuf":
        whole = cells.dtype.kind in "bi"
        return np.ascontiguousarray(cells, dtype="<i8" if whole else "<f8")
    some = plain(cells)
    if not any(isinstance(cell, str) for cell in some) and (numbers := _numbers(some)) is not None:
        return numbers
    texts = [exact_text(cell).encode("utf-8", "replace").rstrip(b"\0") for cell in some]
    return np.array(texts, dtype=f"S{max(1, *map(len, texts))}" if texts else "S1")


def _numbers(cells: Sequence[Any]) -> np.ndarray[Any, Any] | None:
    """None where a whole number would lose digits."""
    is_whole = bool(cells) and all(isinstance(cell, int | np.integer) for cell in cells)
    if is_whole and all(-(2**63) <= cell < 2**63 for cell in cells):
        return np.array(cells, dtype="<i8")
    if any(isinstance(cell, int | np.integer) and abs(int(cell)) > 2**53 for cell in cells):
        return None
    return np.array([np.nan if cell is None else float(cell) for cell in cells], dtype="<f8")


def unique(titles: Sequence[str]) -> list[str]:
    """Safe names for titles, in their order; like ones are numbered, whatever their case."""
    names: list[str] = []
    taken: set[str] = set()
    for title in titles:
        plain_name = slug(title)
        name, number = plain_name, 2
        while name.lower() in taken:
            name, number = f"{plain_name}_{number}", number + 1
        taken.add(name.lower())
        names.append(name)
    return names


def slug(title: str) -> str:
    """ASCII letters, digits, ``_`` and ``-``: "loss L" is loss_L, "temperature τ" is temperature_tau."""
    spelled = "".join(_SIGNS.get(char) or _spelled(char) for char in title)
    plain_text = unicodedata.normalize("NFKD", spelled).encode("ascii", "ignore").decode()
    return re.sub("[^A-Za-z0-9-]+", "_", plain_text).strip("_-")[:LONGEST_NAME].strip("_-") or "unnamed"


def _spelled(char: str) -> str:
    """Greek letters by their names."""
    words = unicodedata.name(char, "").split()
    if words[:1] != ["GREEK"] or "LETTER" not in words[:-1]:
        return char
    name = words[words.index("LETTER") + 1].lower()
    return name if "SMALL" in words else name.capitalize()
