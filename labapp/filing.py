"""What the File menu does: asks for names, asks before losing changes, and says what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from labapp.document import SUFFIX, SUFFIXES, Document, guarded
from labapp.errors import PlainError
from labapp.settings import Settings

FILTER = f"Lab sessions (*{SUFFIX});;All files (*)"
Buttons = QMessageBox.StandardButton


class Filing(QObject):
    """File actions of one window. ``snapshot()`` gives the view and the thumbnail that travel in a session."""

    def __init__(
        self,
        window: QWidget,
        document: Document,
        settings: Settings,
        snapshot: Callable[[], tuple[dict[str, Any], bytes]],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._settings = settings
        self._snapshot = snapshot

    def new(self, scene: str) -> None:
        if self.may_lose_changes():
            self._document.new(scene)

    def open_dialog(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a lab session", self._folder(), FILTER)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a session after asking what becomes of unsaved changes; True when it is open."""
        if not self.may_lose_changes() or not guarded(lambda: self._document.open(path), self.report):
            return False
        self._settings.add_recent(path)
        return True

    def save(self) -> bool:
        """Save under the present name; asks for one where there is none, or where the file was changed elsewhere."""
        path = self._document.path
        if path is None:
            return self.save_as()
        try:
            changed = self._document.was_changed_elsewhere()
        except PlainError as error:
            self.report(error)
            return False
        return self._after_conflict(path) if changed else self._save_to(path)

    def save_as(self) -> bool:
        suggestion = self._document.path or Path(self._folder()) / f"lab{SUFFIX}"
        name, _ = QFileDialog.getSaveFileName(self._window, "Save the lab session", str(suggestion), FILTER)
        return bool(name) and self._save_as(Path(name))

    def _save_as(self, path: Path) -> bool:
        if path.suffix.lower() in SUFFIXES:
            return self._save_to(path)
        # The file dialog asked about the name without the ending, so the question is asked for the whole name.
        path = path.with_name(path.name + SUFFIX)
        if path.exists():
            text = f"“{path.name}” is there already."
            if self.ask(text, "Replace it with this lab?", Buttons.Yes | Buttons.No, Buttons.No) != Buttons.Yes:
                return False
        return self._save_to(path)

    def may_lose_changes(self) -> bool:
        """True when nothing is unsaved, or the user saved it or gave it up."""
        if self._document.store.is_clean:
            return True
        answer = self.ask(
            f"“{self._document.title}” has changes that are not saved.",
            "Save them first?",
            Buttons.Save | Buttons.Discard | Buttons.Cancel,
            Buttons.Save,
        )
        return self.save() if answer == Buttons.Save else answer == Buttons.Discard

    def report(self, error: PlainError) -> None:
        box = self._box(str(error), "", Buttons.Ok)
        box.exec()

    def ask(self, text: str, question: str, buttons: Buttons, default: Buttons) -> Buttons:
        """Put a question to the user; tests answer it in the user's place."""
        box = self._box(text, question, buttons)
        box.setDefaultButton(default)
        return Buttons(box.exec())

    def _box(self, text: str, question: str, buttons: Buttons) -> QMessageBox:
        box = QMessageBox(QMessageBox.Icon.Warning, "Lookup Lab", "", buttons, self._window)
        box.setTextFormat(box.textFormat().PlainText)
        box.setText(text)
        box.setInformativeText(question)
        return box

    def _after_conflict(self, path: Path) -> bool:
        answer = self.ask(
            f"“{path.name}” was changed by someone else since it was opened here.",
            "Replace it with this lab? “No” lets you save under another name.",
            Buttons.Yes | Buttons.No | Buttons.Cancel,
            Buttons.No,
        )
        if answer == Buttons.No:
            return self.save_as()
        return answer == Buttons.Yes and self._save_to(path)

    def _save_to(self, path: Path) -> bool:
        view, thumbnail = self._snapshot()
        if not guarded(lambda: self._document.save(path, view, thumbnail), self.report):
            return False
        if self._document.path:
            self._settings.add_recent(self._document.path)
        return True

    def _folder(self) -> str:
        recent = self._settings.recent
        return str((self._document.path or (recent[0] if recent else Path.home() / "x")).parent)
