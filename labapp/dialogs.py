"""The shortcut sheet and the about box."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from labapp.versions import versions

GESTURES = [
    ("Drag a mark in a picture", "change what it stands for"),
    ("Shift while dragging", "move finely"),
    ("Ctrl while dragging", "snap to the grid"),
    ("Escape while dragging", "take the drag back"),
    ("Tab, then arrows", "reach a mark and move it; Shift finely, Page keys far"),
    ("Double click in a picture", "show everything again"),
    ("Right click on a control", "reset this one"),
]


def shortcut_sheet(parent: QWidget, shortcuts: list[tuple[str, str]]) -> QDialog:
    """All keys and gestures in one table."""
    rows = [(keys, action) for action, keys in shortcuts] + GESTURES
    table = QTableWidget(len(rows), 2)
    table.setHorizontalHeaderLabels(["Keys or gesture", "What it does"])
    table.verticalHeader().hide()
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            table.setItem(row, column, QTableWidgetItem(text))
    table.resizeColumnsToContents()
    table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
    dialog = _dialog(parent, "Shortcuts", table)
    em = dialog.fontMetrics().height()
    dialog.resize(40 * em, 32 * em)
    return dialog


def about_box(parent: QWidget, computing: dict[str, str], device: str) -> QDialog:
    """Versions and device, with a button that copies them."""
    lines = [f"{name}: {number}" for name, number in versions(computing).items()] + [f"Device: {device}"]
    label = QLabel("Attention, seen as a soft dictionary lookup.\n\n" + "\n".join(lines))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    dialog = _dialog(parent, "About Lookup Lab", label)
    copy = QPushButton("Copy")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText("\n".join(lines)))
    dialog.findChildren(QDialogButtonBox)[0].addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
    return dialog


def _dialog(parent: QWidget, title: str, content: QWidget) -> QDialog:
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.close)
    layout = QVBoxLayout(dialog)
    layout.addWidget(content)
    layout.addWidget(buttons)
    return dialog
