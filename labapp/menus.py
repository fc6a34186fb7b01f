"""Menus and shortcuts of the window."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from labapp.look import Theme
from labapp.recent import RecentFiles
from labapp.scenes import scene_files

if TYPE_CHECKING:
    from labapp.window import LabWindow

Key = QKeySequence.StandardKey
Shortcut = QKeySequence.StandardKey | str | None
THEMES: dict[Theme, str] = {"light": "Light", "dark": "Dark", "system": "Like the system"}


class Menus(QObject):
    """The actions of a window. Each is added to the window too: a hidden menu bar has no shortcuts."""

    def __init__(self, window: LabWindow) -> None:
        super().__init__(window)
        self._window = window
        self._file()
        self._edit()
        self._view()
        self._help()

    def shortcuts(self) -> list[tuple[str, str]]:
        """Every action that has a shortcut: what it does, and the keys."""
        pairs = []
        for action in self._window.actions():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            if keys:
                pairs.append((action.text().replace("&", "").rstrip("…"), keys))
        return pairs

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(title)

    def _action(self, menu: QMenu, text: str, slot: Callable[[], object], shortcut: Shortcut = None) -> QAction:
        action = QAction(text, self._window)
        action.triggered.connect(lambda _checked=False: slot())
        if shortcut is not None:
            action.setShortcut(QKeySequence(shortcut))
        menu.addAction(action)
        self._window.addAction(action)
        return action

    def _file(self) -> None:
        window, menu = self._window, self._menu("&File")
        self._action(menu, "&New", lambda: window.filing.new(window.parts.first_scene), Key.New)
        scenes = menu.addMenu("New from s&cene")
        for scene in scene_files().values():
            action = self._action(scenes, scene.title, partial(window.filing.new, scene.id))
            action.setToolTip(scene.summary)
        scenes.setToolTipsVisible(True)
        self._action(menu, "&Open…", window.filing.open_dialog, Key.Open)
        recent = menu.addMenu("Open &recent")
        RecentFiles(recent, window.settings, window.filing.open)
        menu.addSeparator()
        self._action(menu, "&Save", window.filing.save, Key.Save)
        self._action(menu, "Save &as…", window.filing.save_as, "Ctrl+Shift+S")
        self._action(menu, "Save a co&py…", window.filing.save_copy)
        revert = self._action(menu, "Re&vert to the saved file", window.filing.revert)
        menu.aboutToShow.connect(lambda: revert.setEnabled(window.document.path is not None))
        menu.addSeparator()
        self._action(menu, "&Export picture…", lambda: window.exports.panel_picture(), "Ctrl+Shift+E")
        self._action(menu, "Export picture of the &window…", lambda: window.exports.window_picture())
        self._action(menu, "Export &numbers…", lambda: window.exports.numbers())
        self._action(menu, "Export anima&tion…", lambda: window.exports.animation())
        keep = self._action(menu, "&Keep numbers in the session file", lambda: None)
        keep.setCheckable(True)
        keep.setChecked(window.settings.keeps_numbers)
        keep.toggled.connect(lambda checked: setattr(window.settings, "keeps_numbers", checked))
        menu.addSeparator()
        self._action(menu, "&Quit", window.close, "Ctrl+Q")

    def _edit(self) -> None:
        window, menu = self._window, self._menu("&Edit")
        store = window.store
        undo = self._action(menu, "&Undo", store.undo, Key.Undo)
        redo = self._action(menu, "&Redo", store.redo, "Ctrl+Shift+Z")
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        menu.addSeparator()
        self._action(menu, "Copy &picture", lambda: window.exports.copy_picture(), "Ctrl+Shift+C")
        self._action(menu, "Copy as P&ython", lambda: window.exports.copy_script())
        menu.addSeparator()
        self._action(menu, "Reset to the lab as &opened", store.reset)

        def name_them() -> None:
            for action, verb, label in ((undo, "&Undo", store.undo_label), (redo, "&Redo", store.redo_label)):
                action.setEnabled(bool(label))
                action.setText(f"{verb} “{label.replace('&', '&&')}”" if label else verb)

        store.history_changed.connect(name_them)
        name_them()

    def _view(self) -> None:
        window, menu = self._window, self._menu("&View")
        self.panels = menu.addMenu("&Panels")
        self._action(menu, "&Default layout", lambda: window.docks.arrange())
        menu.addSeparator()
        look = window.look
        larger = self._action(menu, "&Larger text", lambda: look.set_text_scale(look.text_scale * 1.1), "Ctrl++")
        larger.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])  # plus without Shift on many keyboards
        self._action(menu, "S&maller text", lambda: look.set_text_scale(look.text_scale / 1.1), "Ctrl+-")
        self._action(menu, "&Normal text", lambda: look.set_text_scale(1.0), "Ctrl+0")
        themes = menu.addMenu("&Theme")
        group = QActionGroup(self)
        for theme, label in THEMES.items():
            action = self._action(themes, label, partial(look.set_theme, theme))
            action.setCheckable(True)
            action.setChecked(theme == look.theme)
            group.addAction(action)
        menu.addSeparator()
        self._action(menu, "&Present", window.present.toggle, "F5")
        self._action(menu, "&Full screen", window.toggle_full_screen, "F11")

    def add_panels(self) -> None:
        """For each dock an entry that shows or closes it, and one that goes to it: Ctrl+1 … in their order."""
        docks = self._window.docks
        for dock in docks.docks.values():
            self.panels.addAction(dock.toggleViewAction())
        self.panels.addSeparator()
        for number, (name, dock) in enumerate(docks.docks.items(), 1):
            title = dock.windowTitle().replace("&", "&&")
            self._action(self.panels, f"Go to {title}", partial(docks.go_to, name), f"Ctrl+{number}")

    def _help(self) -> None:
        menu = self._menu("&Help")
        self._action(menu, "&Shortcuts", self._window.show_shortcuts, "F1")
        self._action(menu, "&About Lookup Lab", self._window.show_about)
