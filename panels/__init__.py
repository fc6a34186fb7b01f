"""The panels of the lab: one module, or one small folder, each. They don't know one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labapp.panel import PanelSpec


def panels() -> tuple[PanelSpec, ...]:
    """PANELS, in the order of the View menu. Imported when called: they bring the plotting with them."""
    from panels.flow import SPEC as FLOW
    from panels.lookup import SPEC as LOOKUP
    from panels.regression import SPEC as REGRESSION
    from panels.temperature import SPEC as TEMPERATURE

    return (LOOKUP, TEMPERATURE, REGRESSION, FLOW)
