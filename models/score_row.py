"""Where a row of scores comes from: a scene and its query, or numbers of the panel's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.backend import Place
from models.lazy import torch
from models.scene import Scene, Similarity
from models.similarities import SIMILARITIES, score_parameters
from models.temperature_state import TemperatureState

LINEAR = ("dot", "scaled_dot", "bilinear")
"""Similarities that grow in proportion to the query: its length is an inverse temperature."""


@dataclass(frozen=True)
class OwnRow:
    """Scores of the panel's own."""

    scores: Array
    names: tuple[str, ...] = ()

    length = 1.0

    def compute(self, place: Place) -> Array:
        return self.scores

    @property
    def count(self) -> int:
        return len(self.scores)


@dataclass(frozen=True)
class SceneRow:
    """The scores of a scene for its query; what of the scene doesn't change them is left out."""

    query: Array
    keys: Array
    similarity: Similarity
    mask: Array | None
    names: tuple[str, ...]
    per_length: bool = False

    @cached_property
    def length(self) -> float:
        """What the scores are divided by: ‖q‖ where they are asked for per unit of query length, else 1."""
        norm = float(np.linalg.norm(self.query.values)) if self.per_length and is_linear(self.similarity) else 1.0
        return norm or 1.0

    @property
    def count(self) -> int:
        return len(self.keys)

    def compute(self, place: Place) -> Array:
        """(m,), −∞ for entries that take no part."""
        return _scores(self, place)


ScoreRow = OwnRow | SceneRow


def is_linear(similarity: Similarity) -> bool:
    return similarity.name in LINEAR


def row_of(state: TemperatureState, scene: Scene) -> ScoreRow:
    """The row of scores that the panel shows."""
    if state.source == "own":
        return OwnRow(state.own.scores, state.own.names)
    return SceneRow(scene.query, scene.keys, scene.similarity, scene.mask_row, scene.entries, state.per_length)


def temperature_of(state: TemperatureState, scene: Scene) -> float:
    """The temperature that goes with the row: the scene's, or the own one."""
    return state.own.temperature if state.source == "own" else scene.temperature


def names_of(row: ScoreRow) -> tuple[str, ...]:
    """A name for every entry; those without one are numbered from 1."""
    return row.names or _numbers_to(row.count)


@lru_cache(maxsize=8)
def _numbers_to(count: int) -> tuple[str, ...]:
    return tuple(str(number + 1) for number in range(count))


@lru_cache(maxsize=8)
def _scores(row: SceneRow, place: Place) -> Array:
    parameters = {
        name: place.tensor(value) if isinstance(value, np.ndarray) else value
        for name, value in score_parameters(row.similarity).items()
    }
    query = place.tensor(row.query.values / row.length)
    scores = as_numbers(SIMILARITIES[row.similarity.name](query, place.tensor(row.keys.values), **parameters))
    if row.mask is not None:
        scores = np.where(row.mask.values, scores, -np.inf)
    return Array(scores)


def as_numbers(tensor: Any) -> npt.NDArray[Any]:
    """A tensor as numpy, numbers in float64."""
    array = tensor.detach().cpu().numpy() if isinstance(tensor, torch.Tensor) else np.asarray(tensor)
    return array.astype(np.float64) if array.dtype.kind == "f" else array
