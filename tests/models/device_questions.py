"""One computation of every kind that runs on a device, as the panels ask for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from labapp.scenes import Shelf
from models.app_state import AppState
from models.arrays import Array
from models.explorer import compute_explorer
from models.flow_panel import compute_flow, question_of
from models.flow_state import SECTIONS as FLOW
from models.job import Job
from models.learned_metric import learn_metric, metric_data
from models.regression_panel import compute_regression
from models.regression_panel import question_of as regression_question_of
from models.regression_state import SECTIONS as REGRESSION
from models.regression_state import data_of
from models.score_row import OwnRow, row_of
from models.temperature_panel import compute_temperature

SHELF = Shelf(AppState, Array)


def _explorer(name: str) -> Callable[[Job], Any]:
    state = SHELF.state(name)
    return lambda job: compute_explorer(state.scene, state.lookup.sweep, job)


def _temperature(many: bool) -> Callable[[Job], Any]:
    state = SHELF.state("tokens")
    shown = state.temperature
    row = OwnRow(Array(np.sin(np.arange(5000.0)))) if many else row_of(shown, state.scene)
    return lambda job: compute_temperature(row, 0.7, shown.inverse, shown.why, shown.corners, shown.sampling, job)


def _regression(section: str) -> Callable[[Job], Any]:
    state = SHELF.state("rents")
    question = regression_question_of(
        replace(state.regression, section=section), data_of(state.regression, state.scene)
    )
    return lambda job: compute_regression(question, job)


def _flow(section: str) -> Callable[[Job], Any]:
    state = SHELF.state("tokens")
    flow = replace(state.flow, section=section, descent=replace(state.flow.descent, steps=30, optimiser="adam"))
    question = question_of(flow, state.scene)
    return lambda job: compute_flow(question, job)


COMPUTATIONS: dict[str, Callable[[Job], Any]] = {
    "lookup of rents": _explorer("rents"),
    "lookup of tokens": _explorer("tokens"),
    "temperature": _temperature(many=False),
    "temperature of many scores": _temperature(many=True),
    "learned metric": lambda job: learn_metric(metric_data(40, 0), steps=2, job=job),
    "signal": _flow("signal"),
    "descent": _flow("descent"),
    "memory": _flow("memory"),
}

SECTIONS: dict[str, Callable[[Job], Any]] = {
    **{f"flow, {section}": _flow(section) for section in FLOW},
    **{f"regression, {section}": _regression(section) for section in REGRESSION},
}
"""Every section of the panels that have some, whether it uses a device or not."""
