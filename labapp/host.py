"""The frame around a panel: asks for its computations, shows busy mark and error banner."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from labapp.errors import sentence_of
from labapp.faults import details_of, log_fault
from labapp.panel import Lab, PanelSpec
from labapp.runner import Answer, Runner
from labapp.store import Store

BUSY_AFTER_MS = 150


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
        close = QToolButton(text="×")
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
            sentence = "This panel could not be computed: a fault in the program. The last good picture stays."
            log_fault(error)
        self._details = details_of(error)
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
        cancel = QToolButton(text="Cancel")
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
    """Holds one panel and connects it to store and runner. A hidden panel neither redraws nor computes."""

    computed = Signal(object)

    def __init__(self, spec: PanelSpec, lab: Lab, store: Store, runner: Runner) -> None:
        super().__init__()
        self.spec = spec
        self.panel = spec.widget(lab)
        self._store = store
        self._runner = runner
        self._inputs: tuple[Any, ...] | None = None
        self._shown_state: Any = None
        self.banner = Banner()
        self.busy = BusyBar()
        self.busy.cancelled.connect(lambda: runner.cancel(spec.id))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.banner)
        layout.addWidget(self.busy)
        layout.addWidget(self.panel, 1)
        self.panel.setAccessibleName(spec.title)
        store.changed.connect(self._on_state)
        runner.answered.connect(self._on_answer)
        runner.started.connect(self._on_started)
        runner.finished.connect(self._on_finished)

    @property
    def is_current(self) -> bool:
        """True when the panel shows the present state and its result, or the fault that it led to."""
        return self._shown_state is self._store.state and self._inputs is None

    def refresh(self) -> None:
        """Show the present state and ask for its result, whatever was shown before."""
        state = self._store.state
        self._shown_state = state
        self.panel.show_state(state)
        try:
            inputs = self.spec.select(state)
        except ValueError as error:
            self.banner.show_error(error)
            return
        self._inputs = inputs
        self._runner.request(self.spec.id, self.spec.compute, inputs, self.spec.restart)

    def recompute(self) -> None:
        """Ask again although nothing changed: another device, or a cache that was emptied."""
        self._shown_state = None
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        if self._shown_state is not self._store.state:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        if not self.isVisible():
            self._runner.cancel(self.spec.id)

    @Slot(object)
    def _on_state(self, state: Any) -> None:
        if self.isVisible():
            self._follow(state)

    def _follow(self, state: Any) -> None:
        before = self._shown_state
        if before is not None and self.spec.select(before) == self.spec.select(state):
            self._shown_state = state
            self.panel.show_state(state)
        else:
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
        if not answer.partial and answer.request.inputs == self._inputs:
            self._inputs = None
        self.computed.emit(answer)

    @Slot(str)
    def _on_started(self, key: str) -> None:
        if key == self.spec.id:
            self.busy.start()

    @Slot(str)
    def _on_finished(self, key: str) -> None:
        if key == self.spec.id:
            self.busy.stop()
