"""The container, and the one module that touches the HDF5 library: a stored session to bytes, and bytes back.

Layout: ``/state`` (JSON as bytes), ``/arrays/<path>``, ``/view`` (JSON), ``/thumbnail`` (PNG), texts of fixed length as
attributes of the root; ``/results`` may hold tables for other programs and is never read. Contiguous, unfiltered,
without times: the same session gives the same bytes.

Reading asks the library for nothing but what a session of ours has: hard links, each object once, known names and
types, no filter, no storage outside the bytes given. It works on bytes and knows no path, so it can run anywhere.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

# For a filter that it doesn't know the library loads foreign code from a plug-in path, unless it is told this first.
os.environ["HDF5_PLUGIN_PRELOAD"] = "::"
import h5py

from labapp.session import envelope
from labapp.session.document import STORED_TYPES, Stored, schema_of
from labapp.session.faults import SessionError

MAX_OBJECTS = 2000
MAX_DEPTH = 6
MAX_ATTRIBUTES = 32
MAX_ATTRIBUTE_BYTES = 1024
_NAME = re.compile(rb"[A-Za-z0-9_%~.-]{1,1000}")
_ROOT = {b"state", b"arrays", b"view", b"thumbnail", b"results"}
_VERSION = ("v110", "v110")  # the oldest whose headers carry checksums


def pack(stored: Stored) -> bytes:
    """The bytes of a session file."""
    target = io.BytesIO()
    with h5py.File(target, "w", libver=_VERSION) as file:
        for name, text in sorted(stored.attributes.items()):
            encoded = text.encode()
            kind = h5py.string_dtype("utf-8", max(1, len(encoded)))
            file.attrs.create(name, np.array(encoded, dtype=kind))
        _write(file, "state", np.frombuffer(stored.state, np.uint8))
        for name, values in sorted(stored.arrays.items()):
            _write(file, f"arrays/{name}", values)
        _write(file, "view", np.frombuffer(stored.view, np.uint8))
        if stored.thumbnail is not None:
            _write(file, "thumbnail", np.frombuffer(stored.thumbnail, np.uint8))
    return target.getvalue()


def _write(file: h5py.File, name: str, values: np.ndarray[Any, Any]) -> None:
    file.create_dataset(name, data=values, track_times=False)


def unpack(data: bytes) -> Stored:
    """What the bytes of a file hold, none of it trusted yet. Raises ``SessionError``."""
    envelope.check(data)
    try:
        with h5py.File(io.BytesIO(data), "r") as file:
            if not h5py.h5a.exists(file.id, b"format"):
                raise SessionError("not_a_session", "an HDF5 file of another program")
            attributes = _attributes(file.id)
            schema_of(attributes)
            return _Reading(file.id, len(data)).stored(attributes)
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

    def stored(self, attributes: dict[str, str]) -> Stored:
        names = dict(self._members(self.root))
        if unknown := names.keys() - _ROOT:
            raise _unsafe(f"/{sorted(unknown)[0]!r} is not known")
        arrays = {}
        if b"arrays" in names:
            arrays = dict(self._arrays(self._group(self.root, b"arrays"), "", 2))
        thumbnail = self._bytes(b"thumbnail") if b"thumbnail" in names else None
        return Stored(self._bytes(b"state"), arrays, self._bytes(b"view"), thumbnail, attributes)

    def _members(self, group: h5py.h5g.GroupID) -> Iterator[tuple[bytes, int]]:
        """Name and kind of each member, for hard links to objects not met before."""
        count = group.get_num_objs()
        if count + len(self.seen) > MAX_OBJECTS:
            raise _unsafe("too many objects")
        for i in range(count):
            name = group.get_objname_by_idx(i)
            if not _NAME.fullmatch(name) or group.links.get_info(name).type != h5py.h5l.TYPE_HARD:
                raise _unsafe(f"{name[:80]!r} is no plain link")
            info = h5py.h5o.get_info(group, name)
            if info.addr in self.seen:
                raise _unsafe(f"{name!r} is there twice")
            self.seen.add(info.addr)
            yield name, info.type

    def _arrays(self, group: h5py.h5g.GroupID, prefix: str, depth: int) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
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

    def _bytes(self, name: bytes) -> bytes:
        values = self._dataset(self.root, name)
        if values.dtype != np.uint8 or values.ndim != 1:
            raise _unsafe(f"{name!r} is no row of bytes")
        return values.tobytes()

    def _dataset(self, parent: h5py.h5g.GroupID, name: bytes) -> np.ndarray[Any, Any]:
        dataset = h5py.h5d.open(parent, name)
        kind, layout = dataset.get_type(), dataset.get_create_plist()
        if layout.get_layout() != h5py.h5d.CONTIGUOUS or layout.get_nfilters() or layout.get_external_count():
            raise _unsafe(f"{name!r} is not stored plainly")
        if kind.get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT) or kind.dtype.str not in STORED_TYPES.values():
            raise _unsafe(f"{name!r} is of another type")
        if h5py.h5a.get_num_attrs(dataset) or dataset.get_space().get_simple_extent_type() == h5py.h5s.NULL:
            raise _unsafe(f"{name!r} has attributes or no extent")
        return self._values(dataset, kind.dtype, name)

    def _values(self, dataset: h5py.h5d.DatasetID, kind: np.dtype[Any], name: bytes) -> np.ndarray[Any, Any]:
        shape = dataset.shape
        size = kind.itemsize
        for length in shape:
            size *= length
        place = dataset.get_offset() or 0
        self.bytes_left -= size
        if dataset.get_storage_size() != size or self.bytes_left < 0 or place + size > self.size:
            raise _unsafe(f"{name!r} declares {size} bytes, which aren't there")
        values = np.zeros(shape, dtype=kind)
        if size:
            dataset.read(h5py.h5s.ALL, h5py.h5s.ALL, values)
        return values


def _unsafe(details: str) -> SessionError:
    return SessionError("damaged", details)
