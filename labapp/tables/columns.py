"""From the cells of a column to its kind, numbers and unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from labapp.tables import dates, numerals
from labapp.tables.missing import is_missing
from labapp.tables.numerals import COMMA, POINT
from labapp.tables.table import Column, Numbers

CHUNK = 10_000
_SAMPLE = 2_000
_BARE = {POINT: re.compile(r"[-+0-9.eE\n]*"), COMMA: re.compile(r"[-+0-9,eE\n]*")}


class ReadJob(Protocol):
    """What reading asks and says while it runs; the shell's own jobs fit."""

    def check(self) -> None:
        """Raise if nobody wants the table any more."""

    def progress(self, fraction: float) -> None:
        """How far reading is, 0 to 1."""


class Quiet:
    """A job that is never cancelled and tells nobody."""

    def check(self) -> None: ...

    def progress(self, fraction: float) -> None: ...


@dataclass(frozen=True)
class Evidence:
    """How many cells are numbers with a decimal point only, with a comma only, and with either but not the same."""

    point: int = 0
    comma: int = 0
    either: int = 0
    with_comma: int = 0
    example: str = ""

    def __add__(self, other: Evidence) -> Evidence:
        return Evidence(
            self.point + other.point,
            self.comma + other.comma,
            self.either + other.either,
            self.with_comma + other.with_comma,
            self.example or other.example,
        )

    @property
    def decides(self) -> bool:
        return self.point != self.comma

    def mark(self, separator: str) -> str:
        """The decimal mark; where it is open, a comma only if the separator keeps out of its way for that reason."""
        if self.decides:
            return POINT if self.point > self.comma else COMMA
        return COMMA if separator in (";", "") and self.with_comma else POINT


def weigh(texts: Sequence[str], job: ReadJob) -> Evidence:
    """The evidence of a column, read chunk by chunk until it decides; none from a column of words."""
    found = Evidence()
    for start in range(0, len(texts), _SAMPLE):
        job.check()
        chunk = texts[start : start + _SAMPLE]
        marked = [text for text in chunk if "," in text or "." in text]
        pairs = [(numerals.parse(text, POINT), numerals.parse(text, COMMA), text) for text in marked]
        found += _count([pair for pair in pairs if pair[0] or pair[1]])
        if found.decides or (start == 0 and _are_words(chunk)):
            break
    return found


def _are_words(texts: Sequence[str]) -> bool:
    filled = [text for text in texts if not is_missing(text)]
    return 2 * sum(any(map(str.isdigit, text)) for text in filled) <= len(filled)


def _count(pairs: Sequence[tuple[numerals.Numeral | None, numerals.Numeral | None, str]]) -> Evidence:
    open_cells = [text for point, comma, text in pairs if point and comma and point.value != comma.value]
    return Evidence(
        point=sum(comma is None for _, comma, _ in pairs),
        comma=sum(point is None for point, _, _ in pairs),
        either=len(open_cells),
        with_comma=sum("," in text for text in open_cells),
        example=open_cells[0] if open_cells else "",
    )


@dataclass(frozen=True, eq=False)
class Numbered:
    """The numbers of a column under one decimal mark, NaN where a cell holds none in the column's unit."""

    values: Numbers
    unit: str
    thousands: str


def numbers(texts: Sequence[str], decimal: str, job: ReadJob) -> Numbered:
    """Read every cell with one decimal mark; bare numbers go a chunk at a time, the others one by one."""
    values = np.full(len(texts), np.nan)
    # Kept as numbers, not as a million small objects, which the garbage collector would stop the window for.
    unit_of = np.zeros(len(texts), dtype=np.int32)
    units: dict[str, int] = {"": 0}
    marks: Counter[str] = Counter()
    for start in range(0, len(texts), CHUNK):
        job.check()
        chunk = texts[start : start + CHUNK]
        if (bare := _bare_numbers(chunk, decimal)) is not None:
            values[start : start + len(chunk)] = bare
            continue
        for row, text in enumerate(chunk, start):
            if text and (numeral := numerals.parse(text, decimal)) is not None:
                values[row] = numeral.value
                unit_of[row] = units.setdefault(numeral.unit, len(units))
                marks[numeral.thousands] += 1
    unit = int(np.bincount(unit_of)[1:].argmax()) + 1 if len(units) > 1 else 0
    values[(unit_of != 0) & (unit_of != unit)] = np.nan
    del marks[""]
    return Numbered(values, list(units)[unit], next((mark for mark, _ in marks.most_common(1)), ""))


def _bare_numbers(texts: Sequence[str], decimal: str) -> Numbers | None:
    """The numbers of cells without unit, thousands mark or gap, or None where a cell is anything else."""
    joined = "\n".join(texts)
    if not _BARE[decimal].fullmatch(joined):
        return None
    try:
        found = np.array(joined.replace(",", ".").split("\n"), dtype=np.float64)
    except ValueError:  # an empty cell, two decimal marks, a lonely sign
        return None
    return found if np.isfinite(found).all() else None


def build(name: str, texts: Sequence[str], evidence: Evidence, mark: str, job: ReadJob) -> tuple[Column, Numbered]:
    """The column with its kind judged: numbers or dates where most filled cells are such, text otherwise.

    Where the evidence leaves the decimal mark open, the column carries the other reading as well.
    """
    numbered = numbers(texts, mark, job)
    good = int(np.isfinite(numbered.values).sum())
    filled = good if good == len(texts) else sum(not is_missing(text) for text in texts)
    if good and 2 * good > filled:
        other = numbers(texts, COMMA if mark == POINT else POINT, job).values if evidence.either else None
        return Column(name, "number", tuple(texts), _frozen(numbered.values), numbered.unit, other), numbered
    nothing = Numbered(np.full(len(texts), np.nan), "", "")
    if dated := _dates(texts, filled, job):
        days, doubt = dated
        return Column(name, "date", tuple(texts), _frozen(days), dates.UNIT, doubt=doubt), nothing
    return Column(name, "text", tuple(texts), _frozen(nothing.values)), nothing


def _dates(texts: Sequence[str], filled: int, job: ReadJob) -> tuple[Numbers, str] | None:
    sample = [text for text in texts[:_SAMPLE] if not is_missing(text)]
    if 2 * sum(dates.both(text) != (None, None) for text in sample) <= len(sample):
        return None
    readings = {text: dates.both(text) for text in set(texts)}  # dates repeat: each is read once
    job.check()
    order, is_open = dates.order_of(readings.values())
    first = int(order == "mdy")
    days = np.array([readings[text][first] for text in texts], dtype=np.float64)
    if 2 * int(np.isfinite(days).sum()) <= filled:
        return None
    return days, "The day is read before the month; the other way fits as well." if is_open else ""


def _frozen(values: Numbers) -> Numbers:
    values.setflags(write=False)
    return values
