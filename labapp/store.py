"""The one owner of the document state: every change goes through it and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

Update = Callable[[Any], Any]


@dataclass(frozen=True)
class Step:
    """One undoable change: what it is called, and the state before (in the past) or after (in the future)."""

    label: str
    state: Any
    merge: Hashable | None = None


class Store(QObject):
    """Holds the present state, its past and its future. States are frozen values, compared by content.

    ``changed(state)`` follows every change of the state, ``history_changed()`` every change of what can be undone.
    """

    changed = Signal(object)
    history_changed = Signal()

    def __init__(self, state: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._past: list[Step] = []
        self._future: list[Step] = []
        self._state = self._opened = self._clean = state

    @property
    def state(self) -> Any:
        return self._state

    @property
    def undo_label(self) -> str:
        """What undo would take back, or nothing."""
        return self._past[-1].label if self._past else ""

    @property
    def redo_label(self) -> str:
        return self._future[-1].label if self._future else ""

    @property
    def is_clean(self) -> bool:
        """True while the state equals the one last saved or opened, however it was reached."""
        return bool(self._state == self._clean)

    def dispatch(self, update: Update, label: str, merge: Hashable | None = None) -> None:
        """Replace the state by ``update(state)``, as one undo step called ``label``.

        Changes in a row with the same ``merge`` token (one drag, one sweep) become one step. An update that raises
        leaves everything as it was; one that changes nothing is no step.
        """
        after = update(self._state)
        if after == self._state:
            return
        joins = merge is not None and not self._future and bool(self._past) and self._past[-1].merge == merge
        if not joins:
            self._past.append(Step(label, self._state, merge))
        elif self._past[-1].state == after:
            self._past.pop()  # the drag came back to where it began
        self._future.clear()
        self._set(after)

    def take_back(self, merge: Hashable) -> None:
        """Drop the newest step if it is the one of this token: Escape in mid-drag."""
        if self._past and self._past[-1].merge == merge:
            self._set(self._past.pop().state)

    def undo(self) -> None:
        if self._past:
            step = self._past.pop()
            self._future.append(Step(step.label, self._state))
            self._set(step.state)

    def redo(self) -> None:
        if self._future:
            step = self._future.pop()
            self._past.append(Step(step.label, self._state))
            self._set(step.state)

    def load(self, state: Any) -> None:
        """Start afresh from a state that was opened: no history, nothing unsaved."""
        self._past.clear()
        self._future.clear()
        self._opened = self._clean = state
        self._set(state)

    def reset(self) -> None:
        """Back to the state as opened, as a step that can be undone."""
        opened = self._opened
        self.dispatch(lambda _: opened, "Reset")

    def mark_clean(self, state: Any | None = None) -> None:
        """Call the present state, or the one that was just written, saved."""
        self._clean = self._state if state is None else state
        self.history_changed.emit()

    def _set(self, state: Any) -> None:
        self._state = state
        self.changed.emit(state)
        self.history_changed.emit()
