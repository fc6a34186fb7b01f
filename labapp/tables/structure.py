"""The shape of a table, judged by its first records: title lines, header, units row, width, column names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labapp.tables import dates, numerals
from labapp.tables.dialect import Record
from labapp.tables.missing import is_missing

AUTOMATIC, NO_HEADER = -1, 0
_UNIT_IN_NAME = re.compile(r".*\S\s*[(\[]\s*(?P<unit>[^\s()\[\]][^()\[\]]{0,15})\s*[)\]]")
_UNIT_AFTER_COMMA = re.compile(
    r".*\S\s*,\s*(?P<unit>[^\s,]*[²³€$£¥₹%°/µ][^\s,]*|[kcm]?m[23]?|k?g|s|h|min|EUR|USD|GBP|CHF)"
)
_SHORT_OR_SIGN = re.compile(r"[^\W\d]{1,6}|.*[²³€$£¥₹%°/µ\d()\[\]].*")
_UNIT_CELL = re.compile(r"[(\[]?\s*(?:[^\W\d_]|[°%‰€$£¥₹/µ])[^\s]{0,15}(?:\s?/\s?[^\s]{1,10})?\s*[)\]]?")
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_HIDDEN = re.compile("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+")


@dataclass(frozen=True)
class Layout:
    """Where the parts of a table stand. ``first`` is the index, among the records judged, of the first data record."""

    width: int
    first: int
    title_lines: tuple[str, ...] = ()
    header: Record | None = None
    units: Record | None = None


def is_value(cell: str) -> bool:
    """Whether the cell reads as a number or a date, by whichever decimal mark."""
    if dates.parse(cell) is not None:
        return True
    return any(numerals.parse(cell, mark) is not None for mark in (numerals.POINT, numerals.COMMA))


def is_blank(fields: Iterable[str]) -> bool:
    return not "".join(fields).strip()


def judge(head: Sequence[Record], header_line: int = AUTOMATIC) -> Layout:
    """The layout of the table that begins with the records ``head``; blank records may be among them.

    ``header_line`` is a line of the file chosen by the person, ``NO_HEADER`` or ``AUTOMATIC``.
    """
    filled = [index for index, (_, fields) in enumerate(head) if not is_blank(fields)]
    width = _width([head[index][1] for index in filled])
    start = _first_of_table(head, filled, width)
    header = start if header_line == AUTOMATIC and _has_header(head, filled[filled.index(start) :]) else None
    if header_line > NO_HEADER:
        header = _index_of_line(head, header_line)
    first = start if header is None else header + 1
    titles = [head[index][1] for index in filled if index < (start if header is None else header)]
    units = _units_row(head, [index for index in filled if index >= first]) if header is not None else None
    if units is not None:
        first = units + 1
    body = [head[index][1] for index in filled if index >= first]
    return Layout(
        width=max(width, len(head[header][1]) if header is not None and _are_names(head[header][1][width:]) else 0),
        first=first,
        title_lines=tuple(", ".join(filter(None, map(str.strip, fields))) for fields in titles),
        header=None if header is None else (head[header][0], _beside_row_names(head[header][1], body)),
        units=None if units is None else head[units],
    )


def first_lines(head: Sequence[Record], most: int = 20) -> tuple[tuple[int, str], ...]:
    """Number and text of the first filled lines."""
    filled = [(line, ", ".join(map(clean, fields))) for line, fields in head[: 5 * most] if not is_blank(fields)]
    return tuple(filled[:most])


def _beside_row_names(header: list[str], body: Sequence[Sequence[str]]) -> list[str]:
    """A header one name short of its rows, as statistics programs write it, has no name for the row names."""
    if not body or any(len(fields) != len(header) + 1 or not fields[-1].strip() for fields in body):
        return header
    first = [fields[0].strip() for fields in body]
    counted = first == [str(number) for number in range(1, len(first) + 1)]
    named = not any(map(is_value, first)) and len(set(first)) == len(first)
    return ["", *header] if counted or named else header


def _are_names(fields: Sequence[str]) -> bool:
    """Whether names stand in these fields: none is empty, none a value."""
    return bool(fields) and not any(not field.strip() or is_value(field) for field in fields)


def _width(rows: Sequence[Sequence[str]]) -> int:
    """The number of fields that most rows have; of equally frequent ones the larger."""
    counts = Counter(map(len, rows))
    return max(counts, key=lambda width: (counts[width], width))


def _first_of_table(head: Sequence[Record], filled: Sequence[int], width: int) -> int:
    """The first filled record that belongs to the table, titles and comments passed over."""
    for position, index in enumerate(filled[:-1]):
        fields, following = head[index][1], head[filled[position + 1]][1]
        if not _is_title(fields, following, width) and not _comes_before_header(head, filled[position:], width):
            return index
    return filled[-1]


def _is_title(fields: Sequence[str], following: Sequence[str], width: int) -> bool:
    used = [field for field in fields if field.strip()]
    if fields[0].startswith("#") and (following[0].startswith("#") or not any(map(is_value, following))):
        return True
    return width > 1 and len(used) == 1 and not is_value(used[0])


def _comes_before_header(head: Sequence[Record], filled: Sequence[int], width: int) -> bool:
    """A short record of words is a title where a full record of words follows before any numbers do."""
    if len(head[filled[0]][1]) >= width:
        return False
    for index in filled:
        if any(map(is_value, head[index][1])):
            return False
        if len(head[index][1]) >= width and index != filled[0]:
            return True
    return False


def _has_header(head: Sequence[Record], filled: Sequence[int]) -> bool:
    """Whether the first record names the columns: words stand in it over columns of values."""
    first, body = head[filled[0]][1], [head[index][1] for index in filled[1:]]
    if not body or _is_row_of_years(first, body):
        return not any(map(is_value, first[:1] if body else first))
    speaks = 0
    for column, cell in enumerate(first):
        below = [fields[column] for fields in body if column < len(fields) and not is_missing(fields[column])]
        values = sum(map(is_value, below))
        if below and 2 * values > len(below):
            speaks += -1 if is_value(cell) else 0 if is_missing(cell) else 1
        elif below and column == 0 and not cell.strip():
            return True  # the empty corner over row names, as spreadsheets and statistics programs write it
    return speaks > 0 or (speaks == 0 and not any(map(is_value, first)))


def _is_row_of_years(first: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Years as column names: every field but the first a year, and hardly any below."""
    years = [_YEAR.fullmatch(cell.strip()) is not None for cell in first[1:] if cell.strip()]
    below = [_YEAR.fullmatch(cell.strip()) is not None for fields in body for cell in fields[1:]]
    return bool(years) and all(years) and 2 * sum(below) < len(below)


def _units_row(head: Sequence[Record], filled: Sequence[int]) -> int | None:
    """The record under the header that holds units over columns of values, or None."""
    if len(filled) < 2:
        return None
    row, body = head[filled[0]][1], [head[index][1] for index in filled[1:]]
    units = 0
    for column, cell in enumerate(row):
        below = [fields[column] for fields in body if column < len(fields) and not is_missing(fields[column])]
        if is_missing(cell):
            continue
        if is_value(cell) or not _UNIT_CELL.fullmatch(cell.strip()):
            return None
        is_sure = _SHORT_OR_SIGN.fullmatch(cell.strip()) is not None
        units += is_sure and bool(below) and 2 * sum(map(is_value, below)) > len(below)
    return filled[0] if units else None


def _index_of_line(head: Sequence[Record], line: int) -> int | None:
    return next((index for index, (start, _) in enumerate(head) if start == line), None)


def column_names(header: Sequence[str] | None, width: int) -> list[str]:
    """``width`` different names: the header's, numbered where they repeat, made up where there are none."""
    given = [clean(cell) for cell in header or ()][:width]
    given += [""] * (width - len(given))
    names: list[str] = []
    for position, name in enumerate(given, 1):
        taken = set(names) if name else {*names, *given}
        names.append(_unused(name or f"column {position}", taken | set(given[position:]) - {name}))
    return names


def _unused(name: str, taken: set[str]) -> str:
    candidate, number = name, 2
    while candidate in taken:
        candidate, number = f"{name} {number}", number + 1
    return candidate


def clean(text: str) -> str:
    """The text on one line, without signs that can't be seen."""
    return " ".join(_HIDDEN.sub(" ", text).split()).removeprefix("#").strip()


def unit_in_name(name: str) -> str:
    """The unit at the end of a column's name, in brackets or after a comma: "Miete (€)" and "rent, €" give "€"."""
    match = _UNIT_IN_NAME.fullmatch(name) or _UNIT_AFTER_COMMA.fullmatch(name)
    unit = match["unit"].strip().removeprefix("in ") if match else ""
    return unit if " " not in unit else ""


def unit_in_cell(cell: str) -> str:
    """The unit that a units row names for a column, kept as it stands ("-" says that there is none)."""
    return clean(cell).strip("()[] ")
