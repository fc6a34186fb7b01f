"""The import dialog: see the table as it was read, correct the reading, choose columns and rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QProgressBar,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from labapp.errors import sentence_of
from labapp.tables.choice import ImportChoice, Role
from labapp.tables.dialog_parts import Question, plain_label, preview_table, scrolling, show_model, titled
from labapp.tables.loader import TableLoader, TableSource
from labapp.tables.preview import PreviewModel
from labapp.tables.reading_bar import ReadingBar
from labapp.tables.role_editor import RoleEditor, missing_roles
from labapp.tables.table import Selection, Table

MOST_REASONS = 500
_BASE_SIZE = (980, 640)


class ImportDialog(QDialog):
    """Reads ``source`` (a path, or pasted text) and asks what its columns are.

    After ``exec`` has returned ``Accepted``, ``choice`` holds the answer. Until then nothing outside is touched, so
    that cancelling leaves everything as it was.
    """

    def __init__(self, source: TableSource, roles: Sequence[Role], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice: ImportChoice | None = None
        self.model: PreviewModel | None = None
        self.roles = tuple(roles)
        self._loader = TableLoader(source, self)
        self.setWindowTitle(f"Import {source.name}" if isinstance(source, Path) else "Import the pasted table")
        self._build()
        self._connect()
        available = QGuiApplication.primaryScreen().availableSize()
        self.resize(min(_BASE_SIZE[0], available.width()), min(_BASE_SIZE[1], available.height()))
        self.read()

    @property
    def table(self) -> Table | None:
        """The table as read last, None while there is none."""
        return self.model.table if self.model else None

    @Slot()
    def read(self) -> None:
        """Read the source as the boxes say; the old preview stays, disabled, until the new one is there."""
        self.problem.hide()
        self.progress.setValue(0)
        self.progress.show()
        self.body.setEnabled(False)
        self._import.setEnabled(False)
        self.summary.setText("Reading…")
        self._loader.load(self.reading.options())

    def done(self, result: int) -> None:
        self._loader.close()
        super().done(result)

    def accept(self) -> None:
        if self.model is None or not self._import.isEnabled():
            return
        chosen = self.role_editor.roles()
        columns = {
            role.id: tuple(c for c, id_ in zip(self.model.table.columns, chosen, strict=True) if id_ == role.id)
            for role in self.roles
        }
        self.choice = ImportChoice(self.model.table, columns, self._kept_rows(self._selection()))
        super().accept()

    def _build(self) -> None:
        self.reading = ReadingBar()
        self.problem = plain_label("Problem")
        self.question = Question()
        self.preview = preview_table()
        self.role_editor = RoleEditor(self.roles)
        self.reasons = QListWidget()
        self.reasons.setAccessibleName("Lines left out, and why")
        self.notes = plain_label("What was recognised")
        self.summary = plain_label("Summary")
        self.progress = QProgressBar()
        self.progress.setRange(0, 1000)
        self.progress.setAccessibleName("Reading the table")
        self.leave_out = QPushButton("&Leave out selected rows")
        self.keep = QPushButton("&Keep selected rows")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._import: QPushButton = self.buttons.addButton("&Import", QDialogButtonBox.ButtonRole.AcceptRole)
        self.body = self._splitter()
        content = QWidget()
        inner = QVBoxLayout(content)
        for widget in (self.reading, self.problem, self.question, self.notes, self.body):
            inner.addWidget(widget, stretch=int(widget is self.body))
        layout = QVBoxLayout(self)
        layout.addWidget(scrolling(content), 1)
        layout.addWidget(self.progress)
        layout.addWidget(self.summary)
        layout.addWidget(self.buttons)
        self.problem.hide()

    def _splitter(self) -> QSplitter:
        splitter = QSplitter(Qt.Orientation.Horizontal)
        rows = QHBoxLayout()
        rows.addWidget(self.leave_out)
        rows.addWidget(self.keep)
        rows.addStretch(1)
        splitter.addWidget(titled("&Rows", self.preview, rows))
        side = QSplitter(Qt.Orientation.Vertical)
        side.addWidget(titled("&Use the columns as", self.role_editor))
        side.addWidget(titled("Lines left &out", self.reasons))
        splitter.addWidget(side)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        splitter.setChildrenCollapsible(False)
        return splitter

    def _connect(self) -> None:
        self._loader.progressed.connect(self._on_progress)
        self._loader.loaded.connect(self._on_loaded)
        self._loader.failed.connect(self._on_failed)
        self.reading.changed.connect(self.read)
        self.question.other.clicked.connect(self._on_other_reading)
        self.role_editor.changed.connect(self._refresh)
        self.leave_out.clicked.connect(lambda: self._keep_selected(False))
        self.keep.clicked.connect(lambda: self._keep_selected(True))
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @Slot(float)
    def _on_progress(self, fraction: float) -> None:
        self.progress.setValue(round(1000 * fraction))

    @Slot(object)
    def _on_loaded(self, table: Table) -> None:
        known = dict(zip(self.table.names, self.role_editor.roles(), strict=True)) if self.table else {}
        self.model = PreviewModel(table, self.model)
        self.model.choice_changed.connect(self._refresh)
        show_model(self.preview, self.model)
        self.reading.show_recognised(table.recognised)
        self.notes.setText(" ".join(table.notes))
        self.question.show_for(table)
        self.progress.hide()
        self.body.setEnabled(True)
        self.role_editor.show_table(table, known)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self.problem.setText(sentence_of(error) or "The table could not be read: a fault of this program.")
        self.problem.show()
        self.progress.hide()
        self.question.hide()
        self.notes.clear()
        self.summary.setText("Nothing to import.")

    @Slot()
    def _on_other_reading(self) -> None:
        if self.table is not None:
            self.reading.choose_decimal("," if self.table.recognised.decimal == "." else ".")

    def _keep_selected(self, kept: bool) -> None:
        if self.model is not None:
            for part in self.preview.selectionModel().selection().toList():
                self.model.keep(slice(part.top(), part.bottom() + 1), kept)

    def _selection(self) -> Selection:
        assert self.model is not None
        chosen = zip(self.model.table.columns, self.role_editor.roles(), strict=True)
        return self.model.table.select(column.name for column, role in chosen if role)

    def _kept_rows(self, selection: Selection) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        assert self.model is not None
        return selection.rows[self.model.kept_by_person[selection.rows]]

    @Slot()
    def _refresh(self) -> None:
        """Show what the present choice of columns and rows takes and leaves out."""
        if self.model is None:
            return
        selection = self._selection()
        if (
            not np.array_equal(selection.lost, self.model.selection.lost)
            or selection.wanted != self.model.selection.wanted
        ):
            self.model.set_selection(selection)
        by_person = selection.rows[~self.model.kept_by_person[selection.rows]]
        sentences = [entry.sentence for entry in selection.first_left_out(MOST_REASONS)]
        sentences += [self.model.reason(int(row)) for row in by_person[:MOST_REASONS]]
        count = selection.count_left_out + len(by_person)
        more = count - len(sentences)
        self.reasons.clear()
        self.reasons.addItems(sentences + [f"and {QLocale().toString(more)} more"] * (more > 0))
        self._summarise(len(selection.rows) - len(by_person), count)

    def _summarise(self, kept: int, left_out: int) -> None:
        wish = missing_roles(self.roles, self.role_editor.roles())
        locale = QLocale()
        text = f"{locale.toString(kept)} of {locale.toString(kept + left_out)} rows will be imported."
        self.summary.setText(wish or (text if kept else "No row has a value in every chosen column."))
        self._import.setEnabled(not wish and kept > 0)
        self._import.setDefault(True)
