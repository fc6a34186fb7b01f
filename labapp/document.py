"""The session file that the window works on: new, open, save, save as."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from labapp.errors import PlainError
from labapp.scenes import Shelf
from labapp.store import Store

SUFFIX = ".h5"


class Document(QObject):
    """Ties the store to a path. ``changed`` follows every change of the path; ``replaced(view)`` a whole new lab."""

    changed = Signal()
    replaced = Signal(object)

    def __init__(self, store: Store, shelf: Shelf, array_type: type, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self._shelf = shelf
        self._array_type = array_type
        self.path: Path | None = None
        self._fingerprint: Any = None

    @property
    def title(self) -> str:
        return self.path.name if self.path else "Untitled lab"

    def new(self, scene: str) -> None:
        """A new lab that shows the scene."""
        self.store.load(self._shelf.state(scene))
        self._set_path(None)
        self.replaced.emit({})

    def open(self, path: Path) -> None:
        """Open a session. On any failure the present lab stays as it is, and ``PlainError`` says why."""
        from labapp.session.codec import Codec
        from labapp.session.files import fingerprint
        from labapp.session.sessions import open_session

        opened = open_session(path, self._shelf.state_type, Codec(self._array_type))
        self.store.load(opened.state)
        self._set_path(path)
        self._fingerprint = fingerprint(path)
        self.replaced.emit(opened.view)

    def save(self, path: Path, view: dict[str, Any], thumbnail: bytes | None) -> None:
        """Write the present state to ``path`` and call it saved. On failure nothing has changed."""
        from labapp.session.codec import Codec
        from labapp.session.files import fingerprint
        from labapp.session.sessions import save_session

        path = path if path.suffix else path.with_suffix(SUFFIX)
        state = self.store.state
        save_session(path, state, view, thumbnail, Codec(self._array_type))
        self._fingerprint = fingerprint(path)
        self.store.mark_clean(state)
        self._set_path(path)

    def was_changed_elsewhere(self) -> bool:
        """True where the file on disk isn't the one that was opened or saved last."""
        from labapp.session.files import fingerprint

        return self.path is not None and self.path.exists() and fingerprint(self.path) != self._fingerprint

    def _set_path(self, path: Path | None) -> None:
        self.path = path
        self.changed.emit()


def guarded(action: Callable[[], None], report: Callable[[PlainError], None]) -> bool:
    """Run a file action; where it fails for a reason that the user can mend, report it and give False."""
    try:
        action()
    except PlainError as error:
        report(error)
        return False
    return True
