"""The small dialog that asks what an animation shall be, and shows how far it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from labapp.animation.kinds import Kind, kinds_here
from labapp.animation.making import Making
from labapp.animation.plan import (
    LEAST_FRAMES,
    LONGEST,
    NARROWEST,
    RATES,
    USUAL_RATE,
    USUAL_WIDTH,
    WIDEST,
    Plan,
    frames_in,
)
from labapp.animation.stage import Stage
from labapp.animation.sweeps import Sweep, sweeps_of
from labapp.controls import QuietCombo
from labapp.errors import PlainError, sentence_of
from labapp.faults import log_fault
from labapp.host import Banner, PanelHost
from labapp.numbers import format_number

if TYPE_CHECKING:
    from labapp.window import LabWindow

Ask = Callable[[str, str, str], Path | None]
FAULT = "The animation could not be made: a fault in the program. Nothing of it is left."
GIVEN_UP = "Given up: nothing was written."


class Form(QWidget):
    """What can be asked for."""

    def __init__(self, panel: str, sweeps: list[Sweep]) -> None:
        super().__init__()
        self._panel = QLabel(panel)
        self.sweep, self.kind, self.rate = QuietCombo(), QuietCombo(), QuietCombo()
        for sweep in sweeps:
            self.sweep.addItem(sweep.name, sweep)
        for kind in kinds_here():
            self.kind.addItem(kind.title, kind)
        for rate in RATES:
            self.rate.addItem(f"{rate} frames a second", rate)
        self.rate.setCurrentIndex(RATES.index(USUAL_RATE))
        self.width_box, self.frames = QSpinBox(), QSpinBox()
        self.width_box.setRange(NARROWEST, WIDEST)
        self.width_box.setSingleStep(20)
        self.width_box.setValue(USUAL_WIDTH)
        self.width_box.setSuffix(" pixels")
        self.returns = QCheckBox("Forth and back")
        self.length = QLabel()
        self._lay_out()
        self._fit_frames()
        self._usual_length()
        self.sweep.currentIndexChanged.connect(self._usual_length)
        self.rate.currentIndexChanged.connect(self._fit_frames)
        self.returns.toggled.connect(self._fit_frames)
        self.frames.valueChanged.connect(self._show_length)

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        rows = (
            ("&What plays", self.sweep),
            ("&Kind of file", self.kind),
            ("Wi&dth", self.width_box),
            ("&Rate", self.rate),
            ("&Frames, one way", self.frames),
        )
        form.addRow("Panel", self._panel)
        for label, field in rows:
            form.addRow(label, field)
            field.setAccessibleName(label.replace("&", ""))
        form.addRow("", self.returns)
        form.addRow("Length", self.length)

    @property
    def chosen_kind(self) -> Kind:
        return self.kind.currentData()

    @property
    def chosen_sweep(self) -> Sweep:
        return self.sweep.currentData()

    @property
    def plan(self) -> Plan:
        returns, rate = self.returns.isChecked(), self.rate.currentData()
        return Plan(self.chosen_sweep.name, self.frames.value(), self.width_box.value(), rate, returns)

    @Slot()
    def _usual_length(self) -> None:
        """A frame for each step, as Play makes them."""
        self.frames.setValue(self.chosen_sweep.steps + 1)
        self._show_length()

    @Slot()
    def _fit_frames(self) -> None:
        """As many frames as the longest animation has."""
        with QSignalBlocker(self.frames):
            self.frames.setRange(LEAST_FRAMES, frames_in(LONGEST, self.rate.currentData(), self.returns.isChecked()))
        self._show_length()

    @Slot()
    def _show_length(self) -> None:
        plan = self.plan
        self.length.setText(f"{format_number(plan.seconds)} s, {plan.count} frames")


class AnimationDialog(QDialog):
    """Asks, makes, and shows how far it is. Closing it gives up what is being made."""

    written = Signal(object)

    def __init__(self, host: PanelHost, window: LabWindow, ask: Ask) -> None:
        super().__init__(window)
        self._host, self._lab_window, self._ask = host, window, ask
        self._path = Path()
        self._is_closing = False
        self.making: Making | None = None
        self.setWindowTitle("Animation")
        self.form, self.banner = Form(host.spec.title, sweeps_of(host.panel)), Banner()
        self.bar, self.note = QProgressBar(), QLabel()
        self.bar.setFormat("frame %v of %m")
        self.bar.setAccessibleName("Frames made")
        self.bar.setTextVisible(True)
        self.make_button, self.cancel_button = QPushButton("&Make…"), QPushButton("Cancel")
        self.make_button.setDefault(True)
        self.make_button.clicked.connect(self.make)
        self.cancel_button.clicked.connect(self._on_cancel)
        self._lay_out()
        self._show_making(False)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(self.make_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.cancel_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (self.form, self.banner, self.note, self.bar, buttons):
            column.addWidget(widget)
        column.addStretch(1)

    @Slot()
    def make(self) -> None:
        """Ask for a name and begin."""
        kind, plan = self.form.chosen_kind, self.form.plan
        path = self._ask("Export animation", self._host.spec.id + kind.ending, kind.filter)
        if path is None or self.making is not None:
            return
        self.banner.hide()
        window = self._lab_window
        stage = Stage(self._host, window.lab, window.store.state, window.runner.backend)
        try:
            self.making = Making(stage, self.form.chosen_sweep, plan, path, kind)
        except PlainError as error:
            stage.close()
            stage.remove()
            self.banner.show_error(error)
            return
        self._path = path
        self.making.progressed.connect(self._on_progress)
        self.making.ended.connect(self._on_end)
        self._show_making(True)
        self.activateWindow()  # the file dialog has given the keys to the lab
        self.cancel_button.setFocus()

    def give_up_now(self) -> bool:
        """End at once what is being made; False where a computation goes on."""
        return self.making is None or self.making.close()

    def reject(self) -> None:
        """Escape, and the button that closes the window. What is being made ends first, unseen."""
        if self.making is None:
            super().reject()
        else:
            self._is_closing = True
            self.making.give_up()
            self.hide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._is_closing = False

    @Slot()
    def _on_cancel(self) -> None:
        if self.making is not None:
            self.making.give_up()

    def _show_making(self, is_making: bool) -> None:
        self.form.setEnabled(not is_making)
        self.make_button.setVisible(not is_making)
        self.cancel_button.setVisible(is_making)
        self.bar.setVisible(is_making)
        self.bar.setRange(0, 0)
        self.note.setText("Looking at the whole way first…" if is_making else "")

    @Slot(int)
    def _on_progress(self, number: int) -> None:
        self.bar.setRange(0, self.form.plan.count)
        self.bar.setValue(number)
        self.note.setText(f"Writing {self._path.name}")

    @Slot(object)
    def _on_end(self, error: Exception | None) -> None:
        making, self.making = self.making, None
        assert making is not None
        making.deleteLater()
        self._show_making(False)
        if error is not None:
            self.banner.show_error(_said(error))
        elif making.is_whole:
            self.written.emit(self._path)
            self.accept()
        elif self._is_closing:
            self.reject()
        else:
            self.note.setText(GIVEN_UP)


def _said(error: Exception) -> Exception:
    """The error with a sentence for the user, and all that is known of it in its details."""
    if sentence_of(error) is not None:
        return error
    log_fault(error)
    fault = PlainError(FAULT)
    fault.__cause__ = error
    return fault
