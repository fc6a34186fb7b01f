"""The section *Saturation*: how strong the gradient is at which temperature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from models.backend import CPU
from models.flow_book import Numbers, numbers, parameters_of
from models.job import Job
from models.lazy import torch
from models.saturation import COLD, HEALTHY, HOT, saturation
from models.scene import Scene

TEMPERATURES = 121


@dataclass(frozen=True)
class SaturationQuestion:
    scene: Scene
    """Its temperature is 1: the curves don't depend on it, the mark is the panel's to draw."""


@dataclass(frozen=True)
class SaturationResult:
    """Over ``temperatures`` (t,): ``norms`` of ∂o/∂q, ``slopes``, the largest entry of ∂a/∂s; and the zones.

    ``cold_below``, ``hot_above`` are None where there is no such zone between the ends.
    """

    inputs: SaturationQuestion
    temperatures: Numbers
    norms: Numbers
    slopes: Numbers
    zones: tuple[str, ...]
    cold_below: float | None
    hot_above: float | None
    peak: float


@dataclass(frozen=True)
class Standing:
    """One temperature: the norm of ∂o/∂q, the largest entry of ∂a/∂s, the zone."""

    norm: float
    slope: float
    zone: str


def saturation_question(scene: Scene) -> SaturationQuestion:
    return SaturationQuestion(replace(scene, temperature=1.0))


def compute_saturation(question: SaturationQuestion, job: Job) -> SaturationResult:
    """A coarse picture at once, then the fine one."""
    job.partial(_curves(question, 25))
    return _curves(question, TEMPERATURES)


@lru_cache(maxsize=16)
def _curves(question: SaturationQuestion, count: int) -> SaturationResult:
    scene = question.scene
    curves = saturation(
        scene.query.values,
        scene.keys.values,
        scene.values.values,
        torch.logspace(-3, 3, count, dtype=torch.float64),
        scene.similarity.name,
        scene.weighting,
        None if scene.mask_row is None else scene.mask_row.values.copy(),
        **parameters_of(scene, CPU),
    )
    return SaturationResult(
        question,
        numbers(curves.temperatures),
        numbers(curves.norms),
        numbers(curves.slopes),
        curves.zones,
        curves.cold_below,
        curves.hot_above,
        curves.peak,
    )


def standing(result: SaturationResult, temperature: float) -> Standing:
    """Where a temperature stands on the curves, between two points by their logarithms."""
    at = np.log(temperature)
    x = np.log(result.temperatures)
    norm, slope = (float(np.interp(at, x, curve)) for curve in (result.norms, result.slopes))
    return Standing(norm, slope, _zone(result, temperature))


def _zone(result: SaturationResult, temperature: float) -> str:
    if result.cold_below is not None and temperature < result.cold_below:
        return COLD
    if result.hot_above is not None and temperature > result.hot_above:
        return HOT
    # One zone from end to end has no border.
    return result.zones[0] if len(set(result.zones)) == 1 else HEALTHY
