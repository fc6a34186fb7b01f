"""Dictionaries from which the flow of gradients is worth a look; each is a start, a target and a way to learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.flow_state import Descent, FlowState, with_target
from models.registry import Registry
from models.saturation import COLD_LOCK, HARD_LOOKUP, Preset
from models.scene import Column, Scene, Similarity

FLOW_PRESETS: Registry[Callable[..., Any]] = Registry("flow preset")
"""Each takes a seed and gives a ``Start``."""


@dataclass(frozen=True)
class Start:
    """A scene, what its output shall become, and how it learns."""

    scene: Scene
    target: Array
    learning_rate: float | None = None
    steps: int = 100


def show_preset(state: FlowState, name: str) -> FlowState:
    """The panel with that dictionary as its own, at the beginning of its lesson. LabError for an unknown name."""
    start = FLOW_PRESETS[name](state.seed)
    descent = replace(
        Descent(), learning_rate=start.learning_rate, steps=start.steps, shown=start.steps, seed=state.descent.seed
    )
    shown = replace(state, source="own", preset=name, own=start.scene, descent=descent)
    return with_target(shown, start.scene, start.target.values)


@FLOW_PRESETS.add("tokens", label="Tokens in a plane", tex="q\\cdot k")
def tokens(seed: int) -> Start:
    return Start(FlowState().own, Array([-0.2, 0.9]), 0.5)


@FLOW_PRESETS.add(
    "cold_lock",
    label="Cold lock",
    tex=r"\tau\to 0",
    help="At τ = 0.01 the query is locked to the wrong entry: a large loss, no gradient. At τ = 1 it learns.",
)
def cold_lock(seed: int) -> Start:
    return _taught(COLD_LOCK, "cold_lock")


@FLOW_PRESETS.add(
    "hard_lookup", label="Hard lookup", tex=r"\arg\max", help="The answer is a staircase: its gradient is exactly 0."
)
def hard_lookup(seed: int) -> Start:
    return _taught(HARD_LOOKUP, "hard_lookup")


@FLOW_PRESETS.add("rents", label="Rents, one dimension", tex=r"-\frac{(q-k)^2}{2\sigma^2}")
def rents(seed: int) -> Start:
    scene = Scene(
        "flow-rents",
        "Rents",
        Array([[40.0], [60.0], [80.0], [100.0]]),
        Array([[900.0], [1200.0], [1500.0], [2100.0]]),
        ("40 m²", "60 m²", "80 m²", "100 m²"),
        (Column("size", "m²"),),
        (Column("rent", "per month"),),
        Array([75.0]),
        Similarity("squared_distance", sigma=10.0),
    )
    return Start(scene, Array([1050.0]))


@FLOW_PRESETS.add(
    "random",
    label="Random, by seed",
    tex=r"k,v\sim\mathcal N(0,1)",
    help="Twelve keys and values; the target is the answer to a hidden query.",
)
def random(seed: int) -> Start:
    generator = np.random.default_rng(seed)
    keys, values = generator.standard_normal((12, 2)), generator.standard_normal((12, 2))
    pull = np.exp(keys @ generator.standard_normal(2))
    target = pull @ values / pull.sum()
    scene = _plane("random", "Random dictionary", keys, values, keys[0])
    return Start(replace(scene, entries=tuple(f"e{number + 1}" for number in range(12))), Array(target))


@FLOW_PRESETS.add(
    "tied", label="Keys are the values", tex="k_j=v_j", help="The Jacobian is a covariance: never negative."
)
def tied(seed: int) -> Start:
    points = np.array([[1.6, 0.3], [-0.4, 1.5], [-1.3, -0.6], [0.5, -1.4]])
    return Start(_plane("tied", "Keys are the values", points, points, [0.4, 0.2]), Array([-0.2, 0.9]), 0.3)


@FLOW_PRESETS.add("orthonormal", label="Orthonormal keys", tex=r"k_i\cdot k_j=\delta_{ij}")
def orthonormal(seed: int) -> Start:
    keys = np.eye(2)
    values = [[1.0, 0.0], [0.0, 1.0]]
    return Start(_plane("orthonormal-plane", "Orthonormal keys", keys, values, [1.5, -0.5]), Array([0.3, 0.7]), 1.0)


def _taught(preset: Preset, name: str) -> Start:
    scene = _plane(name, preset.title, preset.keys, preset.values, preset.query)
    scene = replace(scene, temperature=preset.temperature, weighting=preset.weighting)
    return Start(scene, Array(preset.target), preset.learning_rate, 200)


def _plane(name: str, title: str, keys: Any, values: Any, query: npt.ArrayLike) -> Scene:
    entries = tuple(f"entry {number + 1}" for number in range(len(keys)))
    return Scene(
        name,
        title,
        Array(keys),
        Array(values),
        entries,
        (Column("key 1"), Column("key 2")),
        (Column("value 1"), Column("value 2")),
        Array(query),
    )
