"""The container, and the one module that touches the HDF5 library: packs a session, and says where one lies in a file.

Layout: ``/state`` (JSON as bytes), ``/arrays/<path>``, ``/view`` (JSON), ``/thumbnail`` (PNG), texts of fixed length as
attributes of the root; ``/results`` may hold tables for other programs, whose titles and units are attributes, and is
never read, not even its header. Contiguous, unfiltered, without times: the same session gives the same bytes.

Surveying a file asks the library for nothing but what a session of ours has: hard links, each object once, known names
and types, no filter, no storage outside the bytes given. It reads no values, only where they lie, and knows no path.
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

# For a filter that it doesn't know the library loads foreign code from a plug-in path, unless it is told this first.
os.environ["HDF5_PLUGIN_PRELOAD"] = "::"
import h5py

from labapp.session.document import STORED_TYPES, Stored, schema_of
from labapp.session.faults import SessionError
from labapp.session.pieces import PAGE, Pages, Pieces
from labapp.session.results import Entry
from labapp.session.survey import Place, Survey

MAX_OBJECTS = 2000
MAX_DEPTH = 6
MAX_ATTRIBUTES = 32
MAX_ATTRIBUTE_BYTES = 1024
_NAME = re.compile(rb"[A-Za-z0-9_%~.-]{1,1000}")
_ROOT = {b"state", b"arrays", b"view", b"thumbnail"}
_UNREAD = b"results"
_VERSION = ("v110", "v110")  # the oldest whose headers carry checksums


def pack(stored: Stored, results: Iterable[Entry] = ()) -> Pieces:
    """The bytes of a session file. The library only makes room: the arrays are put there uncopied."""
    parts = [Entry(name, {}, values) for name, values in stored.values()]
    return pack_entries(stored.attributes, [*parts, *results])


def pack_entries(attributes: Mapping[str, str], entries: Iterable[Entry]) -> Pieces:
    """The bytes of a file with these arrays and groups below its root."""
    pages = Pages()
    places: list[tuple[int, np.ndarray[Any, Any]]] = []
    with h5py.File(pages, "w", libver=_VERSION, alignment_threshold=PAGE, alignment_interval=64) as file:
        _describe(file.id, attributes)
        for entry in entries:
            if entry.values is None:
                _describe(h5py.h5g.create(file.id, entry.path.encode(), None, _group_kept()), entry.texts)
            else:
                made = _room(file, entry.path, entry.values)
                _describe(made, entry.texts)
                places += [(made.get_offset() or 0, entry.values)] if entry.values.nbytes else []
    buffers, end = [], 0
    for start, values in sorted(places, key=operator.itemgetter(0)):
        buffers += [pages.piece(end, start), values.reshape(-1).view(np.uint8)]
        end = start + values.nbytes
    return Pieces([*buffers, pages.piece(end, max(end, pages.size))])


def _describe(place: Any, texts: Mapping[str, str]) -> None:
    """Texts of fixed length as attributes."""
    space = h5py.h5s.create(h5py.h5s.SCALAR)
    for name, text in sorted(texts.items()):
        encoded = text.encode("utf-8", "replace")
        size = max(1, len(encoded))
        kind = _text_kind(size)
        h5py.h5a.create(place, name.encode(), kind, space).write(np.array(encoded, dtype=f"S{size}"), mtype=kind)


def _text_kind(size: int) -> h5py.h5t.TypeStringID:
    return h5py.h5t.py_create(h5py.string_dtype("utf-8", size), logical=True)


def _group_kept() -> h5py.h5p.PropGCID:
    """No times, and members in the order in which they were put there."""
    kept = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
    kept.set_obj_track_times(False)
    kept.set_link_creation_order(h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED)
    return kept


def _room(file: h5py.File, name: str, values: np.ndarray[Any, Any]) -> h5py.h5d.DatasetID:
    """Make room for an array."""
    kept = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    kept.set_layout(h5py.h5d.CONTIGUOUS)
    kept.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    kept.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    kept.set_obj_track_times(False)
    links = h5py.h5p.create(h5py.h5p.LINK_CREATE)
    links.set_create_intermediate_group(True)
    space = h5py.h5s.create_simple(values.shape) if values.shape else h5py.h5s.create(h5py.h5s.SCALAR)
    kind = _text_kind(values.dtype.itemsize) if values.dtype.kind == "S" else h5py.h5t.py_create(values.dtype)
    return h5py.h5d.create(file.id, name.encode(), kind, space, kept, links)


def survey(file: Any, size: int) -> Survey:
    """Where in a file-like of so many bytes the parts of a session lie, none of it trusted yet.

    Raises ``SessionError``.
    """
    try:
        with h5py.File(file, "r") as opened:
            if not h5py.h5a.exists(opened.id, b"format"):
                raise SessionError("not_a_session", "an HDF5 file of another program")
            attributes = _attributes(opened.id)
            schema_of(attributes)
            return Survey(attributes, _Reading(opened.id, size).places())
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise SessionError("damaged", f"{type(error).__name__}: {error}") from error


def _attributes(root: h5py.h5f.FileID) -> dict[str, str]:
    count = h5py.h5a.get_num_attrs(root)
    if count > MAX_ATTRIBUTES:
        raise _unsafe(f"{count} attributes")
    return dict(_attribute(h5py.h5a.open(root, index=i)) for i in range(count))


def _attribute(attribute: h5py.h5a.AttrID) -> tuple[str, str]:
    kind = attribute.get_type()
    fixed_text = kind.get_class() == h5py.h5t.STRING and not kind.is_variable_str()
    if not fixed_text or attribute.shape != () or kind.get_size() > MAX_ATTRIBUTE_BYTES:
        raise _unsafe(f"attribute {attribute.name!r} is no short text of fixed length")
    value = np.zeros((), dtype=f"S{kind.get_size()}")
    attribute.read(value, mtype=kind)
    return attribute.name.decode(), value.item().decode()


class _Reading:
    """One walk through a file, counting what it meets."""

    def __init__(self, root: h5py.h5f.FileID, size: int) -> None:
        self.root = h5py.h5g.open(root, b"/")
        self.size = size
        self.bytes_left = size
        self.seen: set[Any] = {h5py.h5o.get_info(self.root).addr}

    def places(self) -> dict[str, Place]:
        names = dict(self._members(self.root))
        if unknown := names.keys() - _ROOT:
            raise _unsafe(f"/{sorted(unknown)[0]!r} is not known")
        found = dict(self._arrays(self._group(self.root, b"arrays"), "arrays/", 2)) if b"arrays" in names else {}
        for name in {b"state", b"view"} | (names.keys() & {b"thumbnail"}):
            found[name.decode()] = self._dataset(self.root, name)
        return found

    def _members(self, group: h5py.h5g.GroupID) -> Iterator[tuple[bytes, int]]:
        """Name and kind of each member, for hard links to objects not met before."""
        count = group.get_num_objs()
        if count + len(self.seen) > MAX_OBJECTS:
            raise _unsafe("too many objects")
        for i in range(count):
            name = group.get_objname_by_idx(i)
            if group is self.root and name == _UNREAD:
                continue
            if not _NAME.fullmatch(name) or group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
                raise _unsafe(f"{name[:80]!r} is no plain link")
            info = h5py.h5o.get_info(group, name)
            if info.addr in self.seen:
                raise _unsafe(f"{name!r} is there twice")
            self.seen.add(info.addr)
            yield name, info.type

    def _arrays(self, group: h5py.h5g.GroupID, prefix: str, depth: int) -> Iterator[tuple[str, Place]]:
        if depth > MAX_DEPTH:
            raise _unsafe("too deep")
        for name, kind in list(self._members(group)):
            path = prefix + name.decode()
            if kind == h5py.h5o.TYPE_GROUP:
                yield from self._arrays(self._group(group, name), path + "/", depth + 1)
            else:
                yield path, self._dataset(group, name)

    def _group(self, parent: h5py.h5g.GroupID, name: bytes) -> h5py.h5g.GroupID:
        group = h5py.h5g.open(parent, name)
        if h5py.h5a.get_num_attrs(group):
            raise _unsafe(f"{name!r} has attributes")
        return group

    def _dataset(self, parent: h5py.h5g.GroupID, name: bytes) -> Place:
        dataset = h5py.h5d.open(parent, name)
        kind, layout = dataset.get_type(), dataset.get_create_plist()
        if layout.get_layout() != h5py.h5d.CONTIGUOUS or layout.get_nfilters() or layout.get_external_count():
            raise _unsafe(f"{name!r} is not stored plainly")
        if kind.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT) or kind.dtype.str not in STORED_TYPES.values():
            raise _unsafe(f"{name!r} is of another type")
        if h5py.h5a.get_num_attrs(dataset) or dataset.get_space().get_simple_extent_type() == h5py.h5s.NULL:
            raise _unsafe(f"{name!r} has attributes or no extent")
        return self._place(dataset, kind.dtype, name)

    def _place(self, dataset: h5py.h5d.DatasetID, kind: np.dtype[Any], name: bytes) -> Place:
        place = Place(kind.str, dataset.shape, dataset.get_offset() or 0)
        self.bytes_left -= place.size
        if dataset.get_storage_size() != place.size or self.bytes_left < 0 or place.start + place.size > self.size:
            raise _unsafe(f"{name!r} declares {place.size} bytes, which aren't there")
        return place


def _unsafe(details: str) -> SessionError:
    return SessionError("damaged", details)
