"""Between a state and its JSON tree with arrays beside it: strict both ways, led by the declared types alone.

A state is a frozen dataclass of bool, int, float, str, ``Literal``, arrays, ``tuple``, ``dict`` with text keys, ``Any``
for plain JSON, unions (with None, or of plain kinds) and further dataclasses. In the tree an array is
``{"array": path}``. What a file says is never imported, called or evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from labapp.errors import PlainError
from labapp.session.reading import Path, Reader, wrong
from labapp.session.writing import Writer

Arrays = dict[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Written:
    """A state as a JSON tree, with its arrays and their SHA-256 by the path under which they are stored."""

    tree: dict[str, Any]
    arrays: Arrays
    digests: dict[str, str]


class Codec:
    """Knows which class the states use for arrays.

    It is made from a numpy array, or by ``known(values, sha256)`` without a second digest, and has the numpy array as
    ``values`` and the SHA-256 of its bytes as ``sha256``.
    """

    def __init__(self, array_type: type) -> None:
        self.array_type = array_type

    def to_tree(self, state: Any) -> tuple[dict[str, Any], Arrays]:
        """The tree of a state, and its arrays by the path under which they are stored.

        Raises ``TypeError`` where a value isn't of its declared type: a fault of the program.
        """
        written = self.written(state)
        return written.tree, written.arrays

    def written(self, state: Any) -> Written:
        """The same, with the digests of the arrays, which the state knows already."""
        writer = Writer(self.array_type)
        return Written(writer.write(type(state), state, ()), writer.arrays, writer.digests)

    def from_tree(
        self,
        tree: Any,
        arrays: Mapping[str, np.ndarray[Any, Any]],
        state_type: type,
        unknown: dict[Path, Any] | None = None,
        digests: Mapping[str, str] | None = None,
    ) -> Any:
        """The state of a tree; every value is checked against its declared type, range and choices.

        A missing field takes its default. A key that no field has goes into ``unknown`` by its path, where that is
        given, and is refused otherwise. ``digests`` are SHA-256 of arrays that were just checked.
        Raises ``PlainError`` that names the field.
        """
        left = dict(arrays)

        def take(value: Any, path: Path) -> Any:
            name = value.get("array") if isinstance(value, dict) and len(value) == 1 else None
            if not isinstance(name, str) or name not in left:
                raise wrong(path, "an array of its own", value)
            values = left.pop(name)
            return self.array_type.known(values, digests[name]) if digests else values  # type: ignore[attr-defined]

        state = Reader(self.array_type, take, unknown).read(state_type, tree, ())
        if left and unknown is None:
            raise PlainError(f"The array {min(left)[:80]} belongs to no field. Open an earlier copy of the file.")
        return state

    def from_plain(self, tree: Any, state_type: type) -> Any:
        """The state of a tree in which arrays are nested lists, as people write scene files.

        Bools alone make a bool array; numbers make float64, with or without a point.
        """
        return Reader(self.array_type, _plain_array, None).read(state_type, tree, ())


def _plain_array(value: Any, path: Path) -> np.ndarray[Any, Any]:
    if not isinstance(value, list):
        raise wrong(path, "a list of numbers, or of such lists", value)
    kinds = _leaf_kinds(value)
    if not (kinds <= {bool} or kinds <= {int, float}):
        raise wrong(path, "numbers alone or true and false alone", value)
    try:
        return np.array(value, dtype=np.bool_ if kinds == {bool} else np.float64)
    except (ValueError, OverflowError) as error:
        raise wrong(path, "rows of one length", value) from error


def _leaf_kinds(value: Any) -> set[type]:
    if not isinstance(value, list):
        return {type(value)}
    return set().union(*map(_leaf_kinds, value))
