"""What can still be opened where a part of a session is hurt or unknown: the other parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from labapp.errors import PlainError
from labapp.fields import infos
from labapp.session.codec import Codec

Arrays = Mapping[str, np.ndarray[Any, Any]]


def rescued(tree: Any, arrays: Arrays, state_type: type, codec: Codec) -> tuple[Any, tuple[str, ...]] | None:
    """A state with defaults for the parts that are no good, and the names of those; None where no part is good."""
    if not isinstance(tree, dict):
        return None
    declared = infos(state_type)
    good = [name for name in tree if name in declared and _read(tree[name], arrays, declared[name].type, codec)]
    for kept in _fewer_and_fewer(good):
        state = _read({name: tree[name] for name in kept}, arrays, state_type, codec)
        if state is not None:
            return state[0], tuple(sorted(tree.keys() - set(kept)))
    return None


def _fewer_and_fewer(names: list[str]) -> Iterator[tuple[str, ...]]:
    """All, then all but one, then all but two: parts that are good alone may not fit the default of another."""
    for missing in range(min(3, len(names))):
        yield from combinations(names, len(names) - missing)


def _read(tree: Any, arrays: Arrays, kind: Any, codec: Codec) -> tuple[Any] | None:
    """The value of a tree, which may be None, in a tuple; None where it is no good."""
    named = set(_arrays_of(tree))
    try:
        return (codec.from_tree(tree, {name: values for name, values in arrays.items() if name in named}, kind),)
    except PlainError:
        return None


def _arrays_of(tree: Any) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(name := tree.get("array"), str):
            yield name
        tree = list(tree.values())
    if isinstance(tree, list):
        for item in tree:
            yield from _arrays_of(item)
