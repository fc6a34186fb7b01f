"""The read-out: one row for each entry, with its key, value, score, weight and share of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labapp.errors import PlainError
from labapp.numbers import parse_number
from labapp.panel import Lab
from labapp.readout import ReadoutColumn, ReadoutTable
from models.app_state import AppState
from models.scene import Scene
from models.scene_edit import move_key, move_value, rename_entry
from panels.lookup.updates import on_scene

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

MOST_COLUMNS = 3
"""Keys and values of up to so many numbers have a column for each."""


class LookupTable(ReadoutTable):
    """Names, keys and values can be typed; scores, weights and products follow."""

    def __init__(self, lab: Lab) -> None:
        super().__init__((), lab.look, lab.highlight, "Entries")
        self._lab = lab
        self._scene: Scene | None = None
        self._result: ExplorerResult | None = None
        self._layout: tuple[Any, ...] = ()
        self.edited.connect(self._on_edited)

    @property
    def current_row(self) -> int | None:
        """The entry that the user has chosen in the table."""
        row = self.view.currentIndex().row()
        return row if row >= 0 else None

    def choose_row(self, row: int) -> None:
        self.view.setCurrentIndex(self.model.index(min(row, self.model.rowCount() - 1), 0))

    def show_state(self, state: AppState) -> None:
        self._scene = state.scene
        layout = (state.scene.key_columns, state.scene.value_columns)
        if layout != self._layout:
            self._layout = layout
            self.set_columns(_columns(state.scene))
        self._show()

    def show_result(self, result: ExplorerResult) -> None:
        self._result = result
        self._show()

    def _show(self) -> None:
        scene, result = self._scene, self._result
        assert scene is not None
        known = result is not None and result.inputs[0].keys.shape == scene.keys.shape
        known = known and result.inputs[0].values.shape == scene.values.shape
        count = len(scene.keys)
        scores, weights = (_scores(result), result.soft.weights) if known else ([None] * count, [None] * count)
        products = weights[:, None] * scene.values.values if known else None
        cells: list[Any] = [scene.entries]
        cells += _numbers(scene.keys.values)
        cells += _numbers(scene.values.values)
        cells += [scores, weights]
        cells += _numbers(products) if known else [[None] * count] * _width(scene.values.values)
        self.set_rows(cells, _totals(scene, weights, products) if known else None)

    def _rename(self, row: int, name: str) -> None:
        if name:
            self._lab.dispatch(on_scene(rename_entry, row, name), "Rename entry")
        else:
            self._lab.notify("An entry needs a name; the old one stays.")

    def _on_edited(self, row: int, column: int, text: str) -> None:
        scene = self._scene
        assert scene is not None
        if column == 0:
            self._rename(row, text.strip())
            return
        keys = _width(scene.keys.values)
        is_key = column <= keys
        table = (scene.keys if is_key else scene.values).values
        try:
            number = parse_number(text)
        except PlainError as error:
            self._lab.notify(error.sentence)
            return
        point = table[row].copy()
        point[column - 1 - (0 if is_key else keys)] = number
        edit, label = (move_key, "Type key") if is_key else (move_value, "Type value")
        self._lab.dispatch(on_scene(edit, row, point), label)


def _scores(result: ExplorerResult) -> Any:
    """The scores, with "masked" where an entry takes no part: what it would have scored says nothing."""
    mask = result.inputs[0].mask_row
    if mask is None:
        return result.scores
    return [score if takes_part else "masked" for score, takes_part in zip(result.scores, mask, strict=True)]


def _columns(scene: Scene) -> list[ReadoutColumn]:
    columns = [ReadoutColumn("entry", editable=True)]
    for kind, named, table in (("key", scene.key_columns, scene.keys), ("value", scene.value_columns, scene.values)):
        if _width(table.values):
            columns += [ReadoutColumn(column.name, column.unit, kind, editable=True) for column in named]
    columns += [ReadoutColumn("score"), ReadoutColumn("weight")]
    names = [column.name for column in scene.value_columns][: _width(scene.values.values)]
    return columns + [ReadoutColumn(f"weight ×\n{name}", meaning="output") for name in names]


def _width(table: np.ndarray) -> int:
    return table.shape[1] if table.shape[1] <= MOST_COLUMNS else 0


def _numbers(table: np.ndarray) -> list[np.ndarray]:
    return list(table.T) if _width(table) else []


def _totals(scene: Scene, weights: np.ndarray, products: np.ndarray) -> list[Any]:
    blanks = [None] * (_width(scene.keys.values) + _width(scene.values.values) + 1)
    sums = [float(column.sum()) for column in _numbers(products)]
    return ["sum", *blanks, float(weights.sum()), *sums]
