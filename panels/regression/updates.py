"""Updates of the whole state that the kernel regression dispatches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from models.app_state import AppState
from models.errors import LabError
from models.regression_data import (
    SCENE,
    DataSet,
    add_point,
    domain_of,
    drawn,
    move_point,
    own_data,
    remove_point,
)
from models.regression_state import MOST_PINS, FitPin, RegressionState, data_of
from models.scene import Column, Scene
from models.scene_edit import add_entry, move_key, move_value, remove_entry

NARROW, WIDE = 1 / 2000, 2.0
"""The bandwidth's slider runs between these, in ranges of x."""
USUAL = 0.1
"""The bandwidth for new data, in ranges of x."""


def on_panel(**changes: Any) -> Callable[[AppState], AppState]:
    """The update that sets fields of the panel's state."""
    return lambda state: replace(state, regression=replace(state.regression, **changes))


def present_data(state: AppState) -> DataSet:
    """The data that the panel is about."""
    return data_of(state.regression, state.scene)


def rounded(value: float, digits: int = 4) -> float:
    """To what a hand can mean."""
    return float(f"{value:.{digits}g}")


def bandwidth_range(data: DataSet) -> tuple[float, float]:
    """Where the slider of the bandwidth ends, rounded."""
    low, high = domain_of(data)
    return rounded(NARROW * (high - low), 2), rounded(WIDE * (high - low), 2)


def show_section(state: AppState, section: str) -> AppState:
    return on_panel(section=section)(state)


def set_bandwidth(state: AppState, width: float) -> AppState:
    """A width by hand, kept within the slider's range."""
    low, high = bandwidth_range(present_data(state))
    return on_panel(bandwidth=rounded(min(max(width, low), high)))(state)


def stretch_kernel(state: AppState, x: float) -> AppState:
    """The kernel's picture dragged by its shoulder: the bandwidth is the distance from the query."""
    return set_bandwidth(state, abs(x - state.regression.query))


def sweep_bandwidth(state: AppState, fraction: float) -> AppState:
    """A place on the log scale of the bandwidth, from 0 to 1."""
    low, high = bandwidth_range(present_data(state))
    return on_panel(bandwidth=rounded(low * (high / low) ** fraction, 3))(state)


def sweep_fraction(state: AppState) -> float:
    """Where the bandwidth lies on its log scale."""
    low, high = bandwidth_range(present_data(state))
    return float(np.log(state.regression.bandwidth / low) / np.log(high / low))


def ask(state: AppState, query: float) -> AppState:
    return on_panel(query=rounded(query, 6))(state)


def add_pin(state: AppState) -> AppState:
    """Keep the present setting; the oldest of more than four goes."""
    panel = state.regression
    pin = FitPin(panel.bandwidth, panel.kernel)
    kept = tuple(known for known in panel.pins if known != pin)
    return on_panel(pins=(*kept, pin)[-MOST_PINS:])(state)


def clear_pins(state: AppState) -> AppState:
    return on_panel(pins=())(state)


# data


def redrawn(state: AppState) -> AppState:
    """The numbers that the recipe gives; for an update that has changed the recipe."""
    data = state.regression.data
    # A log slider gives fractions of a point.
    return on_panel(data=drawn(replace(data, n=round(data.n))))(state)


def choose_data(state: AppState, recipe: str) -> AppState:
    """Another recipe, or the explorer's scene. Widths keep their part of the range of x."""
    chosen = on_panel(source=SCENE)(state)
    if recipe != SCENE:
        chosen = on_panel(source="own", data=drawn(DataSet(recipe, **_setting(state.regression.data))))(state)
    before = range_of(state)
    return _fitted(chosen, before) if before else chosen


def redraw_noise(state: AppState) -> AppState:
    """The same x with other noise."""
    data = state.regression.data
    return on_panel(source="own", data=drawn(replace(data, redraw=data.redraw + 1)))(state)


def show_table(state: AppState, x: np.ndarray, y: np.ndarray, x_column: Column, y_column: Column) -> AppState:
    """A table of one's own: the usual bandwidth, the query in the middle, no pins."""
    data = own_data(x, y, x_column, y_column)
    low, high = domain_of(data)
    panel = replace(
        state.regression,
        source="own",
        data=data,
        bandwidth=rounded(USUAL * (high - low), 2),
        query=rounded((low + high) / 2),
        pins=(),
        learning=replace(state.regression.learning, start=rounded(0.2 * (high - low), 2)),
    )
    return replace(state, regression=panel)


def add(state: AppState, x: float, y: float) -> AppState:
    if state.regression.source == SCENE:
        return replace(state, scene=add_entry(state.scene, np.array([x]), _values(state.scene, None, y)))
    return _edited(state, add_point(state.regression.data, x, y))


def move(state: AppState, index: int, x: float, y: float) -> AppState:
    if state.regression.source == SCENE:
        row = _row(state.scene, index)
        moved = move_key(state.scene, row, np.array([x]))
        return replace(state, scene=move_value(moved, row, _values(moved, row, y)))
    return _edited(state, move_point(state.regression.data, index, x, y))


def remove(state: AppState, index: int) -> AppState:
    if state.regression.source == SCENE:
        return replace(state, scene=remove_entry(state.scene, _row(state.scene, index)))
    return _edited(state, remove_point(state.regression.data, index))


def _edited(state: AppState, data: DataSet) -> AppState:
    return on_panel(data=data)(state)


def _setting(data: DataSet) -> dict[str, Any]:
    """What one recipe takes over from another; a table of one's own leaves none."""
    if data.made_by is None:
        return {"n": 40}
    return {"n": data.n, "noise": data.noise, "seed": data.seed}


def _row(scene: Scene, index: int) -> int:
    """The entry of a point: masked ones are no points."""
    mask = scene.mask_row
    return index if mask is None else int(np.flatnonzero(mask.values)[index])


def _values(scene: Scene, row: int | None, y: float) -> np.ndarray:
    values = scene.values.values[-1 if row is None else row].copy()
    values[0] = y
    return values


def range_of(state: AppState) -> tuple[float, float] | None:
    """The range of x; None where the explorer's scene is followed and can't be data here."""
    try:
        return domain_of(present_data(state))
    except LabError:
        return None


def _fitted(state: AppState, before: tuple[float, float]) -> AppState:
    """Bandwidth, pins, start and query at the same places of the new range as they had in the old one."""
    low, high = domain_of(present_data(state))
    if (low, high) == before:
        return state
    scale = (high - low) / (before[1] - before[0])
    panel: RegressionState = state.regression
    panel = replace(
        panel,
        bandwidth=rounded(panel.bandwidth * scale, 3),
        pins=tuple(replace(pin, bandwidth=rounded(pin.bandwidth * scale, 3)) for pin in panel.pins),
        learning=replace(panel.learning, start=rounded(panel.learning.start * scale, 3)),
        query=rounded(low + (panel.query - before[0]) * scale, 6),
    )
    return replace(state, regression=panel)
