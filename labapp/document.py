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
SUFFIXES = (SUFFIX, ".hdf5")


class Document(QObject):
    """Ties the store to a path.

    ``changed`` follows every change of the path. ``replacing`` comes before, ``replaced(view)`` after a whole new lab.
    """

    changed = Signal()
    replacing = Signal()
    replaced = Signal(object)

    def __init__(self, store: Store, shelf: Shelf, array_type: type, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self._shelf = shelf
        self._array_type = array_type
        self.path: Path | None = None
        self._info: Any = None

    @property
    def title(self) -> str:
        return self.path.name if self.path else "Untitled lab"

    def new(self, scene: str) -> None:
        """A new lab that shows the scene."""
        self._replace(self._shelf.state(scene), None, None, {})

    def open(self, path: Path) -> None:
        """Open a session. On any failure the present lab stays as it is, and ``PlainError`` says why."""
        from labapp.session.codec import Codec
        from labapp.session.sessions import open_session

        opened = open_session(path, self._shelf.state_type, Codec(self._array_type))
        self._replace(opened.state, path, opened.info, opened.view)

    def save(self, path: Path, view: dict[str, Any], thumbnail: bytes | None) -> None:
        """Write the present state to ``path`` and call it saved. On failure nothing has changed."""
        from labapp.session.codec import Codec
        from labapp.session.sessions import save_session

        state = self.store.state
        codec = Codec(self._array_type)
        # Whoever asks to save was asked before about a file that someone else changed, or that is there already.
        self._info = save_session(path, state, view, thumbnail, codec, before=self._info, overwrite=True)
        self.path = path
        self.store.mark_clean(state)
        self.changed.emit()

    def was_changed_elsewhere(self) -> bool:
        """True where the file on disk isn't the one that was opened or saved last."""
        from labapp.session.files import is_changed

        return self.path is not None and is_changed(self.path, self._info.fingerprint)

    def _replace(self, state: Any, path: Path | None, info: Any, view: dict[str, Any]) -> None:
        self.replacing.emit()
        self.path = path
        self._info = info
        self.store.load(state)
        self.changed.emit()
        self.replaced.emit(view)


def guarded(action: Callable[[], None], report: Callable[[PlainError], None]) -> bool:
    """Run a file action; where it fails for a reason that the user can mend, report it and give False."""
    try:
        action()
    except PlainError as error:
        report(error)
        return False
    return True
