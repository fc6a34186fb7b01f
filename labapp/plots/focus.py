"""The order in which Tab reaches what can be dragged in a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from labapp.plots.grip import Grip
    from labapp.plots.plot import Plot


class FocusOrder:
    """Every point of every visible grip, in the order in which they were made."""

    def __init__(self, plot: Plot) -> None:
        self.plot = plot
        self.grips: list[Grip] = []

    def step(self, forward: bool) -> bool:
        """Move the focus within the plot; False where it has to go on to the next widget."""
        stops = self._stops()
        now = next((i for i, (grip, entry) in enumerate(stops) if grip.hasFocus() and grip.entry == entry), None)
        after = (0 if forward else len(stops) - 1) if now is None else now + (1 if forward else -1)
        if 0 <= after < len(stops):
            grip, entry = stops[after]
            grip.take_focus(entry)
            return True
        self.plot.scene().setFocusItem(None)
        return False

    def enter(self, reason: Qt.FocusReason) -> None:
        """Tab came from another widget: to the first, or backwards to the last."""
        stops = self._stops()
        if stops and reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            grip, entry = stops[0 if reason == Qt.FocusReason.TabFocusReason else -1]
            grip.take_focus(entry)

    def _stops(self) -> list[tuple[Grip, int]]:
        return [(grip, entry) for grip in self.grips if grip.isVisible() for entry in range(grip.count())]
