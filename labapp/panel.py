"""The contract between the shell and a panel."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from labapp.errors import sentence_of
from labapp.look import Look
from labapp.named_table import Table
from labapp.runner import Restart
from labapp.store import Update


class Dispatch(Protocol):
    def __call__(self, update: Update, label: str, merge: Hashable | None = None) -> None: ...


class Highlight(QObject):
    """The entry that the pointer is on: lit in every view. View state, never saved, never undone."""

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entry: int | None = None

    def show(self, entry: int | None) -> None:
        if entry != self.entry:
            self.entry = entry
            self.changed.emit(entry)


@dataclass(frozen=True)
class Lab:
    """All that a panel may do to the lab around it."""

    dispatch: Dispatch
    """Change the state: one undo step, or part of one where ``merge`` is the token of the drag."""
    take_back: Callable[[Hashable], None]
    """Drop the step of a drag that Escape ended."""
    look: Look
    highlight: Highlight
    notify: Callable[[str], None] = lambda sentence: None
    """Show a sentence in the status bar."""
    scene: Callable[[str], Update] = lambda name: lambda state: state
    """The update that puts a scene of ``labapp.scenes`` into the state."""

    def attempt(self, update: Update, label: str) -> None:
        """Dispatch an update that may not be possible; the sentence that it then raises goes to the status bar."""
        try:
            self.dispatch(update, label)
        except ValueError as error:
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self.notify(sentence)


class Panel(QWidget):
    """A docked panel. It shows what the state and the result say, and dispatches what the user asks for.

    ``show_state``, ``show_result`` and ``restore_view`` never dispatch.
    """

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self.lab = lab

    def show_state(self, state: Any) -> None:
        """Set every control and every drawn thing that needs no computation."""
        raise NotImplementedError

    def show_result(self, result: Any) -> None:
        """Draw a result (or a partial one) into the items that were made once."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What the panel shows, in one plain sentence: its accessible description."""
        return ""

    def tables(self) -> list[Table]:
        """The numbers that the panel shows, to be written with every digit; assembled when they are asked for."""
        return []

    def script(self) -> str:
        """A script on the public names of the mathematics that prints the numbers on screen; "" where there is none."""
        return ""

    def open_table(self, path: Path) -> bool:
        """Take a table that was dropped on the window: True where this panel does."""
        return False

    def view_state(self) -> dict[str, Any]:
        """Zoom and the like, as plain JSON: travels with the session, is never needed to open it."""
        return {}

    def restore_view(self, view: dict[str, Any]) -> None:
        """Take back what ``view_state`` gave; unknown keys are ignored."""


@dataclass(frozen=True)
class PanelSpec:
    """One panel of the lab: an entry of ``PANELS`` gives it a dock, a menu entry, undo, files, banner and pictures.

    ``select(state)`` picks the inputs of ``compute(*inputs, job)``; their equality alone decides whether to compute
    again. ``icon`` names a file of ``assets/icons``.
    """

    id: str
    title: str
    icon: str
    widget: Callable[[Lab], Panel]
    select: Callable[[Any], tuple[Any, ...]]
    compute: Callable[..., Any]
    restart: Restart = "live"
    help: str = ""
