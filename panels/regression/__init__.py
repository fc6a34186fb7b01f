"""Kernel regression as attention: keys are the inputs, values the labels, a query is where an estimate is wanted.

Only ``SPEC`` is here at the start: widget, questions and engine are imported when the panel is first seen.
"""

from __future__ import annotations

from typing import Any

from labapp.panel import Lab, Panel, PanelSpec
from models.regression_state import data_of


def select(state: Any) -> tuple[Any, ...]:
    """The question of the open section; which one is open is part of the state, so that only that one is computed."""
    from models.regression_panel import question_of

    return (question_of(state.regression, data_of(state.regression, state.scene)),)


def compute(*question_and_job: Any) -> Any:
    from models.regression_panel import compute_regression

    return compute_regression(*question_and_job)


def make_panel(lab: Lab) -> Panel:
    from panels.regression.panel import RegressionPanel

    return RegressionPanel(lab)


SPEC = PanelSpec(
    id="regression",
    title="Kernel regression",
    icon="regression",
    widget=make_panel,
    select=select,
    compute=compute,
    help="Every estimate is a weighted average of the labels; the bandwidth says how near a point must be to count.",
)
