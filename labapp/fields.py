"""Fields of a state by path ("scene.temperature"): their values, and what their declaration says of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, get_type_hints

from labapp.errors import PlainError


@dataclass(frozen=True)
class FieldInfo:
    """What a field's metadata declare: used by its control, by the session reader and by tests."""

    name: str
    type: Any
    label: str
    symbol: str = ""
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    log: bool = False
    choices: Iterable[str] | Callable[[], Iterable[str]] | None = None
    help: str = ""

    @property
    def title(self) -> str:
        """Label and symbol as a control shows them: "Temperature τ"."""
        return f"{self.label} {self.symbol}".strip()

    def choice_names(self) -> tuple[str, ...]:
        """The names that a text field may have; empty where any text will do."""
        choices = self.choices() if callable(self.choices) else self.choices
        return tuple(choices or ())

    def check(self, value: Any) -> None:
        """Raise ``PlainError`` where the value isn't one that the declaration allows."""
        if self.choice_names() and value not in self.choice_names():
            raise PlainError(f"{self.label} must be one of {', '.join(self.choice_names())}; what came is {value!r}.")
        if self.minimum is None and self.maximum is None:
            return
        low = -math.inf if self.minimum is None else self.minimum
        high = math.inf if self.maximum is None else self.maximum
        if not low <= value <= high:  # false for NaN too
            raise PlainError(f"{self.label} must lie between {low:g} and {high:g}; what came is {value!r}.")


def get_at(state: Any, path: str) -> Any:
    """The value at a dotted path."""
    for name in path.split("."):
        state = getattr(state, name)
    return state


def set_at(state: Any, path: str, value: Any) -> Any:
    """A copy of the state with another value at the path."""
    name, _, rest = path.partition(".")
    return replace(state, **{name: set_at(getattr(state, name), rest, value) if rest else value})


def info_at(state: Any, path: str) -> FieldInfo:
    """The declaration of the field at the path; ``state`` is an instance or the class."""
    kind = state if isinstance(state, type) else type(state)
    *parents, last = path.split(".")
    for name in parents:
        kind = infos(kind)[name].type
    return infos(kind)[last]


@cache
def infos(kind: type) -> dict[str, FieldInfo]:
    """The declarations of all fields of a dataclass, by name."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind!r} is no dataclass, so it declares no fields")
    hints = get_type_hints(kind)
    return {field.name: _info(field, hints[field.name]) for field in fields(kind)}


def _info(field: Field[Any], kind: Any) -> FieldInfo:
    return FieldInfo(field.name, kind, **{"label": field.name, **field.metadata})
