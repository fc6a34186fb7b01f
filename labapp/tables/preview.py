"""The table as the import dialog shows it: every line in the order of the file, those left out among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QPalette

from labapp.tables.table import Column, Selection, Table, shorten

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_LONGEST = 200


class PreviewModel(QAbstractTableModel):
    """Rows of the file with a box each to leave it out.

    The first column holds the line number and the box; the others are the table's columns. Left-out lines are greyed
    and say why in the tooltip. Cells are computed when they are seen, so that a million rows cost nothing.
    """

    choice_changed = Signal()

    def __init__(self, table: Table, before: PreviewModel | None = None) -> None:
        """``before`` is the model of an earlier reading: the lines that the person left out there stay out."""
        super().__init__()
        self.table = table
        self.kept_by_person = np.ones(table.rows, dtype=bool)
        if before is not None:
            self.kept_by_person = ~np.isin(table.lines, before.table.lines[~before.kept_by_person])
        self.selection = table.select(())
        self._lost = np.zeros(table.rows, dtype=bool)
        lines = np.concatenate([table.lines, np.array([entry.line for entry in table.left_out], dtype=np.int64)])
        order = np.argsort(lines, kind="stable")
        self._order = np.where(order < table.rows, order, table.rows - 1 - order)  # left-out line j stands as −1 − j

    def set_selection(self, selection: Selection) -> None:
        """The rows that the present choice of columns takes."""
        self.selection = selection
        self._lost[:] = False
        self._lost[selection.lost] = True
        self._all_changed()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else 1 + len(self.table.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = int(self._order[index.row()])
        if role == Role.DisplayRole:
            return shorten(self._text(row, index.column()), _LONGEST)
        if role == Role.CheckStateRole and self._has_box(index):
            return Qt.CheckState.Checked if self.kept_by_person[row] else Qt.CheckState.Unchecked
        if role == Role.TextAlignmentRole and self._is_right_aligned(index.column()):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return self._look(row, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        if orientation == Qt.Orientation.Vertical:
            return None
        if section == 0:
            return {Role.DisplayRole: "line", Role.ToolTipRole: "Line of the file; clear the box to leave it out"}.get(
                Role(role)
            )
        column = self.table.columns[section - 1]
        if role == Role.DisplayRole:
            return shorten(column.name, 40)
        return plain_tip(describe(column)) if role == Role.ToolTipRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._has_box(index) else flags

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # noqa: N802
        if role != Role.CheckStateRole or not self._has_box(index):
            return False
        self.keep(slice(index.row(), index.row() + 1), Qt.CheckState(value) == Qt.CheckState.Checked)
        return True

    def keep(self, places: slice, kept: bool) -> None:
        """Keep or leave out the rows that stand at these places of the preview."""
        rows = self._order[places]
        self.kept_by_person[rows[rows >= 0]] = kept
        self._all_changed()
        self.choice_changed.emit()

    def reason(self, row: int) -> str:
        """Why the row is left out, or ""; ``row`` counts as in the table, a left-out line j as −1 − j."""
        if row < 0:
            return self.table.left_out[-1 - row].sentence
        if self._lost[row]:
            return self.selection.why_not(row).sentence
        return "" if self.kept_by_person[row] else f"line {self.table.lines[row]} is left out by you"

    def _has_box(self, index: Index) -> bool:
        """Only what could be imported asks whether it shall be."""
        row = int(self._order[index.row()])
        return index.column() == 0 and row >= 0 and not bool(self._lost[row])

    def _text(self, row: int, column: int) -> str:
        if column == 0:
            return str(self.table.lines[row] if row >= 0 else self.table.left_out[-1 - row].line)
        cells = self.table.left_out[-1 - row].cells if row < 0 else None
        if cells is None:
            return self._reading(self.table.columns[column - 1], row)
        return cells[column - 1] if column <= len(cells) else ""

    @staticmethod
    def _reading(column: Column, row: int) -> str:
        """The cell as it stands in the file; where its mark is in doubt, with the number that it is read as."""
        text, value = column.texts[row], column.values[row]
        if column.other_values is None or np.isnan(value) or value == column.other_values[row]:
            return text
        return f"{text} → {QLocale().toString(float(value), 'g', 12)}"

    def _look(self, row: int, role: int) -> Any:
        if role not in (Role.ForegroundRole, Role.FontRole, Role.ToolTipRole, Role.AccessibleDescriptionRole):
            return None
        reason = self.reason(row)
        if not reason:
            return None
        if role == Role.ForegroundRole:
            return QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
        if role == Role.FontRole:
            font = QFont()
            font.setStrikeOut(True)
            return font
        return plain_tip(reason) if role == Role.ToolTipRole else reason

    def _is_right_aligned(self, column: int) -> bool:
        return column == 0 or self.table.columns[column - 1].kind == "number"

    def _all_changed(self) -> None:
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))


def describe(column: Column, longest: int = _LONGEST) -> str:
    """Name (cut to ``longest`` signs), kind and unit of a column."""
    unit = f", {column.unit}" if column.kind == "number" and column.unit not in ("", "-") else ""
    return f"{shorten(column.name, longest)} ({column.kind}{unit})"


def plain_tip(text: str) -> str:
    """Text for a tooltip, which takes no format of text: what files hold is shown as it stands."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<span>{escaped}</span>"
