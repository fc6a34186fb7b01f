"""Updates of the whole state that the gradient flow panel dispatches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from models.app_state import AppState
from models.flow_presets import show_preset
from models.flow_remedies import Remedy
from models.flow_state import MOST_STEPS, FlowState, scene_of, target_of, with_target
from models.scene import Scene
from models.scene_edit import move_key, move_query, move_value
from models.similarities import fitting

LOWEST, HIGHEST = 1e-3, 1e3
"""Temperatures that can be dragged to."""


def shown_scene(state: AppState) -> Scene:
    """The dictionary that the panel is about."""
    return scene_of(state.flow, state.scene)


def shown_target(state: AppState) -> np.ndarray:
    return target_of(state.flow, shown_scene(state)).values


def on_panel(edit: Callable[..., FlowState], *arguments: Any) -> Callable[[AppState], AppState]:
    """The update that edits this panel's state and leaves the rest."""
    return lambda state: replace(state, flow=edit(state.flow, *arguments))


def with_scene(state: AppState, scene: Scene) -> AppState:
    """Another dictionary in the place of the one that is shown: that of all panels, or the panel's own."""
    if state.flow.source == "own":
        return replace(state, flow=replace(state.flow, own=scene))
    return replace(state, scene=scene)


def edit_scene(state: AppState, edit: Callable[..., Scene], *arguments: Any) -> AppState:
    return with_scene(state, edit(shown_scene(state), *arguments))


def show_section(state: AppState, section: str) -> AppState:
    return replace(state, flow=replace(state.flow, section=section))


def set_source(state: AppState, source: str) -> AppState:
    """Whose dictionary; a learning rate that was typed belonged to the other one's units."""
    descent = replace(state.flow.descent, learning_rate=None)
    return replace(state, flow=replace(state.flow, source=source, descent=descent))


def choose_preset(state: AppState, name: str) -> AppState:
    return on_panel(show_preset, name)(state)


def draw_again(state: AppState, seed: int) -> AppState:
    """The random preset with another seed."""
    return choose_preset(replace(state, flow=replace(state.flow, seed=seed)), "random")


def drag_query(state: AppState, point: Any) -> AppState:
    return edit_scene(state, move_query, point)


def set_query(state: AppState, component: int, value: float) -> AppState:
    """One number of the query."""
    query = shown_scene(state).query.values.copy()
    query[component] = value
    return drag_query(state, query)


def drag_key(state: AppState, index: int, x: float, y: float) -> AppState:
    return edit_scene(state, move_key, index, [x, y])


def drag_value(state: AppState, index: int, x: float, y: float) -> AppState:
    return edit_scene(state, move_value, index, [x, y])


def drag_target(state: AppState, point: Any) -> AppState:
    return replace(state, flow=with_target(state.flow, shown_scene(state), np.asarray(point, dtype=float)))


def set_target(state: AppState, component: int, value: float) -> AppState:
    """One number of the target."""
    target = shown_target(state).copy()
    target[component] = value
    return drag_target(state, target)


def set_temperature(state: AppState, tau: float) -> AppState:
    return with_scene(state, replace(shown_scene(state), temperature=float(np.clip(tau, LOWEST, HIGHEST))))


def set_similarity(state: AppState, name: str) -> AppState:
    """Another similarity, with matrices that fit the keys."""
    scene = shown_scene(state)
    similarity = fitting(scene.similarity, scene.keys.shape[1])
    return with_scene(state, replace(scene, similarity=replace(similarity, name=name)))


def show_step(state: AppState, step: float) -> AppState:
    """Play the learning to this step."""
    descent = state.flow.descent
    shown = int(np.clip(round(step), 0, descent.steps))
    return replace(state, flow=replace(state.flow, descent=replace(descent, shown=shown)))


def set_steps(state: AppState, steps: int) -> AppState:
    """So many steps; where the end was shown, the new end is."""
    descent = state.flow.descent
    steps = int(np.clip(steps, 1, MOST_STEPS))
    shown = steps if descent.shown >= descent.steps else min(descent.shown, steps)
    return replace(state, flow=replace(state.flow, descent=replace(descent, steps=steps, shown=shown)))


def show_update(state: AppState, update: float) -> AppState:
    """Play the recall to this update."""
    memory = state.flow.memory
    shown = int(np.clip(round(update), 0, memory.steps))
    return replace(state, flow=replace(state.flow, memory=replace(memory, shown=shown)))


def take_learned(state: AppState, query: np.ndarray, scene: Scene) -> AppState:
    """Put what was learned into the dictionary: the query of the step that is shown, its keys, values, temperature."""
    shown = shown_scene(state)
    moved = move_query(shown, query)
    if shown.keys != scene.keys or shown.values != scene.values:
        moved = replace(moved, keys=scene.keys, values=scene.values)
    return with_scene(state, replace(moved, temperature=scene.temperature))


def apply_remedy(state: AppState, remedy: Remedy) -> AppState:
    """Do what the diagnosis advises, as one step."""
    value = None if remedy.value is None else remedy.value.values
    descent = state.flow.descent
    if remedy.kind == "soften":
        return with_scene(state, replace(shown_scene(state), weighting="softmax"))
    if value is None:
        return state
    if remedy.kind in ("raise_temperature", "lower_temperature"):
        return set_temperature(state, float(value[0]))
    if remedy.kind == "nearest_target":
        return drag_target(state, value)
    if remedy.kind == "more_steps":
        return set_steps(state, int(value[0]))
    if remedy.kind == "smaller_steps":
        rate = max(float(value[0]), 1e-9)
        return replace(state, flow=replace(state.flow, descent=replace(descent, learning_rate=rate)))
    return drag_query(state, value) if remedy.kind == "other_start" else state


def own_copy(state: AppState) -> AppState:
    """The scene that is followed as the panel's own, free to be changed."""
    scene = replace(state.scene, queries=None, query_names=(), row=None, mask=state.scene.mask_row, tied=False)
    return replace(state, flow=replace(state.flow, source="own", own=scene, preset=""))
