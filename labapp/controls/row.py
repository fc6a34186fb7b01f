"""How a control is laid out: label in words with the symbol, then its widgets; in narrow room they wrap below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from labapp.controls.binding import Binding
from labapp.fields import FieldInfo


def lay_out(control: QWidget, binding: Binding, *widgets: QWidget | None) -> QLabel:
    """Put the label and the widgets into the control, with names, help and "Reset this"."""
    info = binding.info
    label = QLabel(label_text(info))
    field = QWidget()
    row = QHBoxLayout(field)
    row.setContentsMargins(0, 0, 0, 0)
    reset = binding.reset_action(control)
    for widget in filter(None, widgets):
        row.addWidget(widget, stretch=0 if widget is widgets[-1] and len(widgets) > 1 else 1)
        widget.setAccessibleName(info.title)
        widget.addAction(reset)
        label.setBuddy(widget)
        if len(widgets) > 1 and widget is widgets[0]:
            widget.setMinimumWidth(4 * label.fontMetrics().height())
    form = QFormLayout(control)
    form.setContentsMargins(0, 0, 0, 0)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.addRow(label, field)
    finish(control, info)
    control.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    control.addAction(reset)
    label.setToolTip(info.help)
    return label


def finish(control: QWidget, info: FieldInfo) -> None:
    """Name, help and a size that may shrink in height no further than its content."""
    control.setAccessibleName(info.title)
    control.setAccessibleDescription(info.help)
    control.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)


def label_text(info: FieldInfo) -> str:
    """ "Bandwidth σ, m²" """
    return f"{info.title}, {info.unit}" if info.unit else info.title
