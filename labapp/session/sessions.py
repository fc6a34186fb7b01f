"""Saving, opening and describing sessions: the door that the rest of the lab uses.

Nothing is written on opening, no handle is kept, and what can't be opened leaves the open lab as it is. The HDF5
library is loaded with the first file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from labapp.errors import PlainError
from labapp.named_table import PanelNumbers
from labapp.session import document, envelope, files, results
from labapp.session import reading as trees
from labapp.session.codec import Codec
from labapp.session.description import Description, description_of
from labapp.session.document import Document
from labapp.session.faults import SessionError
from labapp.session.files import Stamp
from labapp.session.migrations import migrated
from labapp.session.pieces import Pieces, Window
from labapp.session.rescue import rescued
from labapp.session.results import Entry
from labapp.session.survey import Survey

MAX_PICTURE = 2**20
ENTRY_BYTES, SPARE_BYTES = 2**10, 2**24
"""What a table's column takes beside its numbers, and what is kept free for the state, the view and the picture."""


@dataclass(frozen=True)
class Kept:
    """What a newer lab put into a file and this one doesn't know: goes back into the file at the next save."""

    fields: Mapping[trees.Path, Any] = field(default_factory=dict)
    arrays: document.Arrays = field(default_factory=dict)


@dataclass(frozen=True)
class Fingerprint:
    """What tells whether a file is still the one that was read or written: its stamp, or at least its digests."""

    stamp: Stamp | None
    digests: tuple[str, ...]


@dataclass(frozen=True)
class Info:
    """Who wrote a session, and what to hand back when it is saved again."""

    schema: tuple[int, int]
    app_version: str
    created: str
    fingerprint: Fingerprint
    kept: Kept = field(default_factory=Kept)
    left_out: tuple[str, ...] = ()
    """parts of the file that could not be taken over"""
    numbers: tuple[str, ...] = ()
    """panels whose numbers were written beside, for other programs"""

    @property
    def newer(self) -> bool:
        """True where a newer lab wrote the file: say so, and ask before it is overwritten."""
        return self.schema > document.SCHEMA

    @property
    def older(self) -> bool:
        """True where the file has another schema than it will be saved in: keep a copy of it."""
        return self.schema < document.SCHEMA


@dataclass(frozen=True)
class Opened:
    state: Any
    view: dict[str, Any]
    thumbnail: bytes | None
    info: Info


def open_session(path: Path, state_type: type, codec: Codec, rescue: bool = False) -> Opened:
    """Everything that a session file holds. Raises ``SessionError`` with two plain sentences.

    To ``rescue`` opens what is good of a file where a part of the state is hurt or unknown: ``info.left_out``.
    """
    try:
        held, stamp = read(path)
        state, kept = _state_and_kept(held, state_type, codec)
    except SessionError as error:
        opened = _rescued(path, state_type, codec) if rescue and error.reason in ("value", "damaged") else None
        if opened is None:
            raise error.named(path.name) from error
        return opened
    info = _info(held, stamp, kept=kept)
    return Opened(state, held.view if isinstance(held.view, dict) else {}, held.thumbnail, info)


def _rescued(path: Path, state_type: type, codec: Codec) -> Opened | None:
    try:
        held, stamp = read(path, rescue=True)
    except SessionError:
        return None
    tree, arrays = migrated(document.schema_of(held.attributes), held.state_tree, dict(held.arrays))
    found = rescued(tree, arrays, state_type, codec)
    return None if found is None else Opened(found[0], {}, None, _info(held, stamp, left_out=found[1]))


def _info(held: Document, stamp: Stamp, **more: Any) -> Info:
    app, created = (held.attributes.get(name, "") for name in ("app_version", "created"))
    fingerprint = Fingerprint(stamp, _own_digests(held.attributes))
    numbers = document.panels_of(held.attributes)
    return Info(document.schema_of(held.attributes), app, created, fingerprint, numbers=numbers, **more)


def save_session(
    path: Path,
    state: Any,
    view: Mapping[str, Any],
    thumbnail: bytes | None,
    codec: Codec,
    before: Info | None = None,
    overwrite: bool = False,
    numbers: Sequence[PanelNumbers] = (),
) -> Info:
    """Write a session over whatever is there, once it was read back in memory and found the same.

    ``numbers`` are written beside for other programs; where they would make the file too large they are left out.
    ``before`` is the info of the file as it was opened or last saved. Where the file isn't that any more, this raises
    ``SessionError("changed")`` unless ``overwrite``. A file of an older schema is kept beside, as ``.bak``.
    Raises ``SessionError``; the old file is then as it was.
    """
    if before is not None and not overwrite and is_changed(path, before.fingerprint):
        raise SessionError("changed", name=path.name)
    kept = before.kept if before else Kept()
    created = before.created if before else datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    # With what a newer lab added, the file stays one of its schema: this one's would refuse the additions.
    schema = before.schema if before and before.newer else document.SCHEMA
    attributes = {"app_version": app_version(), "created": created, "schema": document.version_text(schema)}
    try:
        tree, arrays, digests = _tree(state, codec, kept)
        entries, written = _beside(numbers, arrays)
        named = {document.RESULTS: " ".join(written)} if written else {}
        held = Document(tree, arrays, dict(view), thumbnail, {**attributes, **named}, digests)
        data, digests_of = _checked(held, type(state), codec, entries)
    except SessionError as error:
        raise error.named(path.name) from error
    if before is not None and before.older and files.stamp(path) == before.fingerprint.stamp:
        files.keep_copy(path)
    files.write_atomically(path, data)
    fingerprint = Fingerprint(files.stamp(path), digests_of)
    return Info(schema, attributes["app_version"], created, fingerprint, kept, numbers=written)


def _beside(numbers: Sequence[PanelNumbers], arrays: document.Arrays) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """What of the numbers fits into a file beside these arrays: all or nothing; and the panels that they are of."""
    entries = tuple(results.entries(numbers)) if numbers else ()
    size = sum(entry.size + ENTRY_BYTES for entry in entries) + sum(values.nbytes for values in arrays.values())
    if not numbers or size > envelope.MAX_BYTES - SPARE_BYTES:
        return (), ()
    return entries, tuple(panel.id for panel in numbers)


def numbers_file(numbers: Sequence[PanelNumbers]) -> Pieces:
    """The bytes of a file of numbers alone, for other programs. Raises ``SessionError`` where they are too many."""
    from labapp.session import hdf5

    data = hdf5.pack_entries(results.attributes(app_version()), results.entries(numbers))
    if len(data) > envelope.MAX_BYTES:
        raise envelope.too_large(len(data))
    return data


def is_changed(path: Path, known: Fingerprint) -> bool:
    """True where the file holds something else than it did; a missing file holds nothing that could be lost.

    Raises ``SessionError`` where the disk doesn't answer.
    """
    now = files.stamp(path)
    if now is None or now == known.stamp:
        return False
    with files.opened(path) as source:
        try:
            return _own_digests(from_source(source).attributes) != known.digests
        except SessionError:
            return True


def describe(path: Path) -> Description:
    """What a session file holds, once its digests agree. Raises ``SessionError``."""
    held, stamp = read(path)
    return description_of(path.name, stamp.size, held)


def to_bytes(held: Document, state_type: type, codec: Codec) -> Pieces:
    """The bytes of a session file, read back and compared. The same document gives the same bytes."""
    return _checked(held, state_type, codec)[0]


def _own_digests(attributes: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(attributes.get(f"{name}_sha256", "") for name in ("state", "view", "thumbnail"))


def _checked(
    held: Document, state_type: type, codec: Codec, entries: Sequence[Entry] = ()
) -> tuple[Pieces, tuple[str, ...]]:
    from labapp.session import hdf5

    stored = document.encode(held)
    data = hdf5.pack(stored, entries)
    try:
        if len(data) > envelope.MAX_BYTES:
            raise envelope.too_large(len(data))
        found = hdf5.survey(Window(data.read, len(data)), len(data)).seen(data)
        again = document.decode(found, _unmoved(found.arrays, stored.arrays, held.digests))
        state, kept = _state_and_kept(again, state_type, codec)
    except SessionError as error:
        if error.reason == "too_large":
            raise
        detail = error.detail or "its bytes came back different. The old file is as it was; try “Save as”."
        raise SessionError("unsaveable", error.details, detail=detail) from error
    tree, arrays, digests = _tree(state, codec, kept)
    twice = Document(tree, arrays, again.view, again.thumbnail, held.attributes, digests)
    if document.encode(twice).attributes != stored.attributes:
        raise SessionError(
            "unsaveable", detail="its values came back different. The old file is as it was; try “Save as”."
        )
    return data, _own_digests(stored.attributes)


def read(path: Path, rescue: bool = False) -> tuple[Document, Stamp]:
    """What a file holds, as long as it agrees with its digests, and which file it was. Raises ``SessionError``."""
    with files.opened(path) as source:
        try:
            return from_source(source, rescue), source.stamp
        except SessionError as error:
            raise error.named(path.name) from error


def from_source(source: files.Source | Pieces, rescue: bool = False) -> Document:
    """The document in the bytes of a file, surveyed in a process of its own, digests checked.

    Raises ``SessionError``; what the source raises.
    """
    stored, digests = _survey(source).read(source)
    return document.decode(stored, digests, rescue)


def thumbnail_of(path: Path) -> bytes | None:
    """The picture in a session file; None where there is none, or no good file."""
    try:
        with files.opened(path) as source:
            survey = _survey(source)
            place = survey.places.get("thumbnail")
            if place is None or place.size > MAX_PICTURE:
                return None
            picture = source.read(place.start, place.size)
    except SessionError:
        return None
    return picture if hashlib.sha256(picture).hexdigest() == survey.attributes.get("thumbnail_sha256") else None


def _survey(source: files.Source | Pieces) -> Survey:
    from labapp.session.child import READERS

    envelope.check(source.read(0, envelope.HEADER_BYTES), len(source))
    return READERS.survey(source.read, len(source))


def _unmoved(found: document.Arrays, sent: document.Arrays, digests: Mapping[str, str]) -> dict[str, str]:
    """The digests of the arrays that lie where they lay: those bytes need not be digested to be compared."""
    return {
        name: digest
        for name, digest in digests.items()
        if name in found and found[name].ctypes.data == sent[name].ctypes.data and found[name].nbytes > 0
    }


@cache
def app_version() -> str:
    """Looked up once: that reads a file, which a save on a failing disk can do without."""
    try:
        return version("lookuplab")
    except (PackageNotFoundError, OSError):
        return "unknown"


def _state_and_kept(held: Document, state_type: type, codec: Codec) -> tuple[Any, Kept]:
    schema = document.schema_of(held.attributes)
    unknown: dict[trees.Path, Any] | None = {} if schema > document.SCHEMA else None
    digests = held.digests if schema >= document.SCHEMA else None
    try:
        tree, arrays = migrated(schema, held.state_tree, dict(held.arrays))
        state = codec.from_tree(tree, arrays, state_type, unknown, digests)
    except PlainError as error:
        detail = str(error)
        raise SessionError("value", detail=detail[:1].lower() + detail[1:]) from error
    if unknown is None:
        return state, Kept()
    used = codec.to_tree(state)[1]
    return state, Kept(unknown, {name: values for name, values in held.arrays.items() if name not in used})


def _tree(
    state: Any, codec: Codec, kept: Kept
) -> tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]], dict[str, str]]:
    written = codec.written(state)
    for place, value in kept.fields.items():
        _put_back(written.tree, place, value)
    return written.tree, {**kept.arrays, **written.arrays}, written.digests


def _put_back(tree: Any, place: trees.Path, value: Any) -> None:
    """Set a kept value at its place, if the group that held it is still there."""
    *parents, last = place
    for part in parents:
        inside = part in tree if isinstance(tree, dict) else isinstance(part, int) and part < len(tree)
        if not inside:
            return
        tree = tree[part]
    if isinstance(tree, dict):
        tree.setdefault(last, value)
