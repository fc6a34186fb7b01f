"""Pictures for panels and for the program, from ``assets/icons``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIDES = (16, 24, 32, 64, 128)


@cache
def icon(name: str) -> QIcon:
    """The icon ``assets/icons/<name>.svg`` in the sizes that menus, tabs and task bars ask for."""
    source = files("assets").joinpath("icons").joinpath(f"{name}.svg").read_bytes()
    renderer = QSvgRenderer(QByteArray(source))
    made = QIcon()
    for side in SIDES:
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter)
        painter.end()
        made.addPixmap(pixmap)
    return made
