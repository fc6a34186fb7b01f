"""A slider over a scale: Shift moves finely, Ctrl snaps, Escape takes a drag back, the wheel needs the focus."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from labapp.controls.scale import Scale
from labapp.numbers import format_with_unit

POSITIONS = 10_000
FINE = 0.1
_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


class ValueSlider(QSlider):
    """``value_edited(float)`` is what the user asks for; ``drag_began``, ``drag_ended`` and ``drag_cancelled`` frame a
    drag. The slider shows what it is told to by ``show_value``.
    """

    value_edited = Signal(float)
    drag_began = Signal()
    drag_ended = Signal()
    drag_cancelled = Signal()

    def __init__(self, scale: Scale, unit: str = "", parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._scale, self._unit = scale, unit
        self._shown = scale.low
        self._drag: tuple[float, float] | None = None
        """Pointer position and fraction of the last move of a drag."""
        self.setRange(0, POSITIONS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def shown(self) -> float:
        """The value that the slider shows."""
        return self._shown

    def show_value(self, value: float) -> None:
        self._shown = value
        self.setSliderPosition(round(POSITIONS * self._scale.fraction(value)))
        self.setAccessibleDescription(format_with_unit(value, self._unit))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        x = event.position().x()
        on_handle = self._handle_span()[0] <= x <= self._handle_span()[1]
        self.setSliderDown(True)
        self.drag_began.emit()
        self._drag = (x, self._scale.fraction(self._shown) if on_handle else self._fraction_at(x))
        if not on_handle:
            self._ask(event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._drag is None:
            return
        x, fraction = self._drag
        pace = FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        moved = fraction + pace * (event.position().x() - x) / self._travel()
        self._drag = (event.position().x(), moved)
        self._ask(event.modifiers())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        if self._drag is not None:
            self._drag = None
            self.setSliderDown(False)
            self.drag_ended.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self._drag is not None:
            self._drag = None
            self.setSliderDown(False)
            self.drag_cancelled.emit()
        elif key in _STEPS:
            self._step(_STEPS[key], event.modifiers())
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._edit(self._scale.low if key == Qt.Key.Key_Home else self._scale.high)
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        delta = event.angleDelta().y() or event.angleDelta().x()
        if not self.hasFocus() or not delta:
            event.ignore()
            return
        self._step(1 if delta > 0 else -1, event.modifiers())
        event.accept()

    def _step(self, steps: float, modifiers: Qt.KeyboardModifier) -> None:
        fine = modifiers & Qt.KeyboardModifier.ShiftModifier and not self._scale.integer
        self._edit(self._scale.nudge(self._shown, steps * FINE if fine else steps))

    def _ask(self, modifiers: Qt.KeyboardModifier) -> None:
        assert self._drag is not None
        value = self._scale.value(self._drag[1], fine=bool(modifiers & Qt.KeyboardModifier.ShiftModifier))
        self._edit(self._scale.snap(value) if modifiers & Qt.KeyboardModifier.ControlModifier else value)

    def _edit(self, value: float) -> None:
        if value != self._shown:
            self.show_value(value)
            self.value_edited.emit(value)

    def _handle_span(self) -> tuple[int, int]:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        return handle.left(), handle.right()

    def _travel(self) -> float:
        left, right = self._handle_span()
        return max(1.0, self.width() - (right - left))

    def _fraction_at(self, x: float) -> float:
        left, right = self._handle_span()
        return (x - (right - left) / 2) / self._travel()
