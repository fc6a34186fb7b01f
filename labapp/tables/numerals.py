"""Numbers as people write them in tables: marks, signs, currencies and units around the digits."""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import NamedTuple

POINT, COMMA = ".", ","
_CURRENCY = (
    r"[$€£¥₹₽₩₺₫₴₦฿¢]|[A-Z]{1,3}\$|Fr\.|Rs\.?|kr\.?|zł|Kč|"
    r"(?:EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|NZD|BRL|ZAR|TRY|RUB|MXN|KRW|SGD|HKD|ILS|RON)\b"
)
_WORD = r"(?:[^\W\d]|[°%‰€$£¥₹₽₩₺₫₴₦฿¢′″]|/(?=\D))[^\s\d;|\"()]{0,11}\d?"
_UNIT = rf"{_WORD}(?:\s{_WORD}){{0,2}}"
# Every kind of space, apostrophe and minus becomes one; marks without width vanish; other digits become ours.
_PLAIN = {ord(sign): " " for sign in "\u00a0\u202f\u2009\u2007\u2008\u2002\u2003"}
_PLAIN |= {ord(sign): "'" for sign in "’‘´ʼ"} | {ord(sign): "-" for sign in "−–—‒﹣－"}
_PLAIN |= dict.fromkeys((0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)), "")
_PLAIN |= {start + digit: str(digit) for start in (0x660, 0x6F0, 0x966, 0x9E6, 0xFF10) for digit in range(10)}
_PLAIN |= {ord("٫"): ".", ord("٬"): "'", ord("＋"): "+", ord("．"): "."}
_ONLY_DIGITS = {
    POINT: str.maketrans("", "", ", '"),
    COMMA: str.maketrans(",", ".", ". '"),
}
_REMEMBERED = 1 << 16


class Numeral(NamedTuple):
    """A number in a cell, the unit or currency beside it, and its thousands mark ("" where it shows none)."""

    value: float
    unit: str
    thousands: str


def plain(text: str) -> str:
    """The text with spaces, minus signs, apostrophes and digits brought to one form; ``="40"`` becomes 40."""
    text = text.strip() if text.isascii() else text.translate(_PLAIN).strip()
    return text[2:-1] if text.startswith('="') and text.endswith('"') else text


@cache
def _pattern(decimal: str) -> re.Pattern[str]:
    mark, other = re.escape(decimal), re.escape(COMMA if decimal == POINT else POINT)
    by_three = rf"[1-9]\d{{0,2}}(?P<group>{other}|[ '])\d{{3}}(?:(?P=group)\d{{3}})*"
    indian = rf"[1-9]\d?(?:{other}\d\d)+{other}\d{{3}}"
    digits = rf"(?:{by_three}|{indian}|\d+)(?:{mark}(?:\d+|(?!-)))?|{mark}\d+"
    return re.compile(
        rf"(?P<open>\()?\s?(?P<sign>[-+])?\s?(?:(?P<before>{_CURRENCY})\s?)?(?P<inner>[-+])?"
        rf"(?P<digits>{digits})(?P<power>(?:[eE]|\s?[×x·*]\s?10\^?)[-+]?\d+)?(?:[.,/]-)?\s?(?P<after>{_UNIT})?"
        rf"(?P<trail>-)?\s?(?P<close>\))?",
    )


@lru_cache(_REMEMBERED)
def parse(text: str, decimal: str = POINT) -> Numeral | None:
    """The number that the whole cell holds with this decimal mark, or None.

    Understood: thousands in threes by the other mark, a space or an apostrophe, and in the Indian way; signs in front
    or behind, accounting parentheses as minus; powers of ten; one currency before, one unit after. "12 %" is 12 with
    unit "%". A mark that would stand at the wrong place makes it no number: with a decimal point, "40,5" is none.
    """
    match = _pattern(decimal).fullmatch(plain(text))
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    signs = "".join(filter(None, match.group("sign", "inner", "trail", "open")))
    if len(signs) > 1:
        return None
    digits = match["digits"].translate(_ONLY_DIGITS[decimal])
    value = float(digits + _power(match["power"]) if match["power"] else digits)
    if not math.isfinite(value):
        return None
    unit = " ".join(filter(None, match.group("before", "after")))
    return Numeral(-value if signs in ("-", "(") else value, unit, _thousands(match, decimal))


def _power(text: str) -> str:
    return "e" + (text[1:] if text[0] in "eE" else text.split("10", 1)[1].removeprefix("^"))


def _thousands(match: re.Match[str], decimal: str) -> str:
    other = COMMA if decimal == POINT else POINT
    return match["group"] or (other if other in match["digits"] else "")
