"""Numbers on their way into a picture: what can be drawn, a sentence on what can't, ticks in the locale's marks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from PySide6.QtCore import QLocale

from labapp.errors import PlainError
from labapp.numbers import format_number

Floats = NDArray[np.float64]
Range = tuple[float, float]

HUGE = 1e12
"""Qt calls a scale below 1e-12 singular, so nothing larger than this can be placed on a screen."""
LOG_LIMIT = 12.0
"""Log axes end at 1e-12 and 1e12."""

_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def clean(x: ArrayLike, y: ArrayLike, log_x: bool = False, log_y: bool = False) -> tuple[Floats, Floats, str]:
    """View coordinates of points ``x (n,)``, ``y (n,)`` and a note on what was left out.

    Left out points are NaN in both arrays, so that places in them stay the entries. On a log axis the view coordinate
    is the decimal logarithm. The note is "" where everything is drawn.
    """
    xs, ys = np.asarray(x, dtype=np.float64).ravel(), np.asarray(y, dtype=np.float64).ravel()
    if xs.shape != ys.shape:
        raise PlainError(f"A curve needs as many y as x; what came are {ys.size} and {xs.size}.")
    with np.errstate(all="ignore"):
        infinite = np.isinf(xs) | np.isinf(ys)
        undefined = np.isnan(xs) | np.isnan(ys)
        low = ((xs <= 0) & log_x | (ys <= 0) & log_y) & ~infinite & ~undefined
        huge = ((abs(xs) > HUGE) | (abs(ys) > HUGE)) & ~infinite & ~low
        if log_x or log_y:
            huge |= ((xs < 1 / HUGE) & log_x | (ys < 1 / HUGE) & log_y) & ~infinite & ~low
        lost = infinite | undefined | low | huge
        if log_x:
            xs = np.log10(xs)
        if log_y:
            ys = np.log10(ys)
    if not lost.any():
        return xs, ys, ""
    return np.where(lost, np.nan, xs), np.where(lost, np.nan, ys), note(infinite, undefined, low, huge)


def note(
    infinite: NDArray[np.bool_], undefined: NDArray[np.bool_], low: NDArray[np.bool_], huge: NDArray[np.bool_]
) -> str:
    """The sentence on points that aren't drawn."""
    reasons = (
        (infinite, "is infinite", "are infinite"),
        (undefined, "is undefined", "are undefined"),
        (low, "is zero or below and has no place on a log axis", "are zero or below and have no place on a log axis"),
        (huge, "is too large or too small to draw", "are too large or too small to draw"),
    )
    counted = ((int(np.count_nonzero(mask)), one, many) for mask, one, many in reasons)
    return "; ".join(
        f"1 value {one}" if count == 1 else f"{count} values {many}" for count, one, many in counted if count
    )


def bounds(values: Floats) -> Range | None:
    """Smallest and largest of the finite values; None where there are none."""
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def joined(ranges: Sequence[Range | None]) -> Range | None:
    """The range that holds all ranges."""
    known = [r for r in ranges if r is not None]
    return (min(r[0] for r in known), max(r[1] for r in known)) if known else None


def padded(data: Range | None) -> Range:
    """The range to show for data: a margin around them, one unit for a constant, 0…1 for nothing."""
    if data is None:
        return 0.0, 1.0
    low, high = data
    wide = high - low
    if wide <= 1e-9 * max(abs(low), abs(high)) or wide == 0.0:
        half = max(0.5, abs(low) * 1e-9)
        return low - half, high + half
    return low - 0.05 * wide, high + 0.05 * wide


def locale() -> QLocale:
    """The locale of the user, with thousands marks (the bare C locale leaves them out)."""
    here = QLocale()
    here.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    return here


def tick_text(value: float, spacing: float) -> str:
    """A tick's number with as many decimals as the spacing needs, in the marks of the locale."""
    if abs(value) < spacing * 1e-6:
        return locale().toString(0.0, "f", _places(spacing) if spacing >= 1e-5 else 0)
    if max(abs(value), spacing) >= 1e7 or spacing < 1e-5:
        return power_text(value)
    return locale().toString(float(value), "f", _places(spacing)).replace("-", "−")


def _places(spacing: float) -> int:
    return max(0, math.ceil(-math.log10(spacing) - 1e-9))


def power_text(value: float) -> str:
    """A number with a power of ten, the power alone where it can be: 2×10⁻⁷, 10⁻⁷."""
    text = format_number(value, 6)
    return text.removeprefix("1×") if value > 0 else text.replace("−1×", "−")


def log_tick_text(view: float) -> str:
    """A tick of a log axis, given its decimal logarithm: 0.001 … 1,000 in full, others as powers of ten."""
    value = float(f"{10.0**view:.3g}")
    if 1e-3 <= value < 1e4:
        return format_number(value)
    exponent = math.floor(math.log10(value) + 1e-9)
    power = "10" + str(exponent).translate(_SUPERSCRIPT)
    factor = value / 10.0**exponent
    return power if abs(factor - 1) < 1e-9 else f"{format_number(factor, 3)}×{power}"


def nice_step(rough: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that isn't above ``rough``."""
    base = 10.0 ** math.floor(math.log10(rough))
    return max(factor * base for factor in (1.0, 2.0, 5.0) if factor * base <= rough * 1.000001)
