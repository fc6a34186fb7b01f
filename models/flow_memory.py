"""The section *Associative memory*: keys as values, the output fed back as the next query."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from models.arrays import Array
from models.backend import CPU, Place
from models.flow_book import Numbers, numbers
from models.flow_field import span_of
from models.hopfield import FixedPoints, energy, fixed_points, recall, update
from models.job import Job
from models.lazy import torch
from models.scene import Scene

SIDE = 61
ROUNDS, EACH = 600, 20
MOST_PATTERNS = 200


@dataclass(frozen=True)
class MemoryQuestion:
    """The patterns are the keys that take part, whatever the values and the similarity of the scene are."""

    patterns: Array
    start: Array
    temperature: float
    steps: int
    basins: bool


@dataclass(frozen=True)
class Landscape:
    """Over states ``x (s,)``, ``y (s,)``: the energy (s, s), and the basin (s, s), the number of its fixed point.

    ``basins`` is None until they are known.
    """

    x: Numbers
    y: Numbers
    energies: Numbers
    basins: Numbers | None = None


@dataclass(frozen=True)
class MemoryResult:
    """``states`` (n+1, d), ``energies`` (n+1,), ``weights`` (n+1, m) of the recall, and the fixed points.

    ``points`` (p, d) with their ``point_energies`` (p,), ``stable`` (p,), ``pattern`` (p,): the stored pattern that has
    most of the weight there, −1 at a blend.
    """

    inputs: MemoryQuestion
    states: Numbers
    energies: Numbers
    weights: Numbers
    points: Numbers
    point_energies: Numbers
    stable: Numbers
    pattern: Numbers
    landscape: Landscape | None


def memory_question(scene: Scene, steps: int, basins: bool) -> MemoryQuestion:
    keys = scene.keys.values
    if scene.mask_row is not None:
        keys = keys[scene.mask_row.values]
    return MemoryQuestion(Array(keys[:MOST_PATTERNS]), scene.query, scene.temperature, steps, basins)


def compute_memory(question: MemoryQuestion, job: Job) -> MemoryResult:
    """The recall over the energy, then the basins."""
    result = _recalled(question)
    if question.patterns.shape[1] != 2:
        return result
    patterns, tau = question.patterns, question.temperature
    span = span_of(patterns, question.start)
    shape = job.backend.run(lambda place: _energies(patterns, tau, span, place))
    result = replace(result, landscape=shape)
    if not question.basins:
        return result
    job.partial(result)
    kept = _basins_kept(patterns, tau, span)
    if not kept:
        kept.append(_basins(patterns, tau, span, job))
    return replace(result, landscape=replace(shape, basins=kept[0]))


def _recalled(question: MemoryQuestion) -> MemoryResult:
    patterns, start = CPU.tensor(question.patterns.values), CPU.tensor(question.start.values)
    path = recall(start, patterns, question.temperature, question.steps)
    fixed = _fixed(question.patterns, question.temperature)
    weights = torch.softmax(path.states @ patterns.mT / question.temperature, -1)
    return MemoryResult(
        question,
        numbers(path.states),
        numbers(path.energies),
        numbers(weights),
        numbers(fixed.points),
        numbers(fixed.energies),
        np.asarray(fixed.stable.cpu().numpy()),
        np.asarray(fixed.pattern.cpu().numpy()),
        None,
    )


@lru_cache(maxsize=16)
def _fixed(patterns: Array, temperature: float) -> FixedPoints:
    return fixed_points(CPU.tensor(patterns.values), temperature)


@lru_cache(maxsize=16)
def _energies(patterns: Array, temperature: float, span: Array, place: Place) -> Landscape:
    (x0, x1), (y0, y1) = span.values
    x, y = np.linspace(x0, x1, SIDE), np.linspace(y0, y1, SIDE)
    grid = place.tensor(np.stack(np.meshgrid(x, y), axis=-1))
    return Landscape(x, y, numbers(energy(grid, place.tensor(patterns.values), temperature)))


@lru_cache(maxsize=16)
def _basins_kept(patterns: Array, temperature: float, span: Array) -> list[Numbers]:
    """Where the basins of a memory are kept once they are known: a list, empty until then."""
    return []


def _basins(patterns: Array, temperature: float, span: Array, job: Job) -> Numbers:
    """The number (s, s) of the fixed point at which the recall from every state ends.

    Ends after so many updates go to the nearest fixed point: near a change of stability they creep.
    """
    (x0, x1), (y0, y1) = span.values
    x, y = np.linspace(x0, x1, SIDE), np.linspace(y0, y1, SIDE)
    state = CPU.tensor(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    stored = CPU.tensor(patterns.values)
    for round_ in range(ROUNDS):
        following = update(state, stored, temperature)
        moved = float((following - state).abs().max())
        state = following
        if round_ % EACH == 0:
            job.check()
        if moved < 1e-9:
            break
    points = _fixed(patterns, temperature).points
    return numbers(torch.cdist(state, points).argmin(-1)).reshape(SIDE, SIDE)
