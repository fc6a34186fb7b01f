"""What a session file holds, before it is a state: the tree, its arrays, the view, a picture, and who wrote it.

``Stored`` is the same thing as bytes and arrays, as the container carries it. Whoever unpacks the container need not be
trusted: ``decode`` checks every digest, type and version of what was handed over.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labapp.errors import PlainError
from labapp.session import canonical
from labapp.session.faults import SessionError

FORMAT = "Lookup Lab session"
NUMBERS = "Lookup Lab results"
"""The format of a file of numbers for other programs, which is no session."""
RESULTS = "results"
"""The attribute that names the panels whose numbers lie below ``/results``."""
SCHEMA = (1, 0)
"""Major and minor. A minor step only adds fields, so that older labs can open the file; any other is a major one."""
MIN_READER = 1
"""The oldest major number whose labs can open what this one writes."""
NOTE = "A session of Lookup Lab. /state is JSON that names each array of /arrays with its shape, type and SHA-256."

STORED_TYPES = {"float64": "<f8", "int64": "<i8", "bool": "|u1"}
"""How an array lies in the file. Truth values are bytes 0 and 1, since HDF5 has none."""

Arrays = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Document:
    """A session as values. ``attributes`` are short texts: at least app_version, created, schema, min_reader."""

    state_tree: Any
    arrays: Arrays
    view: Any = field(default_factory=dict)
    thumbnail: bytes | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of the bytes of arrays where it is known: a large array is digested once."""


@dataclass(frozen=True)
class Stored:
    """A session as the container carries it: JSON texts, arrays in their stored types, short texts."""

    state: bytes
    arrays: Arrays
    view: bytes
    thumbnail: bytes | None
    attributes: Mapping[str, str]

    def values(self) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
        """Every part as an array under its name in the container."""
        yield "state", np.frombuffer(self.state, np.uint8)
        yield from ((f"arrays/{name}", values) for name, values in sorted(self.arrays.items()))
        yield "view", np.frombuffer(self.view, np.uint8)
        if self.thumbnail is not None:
            yield "thumbnail", np.frombuffer(self.thumbnail, np.uint8)


def version_text(version: tuple[int, ...] = SCHEMA) -> str:
    return ".".join(map(str, version))


def schema_of(attributes: Mapping[str, str]) -> tuple[int, int]:
    """The schema number of a file that this lab may open.

    Raises ``SessionError``: no session at all, or one that needs a newer lab.
    """
    if attributes.get("format") == NUMBERS:
        raise SessionError("only_numbers")
    schema, reader = attributes.get("schema", ""), attributes.get("min_reader", "")
    known = attributes.get("format") == FORMAT
    if not (known and re.fullmatch("[0-9]{1,6}[.][0-9]{1,6}", schema) and re.fullmatch("[0-9]{1,6}", reader)):
        raise SessionError(
            "not_a_session", f"format, schema or min_reader is missing or malformed: {schema!r}, {reader!r}"
        )
    if int(reader) > SCHEMA[0]:
        raise SessionError("needs_version", schema=schema, needed=reader, ours=version_text())
    major, minor = map(int, schema.split("."))
    if major < 1:
        raise SessionError("not_a_session", f"schema {schema} never was")
    return major, minor


def panels_of(attributes: Mapping[str, str]) -> tuple[str, ...]:
    """The panels whose numbers lie in a file, as its attributes say: nobody has looked."""
    return tuple(attributes.get(RESULTS, "").split())


def encode(document: Document) -> Stored:
    """The document as bytes, with the shape, type and SHA-256 of each array in the state's JSON."""
    arrays = {name: _stored(values) for name, values in document.arrays.items()}
    declared = {
        name: _declaration(values, document.digests.get(name) or _sha256(arrays[name].data))
        for name, values in document.arrays.items()
    }
    attributes = {"schema": version_text(), "min_reader": str(MIN_READER), **document.attributes}
    state = canonical.dumps({"arrays": declared, "schema": attributes["schema"], "state": document.state_tree})
    view = canonical.dumps(document.view)
    digests = {"state_sha256": _sha256(state), "view_sha256": _sha256(view)}
    if document.thumbnail is not None:
        digests["thumbnail_sha256"] = _sha256(document.thumbnail)
    attributes = {"format": FORMAT, "note": NOTE, **attributes, **digests}
    return Stored(state, arrays, view, document.thumbnail, attributes)


def decode(stored: Stored, known: Mapping[str, str] | None = None, rescue: bool = False) -> Document:
    """The document again, once every digest, type and shape agrees. Raises ``SessionError``.

    ``known`` are SHA-256 of these very arrays, where they were computed already. To ``rescue`` leaves out what is
    damaged, as long as the tree is whole.
    """
    schema_of(stored.attributes)
    for name, data in (("state", stored.state), ("view", stored.view), ("thumbnail", stored.thumbnail)):
        good = stored.attributes.get(f"{name}_sha256") == (None if data is None else _sha256(data))
        if not good and (name == "state" or not rescue):
            raise SessionError("damaged", f"/{name} doesn't agree with its digest")
    try:
        state, view = canonical.loads(stored.state), {} if rescue else canonical.loads(stored.view)
    except PlainError as error:
        raise SessionError("damaged", str(error)) from error
    if not isinstance(state, dict) or state.keys() != {"arrays", "schema", "state"}:
        raise SessionError("damaged", "/state hasn't the parts arrays, schema, state")
    if state["schema"] != stored.attributes["schema"]:
        raise SessionError("damaged", "two schema numbers")
    arrays = _checked_arrays(state["arrays"], stored.arrays, known or {}, rescue)
    digests = {name: state["arrays"][name]["sha256"] for name in arrays}
    return Document(state["state"], arrays, view, None if rescue else stored.thumbnail, stored.attributes, digests)


def _checked_arrays(
    declared: Any, arrays: Arrays, known: Mapping[str, str], rescue: bool
) -> dict[str, np.ndarray[Any, Any]]:
    if not isinstance(declared, dict) or (declared.keys() != arrays.keys() and not rescue):
        raise SessionError("damaged", "/state and /arrays name different arrays")
    checked = {}
    for name in declared.keys() & arrays.keys():
        try:
            digest = known.get(name) or _sha256(arrays[name].data)
            checked[name] = _checked_array(name, declared[name], arrays[name], digest)
        except SessionError:
            if not rescue:
                raise
    return checked


def _checked_array(name: str, declared: Any, stored: np.ndarray[Any, Any], digest: str) -> np.ndarray[Any, Any]:
    kind = declared.get("dtype") if isinstance(declared, dict) else None
    if not isinstance(kind, str) or STORED_TYPES.get(kind) != stored.dtype.str:
        raise SessionError("damaged", f"/arrays/{name} is of another type than declared")
    if kind == "bool" and stored.size and stored.max() > 1:
        raise SessionError("damaged", f"/arrays/{name} holds more than 0 and 1")
    values = stored.view(np.bool_) if kind == "bool" else stored.astype(kind, copy=False)
    if declared != _declaration(values, digest):
        raise SessionError("damaged", f"/arrays/{name} doesn't agree with its declared shape and digest")
    return values


def _stored(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    kind = STORED_TYPES[values.dtype.name]
    return np.asarray(values.view(np.uint8) if kind == "|u1" else values.astype(kind, copy=False), order="C")


def _declaration(values: np.ndarray[Any, Any], sha256: str) -> dict[str, Any]:
    return {"dtype": values.dtype.name, "shape": list(values.shape), "sha256": sha256}


def _sha256(data: Any) -> str:
    return hashlib.sha256(data).hexdigest()
