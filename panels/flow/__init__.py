"""The gradient flow panel: why a soft lookup can be learned, and when it can't.

Only ``SPEC`` is here at the start: widget, questions and engine are imported when the panel is first seen.
"""

from __future__ import annotations

from typing import Any

from labapp.panel import Lab, Panel, PanelSpec


def select(state: Any) -> tuple[Any, ...]:
    """What the open section asks of the dictionary, and nothing that only changes the drawing."""
    from models.flow_panel import question_of

    return (question_of(state.flow, state.scene),)


def compute(*question_and_job: Any) -> Any:
    from models.flow_panel import compute_flow

    return compute_flow(*question_and_job)


def make_panel(lab: Lab) -> Panel:
    from panels.flow.panel import FlowPanel

    return FlowPanel(lab)


SPEC = PanelSpec(
    id="flow",
    title="Gradient flow",
    icon="flow",
    widget=make_panel,
    select=select,
    compute=compute,
    restart="cancel",
    help="Why a soft lookup can be learned by gradients, and when it can't.",
)
