"""Edits of a scene: each is a pure function from scene to scene, so that every edit can be undone.

In a tied scene the rows of one table are query, key and value at once, and an edit moves all three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from models.arrays import Array
from models.errors import LabError
from models.scene import Column, Scene
from models.similarities import fitting

Numbers = npt.ArrayLike
MOST_ENTRIES = 5000


def move_query(scene: Scene, point: Numbers) -> Scene:
    """Ask at another point (d_k,). Where the query is a row of the list, the row moves with it."""
    query = _vector("query", point, scene.keys.shape[1])
    if scene.tied and scene.row is not None:
        return _set_row(scene, scene.row, query)
    moved = replace(scene, query=Array(query))
    if scene.row is None or scene.queries is None:
        return moved
    return replace(moved, queries=_with_row(scene.queries, scene.row, query))


def choose_query(scene: Scene, point: Numbers, row: int | None = None) -> Scene:
    """Make a point, or row ``row`` of the scene's list of queries, the present query.

    LabError for a point where each query has a row of its own: in a tied scene, or under a mask of many rows.
    """
    if row is not None and scene.queries is not None:
        return replace(scene, query=Array(scene.queries.values[row]), row=row)
    if scene.tied or (scene.mask is not None and scene.mask.values.ndim == 2):
        raise LabError("Here every query is a row of the list. Choose one of the rows, or edit the present one.")
    return replace(scene, query=Array(_vector("query", point, scene.keys.shape[1])), row=None)


def list_query(scene: Scene) -> Scene:
    """Add the present query to the list that the attention map shows, and let it be that row.

    A tied scene is left as it is (its list is its table), and so is one whose mask has a row for each query.
    """
    if scene.tied or (scene.mask is not None and scene.mask.values.ndim == 2):
        return scene
    rows = scene.query.values[None] if scene.queries is None else np.vstack([scene.queries.values, scene.query.values])
    names = (*scene.query_names, f"query {len(rows)}")
    return replace(scene, queries=Array(rows), query_names=names, row=len(rows) - 1)


def unlist_queries(scene: Scene) -> Scene:
    """No list: the attention map chooses its queries itself. A tied scene is left as it is."""
    return scene if scene.tied else replace(scene, queries=None, query_names=(), row=None)


def move_key(scene: Scene, index: int, point: Numbers) -> Scene:
    key = _vector("key", point, scene.keys.shape[1])
    return _set_row(scene, index, key) if scene.tied else replace(scene, keys=_with_row(scene.keys, index, key))


def move_value(scene: Scene, index: int, point: Numbers) -> Scene:
    value = _vector("value", point, scene.values.shape[1])
    return _set_row(scene, index, value) if scene.tied else replace(scene, values=_with_row(scene.values, index, value))


def rename_entry(scene: Scene, index: int, name: str) -> Scene:
    names = list(scene.entries)
    names[index] = name
    return _renamed(scene, tuple(names))


def stretch_query(scene: Scene, length: float) -> Scene:
    """The query in its own direction with another length; a query of length 0 has no direction and stays."""
    now = float(np.linalg.norm(scene.query.values))
    return scene if now == 0 else move_query(scene, scene.query.values * (length / now))


def allow_entry(scene: Scene, index: int, takes_part: bool) -> Scene:
    """Let an entry take part, or mask it, for the present query (for every query where the mask is one row)."""
    count = len(scene.keys)
    mask = np.ones(count, dtype=bool) if scene.mask is None else scene.mask.values.copy()
    (mask if mask.ndim == 1 or scene.row is None else mask[scene.row])[..., index] = takes_part
    return replace(scene, mask=None if mask.ndim == 1 and mask.all() else Array(mask))


def add_entry(scene: Scene, key: Numbers, value: Numbers, name: str = "") -> Scene:
    """A new entry at the end; a mask lets it take part."""
    count = len(scene.keys)
    key, value = _vector("key", key, scene.keys.shape[1]), _vector("value", value, scene.values.shape[1])
    keys, values = np.vstack([scene.keys.values, key]), np.vstack([scene.values.values, value])
    if scene.tied:
        return _tied(scene, keys, (*scene.entries, name or f"entry {count + 1}"), _grown(scene.mask))
    mask = (
        None
        if scene.mask is None
        else Array(np.append(scene.mask.values, np.ones((*scene.mask.shape[:-1], 1), bool), -1))
    )
    entries = (*scene.entries, name or f"entry {count + 1}")
    return replace(scene, keys=Array(keys), values=Array(values), entries=entries, mask=mask)


def remove_entry(scene: Scene, index: int) -> Scene:
    """The scene without an entry. LabError for the last one: a lookup needs something to look in."""
    if len(scene.keys) == 1:
        raise LabError("A dictionary needs at least one entry; add another before removing this one.")
    return _keep(scene, [row for row in range(len(scene.keys)) if row != index])


def move_entry(scene: Scene, index: int, to: int) -> Scene:
    """The scene with an entry at another place in the order; ties go to the lowest index, so order can matter."""
    order = list(range(len(scene.keys)))
    order.insert(min(max(to, 0), len(order) - 1), order.pop(index))
    return _keep(scene, order)


def own_scene(
    keys: Numbers,
    values: Numbers,
    key_columns: Sequence[Column],
    value_columns: Sequence[Column],
    entries: Sequence[str] = (),
    title: str = "My own table",
) -> Scene:
    """A scene from a user's table: squared distance, as wide as the keys' mean spacing asks, asked at their mean."""
    keys, values = _table("keys", keys), _table("values", values)
    if len(keys) != len(values) or len(keys) == 0:
        raise LabError(f"As many keys as values were expected, one at least; {len(keys)} and {len(values)} came.")
    if len(keys) > MOST_ENTRIES:
        raise LabError(f"A scene holds up to {MOST_ENTRIES} entries; {len(keys)} came. Leave some lines out.")
    names = tuple(entries) if len(entries) == len(keys) else tuple(f"entry {row + 1}" for row in range(len(keys)))
    scene = Scene(
        id="own",
        title=title,
        keys=Array(keys),
        values=Array(values),
        entries=names,
        key_columns=tuple(key_columns),
        value_columns=tuple(value_columns),
        query=Array(keys.mean(0)),
    )
    similarity = replace(fitting(scene.similarity, keys.shape[1]), name="squared_distance", sigma=_spacing(keys))
    return replace(scene, similarity=similarity)


def _spacing(keys: npt.NDArray[Any]) -> float:
    """A width to begin with: the spread of the keys over √m, within the range of the control; 1 for equal keys."""
    spread = float(np.linalg.norm(keys.std(0)))
    return min(max(spread / np.sqrt(len(keys)), 1e-3), 1e3) if spread > 0 else 1.0


def _keep(scene: Scene, order: list[int]) -> Scene:
    keys, values = scene.keys.values[order], scene.values.values[order]
    entries = tuple(scene.entries[row] for row in order)
    if scene.tied:
        mask = None if scene.mask is None else Array(scene.mask.values[np.ix_(order, order)])
        row = order.index(scene.row) if scene.row in order else 0
        return _tied(replace(scene, row=row), keys, entries, mask)
    mask = None if scene.mask is None else Array(scene.mask.values[..., order])
    return replace(scene, keys=Array(keys), values=Array(values), entries=entries, mask=mask)


def _tied(scene: Scene, rows: npt.NDArray[Any], entries: tuple[str, ...], mask: Array | None) -> Scene:
    table, row = Array(rows), scene.row or 0
    return replace(
        scene, keys=table, values=table, queries=table, query=Array(rows[row]), row=row, mask=mask,
        entries=entries, query_names=entries,
    )  # fmt: skip


def _set_row(scene: Scene, index: int, point: npt.NDArray[Any]) -> Scene:
    rows = scene.keys.values.copy()
    rows[index] = point
    return _tied(scene, rows, scene.entries, scene.mask)


def _renamed(scene: Scene, names: tuple[str, ...]) -> Scene:
    return replace(scene, entries=names, query_names=names if scene.tied else scene.query_names)


def _grown(mask: Array | None) -> Array | None:
    """A causal mask for one word more: it sees all before it, and none of them sees it."""
    if mask is None:
        return None
    count = len(mask) + 1
    grown = np.zeros((count, count), dtype=bool)
    grown[:-1, :-1] = mask.values
    grown[-1] = True
    return Array(grown)


def _with_row(table: Array, index: int, row: npt.NDArray[Any]) -> Array:
    rows = table.values.astype(float)
    rows[index] = row
    return Array(rows)


def _vector(what: str, point: Numbers, length: int) -> npt.NDArray[Any]:
    vector = np.atleast_1d(np.asarray(point, dtype=float))
    if vector.shape != (length,) or not np.isfinite(vector).all():
        raise LabError(f"A {what} of {length} finite numbers was expected; {vector.tolist()} came.")
    return vector


def _table(what: str, rows: Numbers) -> npt.NDArray[Any]:
    table = np.asarray(rows, dtype=float)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not np.isfinite(table).all():
        raise LabError(f"Rows of finite numbers were expected as {what}; leave out the lines with gaps first.")
    return table
