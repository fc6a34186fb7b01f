"""The main window: docks, menus, status bar, and the document that they show."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QIODevice, QMimeData, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QMainWindow

from labapp.errors import PlainError
from labapp.kinds import SESSIONS, TABLES
from labapp.look import Look
from labapp.placing import bring_on_screen, frame_size
from labapp.settings import Settings

# What furnishes the window is imported when it is furnished: the bare window is painted first.
if TYPE_CHECKING:
    from labapp.docks import Docks
    from labapp.document import Document
    from labapp.exports import Exports
    from labapp.filing import Filing
    from labapp.host import PanelHost
    from labapp.menus import Menus
    from labapp.named_table import PanelNumbers
    from labapp.notice import Notice
    from labapp.panel import Lab
    from labapp.parts import Parts
    from labapp.present import Present
    from labapp.runner import Answer, Executor, Runner
    from labapp.status import Status
    from labapp.store import Store

WARM_UP = "warm-up"
DEFAULT_SIZE = (1280, 800)
THUMBNAIL_WIDTH = 320


class LabWindow(QMainWindow):
    """Made bare, so that it is painted at once; then come ``furnish`` (document, menus), ``build`` (panels) and
    ``warm_up`` (what computes).
    """

    parts: Parts
    store: Store
    runner: Runner
    document: Document
    notice: Notice
    filing: Filing
    docks: Docks
    present: Present
    status: Status
    menus: Menus
    lab: Lab

    def __init__(self, look: Look, settings: Settings) -> None:
        super().__init__()
        self.look = look
        self.settings = settings
        self.hosts: list[PanelHost] = []
        self._is_furnished = False
        self.setWindowTitle("Lookup Lab")
        self._place()

    def furnish(
        self, parts: Parts, *, device: str = "auto", executor: Executor | None = None, scene: str | None = None
    ) -> None:
        """Give the window a lab: its document with the scene in it, its runner, its menus."""
        from labapp.docks import Docks
        from labapp.document import Document
        from labapp.filing import Filing
        from labapp.icons import icon
        from labapp.menus import Menus
        from labapp.notice import Notice
        from labapp.panel import Highlight, Lab
        from labapp.present import Present
        from labapp.runner import Runner
        from labapp.scenes import Shelf
        from labapp.status import Status
        from labapp.store import Store

        self.parts = parts
        shelf = Shelf(parts.state_type, parts.array_type)
        self.store = Store(shelf.state(scene or parts.first_scene), self)
        self.runner = Runner(parts.backend(device), executor, self)
        self.document = Document(self.store, shelf, parts.array_type, self)
        self.notice = Notice(self)
        self.filing = Filing(self, self.document, self.settings, self._snapshot, self.notice.say)
        self.filing.numbers = self._numbers
        self.docks = Docks(self)
        self.present = Present(self)
        self._device = device
        self.status = Status(self.statusBar(), parts.devices, device)
        self.menus = Menus(self)
        self.lab = Lab(
            self.store.dispatch, self.store.take_back, self.look, Highlight(self), self.status.notify, shelf.choose
        )
        self.setAcceptDrops(True)
        self.setWindowIcon(icon("lookuplab"))
        self._is_furnished = True
        self._connect()
        self.runner.hold()  # a computation would load what computes before the panels are painted
        self._show_title()

    def _connect(self) -> None:
        self.store.history_changed.connect(self._show_title)
        self.document.changed.connect(self._show_title)
        self.document.replacing.connect(self._on_replacing)
        self.document.replacing.connect(self.notice.hide)
        self.document.replaced.connect(self._on_replaced)
        self.runner.answered.connect(self._on_answer)
        self.status.device_chosen.connect(self.choose_device)
        self.look.changed.connect(self._keep_look)

    def _place(self) -> None:
        """Where it was last time. Before it is shown and before the docks come back: they would shrink otherwise."""
        screen = QGuiApplication.primaryScreen().availableSize()
        self.resize(QSize(*DEFAULT_SIZE).boundedTo(screen - frame_size(self)))
        geometry, _ = self.settings.layout()
        if geometry is not None:
            self.restoreGeometry(geometry)
            bring_on_screen(self)

    def build(self, awake: bool = True) -> None:
        """Make the docks and bring back the layout of last time; panels are made when they are seen and awake."""
        from labapp.host import PanelHost

        self.hosts = [PanelHost(spec, self.lab, self.store, self.runner, awake) for spec in self.parts.panels()]
        self.docks.add(self.hosts)
        self.menus.add_panels()
        _, docks = self.settings.layout()
        if docks is not None and not self.docks.restore(docks):
            self.status.notify("The kept layout does not fit this version; the default layout is shown.")

    def warm_up(self) -> None:
        """Load what computes, off the GUI thread, and learn what the device is."""
        self.status.show_warming_up()
        self.runner.request(WARM_UP, self.parts.warm_up, (self._device,))
        self.runner.release(first=WARM_UP)

    def choose_device(self, device: str) -> None:
        self._device = device
        self.runner.forget()
        self.runner.backend = self.parts.backend(device)
        self.warm_up()
        for host in self.hosts:
            host.recompute()

    @cached_property
    def exports(self) -> Exports:
        """The export actions, which bring the plotting with them, made at their first use."""
        from labapp.exports import Exports

        return Exports(self)

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_shortcuts(self) -> None:
        from labapp.dialogs import shortcut_sheet

        shortcut_sheet(self, self.menus.shortcuts()).show()

    def show_about(self) -> None:
        from labapp.dialogs import about_box

        about_box(self, self.parts.versions(), self.status.device_text).show()

    def open_file(self, path: Path) -> None:
        """Open what was dropped or named: a session, or a table for the first panel that takes one."""
        if path.suffix.lower() not in TABLES:
            self.filing.open(path)
            return
        for host in self.hosts:
            if host.is_seen and host.panel.open_table(path):
                return
        self.filing.report(PlainError(f"No open panel takes a table. Show one that does, then drop {path.name} again."))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        if self._is_furnished and not self.filing.may_lose_changes():
            event.ignore()
            return
        self.finish()
        event.accept()

    def finish(self) -> None:
        """Keep the layout and want no answers any more."""
        if self.hosts:
            self.settings.keep_layout(self.saveGeometry(), self.present.layout)
        if self._is_furnished:
            self.runner.close(seconds=0)
        if "exports" in vars(self):
            self.exports.close()

    def is_idle(self) -> bool:
        """Wait a moment for what still computes; False where that goes on and on."""
        return not self._is_furnished or (self.runner.close() and ("exports" not in vars(self) or self.exports.close()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self._is_furnished and self.present.is_on:
            self.present.toggle()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        if _dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        path = _dropped_file(event.mimeData())
        if path:
            event.acceptProposedAction()
            # The question that opening may ask must not hold up whoever the file was dragged from.
            QTimer.singleShot(0, lambda: self.open_file(path))

    def _snapshot(self) -> tuple[dict[str, Any], bytes]:
        """What travels in a session beside the state: layout and zoom, and a small picture."""
        from labapp.docks import to_view

        panels = {host.spec.id: host.view_state() for host in self.hosts}
        picture = self.grab().scaledToWidth(THUMBNAIL_WIDTH, Qt.TransformationMode.SmoothTransformation)
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        picture.save(buffer, "PNG")
        return {**to_view(self.present.layout), "panels": panels}, bytes(buffer.data().data())

    def _numbers(self) -> tuple[PanelNumbers, ...]:
        """Those of the panels that show the result of the present state."""
        return tuple(numbers for host in self.hosts if host.has_result and (numbers := host.numbers()).tables)

    @Slot()
    def _on_replacing(self) -> None:
        for host in self.hosts:
            host.stop()

    @Slot(object)
    def _on_replaced(self, view: dict[str, Any]) -> None:
        presents = self.present.is_on
        if presents:
            self.present.toggle()
        if not self.docks.from_view(view):
            self.status.notify("The layout kept in this session does not fit this version; the present one stays.")
        kept = view.get("panels")
        for host in self.hosts:
            own = kept.get(host.spec.id) if isinstance(kept, dict) else None
            host.restore_view(own if isinstance(own, dict) else {})
        if presents:
            self.present.toggle()

    @Slot(object)
    def _on_answer(self, answer: Answer) -> None:
        if answer.request.key == WARM_UP:
            self.status.show_device(answer.result if answer.error is None else "no device")
            if answer.error is not None:
                self.status.notify(str(answer.error))
        else:
            self.status.show_answer(answer)
        notice = self.runner.take_notice()
        if notice:
            self.status.notify(notice)
            self.status.show_device(self.runner.backend.label)

    @Slot()
    def _show_title(self) -> None:
        name = self.document.title.replace("[*]", "[*][*]")  # Qt's escape for its mark of changes
        self.setWindowTitle(f"{name}[*] — Lookup Lab")
        self.setWindowModified(not self.store.is_clean)

    @Slot()
    def _keep_look(self) -> None:
        self.settings.theme = self.look.theme
        self.settings.text_scale = self.look.text_scale


def _dropped_file(data: QMimeData) -> Path | None:
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    known = [path for path in paths if path.suffix.lower() in (*SESSIONS, *TABLES)]
    return known[0] if known else None
