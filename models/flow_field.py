"""What a descent runs over: −∂L/∂q and L over the plane of queries, or curves over queries of one number.

Losses and outputs are NaN where a query has no answer: an exact lookup without a match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from models.arrays import Array
from models.backend import Place
from models.flow_book import Numbers, book_of, numbers, quiet, unanswered
from models.jacobians import loss_field
from models.scene import Scene

SIDE = 40
"""Arrows along one side of the field."""
POINTS = 481
AROUND = 0.35
"""Margin around the keys, as a part of their spread."""


@dataclass(frozen=True)
class Field:
    """Over a grid of queries ``x (s,)``, ``y (s,)``: ``losses`` (s, s) and the way down, ``down`` (s, s, 2).

    Row i is y[i]. The way down is −∂L/∂q.
    """

    x: Numbers
    y: Numbers
    losses: Numbers
    down: Numbers


@dataclass(frozen=True)
class Line:
    """Over queries ``x (c,)`` of one number: ``outputs`` (c, d_v), ``losses`` (c,), ``slopes`` (c,), dL/dq.

    ``steps_x`` (s,), ``steps`` (s, d_v) are the corners of the hard lookup's staircase, whose slope is 0.
    """

    x: Numbers
    outputs: Numbers
    losses: Numbers
    slopes: Numbers
    steps_x: Numbers
    steps: Numbers


def field_of(scene: Scene, target: Array, place: Place) -> Field | Line | None:
    """What a descent of the scene's query runs over; None where queries have more than two numbers."""
    span = span_of(scene.keys, scene.query)
    if scene.keys.shape[1] == 2:
        return _field(quiet(scene), target, span, place)
    return _line(quiet(scene), target, span, place) if scene.keys.shape[1] == 1 else None


@lru_cache(maxsize=16)
def _field(scene: Scene, target: Array, span: Array, place: Place) -> Field:
    _, book = book_of(scene, place)
    (x0, x1), (y0, y1) = span.values
    x, y = np.linspace(x0, x1, SIDE), np.linspace(y0, y1, SIDE)
    queries = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    goal = place.tensor(target.values).reshape(1, -1)

    def some(rows: slice) -> tuple[Numbers, ...]:
        asked = place.tensor(queries[rows])
        losses, gradients = loss_field(asked, book, goal)
        return _defined(numbers(losses), unanswered(asked, book)), -numbers(gradients)

    losses, down = place.by_rows(some, len(queries))
    return Field(x, y, losses.reshape(SIDE, SIDE), down.reshape(SIDE, SIDE, 2))


@lru_cache(maxsize=16)
def _line(scene: Scene, target: Array, span: Array, place: Place) -> Line:
    _, book = book_of(scene, place)
    x = _points(span)
    queries = place.tensor(x[:, None])
    losses, gradients = loss_field(queries, book, place.tensor(target.values).reshape(1, -1))
    outputs = book.weights(queries, book.scores(queries)) @ book.v
    steps_x, steps = _staircase(scene, span, place)
    nothing = unanswered(queries, book)
    known, loss = _defined(numbers(outputs), nothing), _defined(numbers(losses), nothing)
    return Line(x, known, loss, numbers(gradients)[:, 0], steps_x, steps)


def _defined(values: Numbers, nothing: Numbers | None) -> Numbers:
    """The values (n, …), NaN where there is no answer."""
    if nothing is not None:
        values = values.copy()
        values[nothing] = np.nan
    return values


@lru_cache(maxsize=8)
def _staircase(scene: Scene, span: Array, place: Place) -> tuple[Numbers, Numbers]:
    """Corners of the hard lookup: each jump between two queries is bracketed and halved to a point."""
    _, book = book_of(replace(scene, weighting="nearest"), place)
    x = _points(span)

    def winners(at: Numbers) -> Numbers:
        queries = place.tensor(at[:, None])
        return numbers(book.weights(queries, book.scores(queries)).argmax(-1)).astype(int)

    here = winners(x)
    jumps = np.flatnonzero(here[1:] != here[:-1])
    low, high = x[jumps], x[jumps + 1]
    for _ in range(40 if len(jumps) else 0):
        middle = (low + high) / 2
        left = winners(middle) == here[jumps]
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    corners = np.concatenate([x[:1], np.repeat((low + high) / 2, 2), x[-1:]])
    rows = np.concatenate([[0], np.column_stack([jumps, jumps + 1]).ravel(), [len(x) - 1]]).astype(int)
    return corners, scene.values.values[here[rows]]


def _points(span: Array) -> Numbers:
    """Queries (c,) of one number over the first range."""
    low, high = span.values[0]
    return np.linspace(low, high, POINTS)


def span_of(keys: Array, query: Array) -> Array:
    """Ranges (d_k, 2) of the drawn queries: the keys with a margin, widened by whole margins to hold the query.

    In whole margins, so that a query that is dragged finds the same field again.
    """
    low, high = keys.values.min(0), keys.values.max(0)
    widest = float((high - low).max())
    margin = AROUND * (widest if widest > 0 else max(1.0, float(np.abs(keys.values).max())))
    less = np.maximum(1, np.ceil((low - query.values) / margin + 0.2))
    more = np.maximum(1, np.ceil((query.values - high) / margin + 0.2))
    return Array(np.column_stack([low - less * margin, high + more * margin]))
