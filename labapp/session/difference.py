"""What differs between two sessions, in words, a line each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from labapp.session.document import Document
from labapp.session.reading import Path, dotted

LONGEST = 60
ABSENT = object()


def differences(a: Document, b: Document) -> list[str]:
    """A line for each value that isn't the same in both, by the path of its field; none where the labs are equal."""
    lines = list(_tree((), _with_arrays(a.state_tree, a), _with_arrays(b.state_tree, b)))
    if a.view != b.view:
        lines.append("the layout or the zoom differs")
    return lines


def _with_arrays(tree: Any, held: Document) -> Any:
    """The tree with each array in its place."""
    if isinstance(tree, dict):
        if tree.keys() == {"array"} and tree["array"] in held.arrays:
            return held.arrays[tree["array"]]
        return {name: _with_arrays(value, held) for name, value in tree.items()}
    return [_with_arrays(value, held) for value in tree] if isinstance(tree, list) else tree


def _tree(path: Path, a: Any, b: Any) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted(a.keys() | b.keys()):
            yield from _tree((*path, name), a.get(name, ABSENT), b.get(name, ABSENT))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (one, other) in enumerate(zip(a, b, strict=True)):
            yield from _tree((*path, i), one, other)
    elif isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        yield from _arrays(path, a, b)
    elif _shown(a) != _shown(b) or type(a) is not type(b):
        yield f"{dotted(path)}: {_changed(a, b)}"


def _changed(a: Any, b: Any) -> str:
    if a is ABSENT:
        return f"only in the second, {_clipped(b)}"
    return f"only in the first, {_clipped(a)}" if b is ABSENT else f"{_clipped(a)} → {_clipped(b)}"


def _arrays(path: Path, a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> Iterator[str]:
    if a.dtype != b.dtype or a.shape != b.shape:
        yield f"{dotted(path)}: {_clipped(a)} → {_clipped(b)}"
        return
    differ = np.flatnonzero(_bits(a) != _bits(b))
    if len(differ) == 0:
        return
    place = np.unravel_index(differ[0], a.shape)
    where = f" at [{', '.join(str(i) for i in place)}]" if a.ndim else ""
    count = f"{len(differ)} of {a.size} numbers differ, first" if a.size > 1 else "differs,"
    yield f"{dotted(path)}: {count}{where} {a[place].item()!r} → {b[place].item()!r}"


def _bits(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Compared as bits, so that a NaN equals itself and -0.0 isn't 0.0."""
    kind = np.uint8 if values.dtype == bool else np.uint64
    return np.ascontiguousarray(values).reshape(-1).view(kind)


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"numbers {'×'.join(map(str, value.shape)) or 'one'} ({value.dtype.name})"
    if value is ABSENT:
        return "nothing"
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=_shown)


def _clipped(value: Any) -> str:
    text = "".join(char if char.isprintable() else "\ufffd" for char in _shown(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
