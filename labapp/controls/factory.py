"""The control that a field's type and declaration ask for."""

from __future__ import annotations

from types import NoneType
from typing import Any, Protocol, get_args

from labapp.controls.choice import ChoiceControl
from labapp.controls.integer import IntegerControl
from labapp.controls.parameter import ParameterControl
from labapp.controls.text import TextControl
from labapp.controls.toggle import ToggleControl
from labapp.fields import info_at
from labapp.panel import Lab


class Control(Protocol):
    """What every control can do beside being a widget."""

    def show_state(self, state: Any) -> None: ...


def control_for(
    lab: Lab, state_type: type, path: str, **options: Any
) -> ParameterControl | IntegerControl | ChoiceControl | ToggleControl | TextControl:
    """A control bound to the field at ``path``; ``options`` go to its class.

    :raises TypeError: where no control shows that type.
    """
    info = info_at(state_type, path)
    kind, is_optional = _plain_type(info.type)
    if info.choices is not None:
        return ChoiceControl(lab, path, state_type, **options)
    if kind is bool:
        return ToggleControl(lab, path, state_type, **options)
    if kind is str:
        return TextControl(lab, path, state_type, **options)
    if is_optional:
        options = {"optional": "none", **options}
    if kind is int:
        return IntegerControl(lab, path, state_type, **options)
    if kind is float:
        return ParameterControl(lab, path, state_type, **options)
    raise TypeError(f"No control shows a field of type {info.type!r} ({path})")


def _plain_type(kind: Any) -> tuple[Any, bool]:
    """``float | None`` is ``float``, and optional."""
    parts = [part for part in get_args(kind) if part is not NoneType]
    is_optional = NoneType in get_args(kind)
    return (parts[0], True) if is_optional and len(parts) == 1 else (kind, False)
