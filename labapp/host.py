"""The frame around a panel: asks for its computations, shows busy mark and error banner."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from labapp.errors import sentence_of
from labapp.faults import details_of, log_fault
from labapp.named_table import PanelNumbers
from labapp.panel import Lab, Panel, PanelSpec
from labapp.runner import Answer, Runner
from labapp.store import Store

BUSY_AFTER_MS = 150
FAULT = "This panel could not be computed: a fault in the program. The last good picture stays."
STOPPED = "The computation was stopped, so the picture is an earlier one. Change anything to compute again."


class Banner(QFrame):
    """A sentence about a fault, with its details to copy. Hidden while all is well."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._details = ""
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = QPushButton("Copy details")
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._details))
        close = QToolButton()
        close.setText("×")
        close.setAccessibleName("Close this message")
        close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.addWidget(self._label, 1)
        row.addWidget(self._copy)
        row.addWidget(close)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def show_error(self, error: BaseException) -> None:
        sentence = sentence_of(error)
        if sentence is None:
            log_fault(error)
        self._show(sentence or FAULT, details_of(error))

    def show_sentence(self, sentence: str) -> None:
        self._show(sentence, "")

    def _show(self, sentence: str, details: str) -> None:
        self._details = details
        self._copy.setVisible(bool(details))
        self._label.setText(sentence)
        self.setAccessibleDescription(sentence)
        self.show()


class BusyBar(QWidget):
    """A thin bar with a cancel button, shown when a computation lasts."""

    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedHeight(6)
        self._bar.setAccessibleName("Computing")
        cancel = QToolButton()
        cancel.setText("Cancel")
        cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 6, 0)
        row.addWidget(self._bar, 1)
        row.addWidget(cancel)
        self._timer = QTimer(self, singleShot=True, interval=BUSY_AFTER_MS)
        self._timer.timeout.connect(self.show)
        self.hide()

    def start(self) -> None:
        self._bar.setRange(0, 0)
        if self.isHidden() and not self._timer.isActive():
            self._timer.start()

    def progress(self, fraction: float) -> None:
        self._bar.setRange(0, 1000)
        self._bar.setValue(round(1000 * fraction))

    def stop(self) -> None:
        self._timer.stop()
        self.hide()


class PanelHost(QWidget):
    """Holds one panel and connects it to store and runner. One that isn't seen neither redraws nor computes.

    The panel is made when it is first seen, and not before ``wake``: a start makes one after the other.
    """

    computed = Signal(object)

    def __init__(self, spec: PanelSpec, lab: Lab, store: Store, runner: Runner, awake: bool = True) -> None:
        super().__init__()
        # A click on a tab or a word gives the keys to the panel: what is exported and copied is what was clicked last.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.spec = spec
        self._lab = lab
        self._panel: Panel | None = None
        self._view: dict[str, Any] = {}
        self._awake = awake
        self._store = store
        self._runner = runner
        self._asked: tuple[Any, ...] | None = None
        self._waits = False
        self._is_answered = False
        self._shown_state: Any = None
        self._on_top = True
        self.banner = Banner()
        self.busy = BusyBar()
        self.busy.cancelled.connect(self._on_cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addWidget(self.busy)
        store.changed.connect(self._on_state)
        runner.answered.connect(self._on_answer)
        runner.started.connect(self._on_started)
        runner.finished.connect(self._on_finished)

    @property
    def panel(self) -> Panel:
        """The panel, made at its first use."""
        if self._panel is None:
            self._panel = self.spec.widget(self._lab)
            self._panel.setAccessibleName(self.spec.title)
            layout = self.layout()
            assert isinstance(layout, QVBoxLayout)
            layout.addWidget(self._panel, 1)
            self._panel.restore_view(self._view)
        return self._panel

    def numbers(self) -> PanelNumbers:
        """What the panel shows, as numbers."""
        return PanelNumbers(self.spec.id, self.spec.title, tuple(self.panel.tables()))

    def view_state(self) -> dict[str, Any]:
        """The panel's view state; for one that nobody has seen yet the one that it was given."""
        return self._view if self._panel is None else self._panel.view_state()

    def restore_view(self, view: dict[str, Any]) -> None:
        self._view = view
        if self._panel is not None:
            self._panel.restore_view(view)

    def wake(self) -> None:
        """Allow the panel to be made, and make it where it is seen."""
        self._awake = True
        self._on_seen()

    @property
    def is_seen(self) -> bool:
        """False for a panel that is closed, and for one behind another tab: Qt calls that one visible all the same."""
        return self._awake and self.isVisible() and self._on_top

    @property
    def is_current(self) -> bool:
        """True when the panel shows the present state and its result, or the fault that it led to."""
        return self._shown_state is self._store.state and not self._waits

    @property
    def has_result(self) -> bool:
        """True when the panel shows the whole result of the present state."""
        return self.is_current and self._is_answered

    def refresh(self) -> None:
        """Show the present state, and ask for its result where the inputs are others than those asked for last."""
        state = self._shown_state = self._store.state
        self.panel.show_state(state)
        try:
            inputs = self.spec.select(state)
        except ValueError as error:
            self.stop()
            self.banner.show_error(error)
            return
        if inputs != self._asked:
            self._asked, self._waits, self._is_answered = inputs, True, False
            self._runner.request(self.spec.id, self.spec.compute, inputs, self.spec.restart)

    def recompute(self) -> None:
        """Ask again although nothing changed: another session, another device, or a cache that was emptied."""
        self.stop()
        self._shown_state = None
        self._on_seen()

    @Slot(bool)
    def set_on_top(self, on_top: bool) -> None:
        """Whether another tab covers the panel."""
        self._on_top = on_top
        self._on_seen()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._on_seen()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._on_seen()

    def _on_seen(self) -> None:
        """Catch up where the panel is seen; where it isn't, want no answer any more."""
        if not self.is_seen:
            if self._waits:
                self.stop()
        elif self._shown_state is not self._store.state or self._asked is None:
            self.refresh()

    def stop(self) -> None:
        """Want no answer any more; what is asked next is computed even if it is the same."""
        self._asked, self._waits, self._is_answered = None, False, False
        self._runner.cancel(self.spec.id)

    @Slot()
    def _on_cancel(self) -> None:
        self.stop()
        self.banner.show_sentence(STOPPED)

    @Slot(object)
    def _on_state(self, state: Any) -> None:
        if self.is_seen:
            self.refresh()

    @Slot(object)
    def _on_answer(self, answer: Answer) -> None:
        if answer.request.key != self.spec.id:
            return
        if answer.progress is not None:
            self.busy.progress(answer.progress)
        elif answer.error is not None:
            self.banner.show_error(answer.error)
        else:
            self.banner.hide()
            self.panel.show_result(answer.result)
            self.panel.setAccessibleDescription(self.panel.sentence())
        if not answer.partial and answer.request.inputs == self._asked:
            self._waits, self._is_answered = False, answer.error is None
        self.computed.emit(answer)

    @Slot(str)
    def _on_started(self, key: str) -> None:
        if key == self.spec.id:
            self.busy.start()

    @Slot(str)
    def _on_finished(self, key: str) -> None:
        if key == self.spec.id:
            self.busy.stop()
