"""A combo box for a text field that has choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from labapp.controls.binding import Binding
from labapp.controls.row import lay_out
from labapp.panel import Lab


class QuietCombo(QComboBox):
    """A combo box that the wheel changes only while it has the focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class WholeCombo(QuietCombo):
    """One that is never narrower than its longest choice; where the row is, it wraps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # at any text size

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()


class ChoiceControl(QWidget):
    """One of the names that the field declares, shown by their ``labels`` (the name itself where there is none)."""

    def __init__(self, lab: Lab, path: str, state_type: type, labels: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.binding = Binding(lab, path, state_type)
        self.combo = WholeCombo()
        for name in self.binding.info.choice_names():
            self.combo.addItem((labels or {}).get(name, name.replace("_", " ")), name)
        self.combo.currentIndexChanged.connect(self._on_chosen)
        self.label = lay_out(self, self.binding, self.combo)

    def show_state(self, state: Any) -> None:
        with QSignalBlocker(self.combo):
            self.combo.setCurrentIndex(self.combo.findData(self.binding.value_in(state)))

    def _on_chosen(self, index: int) -> None:
        self.binding.send(self.combo.itemData(index))
