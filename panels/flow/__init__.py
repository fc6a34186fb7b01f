"""The gradient flow panel: why a soft lookup can be learned, and when it can't."""

from __future__ import annotations

from typing import Any

from labapp.panel import PanelSpec
from models.flow_panel import compute_flow, question_of
from panels.flow.panel import FlowPanel


def select(state: Any) -> tuple[Any, ...]:
    """What the open section asks of the dictionary, and nothing that only changes the drawing."""
    return (question_of(state.flow, state.scene),)


SPEC = PanelSpec(
    id="flow",
    title="Gradient flow",
    icon="flow",
    widget=FlowPanel,
    select=select,
    compute=compute_flow,
    restart="cancel",
    help="Why a soft lookup can be learned by gradients, and when it can't.",
)
