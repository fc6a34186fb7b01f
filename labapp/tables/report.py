"""Sentences about what was recognised in a table."""

from __future__ import annotations

from collections.abc import Sequence

from labapp.tables import numerals
from labapp.tables.dialect import SEPARATORS
from labapp.tables.table import Column, Recognised, shorten

MARKS = {".": "point", ",": "comma", "'": "apostrophe", " ": "space"}


def notes_of(recognised: Recognised, columns: Sequence[Column]) -> tuple[str, ...]:
    """What was recognised, a sentence each; nothing about what is as everybody expects."""
    separator = SEPARATORS.get(recognised.separator, recognised.separator)
    notes = [f"Encoding {recognised.encoding}, separator {separator}, decimal {MARKS[recognised.decimal]}."]
    if recognised.thousands:
        notes.append(f"Thousands mark {MARKS[recognised.thousands]}.")
    if count := len(recognised.title_lines):
        notes.append(f'{_count(count, "title line")} before the table: "{shorten(recognised.title_lines[0])}".')
    if recognised.units_line:
        notes.append(f"1 units row, line {recognised.units_line}.")
    if not recognised.header_line:
        notes.append("No column names were found, so names were made up.")
    if units := [column.unit for column in columns if column.kind == "number" and column.unit not in ("", "-")]:
        notes.append(f"Units noticed: {', '.join(dict.fromkeys(units))}.")
    notes += [f"{column.name}: {column.doubt}" for column in columns if column.doubt]
    return tuple(notes)


def question_of(columns: Sequence[Column], mark: str, example: str) -> str:
    """The question that the file leaves open, or ""."""
    if not any(column.other_values is not None for column in columns):
        return ""
    readings = {sign: numerals.parse(example, sign) for sign in (numerals.POINT, numerals.COMMA)}
    shown = {sign: f"{found.value:,.12g}" for sign, found in readings.items() if found}
    other = numerals.COMMA if mark == numerals.POINT else numerals.POINT
    return f'"{shorten(example)}" may mean {shown[mark]} or {shown[other]}. It is read as {shown[mark]}.'


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
