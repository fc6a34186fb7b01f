"""The section *Field and descent*: a query learned, over the field of its gradients."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from labapp.panel import Lab
from models.app_state import AppState
from models.flow_descent import DescentResult
from models.scene import Scene
from panels.flow.answers import AnswerPlane, AnswerSteps, LossSteps
from panels.flow.field import Curves, FieldPicture
from panels.flow.gallery import Gallery
from panels.flow.updates import shown_scene

KINDS: dict[str, Any] = {
    "field": FieldPicture,
    "curves": Curves,
    "plane": AnswerPlane,
    "steps": AnswerSteps,
    "loss": LossSteps,
}


def pictures_for(scene: Scene) -> tuple[str, ...]:
    """The pictures of a scene: what is learned, where it gets to, and the loss."""
    d_k, d_v = scene.keys.shape[1], scene.values.shape[1]
    if d_k == 1:
        return ("curves", "loss")
    answer = {1: "steps", 2: "plane"}.get(d_v)
    return (*(("field",) if d_k == 2 else ()), *((answer,) if answer else ()), "loss")


class DescentSection(QWidget):
    """The pictures, and the playhead over them."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self.gallery = Gallery(lab, KINDS, pictures_for, ("field", "curves", "plane", "steps"))
        self._state: AppState | None = None
        self._result: DescentResult | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.gallery)
        self.view_state, self.restore_view = self.gallery.view_state, self.gallery.restore_view

    def show_state(self, state: AppState) -> None:
        before, self._state = self._state, state
        self.gallery.show_state(state)
        if before is None or before.flow.descent.shown != state.flow.descent.shown:
            self._show_step()

    def show_result(self, result: DescentResult) -> None:
        self._result = result
        self.gallery.show_result(result, result.scene)
        self._show_step()

    def _show_step(self) -> None:
        """The playhead, over the last result where that is of such a scene."""
        result, state = self._result, self._state
        if result is None or state is None or pictures_for(result.scene) != pictures_for(shown_scene(state)):
            return
        step = min(state.flow.descent.shown, len(result.path))
        for picture in self.gallery.shown(result.scene):
            picture.show_step(result, step)
