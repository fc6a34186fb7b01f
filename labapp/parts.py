"""What the shell is given from outside: it knows no lesson subject, so the entry point hands it these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from labapp.panel import PanelSpec


@dataclass(frozen=True)
class Parts:
    """The subject of the laboratory, as the shell sees it."""

    state_type: type
    """The frozen dataclass of the whole document state."""
    array_type: type
    """What an array in a state is; ``labapp.session.codec.Codec`` says what it can do."""
    panels: Callable[[], tuple[PanelSpec, ...]]
    """Imports and lists the panels; called after the first paint of the window."""
    backend: Callable[[str], Any]
    """Makes what jobs compute on, from the name of a device."""
    devices: tuple[str, ...]
    """The names that a user may choose from."""
    warm_up: Callable[..., str]
    """``warm_up(device, job)``: loads what computations need, off the GUI thread, and describes the device."""
    versions: Callable[[], dict[str, str]]
    """Versions of the libraries that compute, for the about box; loads nothing."""
    first_scene: str
    """The scene that a new lab shows."""
