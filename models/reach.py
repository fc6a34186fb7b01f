"""Which entropies a row of scores can have, and in words why a wanted one has no temperature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import LabError
from models.gaps import Facts, RowGaps

Floats = npt.NDArray[np.float64]

# A target this near to a limit (some roundings of ln n) is the limit.
ROUNDING = 8.0 * 2.0**-52


@dataclass(frozen=True)
class Quantity:
    """What is wanted: an entropy in nats, or its exponential (``counts``), a number of entries."""

    name: str
    counts: bool

    def excess(self, target: Any, winners: Any, xp: Any = math) -> Any:
        """``target`` as nats above the cold limit ln k."""
        return xp.log(target / winners) if self.counts else target - xp.log(winners)

    def show(self, nats: float) -> str:
        """An entropy in the words of this quantity."""
        return f"{math.exp(nats):.7g}" if self.counts else f"{nats:.7g} nats"


ENTROPY = Quantity("entropy", False)
PERPLEXITY = Quantity("perplexity", True)
NUMBER = Quantity("effective number", True)


class OutOfReachError(LabError):
    """No finite temperature above 0 gives the target.

    ``reason`` is one of "one_key", "all_equal", "cold_limit", "hot_limit", "below_ties", "below", "above"; ``lowest``
    and ``highest`` are the limits ln k and ln n, in nats.
    """

    def __init__(self, text: str, reason: str, lowest: float, highest: float) -> None:
        super().__init__(text)
        self.reason = reason
        self.lowest = lowest
        self.highest = highest


def goal(gaps: Facts, target: float, quantity: Quantity) -> float:
    """``target`` as nats above ln k, strictly between 0 and ln(n/k), or ``OutOfReachError``."""
    if quantity.counts and not target > 0.0:
        raise _out_of_reach(gaps.winners, gaps.entries, target, -math.inf, quantity)
    wanted: float = quantity.excess(target, gaps.winners)
    least = 0.0 if gaps.winners == 1 and not quantity.counts else ROUNDING
    if least < wanted < gaps.span * (1.0 - ROUNDING):
        return wanted
    raise _out_of_reach(gaps.winners, gaps.entries, target, wanted, quantity)


def goals(gaps: RowGaps, targets: Floats, quantity: Quantity, first: int = 0) -> Floats:
    """``goal`` for rows, (n,); the error names the first row that has no answer, counted from ``first``."""
    positive = np.where(targets > 0.0, targets, np.nan) if quantity.counts else targets
    wanted = np.asarray(quantity.excess(positive, gaps.winners, np))
    least = np.where((gaps.winners == 1) & (not quantity.counts), 0.0, ROUNDING)
    fine = (least < wanted) & (wanted < gaps.span * (1.0 - ROUNDING))
    if not fine.all():
        row = int(np.argmin(fine))
        off = float(wanted[row]) if targets[row] > 0.0 or not quantity.counts else -math.inf
        raise _out_of_reach(
            int(gaps.winners[row]), int(gaps.entries[row]), float(targets[row]), off, quantity, f"Row {first + row}: "
        )
    return wanted


def _out_of_reach(
    winners: int, entries: int, target: float, wanted: float, quantity: Quantity, where: str = ""
) -> LabError:
    if math.isnan(target):
        return LabError(f"{where}The {quantity.name} wanted must be a number; nan came. Give a number.")
    lowest, highest = math.log(winners), math.log(entries)
    reason = _reason(winners, entries, wanted)
    words = _words(reason, winners, entries, quantity, lowest, highest)
    asked = f"{target:.7g}" if quantity.counts else f"{target:.7g} nats"
    return OutOfReachError(f"{where}{words} ({asked} came.)", reason, lowest, highest)


def _reason(winners: int, entries: int, wanted: float) -> str:
    if entries == 1:
        return "one_key"
    if winners == entries:
        return "all_equal"
    if abs(wanted) <= ROUNDING:
        return "cold_limit"
    if wanted < 0.0:
        return "below_ties" if winners > 1 else "below"
    return "hot_limit" if wanted <= math.log(entries / winners) * (1.0 + ROUNDING) else "above"


def _words(reason: str, winners: int, entries: int, quantity: Quantity, lowest: float, highest: float) -> str:
    name, low, high = quantity.name, quantity.show(lowest), quantity.show(highest)
    span = f"With {entries} scores the range of the {name} is {low} to {high}, both ends left out"
    return {
        "one_key": f"With one score the {name} is always {low}, at every temperature. Give two scores or more.",
        "all_equal": f"All {entries} scores are equal, so the {name} is always {high}, at every temperature. "
        "Make one score differ.",
        "cold_limit": f"{low} is the limit of the {name} as τ → 0; no temperature above 0 gives it. Ask for more.",
        "hot_limit": f"{high} is the limit of the {name} as τ → ∞; no finite temperature gives it. Ask for less.",
        "below_ties": f"With {winners} tied winners the {name} cannot go below {low}. Ask for more, or break the tie.",
        "below": f"{span}. Ask for more.",
        "above": f"{span}. Ask for less.",
    }[reason]
