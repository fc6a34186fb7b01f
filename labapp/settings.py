"""What the program remembers between runs, beside the sessions: look, recent files, layout, what is saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from labapp.look import Theme

RECENT_MOST = 10


class Settings:
    """A thin reading of ``QSettings``: a value that is missing or of another kind gives the default."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = QSettings("Lookup Lab", "Lookup Lab") if store is None else store

    @property
    def theme(self) -> Theme:
        theme = self._store.value("theme")
        return "light" if theme == "light" else "dark" if theme == "dark" else "system"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("theme", theme)

    @property
    def text_scale(self) -> float:
        try:
            return float(str(self._store.value("text_scale", "1")))
        except ValueError:
            return 1.0

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._store.setValue("text_scale", repr(scale))

    @property
    def keeps_numbers(self) -> bool:
        """Whether a saved session holds the numbers of the panels too, for other programs."""
        return str(self._store.value("keeps_numbers", "")).lower() == "true"

    @keeps_numbers.setter
    def keeps_numbers(self, keeps: bool) -> None:
        self._store.setValue("keeps_numbers", "true" if keeps else "false")

    @property
    def recent(self) -> list[Path]:
        """Recently used sessions that still exist, newest first."""
        names = self._store.value("recent", [])
        if isinstance(names, str):  # a list of one comes back as its item
            names = [names]
        texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
        return [Path(name) for name in texts if Path(name).is_file()]

    def add_recent(self, path: Path) -> None:
        paths = [path.absolute(), *(other for other in self.recent if other != path.absolute())]
        self._store.setValue("recent", [str(other) for other in paths[:RECENT_MOST]])

    def layout(self) -> tuple[QByteArray | None, QByteArray | None]:
        """Geometry and dock state of the window, as last kept."""
        kept = (self._store.value("geometry"), self._store.value("docks"))
        geometry, docks = (value if isinstance(value, QByteArray) else None for value in kept)
        return geometry, docks

    def keep_layout(self, geometry: QByteArray, docks: QByteArray) -> None:
        self._store.setValue("geometry", geometry)
        self._store.setValue("docks", docks)
        self._store.sync()
