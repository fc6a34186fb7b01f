"""A scene as the dictionary that the flow is computed with."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.backend import CPU, Place
from models.descent import Problem
from models.dictionary import Dictionary, open_dictionary
from models.flow_state import Descent
from models.jacobians import jacobian_field
from models.lazy import torch
from models.polygon import convex_hull
from models.scene import Scene
from models.similarities import score_parameters

if TYPE_CHECKING:
    from torch import Tensor

CAREFUL = 0.3
SLOWEST, FASTEST = 1e-9, 1e3
PROBES = 64

Numbers = npt.NDArray[Any]


def parameters_of(scene: Scene, place: Place) -> dict[str, Any]:
    """The parameters of the scene's similarity, arrays as tensors."""
    given = score_parameters(scene.similarity)
    return {name: place.tensor(value) if isinstance(value, np.ndarray) else value for name, value in given.items()}


def book_of(scene: Scene, place: Place, temperature: float | None = None) -> tuple[Tensor, Dictionary]:
    """The scene's query as a row (1, d_k) and its dictionary, checked. LabError as ``soft_lookup`` raises."""
    mask = scene.mask_row
    rows, book = open_dictionary(
        place.tensor(scene.query.values),
        place.tensor(scene.keys.values),
        place.tensor(scene.values.values),
        scene.similarity.name,
        scene.temperature if temperature is None else temperature,
        scene.weighting,
        None if mask is None else place.mask(mask.values),
        parameters_of(scene, place),
    )
    return rows, book if book.mask is None else replace(book, mask=book.mask.reshape(-1, len(book.k))[0])


def unanswered(q: Tensor, book: Dictionary) -> Numbers | None:
    """Where queries (n, d_k) have no answer (n,), as an exact lookup without a match; None where all have one."""
    if book.weighting != "exact":
        return None
    return np.asarray((book.weights(q, book.scores(q)).sum(-1) < 0.5).cpu().numpy())


def problem_of(scene: Scene, target: Array, descent: Descent) -> Problem:
    """What is learned from what."""
    rate = descent.learning_rate or automatic_rate(quiet(scene))
    return Problem(
        target,
        scene.temperature,
        scene.similarity.name,
        scene.weighting,
        scene.mask_row,
        tuple((name, Array(value)) for name, value in score_parameters(scene.similarity).items()),
        rate,
        descent.optimiser,
        descent.momentum,
        descent.learn,
    )


@lru_cache(maxsize=8)
def automatic_rate(scene: Scene) -> float:
    """A safe 0.3/‖∂o/∂q‖², at the steepest of the keys and the places half-way between two.

    The curvature of ½‖o − t‖² where the answer is near the target is ‖∂o/∂q‖².
    """
    _, book = book_of(scene, CPU)
    some = book.k[:PROBES]
    probes = torch.cat([some, (some[1:] + some[:-1]) / 2])
    steepest = float(jacobian_field(probes, book).square().sum((-2, -1)).max())
    return float(np.clip(CAREFUL / max(steepest, 1e-300), SLOWEST, FASTEST))


@lru_cache(maxsize=8)
def hull_of(values: Array) -> Numbers:
    """Corners (h, 2) of the convex hull of values in a plane, else (0, 2)."""
    return convex_hull(values.values) if values.shape[1] == 2 else np.zeros((0, 2))


def quiet(scene: Scene) -> Scene:
    """The scene without its query: what is the same for every query is cached by this."""
    origin = Array(np.zeros(scene.keys.shape[1]))
    return replace(scene, query=origin, mask=scene.mask_row, queries=None, query_names=(), row=None)


def numbers(tensor: Tensor) -> Numbers:
    """A tensor as float64 numbers."""
    return np.asarray(tensor.detach().cpu().numpy(), dtype=np.float64)
