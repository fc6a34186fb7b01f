"""What of a panel can be played as it is shown now: whatever has a play bar."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from labapp.controls import PlayBar
from labapp.errors import PlainError


@dataclass(frozen=True)
class Sweep:
    """The name of a play bar, and into how many steps it divides its way."""

    name: str
    steps: int


def sweeps_of(panel: QWidget) -> list[Sweep]:
    """One for each play bar that can be used in what the panel shows."""
    return [Sweep(bar.accessibleName(), bar.steps) for bar in _bars(panel) if bar.isEnabled()]


def bar_of(panel: QWidget, sweep: Sweep) -> PlayBar:
    """The play bar of a sweep in this panel."""
    for bar in _bars(panel):
        if bar.accessibleName() == sweep.name:
            return bar
    raise PlainError(f"The panel has nothing any more that is called “{sweep.name}”. Choose anew what to play.")


def _bars(panel: QWidget) -> list[PlayBar]:
    return [bar for bar in panel.findChildren(PlayBar) if bar.isVisibleTo(panel)]
