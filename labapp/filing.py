"""What the File menu does: asks for names, asks before losing changes, and says what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from labapp.aside import aside
from labapp.document import Document, guarded
from labapp.errors import PlainError
from labapp.kinds import SESSION, SESSIONS
from labapp.named_table import PanelNumbers
from labapp.settings import Settings

FILTER = f"Lab sessions (*{SESSION});;All files (*)"
NO_NUMBERS = (
    "“{name}” was saved without the numbers of the panels: with them it would be too large. Export them by themselves."
)
Buttons = QMessageBox.StandardButton


class Filing(QObject):
    """File actions of one window. ``snapshot()`` gives the view and the thumbnail that travel in a session.

    Files are read and written in a thread of their own. Until that is done no other file action begins, but the lab
    can be worked with: what is saved is the state of the moment when it was asked for.
    """

    def __init__(
        self,
        window: QWidget,
        document: Document,
        settings: Settings,
        snapshot: Callable[[], tuple[dict[str, Any], bytes]],
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._settings = settings
        self.snapshot = snapshot
        self.numbers: Callable[[], tuple[PanelNumbers, ...]] = tuple
        """What is written beside the state where the settings say so: the numbers of the panels."""
        self._tell = tell
        self._is_busy = False

    def new(self, scene: str) -> None:
        if self.may_lose_changes():
            self._document.new(scene)

    def open_dialog(self) -> None:
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a lab session", self._folder(), FILTER)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a session after asking what becomes of unsaved changes; True when it is open."""
        return self.may_lose_changes() and self._open(path)

    def revert(self) -> bool:
        """Go back to the file as it is on the disk, once the user agreed to lose what was changed since."""
        path = self._document.path
        if path is None or not self._may_begin():
            return False
        text = f"“{path.name}” will be shown as it was saved last."
        question = "What you changed since then is lost. Go back?"
        if self.ask(text, question, Buttons.Yes | Buttons.No, Buttons.No) != Buttons.Yes:
            return False
        return self._open(path)

    def save(self) -> bool:
        """Save under the present name; asks for one where there is none, or where the file is no longer its own."""
        path = self._document.path
        if path is None:
            return self.save_as()
        if not self._may_begin():
            return False
        try:
            changed = self._aside(self._document.was_changed_elsewhere)
        except PlainError as error:
            return self._after_failure(error)
        if changed:
            return self._after_conflict(path)
        return self._save_to(path) if not self._document.caution else self._after_caution(path)

    def save_as(self) -> bool:
        path = self.new_name("Save the lab session")
        return path is not None and self._save_to(path)

    def save_copy(self) -> bool:
        """Write the lab to another file, and go on with the present one."""
        path = self.new_name("Save a copy of the lab session")
        if path is None or not self._may_begin():
            return False
        return guarded(lambda: self._write(path), self.report)

    def may_lose_changes(self) -> bool:
        """True when nothing is unsaved, or the user saved it or gave it up."""
        if not self._may_begin():
            return False
        if self._document.store.is_clean:
            return True
        answer = self.ask(
            f"“{self._document.title}” has changes that are not saved.",
            "Save them first?",
            Buttons.Save | Buttons.Discard | Buttons.Cancel,
            Buttons.Save,
        )
        return self.save() if answer == Buttons.Save else answer == Buttons.Discard

    def report(self, error: PlainError, offer: str = "") -> bool:
        """Say what went wrong, its details under a button; True where the user takes up the offer."""
        box = self._box(str(error), "", Buttons.Ok)
        if details := getattr(error, "details", ""):
            box.setDetailedText(details)
        chosen = box.addButton(offer, QMessageBox.ButtonRole.ActionRole) if offer else None
        box.exec()
        return chosen is not None and box.clickedButton() is chosen

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

    def _open(self, path: Path) -> bool:
        before = self._document.store.state
        opened: list[Any] = []
        if not guarded(lambda: opened.append(self._aside(lambda: self._document.read(path))), self.report):
            return False
        if self._document.store.state is not before and not self.may_lose_changes():  # changed while it was read
            return False
        self._document.show(path, opened[0])
        self._settings.add_recent(path)
        if self._document.caution:
            self._tell(self._document.caution)
        return True

    def _after_conflict(self, path: Path) -> bool:
        answer = self.ask(
            f"“{path.name}” was changed by someone else since it was opened here.",
            "Replace it with this lab? “No” keeps both: you save under another name. “Open” shows theirs, and what you "
            "changed here is lost.",
            Buttons.Yes | Buttons.No | Buttons.Open | Buttons.Cancel,
            Buttons.No,
        )
        if answer == Buttons.Open:
            self._open(path)
            return False
        return self._answered(answer, path)

    def _after_caution(self, path: Path) -> bool:
        question = "Replace it with this lab? “No” lets you save under another name."
        buttons = Buttons.Yes | Buttons.No | Buttons.Cancel
        return self._answered(self.ask(self._document.caution, question, buttons, Buttons.No), path)

    def _answered(self, answer: Buttons, path: Path) -> bool:
        if answer == Buttons.No:
            return self.save_as()
        return answer == Buttons.Yes and self._save_to(path)

    def _after_failure(self, error: PlainError) -> bool:
        return self.report(error, offer="Save as…") is True and self.save_as()

    def _save_to(self, path: Path) -> bool:
        if not self._may_begin():
            return False
        try:
            written = self._write(path)
        except PlainError as error:
            return self._after_failure(error)
        self._document.saved(path, *written)
        self._settings.add_recent(path)
        return True

    def _write(self, path: Path) -> tuple[Any, Any]:
        """The state that was written, and what is to be known of the file."""
        state, (view, thumbnail) = self._document.store.state, self.snapshot()
        numbers = self.numbers() if self._settings.keeps_numbers else ()
        info = self._aside(lambda: self._document.write(path, state, view, thumbnail, numbers))
        if numbers and not info.numbers:
            self._tell(NO_NUMBERS.format(name=path.name))
        return state, info

    def _may_begin(self) -> bool:
        if self._is_busy:
            self._tell("A file is being read or written; try again in a moment.")
        return not self._is_busy

    def _aside(self, work: Callable[[], Any]) -> Any:
        self._is_busy = True
        try:
            return aside(work)
        finally:
            self._is_busy = False

    def new_name(self, title: str) -> Path | None:
        """A path of the user's choice, with an ending of sessions; None where there is none."""
        suggestion = self._document.path or Path(self._folder()) / f"lab{SESSION}"
        name, _ = QFileDialog.getSaveFileName(self._window, title, str(suggestion), FILTER)
        path = Path(name)
        if not name or path.suffix.lower() in SESSIONS:
            return path if name else None
        # The file dialog asked about the name without the ending, so the question is asked for the whole name.
        path = path.with_name(path.name + SESSION)
        buttons = Buttons.Yes | Buttons.No
        text = f"“{path.name}” is there already."
        if path.exists() and self.ask(text, "Replace it with this lab?", buttons, Buttons.No) != Buttons.Yes:
            return None
        return path

    def _folder(self) -> str:
        recent = self._settings.recent
        return str((self._document.path or (recent[0] if recent else Path.home() / "x")).parent)
