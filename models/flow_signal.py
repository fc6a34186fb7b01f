"""The section *Signal and Jacobian*: how the output answers to each score, and to the query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import Array
from models.backend import Place
from models.flow_book import Numbers, book_of, hull_of, numbers
from models.flow_field import Line, field_of
from models.jacobians import jacobian_field
from models.job import Job
from models.lazy import torch
from models.scene import Scene
from models.score_gradients import score_gradients
from models.slopes import responses, score_gradient, softmax_jacobian, total

COVARIANT = ("dot", "scaled_dot", "bilinear", "squared_distance")
"""Their score gradients are a linear map of the keys, so that ∂o/∂q is a covariance of values and keys."""
CIRCLE = 73
SMALL = 0.12
"""Radius of the small circle of queries, as a part of the spread of the keys."""


@dataclass(frozen=True)
class SignalQuestion:
    scene: Scene


@dataclass(frozen=True)
class Responses:
    """A small circle of queries (c, 2) around the query, their answers (c, d_v), and what the Jacobian makes of it."""

    circle: Numbers
    answers: Numbers
    linear: Numbers


@dataclass(frozen=True)
class SignalResult:
    """At the scene's query: ``weights`` (m,), ``output`` (d_v,), ``signal`` (m, d_v), whose row j is ∂o/∂s_j.

    ``jacobian`` (d_v, d_k) is ∂o/∂q; ``slopes`` (m, d_k) are ∂s_j/∂q, of which ``mean_slope`` (d_k,) and
    ``mean_value`` (d_v,) are the means under the weights of response; ``mean_key`` (d_k,) is Σ a_j k_j.
    ``score_slope`` is the largest entry of ∂a/∂s. ``line`` is the curve of answers for queries of one number.
    """

    inputs: SignalQuestion
    found: bool
    weights: Numbers
    output: Numbers
    signal: Numbers
    jacobian: Numbers
    slopes: Numbers
    mean_slope: Numbers
    mean_value: Numbers
    mean_key: Numbers
    score_slope: float
    singular: Numbers
    """Rising from the weakest direction to the strongest, min(d_v, d_k) of them."""
    eigenvalues: Numbers | None
    """Of the Jacobian where keys are the values and it is a covariance, rising."""
    responses: Responses | None
    line: Line | None
    hull: Numbers


def compute_signal(question: SignalQuestion, job: Job) -> SignalResult:
    return job.backend.run(lambda place: _compute(question, place))


def _compute(question: SignalQuestion, place: Place) -> SignalResult:
    scene = question.scene
    rows, book = book_of(scene, place)
    scores = book.scores(rows)
    weights = book.weights(rows, scores)
    response = responses(weights, book.weighting)
    share = (response / total(response))[0]
    slopes = score_gradients(rows[0], book.k, book.similarity, **book.parameters)
    jacobian = jacobian_field(rows, book)[0]
    output = numbers(weights[0] @ book.v)
    singular = torch.linalg.svdvals(jacobian.double().cpu())
    is_tied = scene.keys == scene.values and scene.weighting == "softmax" and scene.similarity.name in COVARIANT[:2]
    return SignalResult(
        inputs=question,
        found=bool(weights.sum() > 0.5),
        weights=numbers(weights[0]),
        output=output,
        signal=numbers(score_gradient(scores[0], book.v, scene.temperature, scene.weighting, book.mask)),
        jacobian=numbers(jacobian),
        slopes=numbers(slopes),
        mean_slope=numbers(share @ slopes),
        mean_value=numbers(share @ book.v),
        mean_key=numbers(weights[0] @ book.k),
        score_slope=float(softmax_jacobian(scores[0], scene.temperature, scene.weighting, book.mask).max()),
        singular=numbers(singular),
        eigenvalues=numbers(torch.linalg.eigvalsh(jacobian.double().cpu())) if is_tied else None,
        responses=_responses(scene, output, numbers(jacobian), place) if scene.keys.shape[1] == 2 else None,
        line=_line(scene, place),
        hull=hull_of(scene.values),
    )


def _responses(scene: Scene, centre: Numbers, jacobian: Numbers, place: Place) -> Responses:
    angles = np.linspace(0, 2 * np.pi, CIRCLE)
    radius = SMALL * max(float(np.ptp(scene.keys.values, axis=0).max()), 1e-9)
    around = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    circle = scene.query.values + around
    _, book = book_of(scene, place)
    queries = place.tensor(circle)
    answers = numbers(book.weights(queries, book.scores(queries)) @ book.v)
    return Responses(circle, answers, centre + around @ jacobian.T)


def _line(scene: Scene, place: Place) -> Line | None:
    line = field_of(scene, Array(scene.values.values[0]), place) if scene.keys.shape[1] == 1 else None
    return line if isinstance(line, Line) else None
