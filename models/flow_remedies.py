"""What helps a descent that has stopped, with the number or the point that it needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import Array
from models.backend import CPU
from models.descent import Trajectory
from models.diagnosis import Diagnosis
from models.flow_book import book_of, numbers, parameters_of
from models.jacobians import loss_field
from models.lazy import torch
from models.saturation import saturation
from models.scene import Scene

LABELS = {
    "none": "",
    "more_steps": "Go on: twice the steps",
    "smaller_steps": "Take steps of a tenth",
    "nearest_target": "Aim at the nearest point that can be reached",
    "soften": "Weigh by softmax",
    "raise_temperature": "Raise the temperature",
    "lower_temperature": "Lower the temperature",
    "other_start": "Start somewhere else",
}


@dataclass(frozen=True)
class Remedy:
    """``kind`` is a key of ``LABELS``; ``value`` what it sets: a number (1,) or a point (d,), None for some."""

    kind: str
    value: Array | None = None

    @property
    def label(self) -> str:
        return LABELS[self.kind]


def remedy_for(diagnosis: Diagnosis, path: Trajectory, scene: Scene, target: Array) -> Remedy:
    """The remedy that the diagnosis names, filled in for the scene."""
    kind = diagnosis.remedy
    if kind == "nearest_target" and diagnosis.nearest is not None:
        return Remedy(kind, Array(diagnosis.nearest))
    if kind == "smaller_steps":
        return Remedy(kind, Array([path.problem.learning_rate / 10]))
    if kind == "more_steps":
        return Remedy(kind, Array([2.0 * len(path)]))
    if kind in ("raise_temperature", "lower_temperature"):
        return Remedy(kind, Array([healthy_temperature(scene)]))
    if kind == "other_start":
        return Remedy(kind, Array(better_start(scene, target)))
    return Remedy(kind)


def healthy_temperature(scene: Scene) -> float:
    """Where the gradient of the scene's query is largest, or half-way between the cold and the hot zone if that is
    outside of the healthy one."""
    curves = saturation(
        scene.query.values,
        scene.keys.values,
        scene.values.values,
        torch.logspace(-3, 3, 61, dtype=torch.float64),
        scene.similarity.name,
        "softmax",
        None if scene.mask_row is None else scene.mask_row.values.copy(),
        **parameters_of(scene, CPU),
    )
    tau, cold, hot = curves.peak, curves.cold_below, curves.hot_above
    if cold is not None and hot is not None and not cold <= tau <= hot:
        tau = (cold * hot) ** 0.5
    return float(f"{np.clip(tau, 1e-3, 1e3):.2g}")


def better_start(scene: Scene, target: Array) -> np.ndarray:
    """Of the keys, their doubles and the places half-way between two, the query with the least loss."""
    _, book = book_of(scene, CPU)
    some = book.k[:64]
    halfway = (some.unsqueeze(0) + some.unsqueeze(1)).flatten(0, 1) / 2
    probes = torch.cat([halfway, *(some * scale for scale in (-4.0, -2.0, 0.0, 2.0, 4.0))])
    losses, _ = loss_field(probes, book, CPU.tensor(target.values).reshape(1, -1))
    return numbers(probes[int(losses.argmin())])
