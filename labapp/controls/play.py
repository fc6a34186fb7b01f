"""Play, pause, step and scrub a quantity that can be swept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QToolButton, QWidget

from labapp.controls.choice import QuietCombo
from labapp.controls.glyphs import show_glyph
from labapp.numbers import format_number

SPEEDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
STEPS_PER_SECOND = 20.0
"""At speed 1×. The length of a step is the same at every speed."""


class QuietSlider(QSlider):
    """A slider that the wheel moves only while it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class PlayBar(QWidget):
    """Moves a position from 0 to 1 in ``steps`` equal steps.

    ``moved(position)`` follows each step; ``started`` and ``stopped`` frame each run, whether by the timer, by one step
    or by the scrub slider, so that a panel can make one undo step of it. The keys go to the scrub slider: arrows step,
    Space plays and pauses.
    """

    moved = Signal(float)
    started = Signal()
    stopped = Signal()

    def __init__(self, steps: int = 100, name: str = "Play", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self._on_tick)
        self.back = self._button("Step back", lambda: self.step(-1))
        self.play_button = self._button("Play", self.toggle)
        self.forward = self._button("Step", lambda: self.step(1))
        self.loop = self._button("Loop", None)
        self.loop.setCheckable(True)
        self.scrub = self._scrub_slider()
        self.speed = self._speed_box()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for widget in (self.back, self.play_button, self.forward, self.scrub, self.speed, self.loop):
            row.addWidget(widget, stretch=1 if widget is self.scrub else 0)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.setFocusProxy(self.scrub)
        self.setAccessibleName(name)
        self._draw_signs()

    @property
    def position(self) -> float:
        return self.scrub.value() / self._steps

    @property
    def is_playing(self) -> bool:
        return self.timer.isActive()

    @property
    def steps(self) -> int:
        return self._steps

    def go_to(self, position: float) -> None:
        """Move to a position, which may lie between two steps: a run of its own."""
        self.pause()
        self.started.emit()
        self.show_position(position)
        self.moved.emit(position)
        self.stopped.emit()

    def show_position(self, position: float) -> None:
        """Show where the swept quantity is, without a signal."""
        with QSignalBlocker(self.scrub):
            self.scrub.setValue(round(min(max(position, 0.0), 1.0) * self._steps))
        self._describe()

    def set_steps(self, steps: int) -> None:
        """Another number of steps, at the same position."""
        position = self.position
        self._steps = steps
        with QSignalBlocker(self.scrub):
            self.scrub.setRange(0, steps)
            self.scrub.setPageStep(max(1, steps // 10))
        self.show_position(position)

    def play(self) -> None:
        """Run to the end; from the start where it stands at the end."""
        if self.is_playing:
            return
        self.started.emit()
        if self.scrub.value() == self._steps:
            self._move_to(0)
        self.timer.start()
        self._show_playing()

    def pause(self) -> None:
        if self.is_playing:
            self.timer.stop()
            self._show_playing()
            self.stopped.emit()

    def toggle(self) -> None:
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def step(self, steps: int) -> None:
        """So many steps on, or back: a run of its own."""
        self.pause()
        self.started.emit()
        self._move_to(self.scrub.value() + steps)
        self.stopped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Space:
            self.toggle()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._draw_signs()

    def _draw_signs(self) -> None:
        for button, sign in ((self.back, "back"), (self.forward, "forward"), (self.loop, "loop")):
            show_glyph(button, sign)
        self._show_playing()

    def _on_tick(self) -> None:
        if self.scrub.value() < self._steps:
            self._move_to(self.scrub.value() + 1)
        elif self.loop.isChecked():
            self._move_to(0)
        else:
            self.pause()

    def _move_to(self, index: int) -> None:
        if self.loop.isChecked() and not 0 <= index <= self._steps:
            index %= self._steps + 1
        self.show_position(index / self._steps)
        self.moved.emit(self.position)

    def _on_scrub_pressed(self) -> None:
        self.pause()
        self.started.emit()

    def _on_scrubbed(self) -> None:
        is_run = not self.scrub.isSliderDown()
        if is_run:
            self._on_scrub_pressed()
        self._describe()
        self.moved.emit(self.position)
        if is_run:
            self.stopped.emit()

    def _on_speed(self) -> None:
        self.timer.setInterval(round(1000 / (STEPS_PER_SECOND * self.speed.currentData())))

    def _show_playing(self) -> None:
        show_glyph(self.play_button, "pause" if self.is_playing else "play")
        self.play_button.setToolTip("Pause" if self.is_playing else "Play")
        self.play_button.setAccessibleName(self.play_button.toolTip())

    def _describe(self) -> None:
        self.scrub.setAccessibleDescription(f"Step {self.scrub.value()} of {self._steps}")

    def _button(self, name: str, slot: Callable[[], None] | None) -> QToolButton:
        button = QToolButton()
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if slot is not None:
            button.clicked.connect(slot)
        return button

    def _scrub_slider(self) -> QuietSlider:
        scrub = QuietSlider(Qt.Orientation.Horizontal)
        scrub.setRange(0, self._steps)
        scrub.setPageStep(max(1, self._steps // 10))
        scrub.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        scrub.setAccessibleName("Position")
        scrub.setMinimumWidth(3 * scrub.fontMetrics().height())  # narrower, its steps can't be told apart
        scrub.sliderPressed.connect(self._on_scrub_pressed)
        scrub.sliderReleased.connect(self.stopped)
        scrub.valueChanged.connect(self._on_scrubbed)
        return scrub

    def _speed_box(self) -> QuietCombo:
        box = QuietCombo()
        for speed in SPEEDS:
            box.addItem(f"{format_number(speed)}×", speed)
        box.setAccessibleName("Speed")
        box.setToolTip("Speed")
        box.currentIndexChanged.connect(self._on_speed)
        return box
