"""The numbers below a picture: a table with totals, and one sentence in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLabel, QSizePolicy, QTableView, QVBoxLayout, QWidget

from labapp.look import Look
from labapp.named_table import Column, NamedTable, plain
from labapp.numbers import format_number
from labapp.panel import Highlight

MARKS = {"query": "│", "key": "■", "value": "●", "output": "◆", "gradient": "→", "truth": "✕"}
"""What doubles each colour, so that nothing rests on colour alone."""

Role = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
# Made once: combining flags costs microseconds, and a paint asks for hundreds.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_READABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_EDITABLE = _READABLE | Qt.ItemFlag.ItemIsEditable


@dataclass(frozen=True)
class ReadoutColumn:
    """One column: its name and unit, the meaning whose colour and mark it has, and whether its cells can be typed."""

    title: str
    unit: str = ""
    meaning: str | None = None
    editable: bool = False

    @property
    def header(self) -> str:
        name = f"{self.title},\n{self.unit}" if self.unit else self.title
        return f"{MARKS[self.meaning]} {name}" if self.meaning else name


class ReadoutModel(QAbstractTableModel):
    """Columns of texts or numbers. Cells are formatted when they are seen, so 10,000 rows cost no more than 20."""

    edited = Signal(int, int, str)

    def __init__(self, columns: Sequence[ReadoutColumn], look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self._look = look
        self._cells: tuple[Sequence[Any], ...] = ((),) * len(self.columns)
        self._rows = 0
        self.lit: int | None = None

    def rowCount(self, parent: Index = _ROOT) -> int:  # noqa: N802
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = _ROOT) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(self.columns)

    def set_cells(self, cells: Sequence[Sequence[Any]]) -> None:
        """One sequence a column, all of the same length. Selection and scroll stay."""
        rows = len(cells[0]) if cells else 0
        before = self._rows
        if rows < before:
            self.beginRemoveRows(_ROOT, rows, before - 1)
            self._cells, self._rows = tuple(cells), rows
            self.endRemoveRows()
        elif rows > before:
            self.beginInsertRows(_ROOT, before, rows - 1)
            self._cells, self._rows = tuple(cells), rows
            self.endInsertRows()
        self._cells = tuple(cells)
        self._repaint(0, min(before, rows) - 1)

    def light(self, row: int | None) -> None:
        """Light one row."""
        before, self.lit = self.lit, row
        for changed in (before, row):
            if changed is not None and changed < self._rows:
                self._repaint(changed, changed)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role in (Role.DisplayRole, Role.EditRole):
            return self.text(index.row(), index.column())
        if role == Role.TextAlignmentRole:
            is_text = isinstance(self._cells[index.column()][index.row()], str)
            return _LEFT if is_text else _RIGHT
        if role == Role.ForegroundRole and column.meaning:
            return self._look.colour(column.meaning)
        if index.row() == self.lit:
            return self._lit_data(role)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:  # noqa: N802
        if orientation == Qt.Orientation.Horizontal:
            if role == Role.DisplayRole:
                return self.columns[section].header
            if role == Role.ForegroundRole and self.columns[section].meaning:
                return self._look.colour(str(self.columns[section].meaning))
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _EDITABLE if index.isValid() and self.columns[index.column()].editable else _READABLE

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # noqa: N802
        """Ask for another text; what the cell then shows is up to the state."""
        if role == Role.EditRole and value != self.text(index.row(), index.column()):
            self.edited.emit(index.row(), index.column(), str(value))
        return False

    def text(self, row: int, column: int) -> str:
        cell = self._cells[column][row]
        if cell is None:
            return ""
        return cell if isinstance(cell, str) else format_number(float(cell))

    def exact(self, row: int, column: int) -> str:
        """The cell with every digit, for the clipboard."""
        cell = self._cells[column][row]
        return "" if cell is None else cell if isinstance(cell, str) else repr(float(cell))

    @property
    def cells(self) -> tuple[Sequence[Any], ...]:
        """The cells, column by column, as they were given."""
        return self._cells

    def _lit_data(self, role: int) -> Any:
        if role == Role.BackgroundRole:
            tint = QColor(self._look.colour("accent"))
            tint.setAlpha(60)
            return tint
        if role == Role.FontRole:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def _repaint(self, first: int, last: int) -> None:
        if 0 <= first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))


class ReadoutView(QTableView):
    """A table whose rows light the same entry everywhere; Ctrl+C copies with every digit."""

    def __init__(self, model: ReadoutModel, highlight: Highlight | None) -> None:
        super().__init__()
        self._model, self._highlight = model, highlight
        self.needs: list[int] = []
        """How wide each column must be to show its cells."""
        self.setModel(model)
        self.verticalHeader().hide()
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self._spreads = False
        self.horizontalHeader().sectionResized.connect(self._on_width)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        if highlight is not None:
            self.setMouseTracking(True)
            self.entered.connect(lambda index: highlight.show(index.row()))
            highlight.changed.connect(self._on_highlight)

    def spread(self) -> None:
        """Give each column what it needs and, where there is more room, an equal part of it."""
        count = max(1, len(self.needs))
        spare, rest = divmod(max(0, self.viewport().width() - sum(self.needs)), count)
        self._spreads = True
        for i, need in enumerate(self.needs):
            self.setColumnWidth(i, need + spare + (rest if i == count - 1 else 0))
        self._spreads = False

    def _on_width(self, column: int, before: int, width: int) -> None:
        """What the user gives a column is what it needs from then on."""
        if not self._spreads and column < len(self.needs):
            self.needs[column] = width

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.spread()

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        if self._highlight is not None and self.hasFocus() and current.isValid():
            self._highlight.show(current.row())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        super().leaveEvent(event)
        if self._highlight is not None:
            self._highlight.show(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """The selected cells as lines of cells with tabs between."""
        rows: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda i: (i.row(), i.column())):
            rows.setdefault(index.row(), []).append(self._model.exact(index.row(), index.column()))
        return "\n".join("\t".join(cells) for cells in rows.values())

    def _on_highlight(self, entry: int | None) -> None:
        self._model.light(entry)
        if entry is not None and entry < self._model.rowCount() and not self.underMouse():
            self.scrollTo(self._model.index(entry, max(0, self.columnAt(0))))


class ReadoutTable(QWidget):
    """A table of rows with a line of totals that stays in sight.

    ``edited(row, column, text)`` is what the user typed into an editable cell.
    """

    edited = Signal(int, int, str)

    def __init__(
        self, columns: Sequence[ReadoutColumn], look: Look, highlight: Highlight | None = None, name: str = "Read-out"
    ) -> None:
        super().__init__()
        self.model = ReadoutModel(columns, look, self)
        self.view = ReadoutView(self.model, highlight)
        self.view.setAccessibleName(name)
        self._totals = ReadoutModel(columns, look, self)
        self.footer = self._make_footer()
        self.footer.setAccessibleName(f"{name}: totals")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.view, stretch=1)
        layout.addWidget(self.footer)
        self.model.edited.connect(self.edited)
        look.changed.connect(self.view.viewport().update)

    def set_columns(self, columns: Sequence[ReadoutColumn]) -> None:
        """Other columns; the rows are gone until ``set_rows``."""
        self.view.needs = []
        for model in (self.model, self._totals):
            model.beginResetModel()
            model.columns = tuple(columns)
            model.set_cells([()] * len(columns))
            model.endResetModel()

    def set_rows(self, cells: Sequence[Sequence[Any]], totals: Sequence[Any] | None = None) -> None:
        """One sequence of texts, numbers or None a column; ``totals`` has one cell a column."""
        is_first = self.model.rowCount() == 0
        self.model.set_cells(cells)
        self._totals.set_cells([[cell] for cell in totals] if totals is not None else [[]] * len(cells))
        self.footer.setVisible(totals is not None)
        if is_first:
            self._fit()

    def named(self) -> NamedTable:
        """Everything that the table holds, the totals last."""
        columns = tuple(
            Column(" ".join(column.title.split()), [*plain(cells), *plain(totals)], column.unit)
            for column, cells, totals in zip(self.model.columns, self.model.cells, self._totals.cells, strict=True)
        )
        return NamedTable(self.view.accessibleName(), columns)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Not with the look's own signal: widgets learn of their font after it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _make_footer(self) -> QTableView:
        footer = ReadoutView(self._totals, None)
        footer.horizontalHeader().hide()
        footer.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        footer.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        footer.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        footer.hide()
        self.view.horizontalHeader().sectionResized.connect(lambda i, _, width: footer.setColumnWidth(i, width))
        above, below = self.view.horizontalScrollBar(), footer.horizontalScrollBar()
        above.valueChanged.connect(below.setValue)
        below.rangeChanged.connect(lambda: below.setValue(above.value()))
        return footer

    def _fit(self) -> None:
        """Widths by the headers and the first rows, heights by the text size."""
        metrics = self.fontMetrics()
        pad = metrics.averageCharWidth() + 8
        rows = range(min(50, self.model.rowCount()))
        self.view.needs = []
        for i, column in enumerate(self.model.columns):
            texts = [*column.header.splitlines(), *(self.model.text(row, i) for row in rows), "−0.00000"]
            self.view.needs.append(pad + max(map(metrics.horizontalAdvance, texts)))
        self.view.spread()
        height = round(1.4 * metrics.height())
        for view in (self.view, self.footer):
            view.verticalHeader().setMinimumSectionSize(height)
            view.verticalHeader().setDefaultSectionSize(height)
        self.footer.setFixedHeight(height + 2)


class SentenceLabel(QLabel):
    """One sentence in plain words; it wraps and can be selected, and it is its own accessible name."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self.show_sentence(text)

    def show_sentence(self, text: str) -> None:
        if text != self.text():
            self.setText(text)
            self.setAccessibleName(text)
