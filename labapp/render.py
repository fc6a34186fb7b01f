"""Pictures without a window: a panel, or the whole lab, drawn into a PNG, SVG or PDF file."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QMessageLogContext,
    QSettings,
    QSize,
    QThreadPool,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QLayout, QWidget

from labapp.application import make_application
from labapp.errors import PlainError
from labapp.export import check_picture, save_picture
from labapp.host import PanelHost
from labapp.look import Look
from labapp.parts import Parts
from labapp.runner import InlineExecutor
from labapp.scenes import scene_files
from labapp.settings import Settings
from labapp.window import LabWindow

SETTLE_SECONDS = 0.25


@dataclass(frozen=True)
class Picture:
    """What to draw: a session file or the id of a scene, and how."""

    source: str
    panel: str | None = None
    size: tuple[int, int] = (1280, 800)
    theme: str = "light"


def render(parts: Parts, picture: Picture, out: Path, device: str = "auto") -> None:
    """Draw the picture into ``out`` (PNG, SVG or PDF by its ending). Works with no screen."""
    check_picture(out)
    make_application()
    qInstallMessageHandler(_pass_over)
    look = Look("dark" if picture.theme == "dark" else "light")
    window = open_window(parts, look, picture, device)
    try:
        save_picture(prepared(window, picture), look, out, colours="present theme")
    finally:
        window.runner.close()
        window.deleteLater()
        look.deleteLater()
        qInstallMessageHandler(None)


def _pass_over(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    """Says nothing: without a screen Qt warns of window managers that aren't there."""


def open_window(parts: Parts, look: Look, picture: Picture, device: str = "auto") -> LabWindow:
    """A window with the picture's lab in it, computed; its settings are not the user's."""
    settings = Settings(QSettings("", QSettings.Format.IniFormat))
    scene = picture.source if picture.source in scene_files() else None
    window = LabWindow(look, settings)
    window.furnish(parts, device=device, executor=InlineExecutor(), scene=scene)
    layout = window.layout()
    assert layout is not None
    layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # the size asked for, however small
    window.resize(*picture.size)
    window.build()
    if scene is None:
        window.document.open(Path(picture.source))
    return window


def prepared(window: LabWindow, picture: Picture) -> QWidget:
    """The window, or one panel of it, shown and settled, to be drawn."""
    target: QWidget = window
    window.show()
    if picture.panel is not None:
        target = _host(window, picture.panel)
        window.docks.show_alone(picture.panel)
    if picture.theme == "present":
        target.setFocus()
        window.present.toggle()
    window.warm_up()
    settle()
    window.resize(window.size() + QSize(*picture.size) - target.size())
    settle()
    if target.size() != QSize(*picture.size):
        needed = f"{target.width()}x{target.height()}"
        raise PlainError(f"The panel needs {needed} pixels in this theme. Ask for --size {needed} or more.")
    return target


def settle(seconds: float = SETTLE_SECONDS) -> None:
    """Let timers, deferred drawing and what is made aside (formulas) run for a moment, and to their end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end or QThreadPool.globalInstance().activeThreadCount():
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def _host(window: LabWindow, name: str) -> PanelHost:
    for host in window.hosts:
        if host.spec.id == name:
            return host
    known = ", ".join(host.spec.id for host in window.hosts)
    raise PlainError(f"There is no panel named {name!r}. Choose one of {known}.")


def tour(parts: Parts, folder: Path) -> Iterator[Path]:
    """Draw every scene in light, dark and Present into ``folder``, one file after another."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlainError(f"The folder {folder} can't be made ({error.strerror}). Name another one.") from error
    for name in scene_files():
        for theme in ("light", "dark", "present"):
            out = folder / f"{name}-{theme}.png"
            render(parts, Picture(name, theme=theme), out)
            yield out
