"""What can go wrong with a session file, in two plain sentences each: what happened, and what is safe or to do."""

from __future__ import annotations

from typing import Literal

from labapp.errors import PlainError

Reason = Literal[
    "not_a_session",
    "only_numbers",
    "incomplete",
    "damaged",
    "needs_version",
    "value",
    "too_large",
    "missing",
    "no_permission",
    "read_only",
    "not_a_file",
    "bad_name",
    "disk_full",
    "medium_gone",
    "changed",
    "in_use",
    "unsaveable",
    "failed",
]

SENTENCES: dict[Reason, str] = {
    "not_a_session": "“{name}” is not a session of the lab. The open lab is as it was; choose a file that it saved.",
    "only_numbers": "“{name}” holds numbers that the lab wrote for other programs, and no session. The open lab is as "
    "it was; choose a file that “Save” wrote.",
    "incomplete": "“{name}” is incomplete: its end is missing. The open lab is as it was; copy the file again, or open "
    "an earlier copy.",
    "damaged": "“{name}” is damaged or not safe to open. The open lab is as it was; open an earlier copy.",
    "needs_version": "“{name}” was saved in format {schema} and needs a lab that reads format {needed}; this one reads "
    "up to {ours}. The file was not touched; open it with a newer version of the lab.",
    "value": "“{name}” can't be opened: {detail}",
    "too_large": "“{name}” has {size} MB, and a session may have {limit} MB. Nothing was changed; work with less data.",
    "missing": "“{name}” is not there. Check the folder and the name; it may have been moved, renamed or deleted.",
    "no_permission": "“{name}” can't be reached: this account has no permission. Nothing was changed; use “Save as” or "
    "ask for permission.",
    "read_only": "“{name}” is read-only and was not changed. Use “Save as” to keep the lab somewhere else.",
    "not_a_file": "“{name}” is a folder or a device. Nothing was changed; choose a file.",
    "bad_name": "“{name}” is a name that this disk doesn't allow. Nothing was changed; choose a simpler one.",
    "disk_full": "“{name}” was not saved: it needs {size} MB, and the disk has {free} MB left. What was there before "
    "is untouched; make room or use “Save as” on another disk.",
    "medium_gone": "“{name}” can't be reached any more: its disk, stick or network drive doesn't answer. Nothing is "
    "lost in the lab; connect it again or use “Save as”.",
    "changed": "“{name}” was changed by someone else since it was opened. It was not overwritten; keep both with "
    "“Save as”, open theirs, or replace it.",
    "in_use": "“{name}” is in use by another program. What was there before is untouched; close the other program and "
    "try again, or use “Save as”.",
    "unsaveable": "“{name}” was not saved, because it could not be opened again: {detail}",
    "failed": "“{name}” could not be read or written. Nothing was changed; try again or use another folder.",
}


class SessionError(PlainError):
    """A fault of a session file. ``reason`` tells what the window may offer, ``details`` is for those who ask."""

    def __init__(self, reason: Reason, details: str = "", name: str = "The file", **values: object) -> None:
        super().__init__(SENTENCES[reason].format(name=name, **values))
        self.reason = reason
        self.details = details
        self.values = values

    @property
    def detail(self) -> str:
        """The sentence about the one value that is at fault, where it is one."""
        return str(self.values.get("detail", ""))

    def named(self, name: str) -> SessionError:
        """The same fault with the name of the file in its sentence."""
        return SessionError(self.reason, self.details, name, **self.values)
