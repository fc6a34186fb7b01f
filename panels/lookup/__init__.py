"""The lookup explorer: a query, a dictionary of keys and values, and three answers."""

from __future__ import annotations

from typing import Any

from labapp.panel import PanelSpec
from panels.lookup.panel import LookupPanel


def select(state: Any) -> tuple[Any, ...]:
    """The scene, and what the explorer computes beside it."""
    return state.scene, state.lookup.sweep


def compute(*question_and_job: Any) -> Any:
    from models.explorer import compute_explorer  # with what computes, after the first picture

    return compute_explorer(*question_and_job)


SPEC = PanelSpec(
    id="lookup",
    title="Lookup explorer",
    icon="lookup",
    widget=LookupPanel,
    select=select,
    compute=compute,
    help="A query scores every key, the scores become weights, the answer is the weighted average of the values.",
)
