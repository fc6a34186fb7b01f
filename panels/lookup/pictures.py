"""Which pictures a scene is shown in, by the numbers in its keys and values; each is made when first needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from labapp.plots.plot import Plot
from models.app_state import AppState
from models.scene import Scene
from panels.lookup.attention import MapPicture
from panels.lookup.bars import QueryBars, WeightBars
from panels.lookup.line import LinePicture
from panels.lookup.planes import KeyPlane, ValuePlane

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

KINDS: dict[str, Callable[[Lab], Any]] = {
    "line": LinePicture,
    "keys": KeyPlane,
    "query": QueryBars,
    "values": ValuePlane,
    "weights": WeightBars,
    "map": MapPicture,
}
ORDER = tuple(KINDS)


def pictures_for(scene: Scene) -> tuple[str, ...]:
    """The pictures of a scene, from left to right, beside the attention map."""
    d_k, d_v = scene.keys.shape[1], scene.values.shape[1]
    if d_k == 1:
        return ("line",)
    answers = "values" if d_v == 2 else "weights"
    return ("keys", answers) if d_k == 2 else ("query", answers)


MAP_SIZES = [620, 380]
"""Shares of the pictures and of the map."""
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
        self._kept: dict[str, Any] = {}
        """Zooms of a session for pictures that are not made yet."""
        self._dictionary: Any = None
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
        self._forget_zoom(state.scene)
        self._orient()
        for name in wanted:
            self._made[name].show_state(state)

    def show_result(self, result: ExplorerResult) -> None:
        self._result = result
        fits = pictures_for(result.inputs[0])
        for name in self._wanted():
            if name in fits or name == "map":
                self._made[name].show_result(result)

    def _forget_zoom(self, scene: Scene) -> None:
        """A zoom is of one dictionary: another one is seen whole."""
        before, self._dictionary = self._dictionary, (scene.id, scene.key_columns, scene.value_columns)
        if before not in (None, self._dictionary):
            for picture in self._made.values():
                picture.reset_view()

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
        kept = zooms.items() if isinstance(zooms, dict) else ()
        self._kept = {name: zoom for name, zoom in kept if isinstance(zoom, dict)}
        if not self.isVisible():
            self._dictionary = None  # the scene that the zooms belong to is yet to be shown
        for name, picture in self._made.items():
            picture.restore_view(self._kept.pop(name, {}))

    def resizeEvent(self, event: Any) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._orient()

    def _wanted(self) -> tuple[str, ...]:
        if self._state is None:
            return ()
        return pictures_for(self._state.scene) + (("map",) if self.shows_map else ())

    def _picture(self, name: str) -> Plot:
        if name not in self._made:
            picture = self._made[name] = KINDS[name](self._lab)
            if name == "map":
                self.addWidget(picture)
            else:
                self._row.insertWidget(sum(ORDER.index(made) < ORDER.index(name) for made in self._made), picture)
            if name in self._kept:
                picture.restore_view(self._kept.pop(name))
        return self._made[name]

    def _orient(self) -> None:
        """Room decides, not what is shown, so that a drag over scenes doesn't turn the layout round."""
        shape = self.width() / max(self.height(), 1)
        for splitter, beside in ((self, shape > WIDE or not self.shows_map), (self._row, shape > UPRIGHT)):
            wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
            if splitter.orientation() != wanted:
                splitter.setOrientation(wanted)
                splitter.setSizes(MAP_SIZES if splitter is self else [1000] * splitter.count())
