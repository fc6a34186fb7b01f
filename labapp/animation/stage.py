"""A panel aside: a second instance of one, never on a screen, that shows what it is asked to and changes no lab."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Slot
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QSplitter, QTableView, QWidget

from labapp.animation.plan import even
from labapp.animation.sweeps import Sweep, bar_of
from labapp.errors import PlainError
from labapp.export import settings_of
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab, Panel
from labapp.plots.caption import Caption
from labapp.plots.picture import image_of
from labapp.readout import SentenceLabel
from labapp.runner import Answer, Executor, Runner
from labapp.store import Store, Update

MORE = "…"
OTHER_TEXT = "The text size was changed while the animation was made, so its frames would differ. Make it anew."


class PrintLook(Look):
    """Light colours in the text size of another look, for widgets that are told so: the application keeps its own."""

    def __init__(self, like: Look) -> None:
        super().__init__("light", like.text_scale)
        self.present = like.present

    def apply(self) -> None:
        self.changed.emit()

    def dress(self, widget: QWidget, font: QFont) -> None:
        """Palette and font for the widget and all that is in it."""
        widget.setPalette(self._palette())
        widget.setFont(font)


class Stage(QObject):
    """Plays a sweep on a copy of ``original`` as it is now. What goes wrong there is raised by ``check``."""

    def __init__(
        self, original: PanelHost, lab: Lab, state: Any, backend: Any, executor: Executor | None = None
    ) -> None:
        super().__init__()
        self._original = original
        self._error: Exception | None = None
        self._caption_height = 0
        self.store = Store(state, self)
        self.runner = Runner(backend, executor, self)
        self.look = PrintLook(lab.look)
        own = Lab(self._dispatch, self.store.take_back, self.look, Highlight(self), scene=lab.scene)
        self._host = PanelHost(original.spec, own, self.store, self.runner)
        self._host.computed.connect(self._on_computed)
        self._font = QApplication.font()
        lab.look.changed.connect(self._on_look)
        self._host.restore_view(original.view_state())
        self._host.busy.setFixedHeight(0)  # it comes and goes
        self._show()

    def _show(self) -> None:
        """To Qt the panel is seen, so that it has a layout and asks for its computations."""
        self._host.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._host.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.look.dress(self._host, self._original.font())
        self._host.setUpdatesEnabled(False)  # but for pictures: Qt would paint what nobody sees
        self._host.resize(self._original.panel.size())
        self._host.show()

    @property
    def panel(self) -> Panel:
        return self._host.panel

    @property
    def is_settled(self) -> bool:
        """Whether the panel shows all that is to be seen at the present position."""
        return self._host.is_current

    def check(self) -> None:
        """Raise what the panel could not compute, or show."""
        if self._error is not None:
            raise self._error
        if not self._host.banner.isHidden():
            raise PlainError(self._host.banner.text)

    def mirror(self) -> None:
        """Take over what the user has arranged that no state knows: borders, what is scrolled, and view options."""
        for theirs, ours in self._pairs(QSplitter):
            ours.restoreState(theirs.saveState())
        for theirs, ours in self._pairs(QScrollArea):
            for bar, own in (
                (theirs.verticalScrollBar(), ours.verticalScrollBar()),
                (theirs.horizontalScrollBar(), ours.horizontalScrollBar()),
            ):
                own.setValue(bar.value())
        for theirs, ours in self._pairs(QAbstractButton):
            if theirs.isCheckable() and theirs.isChecked() != ours.isChecked():
                ours.click()

    def go_to(self, sweep: Sweep, position: float) -> None:
        """Let the play bar move there."""
        bar_of(self.panel, sweep).go_to(position)

    def settle(self) -> None:
        """Lay out what changed."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def rehearse(self) -> None:
        """Keep the room that what is shown now takes, so that other words and numbers move nothing later."""
        for label in self.panel.findChildren(SentenceLabel):
            if label.isVisible():
                keep_height(label)
        for table in self.panel.findChildren(QTableView):
            if table.isVisible() and table.horizontalHeader().isVisible():
                keep_widths(table)
        self._caption_height = max(self._caption_height, self._caption().height(self.panel))

    def picture(self, width: int) -> QImage:
        """The panel and below it its caption, in the room that was kept for it; both sides are even."""
        panel, sharpness = self.panel, width / self.panel.width()
        self._host.setUpdatesEnabled(True)
        above = image_of(panel, self.look, width, "present theme")
        self._host.setUpdatesEnabled(False)
        height = even(round((panel.height() + self._caption_height) * sharpness))
        image = QImage(width, height, QImage.Format.Format_RGBX8888)
        image.fill(self.look.colour("window"))
        with QPainter(image) as painter:
            painter.drawImage(QPoint(0, 0), above)
            painter.scale(sharpness, sharpness)
            painter.setPen(self.look.colour("text"))
            fitting(self._caption(), panel, self._caption_height).paint(painter, panel)
        return image

    def close(self, seconds: float = 0.0) -> bool:
        """Want nothing any more; False where a computation goes on after the wait."""
        self._host.hide()
        return self.runner.close(seconds)

    def remove(self) -> None:
        """Take it all away, once ``close`` gave True."""
        self._host.deleteLater()
        self.look.deleteLater()
        self.deleteLater()

    def _caption(self) -> Caption:
        """The sentence comes last: its lines change."""
        words = settings_of(self.panel), self.panel.sentence()
        return Caption(self._host.spec.title, tuple(filter(None, words)))

    def _pairs(self, kind: type[Any]) -> list[tuple[Any, Any]]:
        """The widgets of this kind that are seen there and here; none where they differ."""
        theirs, ours = (
            [widget for widget in panel.findChildren(kind) if widget.isVisibleTo(panel)]
            for panel in (self._original.panel, self.panel)
        )
        return list(zip(theirs, ours, strict=True)) if len(theirs) == len(ours) else []

    def _dispatch(self, update: Update, label: str, merge: Any = None) -> None:
        try:
            self.store.dispatch(update, label, merge)
        except ValueError as error:
            self._error = error

    @Slot()
    def _on_look(self) -> None:
        """Pictures write in the application's font, whoever changes it."""
        if QApplication.font() != self._font:
            self._error = PlainError(OTHER_TEXT)

    @Slot(object)
    def _on_computed(self, answer: Answer) -> None:
        if answer.error is not None:
            self._error = answer.error


def keep_height(label: SentenceLabel) -> None:
    """At least as high as now, its words at the top, and its place kept where it has nothing to say."""
    label.setMinimumHeight(max(label.minimumHeight(), label.heightForWidth(label.width())))
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    policy = label.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    label.setSizePolicy(policy)


def keep_widths(table: QTableView) -> None:
    """Columns as wide as what is in them, as far as the last one, which takes the rest, has room to give."""
    header = table.horizontalHeader()
    last = header.count() - 1
    room = table.columnWidth(last) - max(header.sectionSizeHint(last), table.sizeHintForColumn(last))
    for column in range(last):
        more = min(table.sizeHintForColumn(column) - table.columnWidth(column), room)
        if more > 0:
            table.setColumnWidth(column, table.columnWidth(column) + more)
            room -= more


def fitting(caption: Caption, widget: QWidget, room: int) -> Caption:
    """The caption, with its last words left out as far as it is too high."""
    while caption.height(widget) > room and caption.words:
        *before, last = caption.words
        shorter = last.removesuffix(MORE).rpartition(" ")[0]
        caption = Caption(caption.title, (*before, shorter + MORE) if shorter else tuple(before))
    return caption
