"""The menu of sessions used lately, each with the small picture of the lab as it was saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QMenu, QProxyStyle, QStyle, QStyleOption, QWidget

from labapp.settings import Settings

PICTURE_WIDTH = 96
LARGEST_PICTURE = 1024
PNG = b"\x89PNG\r\n\x1a\n"


class WideIcons(QProxyStyle):
    """A style whose menus have room for a picture."""

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_SmallIconSize:
            return PICTURE_WIDTH
        return super().pixelMetric(metric, option, widget)


class RecentFiles(QObject):
    """Fills a menu each time it opens."""

    def __init__(self, menu: QMenu, settings: Settings, open_file: Callable[[Path], object]) -> None:
        super().__init__(menu)
        self._menu = menu
        self._settings = settings
        self._open = open_file
        self._pictures: dict[tuple[Path, int], QIcon] = {}
        style = WideIcons("Fusion")
        style.setParent(menu)
        menu.setStyle(style)
        menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        self._menu.clear()
        for path in self._settings.recent:
            action = self._menu.addAction(self._picture(path), str(path).replace("&", "&&"))
            action.triggered.connect(lambda _=False, path=path: self._open(path))
        if self._menu.isEmpty():
            self._menu.addAction("Nothing yet").setEnabled(False)

    def _picture(self, path: Path) -> QIcon:
        """The picture in the file; read again when the file changes."""
        try:
            key = path, path.stat().st_mtime_ns
        except OSError:
            return QIcon()
        if key not in self._pictures:
            self._pictures[key] = _icon(path)
        return self._pictures[key]


def _icon(path: Path) -> QIcon:
    from labapp.session.sessions import thumbnail_of

    data = thumbnail_of(path)
    if data is None or not data.startswith(PNG) or max(_sides(data)) > LARGEST_PICTURE:
        return QIcon()
    picture = QPixmap.fromImage(QImage.fromData(data))
    if picture.isNull():
        return QIcon()
    return QIcon(picture.scaledToWidth(PICTURE_WIDTH, Qt.TransformationMode.SmoothTransformation))


def _sides(png: bytes) -> tuple[int, int]:
    """Width and height that a PNG declares, known before any of it is unpacked."""
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
