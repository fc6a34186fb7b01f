"""Updates of the whole state that the explorer dispatches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from models.app_state import AppState
from models.arrays import Array
from models.explorer_state import Pin, Sweep
from models.scene import Scene
from models.scene_edit import choose_query, move_key, move_query, move_value, stretch_query
from models.similarities import fitting, randomised, sigma_of

MOST_PINS = 4


def on_scene(edit: Callable[..., Scene], *arguments: Any) -> Callable[[AppState], AppState]:
    """The update that edits the scene and leaves the rest."""
    return lambda state: replace(state, scene=edit(state.scene, *arguments))


def drag_query(state: AppState, point: Sequence[float]) -> AppState:
    return replace(state, scene=move_query(state.scene, point))


def drag_component(state: AppState, component: int, value: float) -> AppState:
    """One number of the query."""
    query = state.scene.query.values.copy()
    query[component] = value
    return drag_query(state, query)


def drag_length(state: AppState, x: float, y: float) -> AppState:
    """The query as long as the point's way along it; it never turns round."""
    query = state.scene.query.values
    length = float(np.linalg.norm(query))
    if length == 0:
        return state
    along = max(float(np.array([x, y]) @ query) / length, 1e-3)
    return replace(state, scene=stretch_query(state.scene, along))


def drag_entry(state: AppState, index: int, key: float, column: int, value: float) -> AppState:
    """Key and value of an entry in the picture of one dimension."""
    values = state.scene.values.values[index].copy()
    values[column] = value
    return replace(state, scene=move_value(move_key(state.scene, index, [key]), index, values))


def drag_key(state: AppState, index: int, x: float, y: float) -> AppState:
    return replace(state, scene=move_key(state.scene, index, [x, y]))


def drag_value(state: AppState, index: int, x: float, y: float) -> AppState:
    return replace(state, scene=move_value(state.scene, index, [x, y]))


def ask_row(state: AppState, queries: np.ndarray, row: int) -> AppState:
    """Make a row of the attention map the query."""
    listed = row if state.scene.queries is not None else None
    return replace(state, scene=choose_query(state.scene, queries[row], listed))


def set_similarity(state: AppState, name: str) -> AppState:
    """Another similarity, with matrices that fit the keys."""
    similarity = fitting(state.scene.similarity, state.scene.keys.shape[1])
    return replace(state, scene=replace(state.scene, similarity=replace(similarity, name=name)))


def set_sharpness(state: AppState, sharpness: float) -> AppState:
    """s = 1/(2σ²): the two are one setting."""
    similarity = replace(state.scene.similarity, sigma=sigma_of(sharpness))
    return replace(state, scene=replace(state.scene, similarity=similarity))


def set_matrix(state: AppState, field: str, row: int, column: int, value: float) -> AppState:
    """One number of a matrix of the similarity."""
    matrix = getattr(state.scene.similarity, field).values.copy()
    matrix[(row, column) if matrix.ndim == 2 else column] = value
    similarity = replace(state.scene.similarity, **{field: Array(matrix)})
    return replace(state, scene=replace(state.scene, similarity=similarity))


def randomise(state: AppState, seed: int) -> AppState:
    """Random matrices, the same for a seed on every machine."""
    similarity = randomised(state.scene.similarity, state.scene.keys.shape[1], seed)
    return replace(state, scene=replace(state.scene, similarity=similarity))


def play_to(state: AppState, fraction: float) -> AppState:
    return drag_query(state, state.lookup.sweep.at(fraction)[0])


def sweep_from_here(state: AppState, end: str) -> AppState:
    """Let Play start, or end, where the query is now."""
    return replace(state, lookup=replace(state.lookup, sweep=replace(state.lookup.sweep, **{end: state.scene.query})))


def add_pin(state: AppState, label: str, x: np.ndarray, y: np.ndarray) -> AppState:
    """Keep a curve; the oldest of more than four goes."""
    pins = (*state.lookup.pins, Pin(label, Array(x), Array(y)))[-MOST_PINS:]
    return replace(state, lookup=replace(state.lookup, pins=pins))


def drawn_column(state: AppState) -> int:
    """Which number of the values is drawn, within those that there are."""
    return min(state.lookup.column, state.scene.values.shape[1] - 1)


def draw_column(state: AppState, column: int) -> AppState:
    """Draw another number of the values; pinned curves are of the one before, so they go."""
    return replace(state, lookup=replace(state.lookup, column=column, pins=()))


def clear_pins(state: AppState) -> AppState:
    return replace(state, lookup=replace(state.lookup, pins=()))


def show_scene(state: AppState, scene: Scene) -> AppState:
    """Another dictionary: the sweep spans its keys with a margin, pins of the old one go."""
    keys = scene.keys.values
    low, high = keys.min(0), keys.max(0)
    margin = 0.15 * np.where(high > low, high - low, 1.0)
    sweep = Sweep(Array(low - margin), Array(high + margin))
    return replace(state, scene=scene, lookup=replace(state.lookup, sweep=sweep, pins=(), column=0))
