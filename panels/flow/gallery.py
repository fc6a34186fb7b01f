"""Pictures that a scene is shown in, one large above the others; each is made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from labapp.panel import Lab
from models.app_state import AppState
from models.scene import Scene
from panels.flow.updates import shown_scene

NARROW, LEAST = 22, 36
"""Where the room is so many letters wide, large text say, all pictures lie below one another, so high at least."""


class Gallery(QSplitter):
    """``kinds`` makes pictures by name, ``wanted(scene)`` names those of a scene, ``above`` those that are large."""

    def __init__(
        self,
        lab: Lab,
        kinds: Mapping[str, Callable[[Lab], Any]],
        wanted: Callable[[Scene], tuple[str, ...]],
        above: tuple[str, ...],
    ) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._lab, self._kinds, self._wanted, self._large = lab, kinds, wanted, above
        self.made: dict[str, Any] = {}
        self._zooms: dict[str, Any] = {}
        self._above, self._below = QSplitter(Qt.Orientation.Horizontal), QSplitter(Qt.Orientation.Horizontal)
        for splitter in (self._above, self._below):
            splitter.setChildrenCollapsible(False)
            self.addWidget(splitter)
        self.setChildrenCollapsible(False)

    def show_state(self, state: AppState) -> None:
        wanted = self._wanted(shown_scene(state))
        for name in wanted:
            self._make(name)
        for name, picture in self.made.items():
            picture.setVisible(name in wanted)
        self._above.setVisible(any(name in self._large for name in wanted))
        self._share(wanted)
        for name in wanted:
            self.made[name].show_state(state)

    def show_result(self, result: Any, scene: Scene) -> None:
        for name in self._wanted(scene):
            if name in self.made:
                self.made[name].show_result(result)

    def shown(self, scene: Scene) -> list[Any]:
        """The pictures of a scene that were made."""
        return [self.made[name] for name in self._wanted(scene) if name in self.made]

    def view_state(self) -> dict[str, Any]:
        zooms = {name: picture.view_state() for name, picture in self.made.items()}
        return {name: zoom for name, zoom in zooms.items() if zoom}

    def restore_view(self, view: dict[str, Any]) -> None:
        self._zooms = view
        for name, picture in self.made.items():
            zoom = view.get(name)
            picture.restore_view(zoom if isinstance(zoom, dict) else {})

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        narrow = self.width() < NARROW * self.fontMetrics().height()
        self._above.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)
        self.setMinimumHeight(LEAST * self.fontMetrics().height() if narrow else 0)

    def _share(self, wanted: tuple[str, ...]) -> None:
        """Room for the large pictures: more where one of them is a stack; what the user drags stays after that."""
        shares = [720, 280] if "curves" in wanted else [600, 400]
        if shares != self._shares:
            self._shares = shares
            self.setSizes(shares)

    _shares: list[int] | None = None

    def _make(self, name: str) -> None:
        if name in self.made:
            return
        self.made[name] = picture = self._kinds[name](self._lab)
        home = self._above if name in self._large else self._below
        home.addWidget(picture)
        home.setSizes([1000] * home.count())
        if isinstance(self._zooms.get(name), dict):
            picture.restore_view(self._zooms[name])
