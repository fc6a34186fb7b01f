"""Widgets below one another, without margins."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget


def stack(owner: QWidget, *widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(owner)
    column.setContentsMargins(0, 0, 0, 0)
    for widget in widgets:
        column.addWidget(widget)
    return column
