"""Updates of the whole state that the temperature panel dispatches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from models.app_state import AppState
from models.arrays import Array
from models.explorer_state import Pin
from models.scene_edit import stretch_query
from models.score_presets import show_preset
from models.score_row import row_of, temperature_of
from models.temperature_state import (
    HIGHEST,
    LOWEST,
    TemperatureState,
    with_pin,
    with_score,
    with_scores,
)


def on_panel(edit: Callable[..., TemperatureState], *arguments: Any) -> Callable[[AppState], AppState]:
    """The update that edits this panel's state and leaves the rest."""
    return lambda state: replace(state, temperature=edit(state.temperature, *arguments))


def set_temperature(state: AppState, tau: float) -> AppState:
    """τ of the row that is shown: the scene's own, so that every panel follows, or that of the own scores."""
    tau = min(max(tau, LOWEST), HIGHEST)
    panel = state.temperature
    if panel.source == "own":
        return replace(state, temperature=replace(panel, own=replace(panel.own, temperature=tau)))
    return replace(state, scene=replace(state.scene, temperature=tau))


def drag_temperature(state: AppState, x: float) -> AppState:
    """τ from its place in the picture, which is τ/‖q‖ where scores are per unit of query length; to four digits."""
    return set_temperature(state, float(f"{x * row_of(state.temperature, state.scene).length:.4g}"))


def place_of(state: AppState) -> float:
    """Where the present temperature stands in the pictures."""
    return temperature_of(state.temperature, state.scene) / row_of(state.temperature, state.scene).length


def play_to(state: AppState, fraction: float) -> AppState:
    """τ at a fraction of the way from the lowest to the highest, in equal steps of its logarithm."""
    return set_temperature(state, LOWEST * (HIGHEST / LOWEST) ** fraction)


def fraction_of(state: AppState) -> float:
    tau = temperature_of(state.temperature, state.scene)
    return math.log(tau / LOWEST) / math.log(HIGHEST / LOWEST)


def drag_along(state: AppState, path: np.ndarray, taus: np.ndarray, x: float, y: float) -> AppState:
    """The temperature whose point on the path (t, 2) is nearest; a path that is one point has none."""
    starts, ways = path[:-1], np.diff(path, axis=0)
    lengths = (ways**2).sum(1)
    if not lengths.max() > 0:
        return state
    shares = ((np.array([x, y]) - starts) * ways).sum(1) / np.where(lengths > 0, lengths, 1.0)
    shares = np.clip(np.where(lengths > 0, shares, 0.0), 0.0, 1.0)
    off = ((starts + shares[:, None] * ways - [x, y]) ** 2).sum(1)
    nearest = int(off.argmin())
    step = math.log(taus[nearest + 1] / taus[nearest])
    return drag_temperature(state, float(taus[nearest] * math.exp(shares[nearest] * step)))


def drag_score(state: AppState, index: int, score: float) -> AppState:
    """A bar of the own scores pulled."""
    return on_panel(with_score, index, score)(state)


def name_score(state: AppState, index: int, names: tuple[str, ...], name: str) -> AppState:
    """Another name for an entry of the own scores; ``names`` are those that are shown."""
    panel = state.temperature
    named = (*names[:index], name, *names[index + 1 :])
    return replace(state, temperature=replace(panel, own=replace(panel.own, names=named)))


def choose_preset(state: AppState, name: str) -> AppState:
    return on_panel(show_preset, name)(state)


def take_scores(state: AppState, scores: np.ndarray, names: tuple[str, ...] = ()) -> AppState:
    """Typed, pasted or imported scores become the own ones."""
    return on_panel(with_scores, scores, names)(state)


def copy_to_own(state: AppState, scores: np.ndarray, names: tuple[str, ...], tau: float) -> AppState:
    """The scores that are shown, with their temperature, as own ones that can be pulled."""
    state = take_scores(state, scores, names)
    return set_temperature(state, tau)


def set_target(state: AppState, target: float | None) -> AppState:
    panel = state.temperature
    return replace(state, temperature=replace(panel, inverse=replace(panel.inverse, target=target)))


def set_quantity(state: AppState, quantity: str) -> AppState:
    """Another quantity is wanted: an entropy and the count that is its exponential stay the same wish."""
    inverse = state.temperature.inverse
    target = inverse.target
    if target is not None and (inverse.quantity == "entropy") != (quantity == "entropy"):
        target = math.exp(min(target, 100.0)) if inverse.quantity == "entropy" else math.log(max(target, 1e-9))
    inverse = replace(inverse, quantity=quantity, target=target)
    return replace(state, temperature=replace(state.temperature, inverse=inverse))


def choose_corner(state: AppState, corner: int, entry: int) -> AppState:
    """One of the three entries of the triangle; the one that had that entry takes the old one."""
    panel = state.temperature
    chosen = list(panel.corners.chosen)
    if entry in chosen:
        chosen[chosen.index(entry)] = chosen[corner]
    chosen[corner] = entry
    return replace(state, temperature=replace(panel, corners=replace(panel.corners, chosen=tuple(chosen))))


def draw_again(state: AppState) -> AppState:
    """Other draws: the next seed."""
    panel = state.temperature
    sampling = replace(panel.sampling, seed=(panel.sampling.seed + 1) % 1_000_000)
    return replace(state, temperature=replace(panel, sampling=sampling))


def stretch(state: AppState, length: float) -> AppState:
    """The query of the scene with another length."""
    return replace(state, scene=stretch_query(state.scene, length))


def add_pin(state: AppState, label: str, x: np.ndarray, y: np.ndarray) -> AppState:
    return on_panel(with_pin, Pin(label, Array(x), Array(y)))(state)


def clear_pins(state: AppState) -> AppState:
    return replace(state, temperature=replace(state.temperature, pins=()))
