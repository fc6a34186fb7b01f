"""A button that opens a menu."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu, QToolButton


def menu_button(text: str) -> tuple[QToolButton, QMenu]:
    """The button, and its menu to be filled."""
    button = QToolButton()
    button.setText(text)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    button.setMenu(menu)
    return button, menu
