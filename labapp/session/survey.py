"""Where the parts of a session lie in the bytes of its file: what the reading process hands over, as plain JSON.

Nothing of it is trusted: the places are checked against the bytes, and the bytes against their digests.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from labapp.session.document import STORED_TYPES, Stored
from labapp.session.faults import SENTENCES, SessionError
from labapp.session.pieces import Pieces

MAX_DIMENSIONS = 32
CHUNK = 2**19
"""Bytes read and digested at a time: they fit the cache of a processor."""
MANY_BYTES = 8 * 2**20
"""From here on a second processor is worth its thread."""


class Source(Protocol):
    """Where the bytes of a file come from."""

    def __len__(self) -> int: ...

    def fill(self, offset: int, buffer: memoryview) -> None: ...


@dataclass(frozen=True)
class Place:
    """One array in a file: its stored type ("<f8"), its shape, and the byte where it begins."""

    kind: str
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        return math.prod(self.shape) * int(self.kind[2:])


@dataclass(frozen=True)
class Survey:
    attributes: dict[str, str]
    places: dict[str, Place]
    """``state``, ``view``, perhaps ``thumbnail``, and ``arrays/…``"""

    def seen(self, data: Pieces) -> Stored:
        """The parts of a session in memory, as views of its bytes. Raises ``SessionError``."""
        self._check(len(data))
        return self._stored(
            {
                name: np.frombuffer(data.view(place.start, place.size), place.kind).reshape(place.shape)
                if place.size
                else np.zeros(place.shape, place.kind)
                for name, place in self.places.items()
            }
        )

    def read(self, source: Source) -> tuple[Stored, dict[str, str]]:
        """The parts of a session in a file, and SHA-256 of its arrays, taken while they are in the cache.

        Raises ``SessionError``; ``OSError`` and ``EOFError`` from the source.
        """
        self._check(len(source))
        try:
            parts = {name: np.empty(place.shape, place.kind) for name, place in self.places.items()}
        except (MemoryError, ValueError) as error:
            raise SessionError("damaged", str(error)) from error
        jobs = [(source, self.places[name].start, values) for name, values in parts.items()]
        if sum(values.nbytes for values in parts.values()) < MANY_BYTES:
            digests = [_filled(*job) for job in jobs]
        else:  # both reading and digesting let other threads run
            with ThreadPoolExecutor(max_workers=4) as pool:
                digests = list(pool.map(lambda job: _filled(*job), jobs))
        known = dict(zip(parts, digests, strict=True))
        return self._stored(parts), {name[7:]: known[name] for name in parts if name.startswith("arrays/")}

    def _check(self, size: int) -> None:
        left = size
        for name, place in self.places.items():
            left -= place.size
            if place.start + place.size > size or left < 0:
                raise SessionError("damaged", f"/{name} lies outside of the file")
        for name in ("state", "view", "thumbnail"):
            place = self.places.get(name, Place("|u1", (0,), 0))
            if place.kind != "|u1" or len(place.shape) != 1:
                raise SessionError("damaged", f"/{name} is no row of bytes")

    def _stored(self, parts: dict[str, np.ndarray[Any, Any]]) -> Stored:
        arrays = {name[7:]: values for name, values in parts.items() if name.startswith("arrays/")}
        picture = parts["thumbnail"].tobytes() if "thumbnail" in parts else None
        return Stored(parts["state"].tobytes(), arrays, parts["view"].tobytes(), picture, self.attributes)


def _filled(source: Source, start: int, values: np.ndarray[Any, Any]) -> str:
    """Read an array from its place in a file; the SHA-256 of its bytes."""
    digest = hashlib.sha256()
    view = values.reshape(-1).data.cast("B") if values.size else memoryview(b"")
    for done in range(0, len(view), CHUNK):
        source.fill(start + done, chunk := view[done : done + CHUNK])
        digest.update(chunk)
    return digest.hexdigest()


def to_json(answer: Survey | SessionError) -> bytes:
    if isinstance(answer, SessionError):
        return json.dumps({"reason": answer.reason, "details": answer.details, "values": answer.values}).encode()
    places = {name: [place.kind, place.shape, place.start] for name, place in answer.places.items()}
    return json.dumps({"attributes": answer.attributes, "places": places}).encode()


def from_json(text: bytes) -> Survey:
    """The survey, or ``SessionError``: that of the other side, or one about what came."""
    try:
        tree = json.loads(text)
        if "reason" in tree:
            raise _fault(tree)
        attributes = {str(name): str(value) for name, value in tree["attributes"].items()}
        places = {str(name): _place(*value) for name, value in tree["places"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SessionError("damaged", f"a malformed answer: {error!r}") from error
    if not {"state", "view"} <= places.keys():
        raise SessionError("damaged", "/state or /view is missing")
    return Survey(attributes, places)


def _place(kind: Any, shape: Any, start: Any) -> Place:
    numbers = [*shape, start]
    if kind not in STORED_TYPES.values() or len(shape) > MAX_DIMENSIONS:
        raise ValueError(f"{kind!r} is no type of a session")
    if not all(type(number) is int and 0 <= number < 2**60 for number in numbers):
        raise ValueError("a place is given in whole numbers")
    return Place(kind, tuple(shape), start)


def _fault(tree: dict[str, Any]) -> SessionError:
    reason, values = tree["reason"], tree["values"]
    fields = set(re.findall(r"{(\w+)}", SENTENCES[reason])) - {"name"}
    if values.keys() != fields:
        raise ValueError("a fault without its values")
    return SessionError(reason, str(tree["details"])[:4000], **{name: str(value) for name, value in values.items()})
