"""Questions of the gradient flow panel for tests, and a job that notes what it is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from models.flow_descent import DescentQuestion, descent_question
from models.flow_presets import show_preset
from models.flow_state import FlowState
from models.job import DirectJob
from models.scene import Scene


class StoppedError(Exception):
    """What a job raises that nobody wants any more."""


class Watched(DirectJob):
    """Notes what it is shown, and stops after so many looks."""

    def __init__(self, stop_after: int | None = None) -> None:
        super().__init__()
        self.shown: list[Any] = []
        self.looks, self._stop_after = 0, stop_after

    def check(self) -> None:
        self.looks += 1
        if self._stop_after is not None and self.looks > self._stop_after:
            raise StoppedError

    def partial(self, result: Any) -> None:
        self.shown.append(result)


def shown(name: str) -> tuple[FlowState, Scene]:
    """The panel with a preset, and its dictionary."""
    state = show_preset(FlowState(), name)
    return state, state.own


def asked(name: str, **descent: Any) -> DescentQuestion:
    """The question of a preset's descent, with other settings."""
    state, scene = shown(name)
    return descent_question(replace(state, descent=replace(state.descent, **descent)), scene)
