"""Where labs are kept that were not saved yet: a folder for each open window, with a ring of the last three states.

A window that is alive holds the lock file of its folder; the folder of one that crashed can be recovered by another.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QLockFile, QStandardPaths

from labapp.errors import PlainError
from labapp.kinds import SESSION

RING = 3
NOTE = "lab.json"
LOCK = "window.lock"


def recovery_folder() -> Path:
    """In the application's own data folder, never beside a document."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "recovery"


class Ring:
    """The folder of one window. Raises ``OSError`` or ``PlainError`` where it can't be written."""

    def __init__(self, root: Path) -> None:
        self.folder = root / secrets.token_hex(8)
        self.folder.mkdir(parents=True, mode=0o700)
        self._lock = _lock(self.folder)
        if not self._lock.tryLock(0):
            raise OSError(f"no lock can be held in {self.folder}")
        self._count = 0

    def keep(self, title: str, write: Callable[[Path], object]) -> None:
        """Let ``write`` put the newest state in the place of the oldest."""
        write(self.folder / f"{self._count % RING}{SESSION}")
        self._count += 1
        (self.folder / NOTE).write_text(json.dumps({"title": title}), encoding="utf-8")

    def clear(self) -> None:
        """Nothing is unsaved any more."""
        for path in self.folder.glob(f"*{SESSION}"):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let go of the folder, which is recovered later if there is anything in it."""
        empty = not any(self.folder.glob(f"*{SESSION}"))
        self._lock.unlock()
        if empty:
            shutil.rmtree(self.folder, ignore_errors=True)


@dataclass(frozen=True)
class Lost:
    """A lab that ended without being saved: its newest state that can be read."""

    folder: Path
    title: str
    when: datetime
    path: Path
    opened: Any

    def discard(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def save_copy(self, path: Path) -> None:
        """Put the kept file, as it is, under another name. Raises ``PlainError``."""
        from labapp.session.files import write_atomically

        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise PlainError(f"What was kept of “{self.title}” can't be read any more. Restore it instead.") from error
        write_atomically(path, data)


def lost_labs(root: Path, read: Callable[[Path], Any]) -> list[Lost]:
    """What crashed windows left, newest first. Whatever can't be read is passed over: it never hinders a start."""
    try:
        folders = [folder for folder in root.iterdir() if folder.is_dir()]
    except OSError:
        return []
    found = [lost for folder in folders if (lost := _lost(folder, read)) is not None]
    return sorted(found, key=lambda lost: lost.when, reverse=True)


def _lost(folder: Path, read: Callable[[Path], Any]) -> Lost | None:
    lock = _lock(folder)
    if not lock.tryLock(0):
        return None
    try:
        newest_first = sorted(folder.glob(f"*{SESSION}"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        for path in newest_first:
            with suppress(PlainError):
                when = datetime.fromtimestamp(path.stat().st_mtime)
                return Lost(folder, _title(folder), when, path, read(path))
    except OSError:
        return None
    finally:
        lock.unlock()
    return None


def _title(folder: Path) -> str:
    try:
        title = json.loads((folder / NOTE).read_text(encoding="utf-8"))["title"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "Untitled lab"
    return str(title)[:200]


def _lock(folder: Path) -> QLockFile:
    lock = QLockFile(str(folder / LOCK))
    lock.setStaleLockTime(0)  # a lab may be open for days; a lock is stale when its process has gone
    return lock
