"""Numbers as the user reads and types them: in the locale's marks, never misread, never "−0" or "nan" on screen."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QLocale

from labapp.errors import PlainError

TINY, HUGE = 1e-4, 1e7
"""Outside of these magnitudes a number is written with a power of ten."""

_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺−", "0123456789-+-")
_GAP = re.compile(r"[\s_'’٬]")
_GAPPED = re.compile(r"[+-]?\d{1,3}(?: \d{3})+(?:[.,]\d*)?")
_POWER = re.compile(r"(.*?)\s*(?:[×x*·]\s*10\s*\^?|e)\s*([+-]?\d+)")
_MANTISSA = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)")
_LITERAL = re.compile(r"(?<![\w.,])(\d+\.\d+|\d+(?=e))(?:e[-+]?\d+)?(?!\w)")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{2,3})*([.,])\d{3}")


def format_number(x: float, digits: int = 4, locale: QLocale | None = None) -> str:
    """``x`` with that many significant digits; digits before the decimal mark are never replaced by zeros.

    Trailing zeros are dropped, thousands separated. NaN reads "undefined".
    """
    if math.isnan(x):
        return "undefined"
    if math.isinf(x):
        return "infinite" if x > 0 else "−infinite"
    rounded = float(f"{x:.{digits - 1}e}")
    if rounded == 0:
        return "0"
    if not TINY <= abs(rounded) < HUGE:
        mantissa, exponent = f"{x:.{digits - 1}e}".split("e")
        power = str(int(exponent)).translate(_SUPERSCRIPT)
        return f"{_localise(_strip(mantissa), locale)}×10{power}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return _localise(_strip(f"{x:,.{places}f}"), locale)


def format_with_unit(x: float, unit: str, digits: int = 4, locale: QLocale | None = None) -> str:
    """The number with its unit behind a space that doesn't break; no unit behind "undefined"."""
    text = format_number(x, digits, locale)
    return f"{text}\u00a0{unit}" if unit and not math.isnan(x) else text


def format_percent(share: float, digits: int = 2, locale: QLocale | None = None) -> str:
    """A share of 1 in per cent: 0.4901 is "49 %". Shares below a hundredth of a per cent read "< 0.01 %"."""
    if math.isnan(share) or math.isinf(share):
        return format_number(share, digits, locale)
    if 0 < share < 1e-4:
        return f"< {format_number(0.01, locale=locale)}\u00a0%"
    return f"{format_number(100 * share, digits, locale)}\u00a0%"


def retold(sentence: str, locale: QLocale | None = None) -> str:
    """A sentence of the mathematics with its numbers ("0.25", "1.5e-13") as the lab writes them; no digit is lost."""

    def again(literal: re.Match[str]) -> str:
        digits = len(literal[1].replace(".", "").lstrip("0"))
        return format_number(float(literal[0]), max(1, digits), locale)

    return _LITERAL.sub(again, sentence)


def edit_text(value: float, locale: QLocale | None = None) -> str:
    """The number as a box shows it for typing: no thousands marks, "1e-6"; seven significant digits, whole numbers all.

    Zero has no sign.
    """
    mark = (locale or QLocale()).decimalPoint()
    value = float(value) + 0.0  # -0.0 becomes 0.0
    text = f"{value:.0f}" if abs(value) < 1e15 and value.is_integer() else f"{value:.7g}"
    text = text.replace("e-0", "e-").replace("e+0", "e").replace("e+", "e")
    return text.replace(".", mark).replace("-", "−", 1 if value < 0 else 0)


def parse_number(text: str, locale: QLocale | None = None) -> float:
    """The number that a person meant: point or comma as decimal mark, thousands marks, "1e-6" and "1.2×10⁻⁷".

    Two different marks, or one that repeats, tell themselves which is which. One mark alone is the decimal mark
    ("62,5" and "62.5"), unless it is the locale's thousands mark before exactly three digits ("1,250" in English).

    :raises PlainError: for anything that isn't a finite number.
    """
    locale = locale or QLocale()
    plain = _GAP.sub(" ", text.strip()).translate(_PLAIN).lower()
    if locale.decimalPoint() not in ".,":
        plain = plain.replace(locale.decimalPoint(), ".")
    power = _POWER.fullmatch(plain)
    mantissa, exponent = power.groups() if power else (plain, "0")
    if _GAPPED.fullmatch(mantissa):
        mantissa = mantissa.replace(" ", "")
    mantissa = _without_thousands(mantissa, "" if power else locale.groupSeparator())
    value = math.nan
    if _MANTISSA.fullmatch(mantissa):
        value = float(f"{mantissa.replace(',', '.')}e{exponent}")
    if not math.isfinite(value):
        example = edit_text(0.5, locale)
        raise PlainError(f"A number was expected, such as {example} or 1e-6; what came is “{text}”.")
    return value + 0.0


def _without_thousands(text: str, group: str) -> str:
    """The text with at most one mark left, the decimal one; unchanged where the marks make no sense."""
    marks = [c for c in text if c in ".,"]
    if len(set(marks)) == 2:
        whole, decimal, rest = text.rpartition(marks[-1])
        is_grouped = len(set(marks[:-1])) == 1 and _GROUPED.fullmatch(whole)
        return whole.replace(marks[0], "") + decimal + rest if is_grouped else text
    if not _GROUPED.fullmatch(text) or text.lstrip("+-").startswith("0"):
        return text
    return text.replace(marks[0], "") if len(marks) > 1 or marks[0] == group else text


def _strip(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _localise(text: str, locale: QLocale | None) -> str:
    """From "-1,234.5" to the marks of the locale and a real minus."""
    locale = locale or QLocale()
    decimal, group = locale.decimalPoint(), locale.groupSeparator()
    marks = {",": group, ".": decimal, "-": "−"}
    return "".join(marks.get(c, c) for c in text)
