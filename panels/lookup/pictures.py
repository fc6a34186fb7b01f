"""Which pictures a scene is shown in, by the numbers in its keys and values; each is made when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.explorer import ExplorerResult
from models.scene import Scene
from panels.lookup.attention import MapPicture
from panels.lookup.bars import QueryBars, WeightBars
from panels.lookup.line import LinePicture
from panels.lookup.planes import KeyPlane, ValuePlane

KINDS: dict[str, Callable[[Lab], Any]] = {
    "line": LinePicture,
    "keys": KeyPlane,
    "values": ValuePlane,
    "weights": WeightBars,
    "query": QueryBars,
    "map": MapPicture,
}


def pictures_for(scene: Scene) -> tuple[str, ...]:
    """The pictures of a scene, from left to right, beside the attention map."""
    d_k, d_v = scene.keys.shape[1], scene.values.shape[1]
    if d_k == 1:
        return ("line",)
    answers = "values" if d_v == 2 else "weights"
    return ("keys", answers) if d_k == 2 else ("query", answers)


WIDE, UPRIGHT = 1.7, 0.75
"""Width over height from which the map stands beside the pictures, and below which these stand on one another."""


class Pictures(QSplitter):
    """The pictures of the scene in a row, and the attention map beside or below them, where each has more room."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._lab = lab
        self._row = QSplitter(Qt.Orientation.Horizontal)
        self._row.setChildrenCollapsible(False)
        self.addWidget(self._row)
        self._made: dict[str, Any] = {}
        self.shows_map = True
        self._state: AppState | None = None
        self._result: ExplorerResult | None = None
        self.setChildrenCollapsible(False)

    @property
    def line(self) -> LinePicture | None:
        """The picture of one dimension, once it was needed."""
        return self._made.get("line")

    def show_state(self, state: AppState) -> None:
        self._state = state
        wanted = self._wanted()
        for name in wanted:
            self._picture(name)
        for name, picture in self._made.items():
            picture.setVisible(name in wanted)
        self._orient()
        for name in wanted:
            self._made[name].show_state(state)

    def show_result(self, result: ExplorerResult) -> None:
        self._result = result
        fits = pictures_for(result.inputs[0])
        for name in self._wanted():
            if name in fits or name == "map":
                self._made[name].show_result(result)

    def show_map(self, shown: bool) -> None:
        """Open or close the attention map."""
        self.shows_map = shown
        if self._state is not None:
            self.show_state(self._state)
        if self._result is not None:
            self.show_result(self._result)

    def view_state(self) -> dict[str, Any]:
        zooms = {name: picture.view_state() for name, picture in self._made.items()}
        return {"map": self.shows_map, "zoom": {name: zoom for name, zoom in zooms.items() if zoom}}

    def restore_view(self, view: dict[str, Any]) -> None:
        self.show_map(view.get("map") is not False)
        zooms = view.get("zoom")
        for name, picture in self._made.items():
            zoom = zooms.get(name) if isinstance(zooms, dict) else None
            picture.restore_view(zoom if isinstance(zoom, dict) else {})

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._orient()

    def _wanted(self) -> tuple[str, ...]:
        if self._state is None:
            return ()
        return pictures_for(self._state.scene) + (("map",) if self.shows_map else ())

    def _picture(self, name: str) -> Plot:
        if name not in self._made:
            self._made[name] = KINDS[name](self._lab)
            (self if name == "map" else self._row).addWidget(self._made[name])
        return self._made[name]

    def _orient(self) -> None:
        """Room decides, not what is shown, so that a drag over scenes doesn't turn the layout round."""
        shape = self.width() / max(self.height(), 1)
        for splitter, beside in ((self, shape > WIDE or not self.shows_map), (self._row, shape > UPRIGHT)):
            wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
            if splitter.orientation() != wanted:
                splitter.setOrientation(wanted)
                splitter.setSizes([1000] * splitter.count())
