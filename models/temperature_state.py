"""What the temperature panel keeps: whose scores it shows, what is asked of them, and what is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.errors import LabError
from models.explorer_state import Pin
from models.parameters import parameter
from models.sampling import MOST_DRAWS

FEWEST_SCORES, MOST_SCORES = 2, 100_000
LOWEST, HIGHEST = 1e-3, 1e3
"""Temperatures that a control offers and a curve spans."""
MOST_PINS = 4


@dataclass(frozen=True)
class OwnScores:
    """A row of scores that belongs to no dictionary, with its own temperature.

    ``recipe`` names the preset that gave the numbers, "" once one of them was changed.
    """

    scores: Array = field(default_factory=lambda: Array([2.0, 1.0, 0.1]))
    """(m,), finite or −∞"""
    names: tuple[str, ...] = ()
    """m names, or none: the entries are numbered."""
    recipe: str = "three"
    temperature: float = parameter(
        1.0,
        label="Temperature",
        symbol="τ",
        minimum=LOWEST,
        maximum=HIGHEST,
        log=True,
        help="Divides the scores: low is nearly a hard lookup, high nearly the plain average.",
    )

    def __post_init__(self) -> None:
        row = self.scores.values
        if row.ndim != 1 or not FEWEST_SCORES <= len(row) <= MOST_SCORES:
            raise LabError(f"{FEWEST_SCORES} to {MOST_SCORES:,} scores were expected; {row.size:,} came.")
        if np.isnan(row).any() or (row == np.inf).any():
            raise LabError("Every score must be a number below infinity; one that came is not. Correct or remove it.")
        if self.names and len(self.names) != len(row):
            raise LabError(f"A name for each of {len(row)} scores was expected; {len(self.names)} came.")


@dataclass(frozen=True)
class Recipe:
    """What the random presets are made from."""

    key_size: int = parameter(
        64,
        label="Numbers in a key",
        symbol="d_k",
        minimum=1,
        maximum=4096,
        help="Size of the keys of the random dot products, and of the mark at τ = √d_k.",
    )
    entries: int = parameter(32, label="Random scores", symbol="m", minimum=FEWEST_SCORES, maximum=MOST_SCORES)
    seed: int = parameter(0, label="Seed of the random scores", minimum=0, maximum=999_999)


@dataclass(frozen=True)
class Inverse:
    """A wanted value, to which the one temperature is found."""

    quantity: str = parameter(
        "entropy",
        label="Wanted",
        choices=("entropy", "perplexity", "effective_number"),
        help="What is wanted: an entropy, its exponential (perplexity), or 1/Σa² (effective number of entries).",
    )
    target: float | None = parameter(
        None, label="Target", help="The value wanted; the temperature that gives it is found. Empty: none."
    )


@dataclass(frozen=True)
class Why:
    """What the tab on softmax itself is set to."""

    shift: float = parameter(
        0.0, label="Shift", symbol="c", minimum=-10.0, maximum=10.0, help="Added to every score: no weight changes."
    )
    first: int = parameter(0, label="Entry i", minimum=0, maximum=MOST_SCORES - 1)
    second: int = parameter(1, label="Entry j", minimum=0, maximum=MOST_SCORES - 1)


@dataclass(frozen=True)
class Corners:
    """Which three of more than three entries the triangle shows, renormalised among themselves."""

    mode: str = parameter(
        "best",
        label="Triangle of",
        choices=("best", "chosen", "none"),
        help="Of more than three entries: the three best, three of your choice, or no triangle.",
    )
    chosen: tuple[int, ...] = (0, 1, 2)

    def __post_init__(self) -> None:
        if len(self.chosen) != 3 or min(self.chosen) < 0:
            raise LabError(f"Three entries, counted from 0, were expected; {self.chosen} came.")


@dataclass(frozen=True)
class Sampling:
    """Draws from the weights."""

    draws: int = parameter(100, label="Draws", minimum=1, maximum=MOST_DRAWS, log=True)
    seed: int = parameter(0, label="Seed", minimum=0, maximum=999_999, help="The same seed gives the same draws.")


@dataclass(frozen=True)
class Drawn:
    """What is drawn beside the curve of the entropy; nothing of it is computed anew."""

    unit: str = parameter("nats", label="Entropy in", choices=("nats", "bits"))
    slope: bool = parameter(True, label="Slope dH/dτ", help="Var(s)/τ³ under the weights: it is never below 0.")
    perplexity: bool = parameter(False, label="Perplexity", help="e^H: as uncertain as so many equal entries.")
    effective_number: bool = parameter(False, label="Effective number", help="1/Σa²: another count of entries.")
    marks: bool = parameter(True, label="Marks", help="τ = 1, √d_k, and the two temperatures of CLIP.")
    sparsemax: bool = parameter(True, label="Sparsemax")
    entmax15: bool = parameter(True, label="1.5-entmax")


@dataclass(frozen=True)
class TemperatureState:
    source: str = parameter(
        "scene",
        label="Scores",
        choices=("scene", "own"),
        help="Those of the scene for its query, or a row of your own with its own temperature.",
    )
    own: OwnScores = field(default_factory=OwnScores)
    recipe: Recipe = field(default_factory=Recipe)
    per_length: bool = parameter(
        False,
        label="Per unit of query length",
        help="Scores as if the query had length 1, at τ/‖q‖: stretching the query then moves the temperature.",
    )
    inverse: Inverse = field(default_factory=Inverse)
    why: Why = field(default_factory=Why)
    corners: Corners = field(default_factory=Corners)
    sampling: Sampling = field(default_factory=Sampling)
    drawn: Drawn = field(default_factory=Drawn)
    pins: tuple[Pin, ...] = ()


def with_scores(
    state: TemperatureState, scores: npt.ArrayLike, names: tuple[str, ...] = (), recipe: str = ""
) -> TemperatureState:
    """The panel with another row of scores of its own. LabError where they aren't 2 to 100,000 numbers below +∞."""
    row = Array(np.asarray(scores, dtype=np.float64))
    return replace(state, source="own", own=replace(state.own, scores=row, names=names, recipe=recipe))


def with_score(state: TemperatureState, index: int, score: float) -> TemperatureState:
    """One of the own scores moved."""
    scores = state.own.scores.values.copy()
    scores[index] = score
    return with_scores(state, scores, state.own.names)


def with_pin(state: TemperatureState, pin: Pin) -> TemperatureState:
    """Keep a curve; the oldest of more than four goes."""
    return replace(state, pins=(*state.pins, pin)[-MOST_PINS:])
