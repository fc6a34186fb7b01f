"""A small matrix whose numbers can be typed."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractScrollArea, QHeaderView, QSizePolicy, QTableWidget, QTableWidgetItem, QWidget

from labapp.errors import PlainError
from labapp.numbers import edit_text, parse_number


class MatrixEditor(QTableWidget):
    """``edited(row, column, value)`` is what the user typed; the panel dispatches it and ``show_matrix`` shows it.

    Text that is no number is put back, with a sentence through ``refused``.
    """

    edited = Signal(int, int, float)
    refused = Signal(str)

    def __init__(self, name: str = "Matrix", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: np.ndarray[Any, np.dtype[np.float64]] = np.zeros((0, 0))
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QAbstractScrollArea.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.setTabKeyNavigation(False)
        self.itemChanged.connect(self._on_changed)

    def show_matrix(self, values: Any) -> None:
        """Show an array (rows, columns) or one row (columns,)."""
        values = np.atleast_2d(np.asarray(values, dtype=float))
        if np.array_equal(values, self._values):
            return
        self._values = values.copy()
        with QSignalBlocker(self):
            self.setRowCount(values.shape[0])
            self.setColumnCount(values.shape[1])
            for row, column in np.ndindex(*values.shape):
                self._show_cell(row, column)
        self.updateGeometry()

    def _show_cell(self, row: int, column: int) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.setItem(row, column, item)
        item.setText(edit_text(self._values[row, column]))
        item.setToolTip(repr(float(self._values[row, column])))

    def _on_changed(self, item: QTableWidgetItem) -> None:
        row, column = item.row(), item.column()
        text = item.text()
        with QSignalBlocker(self):
            self._show_cell(row, column)
        if text == item.text():
            return
        try:
            value = parse_number(text)
        except PlainError as error:
            self.refused.emit(error.sentence)
            return
        self.edited.emit(row, column, value)
