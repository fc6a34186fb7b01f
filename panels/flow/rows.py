"""The tables of the gradient flow panel: columns, rows and totals of each section; pure functions of the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from labapp.readout import ReadoutColumn
from models.flow_descent import DescentResult
from models.flow_memory import MemoryResult
from models.flow_paths import PathsResult
from models.flow_saturation import SaturationResult, standing
from models.flow_signal import SignalResult
from models.flow_verify import VerifyResult
from models.scene import Scene
from panels.flow.words import matrix_text, patterns_of, power_text, vector_text

MOST_ROWS = 60

COLUMNS: dict[type, tuple[ReadoutColumn, ...]] = {
    SignalResult: (
        ReadoutColumn("entry"),
        ReadoutColumn("weight a"),
        ReadoutColumn("∂o/∂s", meaning="gradient"),
        ReadoutColumn("its part of ∂o/∂q", meaning="gradient"),
    ),
    DescentResult: (
        ReadoutColumn("quantity"),
        ReadoutColumn("shown"),
        ReadoutColumn("start"),
        ReadoutColumn("end"),
    ),
    SaturationResult: (
        ReadoutColumn("temperature"),
        ReadoutColumn("τ"),
        ReadoutColumn("‖∂o/∂q‖", meaning="gradient"),
        ReadoutColumn("largest ∂a/∂s", meaning="gradient"),
    ),
    PathsResult: (
        ReadoutColumn("distance"),
        ReadoutColumn("a"),
        ReadoutColumn("a(1−a)/τ", meaning="gradient"),
        ReadoutColumn("λ^distance", meaning="key"),
    ),
    MemoryResult: (
        ReadoutColumn("pattern", meaning="key"),
        ReadoutColumn("weight at the start"),
        ReadoutColumn("shown"),
        ReadoutColumn("at the end"),
    ),
}
"""The columns beside the controls; a section that isn't named has tables of its own."""


@dataclass(frozen=True)
class Rows:
    """One sequence of cells a column, and the totals below, where there are some."""

    cells: list[list[Any]]
    totals: list[Any] | None = None


def rows_of(result: Any, scene: Scene, step: int) -> Rows:
    """The table beside the controls, for the scene and the step that are shown."""
    if isinstance(result, SignalResult):
        return signal_rows(result)
    if isinstance(result, DescentResult):
        return Rows(descent_rows(result, step))
    if isinstance(result, SaturationResult):
        return Rows(saturation_rows(result, scene.temperature))
    return Rows(path_rows(result) if isinstance(result, PathsResult) else memory_rows(result, scene, step))


def signal_rows(result: SignalResult) -> Rows:
    """Each entry's pull on the output, and what it adds to ∂o/∂q; the sums over all are 1, 0 and ∂o/∂q.

    Of very many entries the heaviest: their texts are made for every picture.
    """
    some = np.sort(np.argsort(-result.weights, kind="stable")[:MOST_ROWS])
    parts = result.signal[some, :, None] * (result.slopes[some] - result.mean_slope)[:, None, :]
    names = [result.inputs.scene.entries[j] for j in some]
    pulls = [_cell(row, vector_text) for row in result.signal[some]]
    cells: list[list[Any]] = [names, list(result.weights[some]), pulls, [_cell(part, matrix_text) for part in parts]]
    total = np.where(np.abs(result.signal.sum(0)) < 1e-12 * np.abs(result.signal).max(), 0.0, result.signal.sum(0))
    sums = [_cell(total, vector_text), _cell(result.jacobian, matrix_text)]
    return Rows(cells, ["sum", float(result.weights.sum()), *sums])


def _cell(values: np.ndarray, text: Callable[[np.ndarray], str]) -> Any:
    """One number as a number, so that it is aligned with the others; more of them as text."""
    return float(values.ravel()[0]) if values.size == 1 else text(values)


def descent_rows(result: DescentResult, step: int) -> list[list[Any]]:
    """What is learned: at the step that is shown, at the start, at the end."""
    path = result.path
    steps = (min(step, len(path)), 0, len(path))
    rows: list[tuple[str, list[Any]]] = [
        ("step", [float(at) for at in steps]),
        ("query q", [vector_text(path.queries[at, 0]) for at in steps]),
        ("output o", [vector_text(path.outputs[at, 0]) for at in steps]),
        ("loss L", [float(path.losses[at, 0]) for at in steps]),
        ("‖∂L/∂q‖", [float(path.gradients[at, 0]) for at in steps]),
        ("temperature τ", [float(path.temperatures[at]) for at in steps]),
    ]
    return [[name for name, _ in rows], *[[cells[at] for _, cells in rows] for at in range(3)]]


def saturation_rows(result: SaturationResult, tau: float) -> list[list[Any]]:
    """The present temperature and those at which something changes."""
    marks = {
        "now": tau,
        "cold below": result.cold_below,
        "gradient largest": result.peak,
        "hot above": result.hot_above,
    }
    if not result.norms.any():
        del marks["gradient largest"]
    known = {name: at for name, at in marks.items() if at is not None}
    there = [standing(result, at) for at in known.values()]
    return [list(known), list(known.values()), [one.norm for one in there], [one.slope for one in there]]


def path_rows(result: PathsResult) -> list[list[Any]]:
    """Both paths at distances 1, 2, 5, 10… of the sequence."""
    paths, length = result.paths, result.inputs.settings.length
    some = sorted({d for d in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if d < length} | {length})
    at = np.array(some) - 1
    chain = [power_text(float(x)) for x in paths.recurrent_log10[at]]
    return [[float(d) for d in some], list(paths.value_path[at]), list(paths.score_path[at]), chain]


def memory_rows(result: MemoryResult, scene: Scene, step: int) -> list[list[Any]]:
    """The weight of every stored pattern along the recall."""
    step = min(step, len(result.weights) - 1)
    names = patterns_of(scene)[: result.weights.shape[1]]
    return [names, list(result.weights[0]), list(result.weights[step]), list(result.weights[-1])]


def verify_rows(result: VerifyResult, scene: Scene) -> list[list[Any]]:
    """Every number of the Jacobian three times, and the differences."""
    check = result.checks["float64"]
    names, rows = [], []
    for row, value in enumerate(scene.value_columns):
        for column, key in enumerate(scene.key_columns):
            names.append(f"∂({value.name})/∂({key.name})")
            rows.append((check.closed[row, column], check.autograd[row, column], check.numeric[row, column]))
    return [names, *(list(part) for part in zip(*rows, strict=True))]


def similarity_rows(result: VerifyResult, labels: dict[str, str]) -> list[list[Any]]:
    """Every similarity of the registry at the same query."""
    rows = [
        (
            labels[one.name],
            "covariance of values and keys" if one.covariance else "its own score gradients",
            one.norm,
            one.autograd_error,
            one.numeric_error,
        )
        for one in result.similarities
    ]
    return [list(part) for part in zip(*rows, strict=True)] if rows else [[], [], [], [], []]
