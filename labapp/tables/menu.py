"""The button through which a panel takes a table of the user's own: from a file, or from the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QToolButton, QWidget

from labapp.controls.menu_button import menu_button

TABLE_FILES = "Tables (*.csv *.tsv *.txt);;All files (*)"


def table_button(parent: QWidget, take: Callable[[Path | str], None], notify: Callable[[str], None]) -> QToolButton:
    """A button whose menu hands ``take`` a path, or pasted text; ``notify`` says where there is none."""
    button, menu = menu_button("My table")
    menu.addAction("Open CSV or TSV…", lambda: ask_for_file(parent, take))
    menu.addAction("Paste from a spreadsheet", lambda: _paste(take, notify))
    return button


def ask_for_file(parent: QWidget, take: Callable[[Path], None]) -> None:
    """Ask for a file with a table; nothing happens where none is chosen."""
    name, _ = QFileDialog.getOpenFileName(parent, "Open a table", "", TABLE_FILES)
    if name:
        take(Path(name))


def _paste(take: Callable[[str], None], notify: Callable[[str], None]) -> None:
    text = QGuiApplication.clipboard().text()
    if text.strip():
        take(text)
    else:
        notify("The clipboard holds no text. Copy cells in a spreadsheet first.")
