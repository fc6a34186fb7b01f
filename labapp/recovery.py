"""After a crash: which labs were not saved, and what becomes of each. And the guard that keeps them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from labapp.document import guarded
from labapp.errors import PlainError
from labapp.ring import Lost

PICTURE = QSize(160, 100)
TEXT = "The lab ended before these were saved. Restore one to go on with it; it keeps counting as unsaved."


class RecoveryDialog(QDialog):
    """Lists lost labs; each is restored, saved as a copy, or discarded. Closing it decides nothing."""

    def __init__(
        self,
        lost: list[Lost],
        restore: Callable[[Lost], None],
        ask_name: Callable[[], Path | None],
        report: Callable[[PlainError], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Labs that were not saved")
        self._restore, self._ask_name, self._report = restore, ask_name, report
        self._lost = list(lost)
        self.list = QListWidget()
        self.list.setIconSize(PICTURE)
        for each in lost:
            self.list.addItem(_item(each))
        self.list.setCurrentRow(0)
        text = QLabel(TEXT)
        text.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.list)
        layout.addWidget(self._buttons())
        em = self.fontMetrics().height()
        self.resize(32 * em, 24 * em)

    def _buttons(self) -> QDialogButtonBox:
        box = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        for text, slot in (
            ("Restore", self.restore),
            ("Save a copy…", self.save_copy),
            ("Discard", self.discard),
            ("Later", self.reject),
        ):
            button = box.addButton(text, roles.ActionRole)
            button.clicked.connect(lambda _checked=False, slot=slot: slot())
        return box

    def restore(self) -> None:
        """Show the chosen one in the window."""
        if (chosen := self._chosen()) is not None:
            self.accept()
            self._restore(chosen)

    def save_copy(self) -> None:
        chosen = self._chosen()
        path = self._ask_name() if chosen is not None else None
        if chosen is not None and path is not None and guarded(lambda: chosen.save_copy(path), self._report):
            self.discard()

    def discard(self) -> None:
        if (chosen := self._chosen()) is not None:
            chosen.discard()
            self._lost.remove(chosen)
            self.list.takeItem(self.list.currentRow())
            if not self._lost:
                self.accept()

    def _chosen(self) -> Lost | None:
        row = self.list.currentRow()
        return self._lost[row] if 0 <= row < len(self._lost) else None


def _item(lost: Lost) -> QListWidgetItem:
    picture = QPixmap()
    picture.loadFromData(lost.opened.thumbnail or b"")
    return QListWidgetItem(QIcon(picture), f"{lost.title}\n{lost.when:%d %B %Y, %H:%M}")
