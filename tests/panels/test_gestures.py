"""A walk of gestures over every panel: nothing is raised, no update is lost, and undo leads back to the beginning.

Short in the suite; ``python -m tests.panels.test_gestures 300`` walks for so many seconds and says what it did.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from typing import Any

from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QMenu, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from labapp.controls import NumberBox, PlayBar
from labapp.controls.value_slider import ValueSlider
from labapp.look import Look
from labapp.plots.plot import Plot
from labapp.readout import ReadoutTable
from labapp.render import Picture, open_window
from labapp.scenes import scene_files
from labapp.window import LabWindow
from main import make_parts
from tests.panels.lookup_bench import drag

AFTER_EACH = 25
"""Gestures between two looks at whether every panel shows the present state."""
LEFT_ALONE = ("…", "Copy", "Export", "Open", "Save", "Cancel", "Paste")
"""Texts of what opens dialogs or touches the clipboard."""
TYPED = ("0", "1", "-1", "2,5", "1e-3", "1e9", "", "nan", "many", "0.5", "7")


class Walk:
    """Gestures drawn from a seed, on whatever is visible."""

    def __init__(self, window: LabWindow, seed: int) -> None:
        self.window, self.random = window, random.Random(seed)
        self.done: Counter[str] = Counter()
        self.last = ""
        self._closer = QTimer(window, interval=50)
        self._closer.timeout.connect(_close_dialog)
        self._closer.start()
        self._gestures = [
            self.drag, self.drag, self.drag, self.click_plot, self.slide, self.type_number, self.type_cell,
            self.choose, self.press, self.menu, self.key, self.tab, self.play, self.scene, self.undo, self.redo,
        ]  # fmt: skip

    def step(self) -> None:
        gesture = self.random.choice(self._gestures)
        self.last = gesture.__name__
        gesture()
        self.done[gesture.__name__] += 1
        QApplication.processEvents()

    def drag(self) -> None:
        plot = self._one(Plot)
        grips = [grip for grip in plot.grips if grip.isVisible() and grip.count()] if plot else []
        if plot is None or not grips:
            return
        grip = self.random.choice(grips)
        at = grip.at(self.random.randrange(grip.count()))
        start = plot.mapFromScene(plot.view.mapToScene(at))
        stops = [start + self._offset(60) for _ in range(self.random.randint(1, 5))]
        drag(plot, start, *stops, release=False)
        if self.random.random() < 0.2:
            QTest.keyClick(plot.viewport(), Qt.Key.Key_Escape)
        QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=stops[-1])

    def click_plot(self) -> None:
        plot = self._one(Plot)
        if plot is not None:
            at = QPoint(self.random.randrange(plot.width()), self.random.randrange(plot.height()))
            click = QTest.mouseDClick if self.random.random() < 0.2 else QTest.mouseClick
            click(plot.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)

    def key(self) -> None:
        plot = self._one(Plot)
        if plot is not None and plot.focus_order.step(True):
            for _ in range(self.random.randint(1, 4)):
                QTest.keyClick(plot, self.random.choice([Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageDown]))

    def slide(self) -> None:
        slider = self._one(ValueSlider)
        if slider is not None:
            middle = slider.height() // 2
            QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=QPoint(slider.width() // 2, middle))
            for _ in range(3):
                QTest.mouseMove(slider, QPoint(self.random.randrange(slider.width()), middle))
            QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(5, middle))

    def type_number(self) -> None:
        box = self._one(NumberBox)
        if box is not None and box.isEnabled():
            box.lineEdit().selectAll()
            QTest.keyClicks(box.lineEdit(), self.random.choice(TYPED))
            QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
            if box.problem:
                QTest.keyClick(box, Qt.Key.Key_Escape)

    def type_cell(self) -> None:
        table = self._one(ReadoutTable)
        if table is not None and table.model.rowCount():
            row, column = (self.random.randrange(n) for n in (table.model.rowCount(), table.model.columnCount()))
            index = table.model.index(row, column)
            table.view.setCurrentIndex(index)
            if table.model.flags(index) & Qt.ItemFlag.ItemIsEditable:
                table.model.setData(index, self.random.choice(TYPED))

    def choose(self) -> None:
        combo = self._one(QComboBox)
        if combo is not None and combo.count() and combo.isEnabled():
            combo.setFocus()
            QTest.keyClick(combo, self.random.choice([Qt.Key.Key_Down, Qt.Key.Key_Up]))

    def press(self) -> None:
        button = self._one(QAbstractButton)
        is_menu = getattr(button, "menu", lambda: None)() is not None
        if button is not None and button.isEnabled() and not is_menu and not _left_alone(button.text()):
            button.click()

    def menu(self) -> None:
        host = self._host()
        menus = [action for menu in host.findChildren(QMenu) for action in menu.actions() if action.isEnabled()]
        usable = [action for action in menus if action.text() and not action.menu() and not _left_alone(action.text())]
        if usable:
            self.random.choice(usable).trigger()

    def tab(self) -> None:
        tabs = self._one(QTabWidget)
        if tabs is not None:
            tabs.setCurrentIndex(self.random.randrange(tabs.count()))
        else:
            self.window.docks.show_alone(self.random.choice([host.spec.id for host in self.window.hosts]))

    def play(self) -> None:
        bar = self._one(PlayBar)
        if bar is not None and bar.isEnabled():
            bar.play()
            for _ in range(self.random.randint(1, 5)):
                bar._on_tick()
            bar.pause()

    def scene(self) -> None:
        self.window.store.dispatch(self.window.lab.scene(self.random.choice(list(scene_files()))), "Choose scene")

    def undo(self) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.window.store.undo()

    def redo(self) -> None:
        self.window.store.redo()

    def look(self) -> None:
        """Every panel that is seen shows the present state and, a moment later, its result."""
        end = time.monotonic() + 30
        while not all(host.is_current for host in self.window.hosts if host.is_seen) and time.monotonic() < end:
            QApplication.processEvents()
        for host in self.window.hosts:
            assert not host.is_seen or host.is_current, f"{host.spec.id} lost an update after {self.last}"
            assert "fault" not in host.banner.text, f"{host.spec.id}: {host.banner.text} after {self.last}"

    def _offset(self, most: int) -> QPoint:
        return QPoint(self.random.randint(-most, most), self.random.randint(-most, most))

    def _host(self) -> Any:
        return self.random.choice([host for host in self.window.hosts if host.is_seen] or self.window.hosts[:1])

    def _one(self, kind: type[QWidget]) -> Any:
        found = [widget for widget in self._host().findChildren(kind) if widget.isVisible()]
        return self.random.choice(found) if found else None


def _left_alone(text: str) -> bool:
    return any(part in text for part in LEFT_ALONE)


def _close_dialog() -> None:
    """A walk answers no questions."""
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        dialog.close()


def undo_all(window: LabWindow) -> None:
    while window.store.undo_label:
        window.store.undo()


def test_a_short_walk_over_all_panels(qtbot: QtBot, look: Look) -> None:
    window = open_window(make_parts(), look, Picture("rents", size=(1280, 800)), "cpu")
    qtbot.addWidget(window, before_close_func=lambda _: window.store.mark_clean())
    window.show()
    window.warm_up()
    first, walk = window.store.state, Walk(window, seed=7)
    for _ in range(4):
        for _ in range(AFTER_EACH):
            walk.step()
        walk.look()
    assert walk.done.total() == 4 * AFTER_EACH
    undo_all(window)
    assert window.store.state == first
    walk.look()
    window.runner.close()


def main(seconds: float = 300, seed: int = 0) -> None:
    from labapp.application import make_application

    make_application()
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    faults: list[BaseException] = []
    sys.excepthook = lambda kind, error, trace: (faults.append(error), sys.__excepthook__(kind, error, trace))  # type: ignore[assignment]
    window = open_window(make_parts(), Look("light"), Picture("rents", size=(1280, 800)), "cpu")
    window.show()
    window.warm_up()
    first, walk, end = window.store.state, Walk(window, seed), time.monotonic() + seconds
    while time.monotonic() < end and not faults:
        walk.step()
        if walk.done.total() % AFTER_EACH == 0:
            walk.look()
    undo_all(window)
    walk.look()
    sys.stdout.write(f"{walk.done.total()} gestures, {len(faults)} faults: {dict(walk.done)}\n")
    sys.stdout.write(f"undo leads back to the first state: {window.store.state == first}\n")
    window.store.mark_clean()
    window.runner.close()
    sys.exit(1 if faults or window.store.state != first else 0)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
