"""Dates as people write them."""

from __future__ import annotations

from datetime import datetime

import pytest

from labapp.tables import dates


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2031-05-18", (2031, 5, 18)),
        ("2031/5/8", (2031, 5, 8)),
        ("18/05/2031", (2031, 5, 18)),
        ("18.05.31", (2031, 5, 18)),
        ("18-5-1999", (1999, 5, 18)),
        ("04/07/2031", (2031, 7, 4)),
        ("18 May 2031", (2031, 5, 18)),
        ("May 18, 2031", (2031, 5, 18)),
        ("2031-05-18T06:30", (2031, 5, 18, 6, 30)),
        ("18/05/2031 06:30:15", (2031, 5, 18, 6, 30, 15)),
        ("01.02.1969", (1969, 2, 1)),
    ],
)
def test_date(text: str, moment: tuple[int, ...]) -> None:
    days = dates.parse(text)
    assert days is not None
    assert days * 86400 == pytest.approx((datetime(*moment) - datetime(1970, 1, 1)).total_seconds(), abs=1e-3)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "31.02.2031", "13/13/2031", "12.5", "2031", "1.2.3.4", "18/05-2031", "May 2031"])
def test_no_date(text: str) -> None:
    assert dates.parse(text) is None


def order(*texts: str) -> tuple[str, bool]:
    return dates.order_of([dates.both(text) for text in texts])


def test_order_follows_the_column() -> None:
    assert order("02/13/2031", "02/01/2031") == ("mdy", False)
    assert order("13/02/2031", "02/01/2031") == ("dmy", False)
    assert order("03/02/2031", "02/01/2031") == ("dmy", True)
