"""The scale of a quantity: where a value lies on a slider, and what one step of an arrow key does."""

from __future__ import annotations

import math
from dataclasses import dataclass

from labapp.fields import FieldInfo


@dataclass(frozen=True)
class Scale:
    """A closed range, linear or logarithmic. ``step`` is what an arrow key adds on a linear scale."""

    low: float
    high: float
    log: bool = False
    step: float | None = None
    integer: bool = False

    @classmethod
    def of(cls, info: FieldInfo, low: float | None = None, high: float | None = None, integer: bool = False) -> Scale:
        """The scale that a declaration asks for; missing bounds are infinite."""
        low = _first(low, info.minimum, -math.inf)
        high = _first(high, info.maximum, math.inf)
        return cls(low, high, info.log and low > 0, info.step, integer)

    @property
    def is_bounded(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    def fraction(self, value: float) -> float:
        """Where the value lies, from 0 to 1; values outside lie at the ends."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, fraction: float, fine: bool = False) -> float:
        """The value at a fraction, rounded to what a hand can mean: three digits, four where it moves finely."""
        fraction = min(max(fraction, 0.0), 1.0)
        if self.log:
            exact = self.low * (self.high / self.low) ** fraction
            quantum = 10.0 ** (math.floor(math.log10(exact)) - (3 if fine else 2))
        else:
            exact = self.low + fraction * (self.high - self.low)
            quantum = 10.0 ** (math.floor(math.log10(self.high - self.low)) - (4 if fine else 3))
        return self._clip(_round(exact, quantum))

    def snap(self, value: float) -> float:
        """The nearest value that is easy to say: 1, 2, 5 of each decade, or a twentieth of the range."""
        if self.log:
            decade = 10.0 ** math.floor(math.log10(value))
            return self._clip(min((decade * m for m in (1, 2, 5, 10)), key=lambda v: abs(math.log(v / value))))
        return self._clip(_round(value, _nice((self.high - self.low) / 20)))

    def nudge(self, value: float, steps: float) -> float:
        """The value after that many steps; on a log scale twenty of them are a factor of ten."""
        if not self.log:
            step = steps * self._linear_step()
            return self._clip(_round(value + step, abs(step) / 1000))
        grid = min(1.0, abs(steps))
        position = 20 * math.log10(value)
        on_grid = round(position / grid) * grid
        if abs(position - on_grid) < grid / 20:  # undo the rounding of the step before, so that back leads back
            position = on_grid
        moved = 10.0 ** ((position + steps) / 20)
        digits = 3 if abs(steps) >= 1 else 4
        return self._clip(_round(moved, 10.0 ** (math.floor(math.log10(moved)) + 1 - digits)))

    def _linear_step(self) -> float:
        if self.step is not None:
            return self.step
        if self.integer or not self.is_bounded:
            return 1.0
        return _nice((self.high - self.low) / 100)

    def _clip(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        return round(value) if self.integer else value


def _first(*values: float | None) -> float:
    return next(v for v in values if v is not None)


def _nice(x: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten."""
    decade = 10.0 ** math.floor(math.log10(x))
    return min((decade * m for m in (1, 2, 5, 10)), key=lambda v: abs(v - x))


def _round(value: float, quantum: float) -> float:
    """To a multiple of the quantum, without the dust of binary fractions."""
    if not 0 < quantum < math.inf:
        return value
    places = max(0, 2 - math.floor(math.log10(quantum)))
    return round(round(value / quantum) * quantum, places) + 0.0
