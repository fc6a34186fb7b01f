"""Whether a session is sound, in a line or a few: for the command line, without any device."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from labapp.session.codec import Codec
from labapp.session.description import printable
from labapp.session.document import version_text
from labapp.session.faults import SessionError
from labapp.session.sessions import open_session


@dataclass(frozen=True)
class Check:
    """``sound`` is True where the whole session opens here."""

    sound: bool
    text: str


def check(path: Path, state_type: type, codec: Codec) -> Check:
    """Open the file as the window would, and say what is wrong with it. Never raises for what is in the file."""
    try:
        opened = open_session(path, state_type, codec)
    except SessionError as error:
        lines = filter(None, [str(error), error.details, _rest(path, state_type, codec)])
        return Check(False, "\n".join(map(printable, lines)))
    schema = version_text(opened.info.schema)
    if opened.info.newer:
        return Check(True, f"“{path.name}” is sound; a newer lab saved it, in format {schema}.")
    return Check(True, f"“{path.name}” is sound, in format {schema}.")


def _rest(path: Path, state_type: type, codec: Codec) -> str:
    """What could be opened of it all the same."""
    try:
        hurt = open_session(path, state_type, codec, rescue=True).info.left_out
    except SessionError:
        return ""
    return f"It opens without: {', '.join(hurt) or 'its layout and its picture'}."
