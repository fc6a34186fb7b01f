"""The explorer in its frame with the real store and computation, and real mouse events for its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.plots.plot import Plot
from labapp.runner import InlineExecutor, Runner
from labapp.scenes import Shelf
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from models.explorer import ExplorerResult
from models.scene import Scene
from panels.lookup import SPEC
from panels.lookup.panel import LookupPanel

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


@dataclass
class Bench:
    host: PanelHost
    store: Store
    lab: Lab
    said: list[str]

    @property
    def panel(self) -> LookupPanel:
        panel = self.host.panel
        assert isinstance(panel, LookupPanel)
        return panel

    @property
    def scene(self) -> Scene:
        scene = self.store.state.scene
        assert isinstance(scene, Scene)
        return scene

    @property
    def result(self) -> ExplorerResult:
        result = self.panel.pictures._result
        assert result is not None
        assert self.host.is_current
        return result

    def open(self, name: str) -> None:
        self.store.load(Shelf(AppState, Array).state(name))
        QApplication.processEvents()

    def picture(self, name: str) -> Any:
        picture = self.panel.pictures._made[name]
        assert picture.isVisible()
        return picture

    def control(self, name: str) -> Any:
        return self.panel.controls[name]

    def action(self, text: str) -> QAction:
        """An entry of one of the menus of the toolbar."""
        menus = self.panel.toolbar.findChildren(QMenu)
        return next(action for menu in menus for action in menu.actions() if action.text() == text)

    def cells(self, row: int) -> list[str]:
        """A row of the read-out as it is seen."""
        model = self.panel.table.model
        return [model.text(row, column) for column in range(model.columnCount())]

    def totals(self) -> list[str]:
        model = self.panel.table._totals
        return [model.text(0, column) for column in range(model.columnCount())]

    def type_cell(self, row: int, column: int, text: str) -> None:
        model = self.panel.table.model
        model.setData(model.index(row, column), text)

    def undo_all(self) -> None:
        while self.store.undo_label:
            self.store.undo()


def make_bench(qtbot: QtBot, look: Look, scene: str = "rents") -> Iterator[Bench]:
    shelf = Shelf(AppState, Array)
    said: list[str] = []
    store = Store(shelf.state(scene))
    runner = Runner(Backend("cpu"), InlineExecutor())
    lab = Lab(store.dispatch, store.take_back, look, Highlight(), notify=said.append, scene=shelf.choose)
    host = PanelHost(SPEC, lab, store, runner)
    qtbot.addWidget(host)
    host.resize(1000, 800)
    host.show()
    QApplication.processEvents()
    yield Bench(host, store, lab, said)
    runner.close()


def place(plot: Plot, x: float, y: float) -> QPoint:
    """Where a point of the data lies in the plot's viewport."""
    QApplication.processEvents()
    plot.grab()
    px, py = plot.to_pixels(*plot.to_view(x, y))
    return plot.mapFromScene(plot.view.mapToScene(QPointF(float(px), float(py))))


def move(plot: Plot, to: QPoint, button: Qt.MouseButton = LEFT) -> None:
    """A move with a button held (or none), which ``QTest.mouseMove`` sends late or not at all."""
    viewport = plot.viewport()
    where = viewport.mapToGlobal(QPointF(to))
    event = QMouseEvent(QEvent.Type.MouseMove, QPointF(to), where, Qt.MouseButton.NoButton, button, PLAIN)
    QApplication.sendEvent(viewport, event)


def press(plot: Plot, at: QPoint) -> None:
    move(plot, at, Qt.MouseButton.NoButton)
    QTest.mousePress(plot.viewport(), LEFT, pos=at)


def drag(plot: Plot, start: QPoint, *stops: QPoint, release: bool = True) -> None:
    press(plot, start)
    for stop in stops:
        move(plot, stop)
    if release:
        QTest.mouseRelease(plot.viewport(), LEFT, pos=stops[-1])
