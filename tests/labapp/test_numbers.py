"""Numbers on screen and typed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from labapp.errors import PlainError
from labapp.numbers import edit_text, format_number, format_percent, format_with_unit, parse_number, retold
from tests.cases import case

LOCALES = {name: QLocale(name) for name in ("en_US", "de_DE", "fr_FR", "de_CH", "sv_SE", "es_ES", "ar_EG")}


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (0.98764, "0.9876"),
        (-0.98764, "−0.9876"),
        (1371.99, "1,372"),
        (9999.96, "10,000"),
        (123456.7, "123,457"),
        (12345678.0, "1.235×10⁷"),
        (1.2e-7, "1.2×10⁻⁷"),
        (-9.99996e-5, "−0.0001"),
        (1e-300, "1×10⁻³⁰⁰"),
        (math.nan, "undefined"),
        (math.inf, "infinite"),
        (-math.inf, "−infinite"),
    ],
)
def test_format(x: float, text: str) -> None:
    assert format_number(x, locale=LOCALES["en_US"]) == text


def test_format_in_other_locales() -> None:
    assert format_number(1250.5, 5, LOCALES["de_DE"]) == "1.250,5"
    assert format_number(1250.5, 5, LOCALES["fr_FR"]) == "1\u202f250,5"
    assert format_number(1.5e-9, locale=LOCALES["de_DE"]) == "1,5×10⁻⁹"


def test_units_and_percent() -> None:
    english = LOCALES["en_US"]
    assert format_with_unit(69.9, "m²", locale=english) == "69.9\u00a0m²"
    assert format_with_unit(math.nan, "m²", locale=english) == "undefined"
    assert format_with_unit(2.0, "", locale=english) == "2"
    assert format_percent(0.4901, locale=english) == "49\u00a0%"
    assert format_percent(1e-9, locale=english) == "< 0.01\u00a0%"
    assert format_percent(0.0, locale=english) == "0\u00a0%"


@given(st.floats(-1.79e308, 1.79e308), st.sampled_from(sorted(LOCALES)))
def test_what_is_shown_reads_back(x: float, name: str) -> None:
    shown = format_number(x, locale=LOCALES[name])
    assert shown != "−0"
    assert not shown.startswith("−0×")
    assert math.isclose(parse_number(shown, LOCALES[name]), x, rel_tol=1e-3, abs_tol=0)


@given(st.floats(-1.79e308, 1.79e308), st.sampled_from(sorted(LOCALES)))
def test_what_a_box_shows_reads_back(x: float, name: str) -> None:
    assert math.isclose(parse_number(edit_text(x, LOCALES[name]), LOCALES[name]), x, rel_tol=1e-6)


@given(st.integers(-(10**15) + 1, 10**15 - 1))
def test_whole_numbers_are_shown_whole(n: int) -> None:
    assert parse_number(edit_text(n), LOCALES["en_US"]) == n


@given(st.text(alphabet="0123456789.,-+eE ' ×⁻¹²\u202f", max_size=12), st.sampled_from(sorted(LOCALES)))
def test_any_text_is_a_finite_number_or_refused_in_words(text: str, name: str) -> None:
    try:
        value = parse_number(text, LOCALES[name])
    except PlainError as error:
        sentence, value = error.sentence, 0.0
    else:
        sentence = f"number was expected {text}"
    assert math.isfinite(value)
    assert "number was expected" in sentence
    assert text in sentence


@pytest.mark.parametrize("name", sorted(LOCALES))
def test_g07_both_decimal_marks_in_every_locale(name: str) -> None:
    data = case("G-07")
    for text, value in zip(data["input"]["typed in tau"], data["expected"]["tau"], strict=True):
        assert parse_number(text, LOCALES[name]) == value
        assert parse_number(text.replace(".", "¤").replace(",", ".").replace("¤", ","), LOCALES[name]) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-6", 1e-6),
        ("1E6", 1e6),
        ("−2,5", -2.5),
        ("+3", 3.0),
        (" 1 250,5 ", 1250.5),
        ("1'250'000.5", 1250000.5),
        ("1,250,000", 1250000.0),
        ("1.250.000", 1250000.0),
        ("1.250.000,5", 1250000.5),
        ("12,34,567", 1234567.0),
        ("1.2×10⁻⁷", 1.2e-7),
        ("1,2 · 10^-7", 1.2e-7),
        (".5", 0.5),
        ("5,", 5.0),
        ("1e-400", 0.0),
    ],
)
@pytest.mark.parametrize("name", ["en_US", "de_DE"])
def test_parse(text: str, value: float, name: str) -> None:
    assert parse_number(text, LOCALES[name]) == value


def test_one_mark_before_three_digits_is_as_the_locale_has_it() -> None:
    assert parse_number("1,250", LOCALES["en_US"]) == 1250
    assert parse_number("1.250", LOCALES["en_US"]) == 1.25
    assert parse_number("1.250", LOCALES["de_DE"]) == 1250
    assert parse_number("1,250", LOCALES["de_DE"]) == 1.25
    assert parse_number("0,125", LOCALES["en_US"]) == 0.125
    assert parse_number("1.250e-7", LOCALES["de_DE"]) == 1.25e-7


@pytest.mark.parametrize(
    "text",
    ["", "  ", "abc", "nan", "inf", "-inf", "1e999", "1.2.3", "1,2,3", "12 5", "1,2.3,4", "--1", "1e", "0x10", "1_0"],
)
def test_refused(text: str) -> None:
    with pytest.raises(PlainError, match="A number was expected, such as"):
        parse_number(text, LOCALES["en_US"])


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("to within 1.45e-13.", "to within 1,45×10⁻¹³."),
        ("fell by 0.0250 % over the last 10 steps", "fell by 0,025 % over the last 10 steps"),
        ("from 1e+09 to 2e-05, entry 2 of v1.5", "from 1×10⁹ to 2×10⁻⁵, entry 2 of v1.5"),
        ("holds 99.97 %; 3 of 5", "holds 99,97 %; 3 of 5"),
    ],
)
def test_numbers_of_a_sentence_are_written_as_the_lab_does(told: str, shown: str) -> None:
    assert retold(told, LOCALES["de_DE"]) == shown
