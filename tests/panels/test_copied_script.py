"""Copy as Python in the whole lab: the script of the panel and the section that were clicked last."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QTabBar, QTabWidget
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.render import Picture, open_window
from labapp.window import LabWindow
from main import make_parts
from tests.panels.script_cases import Notebook

PANELS = ("Temperature and entropy", "Kernel regression", "Gradient flow")


@pytest.fixture
def window(look: Look, qtbot: QtBot) -> LabWindow:
    made = open_window(make_parts(), look, Picture("rents"), "cpu")  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.filing.ask = lambda *question: QMessageBox.StandardButton.Discard  # type: ignore[method-assign]
    made.resize(1280, 800)
    made.show()
    made.warm_up()
    made.docks.arrange()
    qtbot.wait(20)
    return made


def click(bar: QTabBar, title: str) -> None:
    """The tab of this name, with the mouse."""
    index = next(i for i in range(bar.count()) if bar.tabText(i) == title)
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(index).center())


def sections(window: LabWindow, panel: str) -> QTabBar:
    host = next(host for host in window.hosts if host.spec.title == panel)
    tabs = host.findChild(QTabWidget)
    assert tabs is not None
    bar = tabs.tabBar()
    assert bar is not None
    return bar


def test_what_was_clicked_last_is_copied(window: LabWindow, aside: Notebook, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.wait(20)
    seen = set()
    for panel in PANELS:
        docked = next(
            bar for bar in window.findChildren(QTabBar) if "Gradient flow" in map(bar.tabText, range(bar.count()))
        )
        click(docked, panel)
        qtbot.wait(20)
        bar = sections(window, panel)
        for title in [bar.tabText(index) for index in range(bar.count())]:
            click(bar, title)
            qtbot.wait(20)
            window.exports.copy_script()
            script = QGuiApplication.clipboard().text()
            assert aside.run(script), title
            seen.add(script)
        window.hosts[0].setFocus()
        window.exports.copy_script()
        seen.add(QGuiApplication.clipboard().text())
    assert len(seen) == 7 + 5 + 6 + 1
