"""Kernel regression as attention: keys are the inputs, values the labels, a query is where an estimate is wanted."""

from __future__ import annotations

from typing import Any

from labapp.panel import PanelSpec
from models.regression_panel import compute_regression, question_of
from models.regression_state import data_of
from panels.regression.panel import RegressionPanel


def select(state: Any) -> tuple[Any, ...]:
    """The question of the open section; which one is open is part of the state, so that only that one is computed."""
    return (question_of(state.regression, data_of(state.regression, state.scene)),)


SPEC = PanelSpec(
    id="regression",
    title="Kernel regression",
    icon="regression",
    widget=RegressionPanel,
    select=select,
    compute=compute_regression,
    help="Every estimate is a weighted average of the labels; the bandwidth says how near a point must be to count.",
)
