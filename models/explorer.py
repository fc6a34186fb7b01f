"""The lookup explorer: three lookups of one query, the curve of answers over a sweep, and the attention map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.backend import Place
from models.explorer_state import Sweep
from models.job import Job
from models.lazy import torch
from models.lookup import Lookup, soft_lookup
from models.polygon import convex_hull
from models.scene import Scene
from models.similarities import score_parameters
from models.temperature import effective_number, entropy
from models.weightings import ties

Numbers = npt.NDArray[Any]
CURVE_POINTS = 481
MAP_ROWS, MOST_MAP_ROWS = 61, 400
"""Queries of the attention map where it sweeps a range, and at the most where every key asks."""
BISECTIONS = 40


@dataclass(frozen=True)
class Answer:
    """One lookup of the present query."""

    weights: Numbers
    """(m,)"""
    output: Numbers
    """(d_v,), NaN where nothing was found"""
    found: bool


@dataclass(frozen=True)
class Curve:
    """Answers over the sweep of queries; in more than one dimension the sweep is a line and ``x`` its fraction."""

    queries: Numbers
    """(c, d_k)"""
    x: Numbers
    """(c,): the key where it has one dimension, else 0…1"""
    soft: Numbers
    """(c, d_v), NaN where nothing was found"""
    steps_x: Numbers
    """(s,): the corners of the nearest lookup's staircase"""
    steps: Numbers
    """(s, d_v)"""


@dataclass(frozen=True)
class AttentionMap:
    """Weights of many queries: rows are queries, columns are entries, each row sums to 1."""

    queries: Numbers
    """(n, d_k)"""
    weights: Numbers
    """(n, m)"""
    found: Numbers
    """(n,)"""
    source: str
    """Where the queries come from: "sweep", "keys" (every key, or every so manieth of many) or "list"."""


@dataclass(frozen=True)
class ExplorerResult:
    """All that the explorer draws, for the ``inputs`` (scene, sweep)."""

    inputs: tuple[Scene, Sweep]
    scores: Numbers
    """(m,), −∞ for entries that take no part"""
    soft: Answer
    nearest: Answer
    exact: Answer
    tied: tuple[int, ...]
    """The entries that share the best score; more than one is a tie."""
    entropy: float
    """In nats."""
    effective_number: float
    same_as_distance: float
    """Largest difference between the weights of −‖q−k‖²/(2σ²) and of (2q·k − ‖k‖²)/(2σ²): 0 to rounding."""
    without_norms: float
    """The difference where ‖k‖² is left out: 0 only for keys of equal length."""
    curve: Curve
    map: AttentionMap
    hull: Numbers
    """(h, 2): corners of the convex hull of 2-D values, else (0, 2)"""


def compute_explorer(scene: Scene, sweep: Sweep, job: Job) -> ExplorerResult:
    """Everything that the explorer shows. What doesn't depend on the query is computed once and kept."""
    return job.backend.run(lambda place: _compute(scene, sweep, place), rows=CURVE_POINTS)


def _compute(scene: Scene, sweep: Sweep, place: Place) -> ExplorerResult:
    mask = None if scene.mask_row is None else scene.mask_row.values
    soft = _look_up(scene, scene.query.values, place, mask=mask)
    answers = {
        name: _look_up(scene, scene.query.values, place, mask=mask, weighting=name) for name in ("nearest", "exact")
    }
    weights = soft.weights
    rest = replace(scene, query=Array(np.zeros(scene.keys.shape[1])), row=None)
    same, without = _distance_as_dot(scene, place, mask)
    return ExplorerResult(
        inputs=(scene, sweep),
        scores=_numpy(soft.scores.masked_fill(~_allowed(mask, soft.scores), -torch.inf)),
        soft=_answer(soft),
        nearest=_answer(answers["nearest"]),
        exact=_answer(answers["exact"]),
        tied=tuple(ties(soft.scores, mask)),
        entropy=float(entropy(weights)),
        effective_number=float(effective_number(weights)) if bool(soft.found) else 0.0,
        same_as_distance=same,
        without_norms=without,
        curve=_curve(rest, sweep, place),
        map=_attention_map(rest, sweep, place),
        hull=_hull(scene.values),
    )


def _allowed(mask: Numbers | None, scores: Any) -> Any:
    return torch.ones_like(scores, dtype=torch.bool) if mask is None else torch.as_tensor(mask.copy()).to(scores.device)


def _look_up(scene: Scene, q: Numbers, place: Place, *, mask: Numbers | None, weighting: str | None = None) -> Lookup:
    similarity = {
        name: place.tensor(value) if isinstance(value, np.ndarray) else value
        for name, value in score_parameters(scene.similarity).items()
    }
    return soft_lookup(
        place.tensor(q),
        place.tensor(scene.keys.values),
        place.tensor(scene.values.values),
        similarity=scene.similarity.name,
        temperature=scene.temperature,
        weighting=weighting or scene.weighting,
        mask=None if mask is None else place.mask(mask),
        **similarity,
    )


def _answer(lookup: Lookup) -> Answer:
    found = bool(lookup.found)
    output = _numpy(lookup.output)
    return Answer(_numpy(lookup.weights), output if found else np.full_like(output, np.nan), found)


@lru_cache(maxsize=8)
def _curve(scene: Scene, sweep: Sweep, place: Place) -> Curve:
    fraction = np.linspace(0, 1, CURVE_POINTS)
    queries = sweep.at(fraction)

    def soft(rows: slice) -> tuple[Numbers, ...]:
        lookup = _look_up(scene, queries[rows], place, mask=_common_mask(scene))
        return (np.where(_numpy(lookup.found)[:, None], _numpy(lookup.output), np.nan),)

    (output,) = place.by_rows(soft, CURVE_POINTS)
    steps_at, steps = _staircase(scene, sweep, place, fraction)
    if queries.shape[1] == 1:
        return Curve(queries, queries[:, 0], output, sweep.at(steps_at)[:, 0], steps)
    return Curve(queries, fraction, output, steps_at, steps)


def _staircase(scene: Scene, sweep: Sweep, place: Place, fraction: Numbers) -> tuple[Numbers, Numbers]:
    """Corners (x, y) of the hard lookup: every jump between two queries is bracketed and halved to a point."""
    winner, outputs = _nearest(scene, sweep.at(fraction), place)
    jumps = np.flatnonzero(winner[1:] != winner[:-1])
    low, high = fraction[jumps], fraction[jumps + 1]
    for _ in range(BISECTIONS if len(jumps) else 0):
        middle = (low + high) / 2
        left = _nearest(scene, sweep.at(middle), place)[0] == winner[jumps]
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    x = np.concatenate([fraction[:1], np.repeat((low + high) / 2, 2), fraction[-1:]])
    rows = np.concatenate([[0], np.column_stack([jumps, jumps + 1]).ravel(), [len(fraction) - 1]]).astype(int)
    return x, outputs[rows]


def _nearest(scene: Scene, queries: Numbers, place: Place) -> tuple[Numbers, ...]:
    """The winners (n,) of the hard lookup of queries (n, d_k) and its answers (n, d_v), NaN where nothing was found."""

    def hard(rows: slice) -> tuple[Numbers, ...]:
        lookup = _look_up(scene, queries[rows], place, mask=_common_mask(scene), weighting="nearest")
        answers = np.where(_numpy(lookup.found)[:, None], _numpy(lookup.output), np.nan)
        return _numpy(lookup.weights).argmax(1), answers

    return place.by_rows(hard, len(queries))


@lru_cache(maxsize=8)
def _attention_map(scene: Scene, sweep: Sweep, place: Place) -> AttentionMap:
    mask = None if scene.mask is None else scene.mask.values
    if scene.queries is not None:
        queries, source = scene.queries.values, "list"
    elif scene.keys.shape[1] == 1:
        queries, source = sweep.at(np.linspace(0, 1, MAP_ROWS)), "sweep"
    else:
        queries, source = scene.keys.values[:: -(-len(scene.keys) // MOST_MAP_ROWS)], "keys"

    def asked(rows: slice) -> tuple[Numbers, ...]:
        theirs = mask[rows] if mask is not None and mask.ndim == 2 else mask
        lookup = _look_up(scene, queries[rows], place, mask=theirs)
        return _numpy(lookup.weights), _numpy(lookup.found)

    weights, found = place.by_rows(asked, len(queries))
    return AttentionMap(queries, weights, found, source)


def _common_mask(scene: Scene) -> Numbers | None:
    """The mask of every query, where there is one; rows of a causal mask belong to the listed queries alone."""
    return scene.mask.values if scene.mask is not None and scene.mask.values.ndim == 1 else None


def _distance_as_dot(scene: Scene, place: Place, mask: Numbers | None) -> tuple[float, float]:
    """How far the weights of the squared distance are from those of 2q·k − ‖k‖², and from those of 2q·k alone."""
    q, k = place.tensor(scene.query.values), place.tensor(scene.keys.values)
    # The identity is one of scores; shifting the origin into the keys' mean keeps its digits and changes no distance.
    shift = k.mean(0)
    q, k = q - shift, k - shift
    sigma = scene.similarity.sigma
    distance = _look_up(
        replace(scene, similarity=replace(scene.similarity, name="squared_distance"), weighting="softmax"),
        scene.query.values, place, mask=mask,
    ).weights  # fmt: skip
    allowed = _allowed(mask, distance)
    both = []
    for scores in (2 * k @ q - (k**2).sum(-1), 2 * place.tensor(scene.keys.values) @ place.tensor(scene.query.values)):
        weights = torch.softmax((scores / (2 * sigma**2) / scene.temperature).masked_fill(~allowed, -torch.inf), -1)
        both.append(float((weights.nan_to_num() - distance).abs().max()))
    return both[0], both[1]


@lru_cache(maxsize=8)
def _hull(values: Array) -> Numbers:
    return convex_hull(values.values) if values.shape[1] == 2 else np.zeros((0, 2))


def _numpy(tensor: Any) -> Numbers:
    array = tensor.detach().cpu().numpy()
    return array.astype(np.float64) if array.dtype.kind == "f" else array
