"""The numbers of the explorer's pictures with every digit, as tables and a map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from labapp.named_table import Column, NamedMap, NamedTable, Table, vectors
from models.explorer_state import Pin
from models.scene import Scene

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

LOOKUPS = ("exact", "nearest", "soft")


def numbers_of(result: ExplorerResult, pins: tuple[Pin, ...], shows_map: bool) -> Iterator[Table]:
    """All that the pictures and the sentences of a result show; the read-out has the entries."""
    scene = result.inputs[0]
    yield NamedTable("Query", vectors("query", scene.key_columns, scene.query.values[None]))
    yield measures_table(result)
    yield answers_table(result)
    yield weights_table(result)
    if scene.keys.shape[1] == 1:
        yield from curve_tables(result)
        for pin in pins:
            columns = Column(scene.key_columns[0].name, pin.x.values, scene.key_columns[0].unit), pinned(scene, pin)
            yield NamedTable(f"Pinned: {pin.label}", columns)
    if scene.keys.shape[1] > 1 and scene.values.shape[1] == 2:
        yield NamedTable("Convex hull of the values", vectors("value", scene.value_columns, result.hull))
    if shows_map:
        yield attention_map(result)


def measures_table(result: ExplorerResult) -> NamedTable:
    """One row: the single numbers that the sentences are about."""
    scene = result.inputs[0]
    return NamedTable(
        "Measures",
        (
            Column("temperature τ", [scene.temperature]),
            Column("length of the query", [float(np.linalg.norm(scene.query.values))]),
            Column("entropy H", [result.entropy], "nats"),
            Column("effective number", [result.effective_number]),
            Column("weights of −‖q−k‖² and 2q·k − ‖k‖² differ by", [result.same_as_distance]),
            Column("and without ‖k‖² by", [result.without_norms]),
        ),
    )


def answers_table(result: ExplorerResult) -> NamedTable:
    """A row for each lookup: whether it found something, and its answer."""
    answers = [getattr(result, name) for name in LOOKUPS]
    outputs = np.array([answer.output for answer in answers])
    found = Column("found", ["yes" if answer.found else "no" for answer in answers])
    columns = vectors("answer", result.inputs[0].value_columns, outputs)
    return NamedTable("Answers", (Column("lookup", LOOKUPS), found, *columns))


def weights_table(result: ExplorerResult) -> NamedTable:
    """Keys, values, score and the weights of all lookups: a row for each entry, however many numbers it has."""
    scene = result.inputs[0]
    weights = (Column(f"weight, {name}", getattr(result, name).weights) for name in LOOKUPS)
    return NamedTable(
        "Weights",
        (
            Column("entry", scene.entries),
            *vectors("key", scene.key_columns, scene.keys.values),
            *vectors("value", scene.value_columns, scene.values.values),
            Column("score", result.scores),
            *weights,
        ),
    )


def curve_tables(result: ExplorerResult) -> Iterator[NamedTable]:
    """The answers over the sweep, and the corners of the nearest lookup's staircase."""
    scene, curve = result.inputs[0], result.curve
    for name, x, answers in (("soft", curve.x, curve.soft), ("nearest", curve.steps_x, curve.steps)):
        query = vectors("query", scene.key_columns, x[:, None])
        yield NamedTable(f"Curve: {name}", (*query, *vectors("answer", scene.value_columns, answers)))


def pinned(scene: Scene, pin: Pin) -> Column:
    """Which number of the values a pinned curve is of is known only where there is one."""
    one = scene.value_columns[0] if len(scene.value_columns) == 1 else None
    return Column(one.name if one else "answer", pin.y.values, one.unit if one else "")


def attention_map(result: ExplorerResult) -> NamedMap:
    """Rows are queries, by their number or their name, columns are entries; each row sums to 1."""
    scene, shown = result.inputs[0], result.map
    weights = np.where(shown.found[:, None], shown.weights, np.nan)
    return NamedMap("Attention map", _queries(result), Column("entry", scene.entries), weights)


def _queries(result: ExplorerResult) -> Column:
    scene, shown = result.inputs[0], result.map
    if shown.queries.shape[1] == 1:
        column = scene.key_columns[0]
        return Column(f"query: {column.name}", shown.queries[:, 0], column.unit)
    names = scene.query_names if shown.source == "list" else scene.entries if shown.source == "keys" else ()
    if len(names) == len(shown.queries):
        return Column("query", names)
    return Column("query", [" ".join(map(repr, query)) for query in shown.queries.tolist()])
