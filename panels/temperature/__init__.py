"""The temperature panel: what decides how hard a lookup is.

Only ``SPEC`` is here at the start: widget, questions and engine are imported when the panel is first seen.
"""

from __future__ import annotations

from typing import Any

from labapp.panel import Lab, Panel, PanelSpec
from models.score_row import row_of, temperature_of


def select(state: Any) -> tuple[Any, ...]:
    """The row of scores, its temperature, and what is asked of them; nothing that only changes the drawing."""
    own = state.temperature
    row, temperature = row_of(own, state.scene), temperature_of(own, state.scene)
    return row, temperature, own.inverse, own.why, own.corners, own.sampling


def compute(*question_and_job: Any) -> Any:
    from models.temperature_panel import compute_temperature

    return compute_temperature(*question_and_job)


def make_panel(lab: Lab) -> Panel:
    from panels.temperature.panel import TemperaturePanel

    return TemperaturePanel(lab)


SPEC = PanelSpec(
    id="temperature",
    title="Temperature and entropy",
    icon="temperature",
    widget=make_panel,
    select=select,
    compute=compute,
    help="The temperature divides the scores: low makes the lookup hard, high makes it the plain average.",
)
