"""How the lab looks now: theme, colours by meaning, text size. Widgets ask here and follow ``changed``."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

Theme = Literal["light", "dark", "system"]
SMALLEST, LARGEST = 0.7, 3.0


@cache
def theme_colours(theme: str) -> dict[str, str]:
    """The colours of ``assets/themes/<theme>.json``, by meaning."""
    text = files("assets").joinpath("themes").joinpath(f"{theme}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


class Look(QObject):
    """Theme and text size of the whole application.

    Present mode is for a projector: text of at least 24 px on a screen of 1080 lines, thick lines. ``changed`` follows
    every change, after palette and font of the application are set.
    """

    changed = Signal()

    def __init__(self, theme: Theme = "system", text_scale: float = 1.0, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = theme
        self.text_scale = _bounded(text_scale)
        self.present = False
        # Not the application's font: an earlier Look may have scaled that.
        self._base_size = QFontInfo(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)).pointSizeF()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        self.apply()

    @property
    def is_dark(self) -> bool:
        if self.theme == "system":
            return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self.theme == "dark"

    @property
    def scale(self) -> float:
        """Size of text and marks, 1 for the normal size."""
        return max(self.text_scale, 24 / self._base_pixels()) if self.present else self.text_scale

    @property
    def line_width(self) -> float:
        """Width in pixels of the curve that matters; helpers are drawn with half of it."""
        return 4.0 if self.present else 2.0

    def colour(self, meaning: str) -> QColor:
        """The colour of a meaning of ``assets/themes`` ("query", "axis", …) in the present theme."""
        return QColor(theme_colours("dark" if self.is_dark else "light")[meaning])

    def set_theme(self, theme: Theme) -> None:
        self.theme = theme
        self.apply()

    def set_text_scale(self, scale: float) -> None:
        self.text_scale = _bounded(scale)
        self.apply()

    def set_present(self, present: bool) -> None:
        self.present = present
        self.apply()

    def apply(self) -> None:
        """Set palette and font. ``QStyleHints.setColorScheme`` does nothing offscreen, so the palette is our own."""
        QApplication.setPalette(self._palette())
        font = QFont(QApplication.font())
        font.setPointSizeF(self._base_size * self.scale)
        QApplication.setFont(font)
        self.changed.emit()

    def _base_pixels(self) -> float:
        screen = QGuiApplication.primaryScreen()
        return self._base_size * (screen.logicalDotsPerInch() if screen else 96.0) / 72.0

    def _follow_system(self) -> None:
        if self.theme == "system":
            self.apply()

    def _palette(self) -> QPalette:
        palette = QPalette()
        roles = {
            "window": (QPalette.ColorRole.Window,),
            "base": (QPalette.ColorRole.Base, QPalette.ColorRole.ToolTipBase),
            "alternate": (QPalette.ColorRole.AlternateBase,),
            "text": (
                QPalette.ColorRole.Text,
                QPalette.ColorRole.WindowText,
                QPalette.ColorRole.ButtonText,
                QPalette.ColorRole.ToolTipText,
            ),
            "muted": (QPalette.ColorRole.PlaceholderText,),
            "button": (QPalette.ColorRole.Button,),
            "accent": (QPalette.ColorRole.Highlight, QPalette.ColorRole.Accent),
            "accent_text": (QPalette.ColorRole.HighlightedText,),
            "link": (QPalette.ColorRole.Link,),
            "line": (QPalette.ColorRole.Mid,),
        }
        for meaning, targets in roles.items():
            for role in targets:
                palette.setColor(role, self.colour(meaning))
        window = self.colour("window")
        for role, factor in (
            (QPalette.ColorRole.Light, 115),
            (QPalette.ColorRole.Midlight, 107),
            (QPalette.ColorRole.Dark, 75),
            (QPalette.ColorRole.Shadow, 50),
        ):
            palette.setColor(role, window.lighter(factor) if factor > 100 else window.darker(round(10000 / factor)))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.colour("muted"))
        return palette


def _bounded(scale: float) -> float:
    return min(max(scale, SMALLEST), LARGEST) if scale == scale else 1.0
