"""A box for one number that never changes a value silently."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QValidator, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QStyle, QToolTip, QWidget

from labapp.controls.scale import Scale
from labapp.errors import PlainError
from labapp.numbers import edit_text, parse_number

StepFlag = QAbstractSpinBox.StepEnabledFlag


class NumberBox(QAbstractSpinBox):
    """A number typed or stepped. ``value_edited`` carries what the user asked for: a float, an int where the scale
    is of integers, or None where ``optional`` allows an empty box.

    Text that can't be read or lies outside the range stays where it is, marked and explained, and the last good value
    stays too. A value that is merely shown is never rounded: only text that the user changed is read back.
    """

    value_edited = Signal(object)
    refused = Signal(str)

    def __init__(
        self,
        scale: Scale | None = None,
        unit: str = "",
        optional: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """``optional`` is what an empty box means ("automatic"); None where a number is needed."""
        super().__init__(parent)
        self._scale = scale or Scale(-math.inf, math.inf)
        self._optional, self._unit = optional, unit
        self._value: float | None = None
        self._shown = ""
        self._problem = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.lineEdit().setPlaceholderText(optional or "")
        warning = self.style().standardIcon(QStyle.StandardPixmap.SP_MessageBoxWarning)
        self._mark = self.lineEdit().addAction(warning, self.lineEdit().ActionPosition.TrailingPosition)
        self._mark.setVisible(False)
        self.lineEdit().textEdited.connect(self._clear_problem)
        self.editingFinished.connect(self.commit)
        self._fit()

    @property
    def value(self) -> float | None:
        """The last good value."""
        return self._value

    @property
    def problem(self) -> str:
        """Why the text is not the value, in plain words; empty where it is."""
        return self._problem

    def show_value(self, value: float | None) -> None:
        """Show a value without a signal. Text being typed stays if the value is the one it already had."""
        if value == self._value and self.lineEdit().text() != self._shown:
            return
        self._value = value
        self._show_text()

    def commit(self) -> None:
        """Read the text if the user changed it."""
        text = self.lineEdit().text()
        if text == self._shown:
            return
        try:
            value = self._read(text)
        except PlainError as error:
            self._refuse(error.sentence)
            return
        self._accept(value)

    def stepBy(self, steps: int) -> None:  # noqa: N802
        self.commit()
        if self._value is None or self._problem:
            return
        value = self._scale.nudge(self._value, steps)
        if value != self._value:
            self._accept(value)

    def stepEnabled(self) -> StepFlag:  # noqa: N802
        if self._value is None or self._problem:
            return StepFlag.StepNone
        up = StepFlag.StepUpEnabled if self._value < self._scale.high else StepFlag.StepNone
        down = StepFlag.StepDownEnabled if self._value > self._scale.low else StepFlag.StepNone
        return up | down

    def validate(self, text: str, position: int) -> object:
        return QValidator.State.Acceptable, text, position

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        if event.key() == Qt.Key.Key_Escape and self.lineEdit().text() != self._shown:
            self._show_text()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        menu = self.lineEdit().createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addSeparator()
        menu.addActions(self.actions())
        menu.popup(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        if self._problem:
            self._tell()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _read(self, text: str) -> float | None:
        if not text.strip() and self._optional is not None:
            return None
        refusal = PlainError(f"{self._expected()}; what came is “{text}”.")
        try:
            value = parse_number(text)
        except PlainError:
            raise refusal from None
        if not self._scale.low <= value <= self._scale.high or (self._scale.integer and value != round(value)):
            raise refusal
        return round(value) if self._scale.integer else value

    def _expected(self) -> str:
        kind = "whole number" if self._scale.integer else "number"
        low, high = edit_text(self._scale.low), edit_text(self._scale.high)
        unit = f" {self._unit}" if self._unit else ""
        if self._scale.is_bounded:
            return f"A {kind} between {low} and {high}{unit} was expected"
        if math.isfinite(self._scale.low):
            return f"A {kind} of at least {low}{unit} was expected"
        if math.isfinite(self._scale.high):
            return f"A {kind} of at most {high}{unit} was expected"
        return f"A {kind} was expected"

    def _accept(self, value: float | None) -> None:
        changed = value != self._value
        self._value = value
        self._show_text()
        if changed:
            self.value_edited.emit(value)

    def _show_text(self) -> None:
        self._shown = "" if self._value is None else edit_text(self._value)
        self._clear_problem()
        self.lineEdit().setText(self._shown)
        unit = f" {self._unit}" if self._unit else ""
        self.setToolTip("" if self._value is None else f"{self._value!r}{unit}")

    def _refuse(self, sentence: str) -> None:
        self._problem = sentence
        self._mark.setVisible(True)
        self._mark.setToolTip(sentence)
        self.setToolTip(sentence)
        self.setAccessibleDescription(sentence)
        self._tell()
        self.refused.emit(sentence)

    def _tell(self) -> None:
        if self.isVisible():
            QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), self._problem, self)

    def _clear_problem(self) -> None:
        if self._problem:
            self._problem = ""
            self._mark.setVisible(False)
            self.setAccessibleDescription("")

    def _fit(self) -> None:
        """Room for nine characters, the mark and the arrows, at any text size."""
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("−0.000000") + 56)
