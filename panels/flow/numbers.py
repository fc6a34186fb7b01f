"""The numbers of each section of the gradient flow with every digit, as tables and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from labapp.named_table import Column, NamedMap, NamedTable, Table, vectors
from models.flow_descent import DescentResult
from models.flow_field import Field, Line
from models.flow_memory import Landscape, MemoryResult
from models.flow_panel import Result
from models.flow_paths import PathsResult
from models.flow_saturation import SaturationResult
from models.flow_signal import SignalResult
from models.flow_verify import VerifyResult
from models.scene import Scene
from panels.flow.words import patterns_of

MOST_PARTS = 16
"""Numbers of ∂o/∂q of which every entry's part is written."""


def numbers_of(result: Result, scene: Scene) -> list[Table]:
    """All that the section of a result shows, but for the read-out beside it. ``scene`` is the one that is shown."""
    writers: dict[type, Callable[[Any], Iterator[Table]]] = {
        SignalResult: signal_tables,
        DescentResult: descent_tables,
        SaturationResult: saturation_tables,
        VerifyResult: verify_tables,
        PathsResult: path_tables,
        MemoryResult: lambda memory: memory_tables(memory, scene),
    }
    return list(writers[type(result)](result))


def signal_tables(result: SignalResult) -> Iterator[Table]:
    scene = result.inputs.scene
    yield NamedTable(
        "Signal",
        (
            Column("entry", scene.entries),
            *vectors("key", scene.key_columns, scene.keys.values),
            *vectors("value", scene.value_columns, scene.values.values),
            Column("weight a", result.weights),
            *vectors("∂o/∂s", scene.value_columns, result.signal),
            Column("‖∂o/∂s‖", np.linalg.norm(result.signal, axis=1)),
            *jacobian_parts(result),
        ),
    )
    sizes = Column("‖∂o/∂q‖", [float(np.linalg.norm(result.jacobian))]), Column("largest ∂a/∂s", [result.score_slope])
    yield NamedTable("Sizes", sizes)
    query, output = scene.query.values[None], result.output[None]
    yield NamedTable(
        "Query and output",
        (*vectors("query", scene.key_columns, query), *vectors("output", scene.value_columns, output)),
    )
    yield jacobian_map("∂o/∂q", scene, result.jacobian)
    yield NamedTable("Singular values of ∂o/∂q", (Column("singular value", result.singular),))
    if result.eigenvalues is not None:
        yield NamedTable("Eigenvalues of ∂o/∂q", (Column("eigenvalue", result.eigenvalues),))
    if result.responses is not None:
        around = result.responses
        yield NamedTable(
            "Circle of queries",
            (
                *vectors("query", scene.key_columns, around.circle),
                *vectors("answer", scene.value_columns, around.answers),
                *vectors("by ∂o/∂q", scene.value_columns, around.linear),
            ),
        )
    if result.line is not None:
        yield from answer_tables(result.line, scene)


def jacobian_parts(result: SignalResult) -> Iterator[Column]:
    """What each entry adds to every number of ∂o/∂q; nothing where these are many, as on the screen."""
    scene = result.inputs.scene
    if result.jacobian.size > MOST_PARTS:
        return
    parts = result.signal[:, :, None] * (result.slopes - result.mean_slope)[:, None, :]
    for i, value in enumerate(scene.value_columns):
        for k, key in enumerate(scene.key_columns):
            yield Column(f"its part of ∂({value.name})/∂({key.name})", parts[:, i, k])


def jacobian_map(name: str, scene: Scene, jacobian: np.ndarray) -> NamedMap:
    """Rows are numbers of the output, columns numbers of the query."""
    down = Column("output", [column.name for column in scene.value_columns])
    across = Column("query", [column.name for column in scene.key_columns])
    return NamedMap(name, down, across, jacobian)


def answer_tables(line: Line, scene: Scene) -> Iterator[NamedTable]:
    """The answers over queries of one number: soft, and the corners of the hard lookup's staircase."""
    for name, x, outputs in (("Answers", line.x, line.outputs), ("Hard lookup", line.steps_x, line.steps)):
        columns = vectors("query", scene.key_columns, x[:, None]), vectors("output", scene.value_columns, outputs)
        yield NamedTable(name, sum(columns, ()))


def descent_tables(result: DescentResult) -> Iterator[Table]:
    yield descent_table(result)
    scene, field = result.scene, result.field
    yield NamedTable(
        "Entries as shown",
        (
            Column("entry", scene.entries),
            *vectors("key", scene.key_columns, scene.keys.values),
            *vectors("value", scene.value_columns, scene.values.values),
        ),
    )
    if result.hull.size:
        yield NamedTable("Convex hull of the values", vectors("value", scene.value_columns, result.hull))
    yield NamedTable("Target", vectors("target", scene.value_columns, result.inputs.target.values[None]))
    if isinstance(field, Line):
        yield from answer_tables(field, scene)
        query = vectors("query", scene.key_columns, field.x[:, None])
        yield NamedTable("Loss over the query", (*query, Column("loss L", field.losses), Column("dL/dq", field.slopes)))
    elif field is not None:
        yield from field_maps(field, scene)


def descent_table(result: DescentResult) -> NamedTable:
    """One row for each step of each start: query, output, loss, ‖∂L/∂q‖, temperature."""
    path, scene = result.path, result.inputs.scene
    steps, starts = path.losses.shape

    def flat(values: np.ndarray) -> np.ndarray:
        """(steps, starts, …) with a row for each step of each start."""
        return np.swapaxes(values, 0, 1).reshape(steps * starts, *values.shape[2:])

    columns = (
        Column("start", np.repeat(np.arange(starts), steps)),
        Column("step", np.tile(np.arange(steps), starts)),
        *vectors("query", scene.key_columns, flat(path.queries)),
        *vectors("output", scene.value_columns, flat(path.outputs)),
        Column("loss L", flat(path.losses)),
        Column("‖∂L/∂q‖", flat(path.gradients)),
        Column("temperature τ", np.tile(path.temperatures, starts)),
    )
    return NamedTable("Descent", columns)


def field_maps(field: Field, scene: Scene) -> Iterator[NamedMap]:
    """Loss and way down over the plane of queries."""
    first, second = scene.key_columns
    down, across = Column(second.name, field.y, second.unit), Column(first.name, field.x, first.unit)
    yield NamedMap("loss L over the queries", down, across, field.losses)
    for column, values in zip(scene.key_columns, np.moveaxis(field.down, -1, 0), strict=True):
        yield NamedMap(f"−∂L/∂q: {column.name}", down, across, values)


def saturation_tables(result: SaturationResult) -> Iterator[Table]:
    columns = (
        Column("temperature τ", result.temperatures),
        Column("‖∂o/∂q‖", result.norms),
        Column("largest ∂a/∂s", result.slopes),
        Column("zone", result.zones),
    )
    yield NamedTable("Saturation", columns)


def verify_tables(result: VerifyResult) -> Iterator[Table]:
    scene = result.inputs.scene
    for precision, check in result.checks.items():
        for way in ("closed", "autograd", "numeric"):
            yield jacobian_map(f"∂o/∂q, {way}, {precision}", scene, getattr(check, way))
        columns = Column("step h", check.steps), Column("largest difference", check.errors)
        yield NamedTable(f"Error of the differences, {precision}", columns)
        if check.eigenvalues is not None:
            columns = (Column("eigenvalue", check.eigenvalues),)
            yield NamedTable(f"Eigenvalues of ∂o/∂q, {precision}", columns)
    checks = result.checks.values()
    yield NamedTable(
        "Differences from the closed form",
        (
            Column("precision", list(result.checks)),
            Column("best step h", [check.step for check in checks]),
            Column("autograd", [check.autograd_error for check in checks]),
            Column("differences", [check.numeric_error for check in checks]),
        ),
    )


def path_tables(result: PathsResult) -> Iterator[Table]:
    paths = result.paths
    columns = (
        Column("distance", paths.distances),
        Column("weight a", paths.value_path),
        Column("a(1−a)/τ", paths.score_path),
        Column("log10 of λ^distance", paths.recurrent_log10),
    )
    yield NamedTable("Paths", columns)
    yield NamedTable("Attention passes more", (Column("from the distance", [result.crossing]),))


def memory_tables(result: MemoryResult, scene: Scene) -> Iterator[Table]:
    keys, step = scene.key_columns, Column("step", np.arange(len(result.states)))
    names = patterns_of(scene)[: result.weights.shape[1]]
    yield NamedTable("Patterns", (Column("pattern", names), *vectors("key", keys, result.inputs.patterns.values)))
    yield NamedTable("Recall", (step, *vectors("state", keys, result.states), Column("energy", result.energies)))
    yield NamedMap("Weights of the recall", step, Column("pattern", names), result.weights)
    yield NamedTable(
        "Fixed points",
        (
            *vectors("state", keys, result.points),
            Column("energy", result.point_energies),
            Column("stable", result.stable),
            Column("pattern", [names[j] if j >= 0 else "blend" for j in result.pattern]),
        ),
    )
    if result.landscape is not None:
        yield from landscape_maps(result.landscape, scene)


def landscape_maps(shape: Landscape, scene: Scene) -> Iterator[NamedMap]:
    """Energy and basins over the plane of states; a basin is the row of its fixed point, from 0."""
    first, second = scene.key_columns
    down, across = Column(second.name, shape.y, second.unit), Column(first.name, shape.x, first.unit)
    yield NamedMap("Energy", down, across, shape.energies)
    if shape.basins is not None:
        yield NamedMap("Basins", down, across, shape.basins)
