"""Controls below each other, at any text size: what doesn't fit scrolls, nothing is clipped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget


class ControlColumn(QScrollArea):
    """Controls and other widgets with their labels in line. The wheel over a control without focus scrolls."""

    def __init__(self, controls: Iterable[QWidget] = ()) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._column = QWidget()
        self._layout = QVBoxLayout(self._column)
        self._layout.addStretch(1)
        self.setWidget(self._column)
        self._controls: list[QWidget] = []
        for control in controls:
            self.add(control)

    def add(self, control: QWidget) -> None:
        """Append a control; one without ``show_state`` (a button, a play bar) is fine too."""
        self._controls.append(control)
        self._layout.insertWidget(self._layout.count() - 1, control)
        self._align()

    def show_state(self, state: Any) -> None:
        for control in self._controls:
            show = getattr(control, "show_state", None)
            if show is not None:
                show(state)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Wide enough that no scrolling sideways is needed beside the vertical bar, up to 40 letters."""
        need = min(self._column.minimumSizeHint().width(), 40 * self.fontMetrics().averageCharWidth())
        return QSize(need + self.verticalScrollBar().sizeHint().width(), super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._align()

    def _align(self) -> None:
        found = (getattr(control, "label", None) for control in self._controls)
        labels = [label for label in found if isinstance(label, QLabel)]
        for label in labels:
            label.setMinimumWidth(0)
        width = max((label.sizeHint().width() for label in labels), default=0)
        for label in labels:
            label.setMinimumWidth(width)
