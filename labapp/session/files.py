"""Whole files: read at once, written beside and renamed over, so that a session is always the old or the new one."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from labapp.session import envelope
from labapp.session.faults import Reason, SessionError
from labapp.session.pieces import Pieces

REPLACE_DELAYS = (0.05, 0.1, 0.2, 0.4, 0.75, 1.0)
"""Seconds between attempts to rename: on Windows a virus scanner or a sync program holds a fresh file for a moment."""
LEFTOVER_SECONDS = 600.0
"""A temporary file of this age belongs to a save that was killed."""

_REASONS: dict[int, Reason] = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.EACCES: "no_permission",
    errno.EPERM: "no_permission",
    errno.EROFS: "read_only",
    errno.EISDIR: "not_a_file",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "disk_full",
    errno.ENAMETOOLONG: "bad_name",
    errno.EINVAL: "bad_name",
    errno.ELOOP: "bad_name",
    errno.EIO: "medium_gone",
    errno.ENXIO: "medium_gone",
    errno.ENODEV: "medium_gone",
    errno.ESTALE: "medium_gone",
    errno.EBUSY: "in_use",
    errno.ETXTBSY: "in_use",
    errno.EAGAIN: "in_use",
}
_SHARING_VIOLATIONS = {32, 33}  # Windows: another program holds the file or a part of it


@dataclass(frozen=True)
class Stamp:
    """What the folder tells of a file: as long as it is the same, so is the file."""

    size: int
    modified_ns: int
    inode: int


class Source:
    """A file that is open to be read, from any thread."""

    def __init__(self, file: BinaryIO, stamp: Stamp) -> None:
        self._file = file
        self._lock = threading.Lock()
        self.stamp = stamp

    def __len__(self) -> int:
        return self.stamp.size

    def read(self, offset: int, length: int) -> bytes:
        with self._lock:
            self._file.seek(offset)
            return self._file.read(length)

    def fill(self, offset: int, buffer: memoryview) -> None:
        """Put the bytes from there into a buffer. Raises ``EOFError`` where the file ends before."""
        with self._lock:
            self._file.seek(offset)
            count = self._file.readinto(buffer)  # type: ignore[attr-defined]
        if count != len(buffer):
            raise EOFError("the file ends before the size that it had")


@contextmanager
def opened(path: Path) -> Iterator[Source]:
    """A file no larger than a session may be. Raises ``SessionError``, also for what fails while it is read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # before opening: a pipe would wait for ever
            raise SessionError("not_a_file", name=path.name)
        if status.st_size > envelope.MAX_BYTES:
            raise envelope.too_large(status.st_size).named(path.name)
        with path.open("rb", buffering=0) as file:
            yield Source(cast(BinaryIO, file), _stamp(status))
    except EOFError as error:
        raise SessionError("incomplete", str(error), path.name) from error
    except (OSError, ValueError) as error:
        raise _fault(error, path) from error


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file, or None where it isn't there. Raises ``SessionError``."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _fault(error, path) from error
    return _stamp(status)


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)


def write_atomically(path: Path, data: bytes | Pieces) -> None:
    """Put the bytes in the place of the file, whole or not at all, and on the disk before this returns.

    A symbolic link stays and its target is replaced; the target's mode is kept. Raises ``SessionError``, after which
    the old file is as it was and no temporary file is left.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target)
        _remove_leftovers(target)
        temporary = target.with_name(f"{_prefix(target)}{secrets.token_hex(8)}.part")
        try:
            _write_new(temporary, data if isinstance(data, Pieces) else Pieces([data]), mode)
            _replace(temporary, target)
        finally:
            with suppress(OSError):
                temporary.unlink()
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise _fault(error, path, len(data)) from error


def keep_copy(path: Path) -> None:
    """Keep the file as it is beside itself, as "name.bak"; one that is there stays. Raises ``SessionError``."""
    try:
        data = path.read_bytes()
        numbers = ("", *map(str, range(2, 1000)))
        name = next(name for number in numbers if not (name := path.with_name(f"{path.name}.bak{number}")).exists())
    except FileNotFoundError:
        return
    except OSError as error:
        raise _fault(error, path) from error
    write_atomically(name, data)


def _mode(target: Path) -> int | None:
    """The permissions of the file to be replaced, or None for a new one."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise SessionError("not_a_file", name=target.name)
    if not mode & 0o222 or not os.access(target, os.W_OK):  # a rename would get past the protection
        raise SessionError("read_only", name=target.name)
    return stat.S_IMODE(mode)


def _prefix(target: Path) -> str:
    return f".{target.name[:40]}."


def _remove_leftovers(target: Path) -> None:
    for entry in target.parent.iterdir():
        if entry.name.startswith(_prefix(target)) and entry.name.endswith(".part"):
            with suppress(OSError):
                if time.time() - entry.stat().st_mtime > LEFTOVER_SECONDS:
                    entry.unlink()


def _write_new(temporary: Path, data: Pieces, mode: int | None) -> None:
    with temporary.open("xb") as file:
        for buffer in data.buffers:
            file.write(buffer)
        file.flush()
        if mode is not None:
            temporary.chmod(mode)
        os.fsync(file.fileno())


def _replace(temporary: Path, target: Path) -> None:
    for delay in REPLACE_DELAYS:
        try:
            os.replace(temporary, target)
        except PermissionError:
            time.sleep(delay)
        else:
            return
    os.replace(temporary, target)


def _sync_folder(folder: Path) -> None:
    """Put the new name on the disk too: after a power cut an older save came back without this."""
    if os.name == "nt":  # no folder can be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems that know no such thing
            raise
    finally:
        os.close(handle)


def _fault(error: OSError | ValueError, path: Path, size: int = 0) -> SessionError:
    number = error.errno if isinstance(error, OSError) else errno.EINVAL  # ValueError: a NUL in the path
    reason: Reason = _REASONS.get(number or 0, "failed")
    if getattr(error, "winerror", None) in _SHARING_VIOLATIONS:
        reason = "in_use"
    return SessionError(reason, str(error), path.name, size=_megabytes(size), free=_megabytes(_free(path)))


def _free(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except (OSError, ValueError):
        return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:.1f}"
