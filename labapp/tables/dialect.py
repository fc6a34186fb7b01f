"""Which sign separates the fields, and the records that follow from it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

from labapp.errors import PlainError
from labapp.tables import numerals

SEPARATORS = {
    ",": "comma",
    ";": "semicolon",
    "\t": "tab",
    "|": "bar",
    ":": "colon",
    " ": "space",
    "": "none (one column)",
}
_USUAL = [",", ";", "\t", "|"]
_SEP_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
NOTHING_CLOSED = "unexpected end of data"

Record = tuple[int, list[str]]
"""The line on which a record begins, from 1, and its fields."""


class UnclosedQuoteError(Exception):
    """A quotation mark that is opened on line ``line`` and never closed."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def announced_separator(first_line: str) -> str | None:
    """The separator that a spreadsheet's first line ``sep=;`` names, or None."""
    match = _SEP_LINE.fullmatch(first_line.strip("\r\n "))
    return match[1] if match else None


def find_separator(sample: str) -> str:
    """The sign between the fields of a sample of whole lines, "" for one column.

    By data consistency (van den Burg, Nazábal and Sutton, 2019), except where one column of decimal commas looks like
    two columns of whole numbers.
    """
    from clevercsv.detect import Detector

    if _is_one_column_of_decimals(sample):
        return ""
    found = Detector().detect(sample, delimiters=_USUAL)
    separator = found.delimiter if found is not None else ""
    return separator or _spaced(sample)


def _is_one_column_of_decimals(sample: str) -> bool:
    """A name without a comma over numbers with exactly one: no table of two columns looks so."""
    first, *rest = [line for line in sample.splitlines() if line.strip()] or [""]
    fits = [numerals.parse(line, numerals.COMMA) is not None for line in rest]
    signs = ";\t|,"
    return bool(rest) and all(fits) and any("," in line for line in rest) and not any(sign in first for sign in signs)


def _spaced(sample: str) -> str:
    """A space, where spaces part every line into equally many fields with numbers among them (names may lack one)."""
    lines = [line.strip() for line in sample.splitlines() if line.strip()]
    if not lines[1:] or all(_is_number(line) for line in lines[1:]):
        return ""
    first, *rest = csv.reader(lines, delimiter=" ", skipinitialspace=True)
    widths = {len(fields) for fields in rest}
    same = len(widths) == 1 and max(widths) > 1 and len(first) in (max(widths), max(widths) - 1)
    return " " if same and all(any(map(_is_number, fields)) for fields in rest) else ""


def _is_number(text: str) -> bool:
    return any(numerals.parse(text, mark) is not None for mark in (numerals.POINT, numerals.COMMA))


def records(lines: Iterable[str], separator: str, quoted: bool = True) -> Iterator[Record]:
    """The records of a text table; lines end in "\\n" whatever the file used.

    ``UnclosedQuoteError`` where the end comes inside a quotation; ``PlainError`` for a field beyond all reason.
    """
    recent: list[str] = []

    def watched() -> Iterator[str]:
        for line in lines:
            recent.append(line)
            yield line

    shape = _shape(separator, quoted)
    reader = csv.reader(watched(), shape)
    start = 1
    try:
        for fields in reader:
            if len(recent) > 1 and _ends_inside_quotes(recent, shape):
                raise UnclosedQuoteError(start)
            yield start, fields
            start = reader.line_num + 1
            recent.clear()
    except csv.Error as error:
        if quoted and len(recent) > 1:
            raise UnclosedQuoteError(start) from error
        raise PlainError(_beyond_reason(start)) from error


def _shape(separator: str, quoted: bool) -> type[csv.Dialect]:
    class Shape(csv.excel):
        # The reader needs a separator even for one column: a sign that no text holds stands in.
        delimiter = separator or "\x1f"
        quoting = csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE
        skipinitialspace = True

    return Shape


def _ends_inside_quotes(lines: list[str], dialect: type[csv.Dialect]) -> bool:
    try:
        list(csv.reader(lines, dialect, strict=True))
    except csv.Error as error:
        return NOTHING_CLOSED in str(error)
    return False


def _beyond_reason(line: int) -> str:
    return (
        f"Cells of a table were expected, but one that begins on line {line} has more than "
        f"{csv.field_size_limit():,} characters. Is a quotation mark missing there, or is this another kind of file?"
    )
