"""From a JSON tree to a state, value by value, by the declared types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from labapp.errors import PlainError, sentence_of
from labapp.fields import FieldInfo, infos

Path = tuple[str | int, ...]

_NOUNS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", NoneType: "nothing"}


def wrong(path: Path, expected: str, value: Any) -> PlainError:
    """The fault of one value: which field, what it needs, what came."""
    return PlainError(
        f"The field “{dotted(path)}” needs {expected}, and what came is {_shown(value)}. "
        "The open lab is as it was; correct the field or use an earlier copy."
    )


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a group" if isinstance(value, dict) else f"a list of {len(value)}"
    if isinstance(value, bool):
        return str(value).lower()
    return "nothing" if value is None else _clip(repr(value))


def dotted(path: Path) -> str:
    """A path for people: "scene.similarity.sigma"."""
    return _clip(".".join(map(str, path)) or "the whole", 120)


def arms_of(kinds: tuple[Any, ...], value: Any) -> list[Any]:
    """The kinds of a union but None, the very kind of the value first: 3 is a whole number before it is a float."""
    return sorted((kind for kind in kinds if kind is not NoneType), key=lambda kind: kind is not type(value))


class Reader:
    """Makes values of declared types. ``take`` gives the array that a place in the tree stands for, or its values."""

    def __init__(self, array_type: type, take: Callable[[Any, Path], Any], unknown: dict[Path, Any] | None) -> None:
        self.array_type = array_type
        self.take = take
        self.unknown = unknown

    def read(self, kind: Any, value: Any, path: Path) -> Any:
        """The value of this kind, or ``PlainError``; ``TypeError`` for a kind that no file can hold."""
        origin = get_origin(kind) or kind
        if kind is Any:
            return value
        if kind is self.array_type:
            taken = self.take(value, path)
            return taken if isinstance(taken, kind) else self._made(kind, path, taken)
        if is_dataclass(kind):
            return self._record(kind, value, path)
        if origin in (Union, UnionType):
            return self._union(get_args(kind), value, path)
        if origin is tuple:
            return self._tuple(get_args(kind), value, path)
        if origin in (dict, Mapping):
            return self._dict(get_args(kind)[1], value, path)
        return _literal(kind, value, path) if origin is Literal else _simple(kind, value, path)

    def _record(self, kind: Any, value: Any, path: Path) -> Any:
        if not isinstance(value, dict):
            raise wrong(path, "a group of fields", value)
        declared = infos(kind)
        for name in value.keys() - declared.keys():
            self._unknown((*path, name), value[name])
        known = {
            name: self._field(info, value[name], (*path, name)) for name, info in declared.items() if name in value
        }
        for field in fields(kind):
            if field.name not in known and field.default is MISSING and field.default_factory is MISSING:
                raise PlainError(
                    f"The field “{dotted((*path, field.name))}” is missing. Use an earlier copy of the file."
                )
        return self._made(kind, path, **known)

    def _field(self, info: FieldInfo, value: Any, path: Path) -> Any:
        result = self.read(info.type, value, path)
        if info.minimum is None and info.maximum is None and not info.choices:
            return result
        try:
            for item in self._checkable(result):
                info.check(item)
        except PlainError as error:
            raise PlainError(f"The field “{dotted(path)}” is out of bounds. {error}") from error
        return result

    def _checkable(self, value: Any) -> tuple[Any, ...]:
        """The numbers and texts in a value to which range and choices of its field apply."""
        if isinstance(value, self.array_type):
            values = value.values  # type: ignore[attr-defined]
            return (values.min().item(), values.max().item()) if values.size and values.dtype != bool else ()
        if isinstance(value, tuple):
            return tuple(item for part in value for item in self._checkable(part))
        return (value,) if isinstance(value, int | float | str) and not isinstance(value, bool) else ()

    def _unknown(self, path: Path, value: Any) -> None:
        if self.unknown is None:
            raise PlainError(f"The field “{dotted(path)}” is not known here. Use an earlier copy, or a newer lab.")
        self.unknown[path] = value

    def _made(self, kind: Any, path: Path, *values: Any, **named: Any) -> Any:
        try:
            return kind(*values, **named)
        except (PlainError, ValueError, TypeError) as error:
            reason = sentence_of(error) or "Its parts don't fit together."
            raise PlainError(f"The field “{dotted(path)}” is not right. {reason}") from error

    def _tuple(self, kinds: tuple[Any, ...], value: Any, path: Path) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise wrong(path, "a list", value)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = (kinds[0],) * len(value)
        if len(kinds) != len(value):
            raise wrong(path, f"a list of {len(kinds)}", value)
        return tuple(self.read(kind, item, (*path, i)) for i, (kind, item) in enumerate(zip(kinds, value, strict=True)))

    def _dict(self, kind: Any, value: Any, path: Path) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise wrong(path, "a group of named values", value)
        return {name: self.read(kind, item, (*path, name)) for name, item in value.items()}

    def _union(self, kinds: tuple[Any, ...], value: Any, path: Path) -> Any:
        if value is None and NoneType in kinds:
            return None
        arms = arms_of(kinds, value)
        for kind in arms[:-1]:
            try:
                return self.read(kind, value, path)
            except PlainError:
                continue
        return self.read(arms[-1], value, path)


def _literal(kind: Any, value: Any, path: Path) -> Any:
    for choice in get_args(kind):
        if type(choice) is type(value) and choice == value:
            return choice
    raise wrong(path, "one of " + ", ".join(map(str, get_args(kind))), value)


def _simple(kind: Any, value: Any, path: Path) -> Any:
    if kind not in _NOUNS:
        raise TypeError(f"{dotted(path)} is declared as {kind}, which no session can hold")
    if type(value) is kind:
        return value
    if kind is float and type(value) is int and abs(value) < 2**1023:
        return float(value)
    raise wrong(path, _NOUNS[kind], value)


def _clip(text: str, length: int = 40) -> str:
    text = "".join(char if char.isprintable() else "\ufffd" for char in text[: length + 1])
    return text if len(text) <= length else text[: length - 1] + "…"
