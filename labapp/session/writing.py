"""From a state to a JSON tree, by the declared types, with the arrays put aside under the paths of their fields."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from labapp.fields import infos
from labapp.session.reading import Path, arms_of, dotted

MAX_LEVELS = 5
"""Groups below ``/arrays`` and the array itself; what is deeper is joined by points in the last name."""

_PLAIN = re.compile("[A-Za-z0-9_-]")


def stored_name(path: Path) -> str:
    """The path under which the array of a field is stored: "scene/keys".

    Every part holds ASCII letters, digits, ``_`` and ``-``; other characters are percent-encoded, so that no slash,
    point or NUL of a name means something to the file format.
    """
    parts = [_escaped(str(part)) for part in path]
    return "/".join([*parts[: MAX_LEVELS - 1], *filter(None, [".".join(parts[MAX_LEVELS - 1 :])])])


def _escaped(part: str) -> str:
    encoded = "".join(
        char if _PLAIN.match(char) else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
        for char in part
    )
    # Long names are told apart by a digest; an empty one is a lone mark.
    return encoded or "%" if len(encoded) <= 100 else "~" + hashlib.sha256(encoded.encode()).hexdigest()


def _bool(value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"true or false was declared, and the state holds {value!r}")
    return bool(value)


def _float(value: Any) -> float:
    if isinstance(value, bool | np.bool_ | str):
        raise TypeError(f"a number was declared, and the state holds {value!r}")
    return float(value)


def _int(value: Any) -> int:
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"a whole number was declared, and the state holds {value!r}")
    return operator.index(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text was declared, and the state holds {value!r}")
    return str(value)


def _nothing(value: Any) -> None:
    if value is not None:
        raise TypeError(f"None was declared, and the state holds {value!r}")


_SIMPLE: dict[Any, Callable[[Any], Any]] = {bool: _bool, int: _int, float: _float, str: _text, NoneType: _nothing}


class Writer:
    """Makes the tree of one state; ``arrays`` fills on the way."""

    def __init__(self, array_type: type) -> None:
        self.array_type = array_type
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}
        self.digests: dict[str, str] = {}

    def write(self, kind: Any, value: Any, path: Path) -> Any:
        """The tree of a value of this kind; ``TypeError`` where it is of another."""
        origin = get_origin(kind) or kind
        if kind is Any:
            return _json(value, path)
        if kind is self.array_type:
            return self._array(value, path)
        if is_dataclass(kind):
            return self._record(kind, value, path)
        if origin in (Union, UnionType):
            return self._union(get_args(kind), value, path)
        if origin is tuple:
            return self._tuple(get_args(kind), value, path)
        if origin in (dict, Mapping):
            item = get_args(kind)[1]
            return {_text(name): self.write(item, part, (*path, name)) for name, part in value.items()}
        if origin is Literal and any(type(choice) is type(value) and choice == value for choice in get_args(kind)):
            return value
        return self._simple(kind, value, path)

    def _simple(self, kind: Any, value: Any, path: Path) -> Any:
        if kind not in _SIMPLE:
            raise TypeError(
                f"{dotted(path)} is declared as {kind}, and the state holds {value!r}: no session can hold it"
            )
        return _SIMPLE[kind](value)

    def _array(self, value: Any, path: Path) -> dict[str, str]:
        if not isinstance(value, self.array_type):
            raise TypeError(f"{dotted(path)} is declared as an array, and the state holds {value!r}")
        name = stored_name(path)
        self.arrays[name] = value.values  # type: ignore[attr-defined]
        self.digests[name] = value.sha256  # type: ignore[attr-defined]
        return {"array": name}

    def _record(self, kind: Any, value: Any, path: Path) -> dict[str, Any]:
        declared = infos(kind)
        if type(value) is not kind:
            raise TypeError(f"{dotted(path)} is declared as {kind.__name__}, and the state holds {value!r}")
        return {name: self.write(info.type, getattr(value, name), (*path, name)) for name, info in declared.items()}

    def _tuple(self, kinds: tuple[Any, ...], value: Any, path: Path) -> list[Any]:
        if not isinstance(value, tuple):
            raise TypeError(f"{dotted(path)} is declared as a tuple, and the state holds {value!r}")
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = (kinds[0],) * len(value)
        if len(kinds) != len(value):
            raise TypeError(f"{dotted(path)} is declared with {len(kinds)} parts, and the state holds {len(value)}")
        return [self.write(kind, item, (*path, i)) for i, (kind, item) in enumerate(zip(kinds, value, strict=True))]

    def _union(self, kinds: tuple[Any, ...], value: Any, path: Path) -> Any:
        if sum(map(is_dataclass, kinds)) > 1:
            raise TypeError(f"{dotted(path)} may be one of several dataclasses, which a file can't tell apart")
        if value is None and NoneType in kinds:
            return None
        arms = arms_of(kinds, value)
        for kind in arms[:-1]:
            try:
                return self.write(kind, value, path)
            except TypeError:
                continue
        return self.write(arms[-1], value, path)


def _json(value: Any, path: Path) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {_text(name): _json(item, (*path, name)) for name, item in value.items()}
    if isinstance(value, list):
        return [_json(item, (*path, i)) for i, item in enumerate(value)]
    if value is not None and not isinstance(value, bool | int | float | str):
        raise TypeError(f"{dotted(path)} holds {value!r}, which is no plain JSON")
    return value
