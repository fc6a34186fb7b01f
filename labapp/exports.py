"""What the menus offer to take out of the lab: asks for names, and says what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from labapp.aside import aside
from labapp.errors import PlainError
from labapp.export import caption_of, check_picture, save_numbers, save_picture
from labapp.host import PanelHost
from labapp.plots.caption import Caption
from labapp.plots.picture import WIDEST, image_of

if TYPE_CHECKING:
    from labapp.animation.dialog import AnimationDialog
    from labapp.window import LabWindow

PICTURE_FILTER = "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)"
NUMBERS_FILTER = "Table (*.csv);;HDF5 for other programs (*.h5)"
SHARPNESS = 2
"""Dots for one of the screen that a PNG has unless another width is asked for."""


class Exports(QObject):
    """The export actions of one window. What a panel gives is that of the one with the keys, or else the first seen."""

    def __init__(self, window: LabWindow) -> None:
        super().__init__(window)
        self._window = window
        self._folder = Path.home()
        self._animation: AnimationDialog | None = None

    def panel_picture(self) -> bool:
        """Write the picture of a panel."""
        host = self._host()
        return host is not None and self._save(host.panel, caption_of(host.panel, host.spec.title), host.spec.id)

    def window_picture(self) -> bool:
        """Write the picture of the whole window."""
        self._window.statusBar().clearMessage()
        return self._save(self._window, self._whole_caption(), "lab")

    def numbers(self) -> bool:
        """Write the numbers of a panel."""
        host = self._host()
        if host is None:
            return False
        if not host.has_result:
            self._window.status.notify(f"“{host.spec.title}” has no finished result yet. Try again when it has.")
            return False
        numbers = host.numbers()
        if not numbers.tables:
            self._window.status.notify(f"“{host.spec.title}” shows no numbers that could be written.")
            return False
        path = self.ask_name("Export numbers", f"{host.spec.id}.csv", NUMBERS_FILTER)
        return path is not None and self._guarded(path, lambda: aside(lambda: save_numbers(numbers, path)) is None)

    def animation(self) -> AnimationDialog | None:
        """Show the dialog that makes an animation of what can be played in a panel; one is made at a time."""
        from labapp.animation.dialog import AnimationDialog
        from labapp.animation.sweeps import sweeps_of

        if self._animation is not None and self._animation.making is None:
            self._animation.reject()  # it may be about another panel, or another section
        if self._animation is None:
            host = self._host()
            if host is None:
                return None
            if not sweeps_of(host.panel):
                self._window.status.notify(f"“{host.spec.title}” has nothing to play in what it shows now.")
                return None
            self._animation = AnimationDialog(host, self._window, self.ask_name)
            self._animation.finished.connect(self._on_animation_closed)
            self._animation.written.connect(lambda path: self._window.status.notify(f"Written to {path}."))
        self._animation.show()
        self._animation.raise_()
        self._animation.activateWindow()
        return self._animation

    def close(self) -> bool:
        """Give up the animation that is being made; False where a computation for it goes on."""
        if self._animation is None:
            return True
        has_ended = self._animation.give_up_now()
        self._animation.reject()
        return has_ended

    def copy_script(self) -> None:
        """Put a script that computes the numbers of a panel on the clipboard."""
        host = self._host()
        if host is None:
            return
        script = host.panel.script()
        if not script:
            self._window.status.notify(f"“{host.spec.title}” has no script for what it shows now.")
            return
        QGuiApplication.clipboard().setText(script)
        self._window.status.notify(f"A script of “{host.spec.title}” is on the clipboard.")

    def copy_picture(self) -> None:
        """Put the picture of a panel on the clipboard."""
        host = self._host()
        if host is not None:
            width = min(WIDEST, SHARPNESS * host.panel.width())
            caption = caption_of(host.panel, host.spec.title)
            QGuiApplication.clipboard().setImage(image_of(host.panel, self._window.look, width, caption=caption))
            self._window.status.notify(f"A picture of “{host.spec.title}” is on the clipboard.")

    def ask_name(self, title: str, suggestion: str, kinds: str) -> Path | None:
        """A path of the user's choice; tests answer in the user's place."""
        name, chosen = QFileDialog.getSaveFileName(self._window, title, str(self._folder / suggestion), kinds)
        if not name:
            return None
        path = Path(name)
        self._folder = path.parent
        return path if path.suffix else self._with_ending(path, chosen.partition("*")[2].rstrip(")"))

    def ask_width(self, suggestion: int) -> int | None:
        """How wide a PNG shall be, in pixels."""
        width, agreed = QInputDialog.getInt(
            self._window, "Width of the picture", f"Pixels, 1 to {WIDEST}:", suggestion, 1, WIDEST
        )
        return width if agreed else None

    @Slot()
    def _on_animation_closed(self) -> None:
        if self._animation is not None:
            self._animation.deleteLater()
            self._animation = None

    def _with_ending(self, path: Path, ending: str) -> Path | None:
        """The whole name; the file dialog asked about the one without the ending."""
        path = path.with_name(path.name + ending)
        buttons, no = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No, QMessageBox.StandardButton.No
        text = f"“{path.name}” is there already."
        if path.exists() and self._window.filing.ask(text, "Replace it?", buttons, no) == no:
            return None
        return path

    def _save(self, widget: QWidget, caption: Caption, name: str) -> bool:
        path = self.ask_name("Export picture", f"{name}.png", PICTURE_FILTER)
        return path is not None and self._guarded(path, lambda: self._draw(widget, caption, path))

    def _draw(self, widget: QWidget, caption: Caption, path: Path) -> bool:
        check_picture(path)
        width: int | None = None
        if path.suffix.lower() == ".png":
            width = self.ask_width(min(WIDEST, SHARPNESS * widget.width()))
            if width is None:
                return False
        save_picture(widget, self._window.look, path, width=width, caption=caption)
        return True

    def _guarded(self, path: Path, write: Callable[[], bool]) -> bool:
        try:
            done = write()
        except PlainError as error:
            self._window.filing.report(error)
            return False
        if done:
            self._window.status.notify(f"Written to {path}.")
        return done

    def _host(self) -> PanelHost | None:
        """The panel that has the keys, or had them last; else the first that is seen."""
        seen = [host for host in self._window.hosts if host.is_seen]
        holder = self._window.focusWidget()
        for host in seen:
            if holder is not None and (host is holder or host.isAncestorOf(holder)):
                return host
        if not seen:
            self._window.status.notify("No panel is open. Show one from the View menu first.")
        return seen[0] if seen else None

    def _whole_caption(self) -> Caption:
        seen = [caption_of(host.panel, host.spec.title) for host in self._window.hosts if host.is_seen]
        words = tuple(f"{each.title}: {' '.join(each.words)}" for each in seen if each.words)
        return Caption(self._window.document.title, words)
