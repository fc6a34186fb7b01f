"""The numbers of a descent with every digit; the table beside the controls has vectors as short texts."""

from __future__ import annotations

from labapp.named_table import NamedTable
from models.flow_descent import DescentResult


def descent_table(result: DescentResult) -> NamedTable:
    """One row for each step of each start: query, output, loss, ‖∂L/∂q‖, temperature."""
    path, scene = result.path, result.inputs.scene
    columns = [("start", ""), ("step", "")]
    columns += [(f"query: {column.name}", column.unit) for column in scene.key_columns]
    columns += [(f"output: {column.name}", column.unit) for column in scene.value_columns]
    columns += [("loss L", ""), ("‖∂L/∂q‖", ""), ("temperature τ", "")]
    rows = [
        (start, step, *path.queries[step, start].tolist(), *path.outputs[step, start].tolist(),
         float(path.losses[step, start]), float(path.gradients[step, start]), float(path.temperatures[step]))
        for start in range(path.losses.shape[1])
        for step in range(len(path) + 1)
    ]  # fmt: skip
    return NamedTable("Descent", tuple(columns), tuple(rows))
