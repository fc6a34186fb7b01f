"""The temperature panel: what decides how hard a lookup is."""

from __future__ import annotations

from typing import Any

from labapp.panel import PanelSpec
from models.score_row import row_of, temperature_of
from models.temperature_panel import compute_temperature
from panels.temperature.panel import TemperaturePanel


def select(state: Any) -> tuple[Any, ...]:
    """The row of scores, its temperature, and what is asked of them; nothing that only changes the drawing."""
    own = state.temperature
    row, temperature = row_of(own, state.scene), temperature_of(own, state.scene)
    return row, temperature, own.inverse, own.why, own.corners, own.sampling


SPEC = PanelSpec(
    id="temperature",
    title="Temperature and entropy",
    icon="temperature",
    widget=TemperaturePanel,
    select=select,
    compute=compute_temperature,
    help="The temperature divides the scores: low makes the lookup hard, high makes it the plain average.",
)
