"""Numbers as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labapp.tables.missing import is_missing
from labapp.tables.numerals import COMMA, POINT, parse


@pytest.mark.parametrize(
    ("text", "decimal", "value", "unit"),
    [
        ("40.5", POINT, 40.5, ""),
        ("40,5", COMMA, 40.5, ""),
        (".5", POINT, 0.5, ""),
        ("40.", POINT, 40, ""),
        ("1,355.90", POINT, 1355.9, ""),
        ("1.355,90", COMMA, 1355.9, ""),
        ("1.234.567", COMMA, 1234567, ""),
        ("1'234.5", POINT, 1234.5, ""),
        ("12’345’678.25", POINT, 12345678.25, ""),
        ("12,34,567.5", POINT, 1234567.5, ""),
        ("1\u00a0205,50\u00a0€", COMMA, 1205.5, "€"),
        ("1\u202f355,90\u202f€", COMMA, 1355.9, "€"),
        ("1 000 000", POINT, 1e6, ""),
        ("$1,200", POINT, 1200, "$"),
        ("€ 2.100,75", COMMA, 2100.75, "€"),
        ("EUR 12", POINT, 12, "EUR"),
        ("R$ 12", POINT, 12, "R$"),
        ("CHF 1'200.-", POINT, 1200, "CHF"),
        ("900,-", COMMA, 900, ""),
        ("Rs. 1,23,456/-", POINT, 123456, "Rs."),
        ("-9,13 €", COMMA, -9.13, "€"),
        ("€-9", POINT, -9, "€"),
        ("60 m²", POINT, 60, "m²"),
        ("60m2", POINT, 60, "m2"),
        ("12 %", POINT, 12, "%"),
        ("5 km/h", POINT, 5, "km/h"),
        ("900 EUR per month", POINT, 900, "EUR per month"),
        ("(1,234.50)", POINT, -1234.5, ""),
        ("($5)", POINT, -5, "$"),
        ("−5", POINT, -5, ""),
        ("–5", POINT, -5, ""),
        ("5-", POINT, -5, ""),
        ("+7", POINT, 7, ""),
        ("1.5E-4", POINT, 1.5e-4, ""),
        ("1,5e3", COMMA, 1500, ""),
        ("1.5×10^3", POINT, 1500, ""),
        ("\u200e40\u200f", POINT, 40, ""),
        ("١٢٫٥", POINT, 12.5, ""),
        ('="0040"', POINT, 40, ""),
    ],
)
def test_number(text: str, decimal: str, value: float, unit: str) -> None:
    found = parse(text, decimal)
    assert found is not None
    assert (found.value, found.unit) == (value, unit)


@pytest.mark.parametrize(
    "text",
    [
        "40,5", "12,3456", "0,250", "1,23,4", "1.2.3", "18/05/2031", "2031-05-18", "1 out of 3", "flat 3", "12:30",
        "1_000", "inf", "nan", "1e999", "--5", "(-5)", "-", "", "0x1F", "A1", "1/2", "(5", "5)", "3;4", "1 2",
    ],
)  # fmt: skip
def test_no_number_with_a_decimal_point(text: str) -> None:
    assert parse(text, POINT) is None


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([POINT, COMMA]))
def test_every_float_comes_back(value: float, decimal: str) -> None:
    found = parse(repr(value).replace(".", decimal), decimal)
    assert found is not None
    assert found.value == value


@given(st.integers(0, 10**12), st.sampled_from([(POINT, ","), (COMMA, "."), (POINT, "'"), (COMMA, "\u202f")]))
def test_thousands_in_threes(value: int, marks: tuple[str, str]) -> None:
    decimal, thousands = marks
    found = parse(f"{value:,}".replace(",", thousands), decimal)
    assert found is not None
    assert found.value == value


@given(st.text(max_size=12))
def test_any_text_is_answered(text: str) -> None:
    for decimal in (POINT, COMMA):
        assert parse(text, decimal) is None or any(sign.isdigit() for sign in text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "NA", "N/A", "n/a", "n.a.", "-", "–", "—", "--", "?", "null", "None", "NaN", "#N/A", "#DIV/0!", "k.A."],
)
def test_missing(text: str) -> None:
    assert is_missing(text)


@pytest.mark.parametrize("text", ["0", "no data", "no", "nano", "-1", "Anna"])
def test_not_missing(text: str) -> None:
    assert not is_missing(text)
