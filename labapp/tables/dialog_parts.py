"""Small parts of the import dialog."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from labapp.tables.table import Table

_ROWS_MEASURED = 60  # for the width of a column; all of them would hold up the window


class Question(QWidget):
    """The question that a table leaves open, with the button that answers it the other way."""

    def __init__(self) -> None:
        super().__init__()
        self.text = plain_label("Question about the numbers")
        self.other = QPushButton("Read it the other &way")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.other)
        self.hide()

    def show_for(self, table: Table) -> None:
        self.text.setText(table.question)
        self.setVisible(bool(table.question))


def plain_label(name: str) -> QLabel:
    """A label that wraps, can be copied from and shows text as it stands, whatever a file put into it."""
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    label.setAccessibleName(name)
    return label


def preview_table() -> QTableView:
    view = QTableView()
    view.setAccessibleName("Rows of the file")
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setWordWrap(False)
    view.setTabKeyNavigation(False)
    view.verticalHeader().hide()
    view.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
    view.horizontalHeader().setSectionsClickable(False)
    view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 8)
    view.horizontalHeader().setMaximumSectionSize(view.fontMetrics().averageCharWidth() * 40)
    return view


def show_model(view: QTableView, model: QAbstractItemModel) -> None:
    """Show the model, with a selection of its own in the header.

    A header that follows the view's selection asks every cell of its columns when it is painted: half a minute for a
    million selected rows.
    """
    view.setModel(model)
    view.horizontalHeader().setSelectionModel(QItemSelectionModel(model, model))
    view.resizeColumnsToContents()


def scrolling(content: QWidget) -> QScrollArea:
    """The content, scrolled only where text is so large that it outgrows the screen."""
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return area


def titled(title: str, widget: QWidget, below: QLayout | None = None) -> QWidget:
    """A widget under its title, whose mnemonic leads to it."""
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    label = QLabel(title)
    label.setBuddy(widget)
    layout.addWidget(label)
    layout.addWidget(widget, 1)
    if below is not None:
        layout.addLayout(below)
    return box
