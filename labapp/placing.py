"""Where a window lies."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow, QStyle

TITLE_BAR_SEEN = 100
"""Pixels of the title bar that must lie inside a screen."""


def frame_size(window: QMainWindow) -> QSize:
    """What title bar and borders will take, by the style: before a window is shown nobody knows it."""
    style = window.style()
    border = 2 * style.pixelMetric(QStyle.PixelMetric.PM_MdiSubWindowFrameWidth)
    title = style.pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    return QSize(border, title + border)


def bring_on_screen(window: QMainWindow) -> None:
    """Move a window that lies off every screen (the projector is gone) back onto the first one."""
    title_bar = window.frameGeometry()
    title_bar.setHeight(TITLE_BAR_SEEN)
    for screen in QGuiApplication.screens():
        seen = screen.availableGeometry().intersected(title_bar)
        if seen.width() >= TITLE_BAR_SEEN and seen.height() >= TITLE_BAR_SEEN:
            return
    screen_area = QGuiApplication.primaryScreen().availableGeometry()
    window.resize(window.size().boundedTo(screen_area.size()))
    window.move(screen_area.topLeft())
