"""The session file that the window works on: new, open, save, save as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from labapp.errors import PlainError
from labapp.named_table import PanelNumbers
from labapp.scenes import Shelf
from labapp.store import Store

NEWER = (
    "“{name}” was saved by a newer version of the lab. What this version doesn't know is kept in the file, and you are "
    "asked before it is replaced."
)
LEFT_OUT = (
    "Parts of “{name}” could not be opened and were left out: {parts}. The file itself was not touched; save under "
    "another name, or open an earlier copy."
)


class Document(QObject):
    """Ties the store to a path.

    ``changed`` follows every change of the path. ``replacing`` comes before, ``replaced(view)`` after a whole new lab.
    ``read`` and ``write`` touch nothing of the document and may run in any thread.
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
        self._was_cautioned = False

    @property
    def title(self) -> str:
        return self.path.name if self.path else "Untitled lab"

    @property
    def caution(self) -> str:
        """What to know of the open file before it is first replaced: nothing, or a sentence."""
        if self._info is None or self._was_cautioned:
            return ""
        if self._info.left_out:
            return LEFT_OUT.format(name=self.title, parts=", ".join(self._info.left_out))
        return NEWER.format(name=self.title) if self._info.newer else ""

    def new(self, scene: str) -> None:
        """A new lab that shows the scene."""
        self._replace(self._shelf.state(scene), None, None, {})

    def open(self, path: Path) -> None:
        """Open a session. On any failure the present lab stays as it is, and ``PlainError`` says why."""
        self.show(path, self.read(path))

    def read(self, path: Path) -> Any:
        """What a file holds, or what is good of it, for ``show``. Raises ``PlainError``."""
        from labapp.session.sessions import open_session

        return open_session(path, self._shelf.state_type, self._codec(), rescue=True)

    def show(self, path: Path, opened: Any) -> None:
        self._replace(opened.state, path, opened.info, opened.view)

    def recover(self, opened: Any) -> None:
        """Show what was kept of a lab that ended without being saved: it has no file, and counts as changed."""
        self._replace(opened.state, None, None, opened.view)
        self.store.mark_clean(())

    def save(self, path: Path, view: dict[str, Any], thumbnail: bytes | None) -> None:
        """Write the present state to ``path`` and call it saved. On failure nothing has changed."""
        state = self.store.state
        self.saved(path, state, self.write(path, state, view, thumbnail))

    def write(
        self,
        path: Path,
        state: Any,
        view: dict[str, Any],
        thumbnail: bytes | None,
        numbers: Sequence[PanelNumbers] = (),
    ) -> Any:
        """Write a state to ``path``, and numbers beside; gives what ``saved`` needs. Raises ``PlainError``."""
        from labapp.session.sessions import save_session

        # Whoever asks to save was asked before about a file that someone else changed, or that is there already.
        return save_session(
            path, state, view, thumbnail, self._codec(), before=self._info, overwrite=True, numbers=numbers
        )

    def saved(self, path: Path, state: Any, info: Any) -> None:
        """This state is the one that ``path`` holds now."""
        self._info, self.path, self._was_cautioned = info, path, True
        self.store.mark_clean(state)
        self.changed.emit()

    def was_changed_elsewhere(self) -> bool:
        """True where the file on disk isn't the one that was opened or saved last."""
        from labapp.session.sessions import is_changed

        return self.path is not None and is_changed(self.path, self._info.fingerprint)

    def _codec(self) -> Any:
        from labapp.session.codec import Codec

        return Codec(self._array_type)

    def _replace(self, state: Any, path: Path | None, info: Any, view: dict[str, Any]) -> None:
        self.replacing.emit()
        self.path = path
        self._info, self._was_cautioned = info, False
        self.store.load(state)
        self.changed.emit()
        self.replaced.emit(view)


def guarded(action: Callable[[], object], report: Callable[[PlainError], object]) -> bool:
    """Run a file action; where it fails for a reason that the user can mend, report it and give False."""
    try:
        action()
    except PlainError as error:
        report(error)
        return False
    return True
