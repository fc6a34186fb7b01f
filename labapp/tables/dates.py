"""Dates as people write them in tables; day first where a column leaves it open."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Literal

Order = Literal["dmy", "mdy"]
UNIT = "days since 1970-01-01"
_EPOCH = datetime(1970, 1, 1)
_DAY = timedelta(days=1)
_CENTURY_TURN = 69  # POSIX: two-digit years up to 68 are of the 2000s
_MONTHS = {"janfebmaraprmayjunjulaugsepoctnovdec"[3 * month : 3 * month + 3]: month + 1 for month in range(12)}
_TIME = r"(?:[T ,]\s?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?)?"
_YEAR_FIRST = re.compile(rf"(?P<y>\d{{4}})([-/.])(?P<m>\d{{1,2}})\2(?P<d>\d{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"(?P<a>\d{{1,2}})([-/.])(?P<b>\d{{1,2}})\2(?P<y>\d{{4}}|\d\d){_TIME}")
_NAMED = re.compile(rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ -](?P<m>[A-Za-z]{{3,9}})\.?,?[ -](?P<y>\d{{4}}){_TIME}")
_NAME_FIRST = re.compile(rf"(?P<m>[A-Za-z]{{3,9}})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}}){_TIME}")


Both = tuple[float | None, float | None]
"""What a cell is with the day first, and with the month first."""


def parse(text: str, order: Order = "dmy") -> float | None:
    """Days since 1970-01-01, with the time of day as a fraction, or None where the cell is no date."""
    return both(text)[order == "mdy"]


def both(text: str) -> Both:
    """The cell read in either order."""
    for pattern in (_YEAR_FIRST, _YEAR_LAST, _NAMED, _NAME_FIRST):
        if match := pattern.fullmatch(text.strip()):
            return _days(match.groupdict())
    return None, None


def order_of(readings: Collection[Both]) -> tuple[Order, bool]:
    """The order of day and month in which most of the cells are dates, and whether the other order fits as well."""
    day_first, month_first = (sum(reading[i] is not None for reading in readings) for i in (0, 1))
    differs = any(first != second for first, second in readings)
    return ("mdy" if month_first > day_first else "dmy"), differs and day_first == month_first


def _days(part: dict[str, str | None]) -> Both:
    year, month, day = _year(part["y"] or ""), part.get("m"), part.get("d")
    time = int(part["hour"] or 0), int(part["minute"] or 0), int(part["second"] or 0)
    if "a" in part:
        first, second = int(part["a"] or 0), int(part["b"] or 0)
        return _moment(year, second, first, time), _moment(year, first, second, time)
    number = int(month) if month and month.isdigit() else _MONTHS.get((month or "")[:3].lower(), 0)
    moment = _moment(year, number, int(day or 0), time)
    return moment, moment


def _moment(year: int, month: int, day: int, time: tuple[int, int, int]) -> float | None:
    try:
        return (datetime(year, month, day, *time) - _EPOCH) / _DAY
    except ValueError:  # the thirteenth month, the thirtieth of February
        return None


def _year(text: str) -> int:
    year = int(text)
    return year if len(text) == 4 else year + (2000 if year < _CENTURY_TURN else 1900)
