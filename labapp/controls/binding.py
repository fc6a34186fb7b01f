"""What ties a control to a field of the state: it sends what the user asked, and holds no value."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from labapp.errors import PlainError, sentence_of
from labapp.fields import get_at, info_at, infos, set_at
from labapp.panel import Lab

MERGE_MS = 1000
"""Key presses and wheel turns closer than this are one undo step."""


class Binding:
    """A field of the state, by path, as a control sees it.

    A drag lies between ``begin`` and ``end`` and is one undo step; other changes join the one before where they follow
    within a second.
    """

    def __init__(self, lab: Lab, path: str, state_type: type) -> None:
        self.lab, self.path = lab, path
        self.info = info_at(state_type, path)
        self._state_type = state_type
        self._token: object = object()
        self._in_drag = False
        self.pause = QTimer()
        self.pause.setSingleShot(True)
        self.pause.setInterval(MERGE_MS)
        self.pause.timeout.connect(self._renew)

    def send(self, value: Any, merge: bool = True) -> bool:
        """Dispatch the value; False where it is refused, which the status bar then says."""
        path = self.path
        token = self._token if merge else None
        try:
            if value is not None:
                self.info.check(value)
            self.lab.dispatch(lambda s: set_at(s, path, value), f"Change {self.info.label}", merge=token)
        except (PlainError, ValueError) as error:  # the mathematics' own errors are ValueErrors with a sentence
            sentence = sentence_of(error)
            if sentence is None:
                raise
            self.lab.notify(sentence)
            return False
        if not self._in_drag:
            self.pause.start()
        return True

    def begin(self) -> None:
        """A drag begins."""
        self.pause.stop()
        self._renew()
        self._in_drag = True

    def end(self) -> None:
        self._in_drag = False
        self._renew()

    def cancel(self) -> None:
        """Escape in mid-drag."""
        self.lab.take_back(self._token)
        self.end()

    def value_in(self, state: Any) -> Any:
        return get_at(state, self.path)

    def reset(self) -> None:
        """Back to the default that the field declares."""
        path, value = self.path, default_at(self._state_type, self.path)
        self.lab.dispatch(lambda s: set_at(s, path, value), f"Reset {self.info.label}")

    def reset_action(self, owner: QWidget) -> QAction:
        """ "Reset this", as the entry of a context menu; disabled where the field has no default."""
        action = QAction("Reset this", owner)
        action.triggered.connect(self.reset)
        action.setEnabled(default_at(self._state_type, self.path) is not MISSING)
        return action

    def _renew(self) -> None:
        self._token = object()


def default_at(state_type: type, path: str) -> Any:
    """The default of the field at the path, from the outermost declaration that has one; ``MISSING`` if none has."""
    name, _, rest = path.partition(".")
    field = next(f for f in fields(state_type) if f.name == name)
    value = field.default if field.default_factory is MISSING else field.default_factory()
    if value is not MISSING:
        return get_at(value, rest) if rest else value
    return default_at(infos(state_type)[name].type, rest) if rest else MISSING
