"""What the gradient flow panel keeps: whose dictionary it shows, the target, how it learns, and the open section."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from models.arrays import Array
from models.learnable import LEARNABLE, OPTIMISERS
from models.parameters import parameter
from models.scene import Column, Scene

SECTIONS = ("signal", "descent", "saturation", "verify", "paths", "memory")
MOST_STEPS, MOST_STARTS = 10_000, 25


@dataclass(frozen=True)
class Target:
    """The wanted output (d_v,), and the ``id`` of the scene for which it was set: another scene has other units."""

    scene: str
    values: Array


@dataclass(frozen=True)
class Descent:
    """How it is learned, and how far the learning was played.

    The descent itself is derived again from this, the scene and the target, to the same bits on the CPU.
    """

    learning_rate: float | None = parameter(
        None,
        label="Learning rate",
        symbol="η",
        minimum=1e-9,
        maximum=1e6,
        log=True,
        help="Length of a step over the gradient. Empty: safe at the steepest place.",
    )
    optimiser: str = parameter(
        "sgd", label="Optimiser", choices=OPTIMISERS, help="Plain gradient steps, with momentum, or Adam."
    )
    momentum: float = parameter(0.9, label="Momentum", symbol="μ", minimum=0.0, maximum=0.999)
    steps: int = parameter(100, label="Steps", symbol="n", minimum=1, maximum=MOST_STEPS, log=True)
    shown: int = parameter(
        100, label="Step shown", minimum=0, maximum=MOST_STEPS, help="How far the descent was played."
    )
    starts: int = parameter(
        1,
        label="Starts at once",
        minimum=1,
        maximum=MOST_STARTS,
        help="The query, and others drawn by seed; they learn the query alone.",
    )
    seed: int = parameter(0, label="Seed of the starts", minimum=0, maximum=9999)
    query: bool = parameter(True, label="Query", help="Learn the query.")
    keys: bool = parameter(False, label="Keys", help="Learn the keys, by autograd.")
    values: bool = parameter(False, label="Values", help="Learn the values, by autograd.")
    temperature: bool = parameter(
        False, label="Temperature", help="Learn log τ, never below 1/100, as CLIP clips the scale of its scores."
    )

    @property
    def learn(self) -> tuple[str, ...]:
        """What moves; the query where nothing else does."""
        return tuple(name for name in LEARNABLE if getattr(self, name)) or ("query",)


@dataclass(frozen=True)
class PathSettings:
    """The sequence over which a gradient travels."""

    length: int = parameter(100, label="Sequence length", symbol="n", minimum=1, maximum=1000, log=True)
    factor: float = parameter(
        0.9,
        label="Recurrent factor",
        symbol="λ",
        minimum=0.01,
        maximum=1.5,
        help="What a step of the chain keeps of the gradient.",
    )
    margin: float = parameter(
        6.0, label="Score ahead of the others", symbol="Δs", minimum=0.0, maximum=20.0, help="Of the entry sought."
    )


@dataclass(frozen=True)
class MemorySettings:
    """The recall: how many updates, and how far it was played."""

    steps: int = parameter(12, label="Updates", minimum=1, maximum=100)
    shown: int = parameter(12, label="Update shown", minimum=0, maximum=100)
    basins: bool = parameter(True, label="Basins", help="Colour every start by where its recall ends.")


def _own_scene() -> Scene:
    """Five tokens in a plane: the words of the preset ``tokens``, which ``flow_presets`` makes."""
    keys = [[-0.9, -0.9], [1.7, 0.2], [0.2, 1.7], [-0.9, 0.7], [-0.2, -1.2]]
    values = [[0.2, -0.4], [1.5, 0.9], [-0.8, 1.3], [0.4, 0.4], [-0.6, -0.9]]
    return Scene(
        "tokens",
        "Tokens in a plane",
        Array(keys),
        Array(values),
        ("The", "cat", "sat", "on", "the"),
        (Column("key 1"), Column("key 2")),
        (Column("value 1"), Column("value 2")),
        Array([1.4, 0.3]),
    )


@dataclass(frozen=True)
class FlowState:
    """The gradient flow panel.

    ``section`` is the open tab. It is part of the document and not of the view, because it decides what is computed:
    only the open section is, and a lesson or a session opens at the section that it is about.
    """

    section: str = parameter("descent", label="Section", choices=SECTIONS)
    source: str = parameter(
        "scene",
        label="Dictionary from",
        choices=("scene", "own"),
        help="The scene that all panels share, or one of this panel's own.",
    )
    preset: str = "tokens"
    """The preset that gave the own dictionary."""
    seed: int = parameter(0, label="Seed of the random dictionary", minimum=0, maximum=9999)
    own: Scene = field(default_factory=_own_scene)
    target: Target | None = None
    descent: Descent = field(default_factory=Descent)
    paths: PathSettings = field(default_factory=PathSettings)
    memory: MemorySettings = field(default_factory=MemorySettings)


def scene_of(state: FlowState, scene: Scene) -> Scene:
    """The dictionary that the panel is about: the scene of all, or its own."""
    return state.own if state.source == "own" else scene


def target_of(state: FlowState, shown: Scene) -> Array:
    """The target (d_v,): the one set for this scene, or half-way between the values of the first two entries."""
    width = shown.values.shape[1]
    if state.target is not None and state.target.scene == shown.id and state.target.values.shape == (width,):
        return state.target.values
    return Array(shown.values.values[:2].mean(0))


def with_target(state: FlowState, shown: Scene, values: np.ndarray) -> FlowState:
    return replace(state, target=Target(shown.id, Array(values)))
