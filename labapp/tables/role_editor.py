"""One combo box per column of the table: what it is used as."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from labapp.tables.choice import Role, usual_roles
from labapp.tables.preview import describe, plain_tip
from labapp.tables.table import Column, Table, shorten

UNUSED = ""
_LONGEST_NAME = 28


class RoleEditor(QScrollArea):
    """Lets the person give roles to columns; a role for one column alone moves to the newest.

    Numeric roles are offered to columns with numbers or dates only.
    """

    changed = Signal()

    def __init__(self, roles: Sequence[Role], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._roles = {role.id: role for role in roles}
        self.boxes: list[QComboBox] = []
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Use of the columns")

    def show_table(self, table: Table, kept: dict[str, str]) -> None:
        """Offer the columns of a table, with the roles that columns of these names had, or the usual ones."""
        roles = {at: kept[name] for at, name in enumerate(table.names) if kept.get(name)}
        roles = {at: role for at, role in roles.items() if self._roles[role].takes(table.columns[at])}
        roles = roles or usual_roles(table, list(self._roles.values()))
        inside = QWidget()
        form = QFormLayout(inside)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        self.boxes = [self._box(column, roles.get(at, UNUSED)) for at, column in enumerate(table.columns)]
        for column, box in zip(table.columns, self.boxes, strict=True):
            form.addRow(_label(column, box), box)
        self.setWidget(inside)
        self.changed.emit()

    def roles(self) -> list[str]:
        """The role id of each column, ``UNUSED`` for none."""
        return [box.currentData() for box in self.boxes]

    def _box(self, column: Column, role: str) -> QComboBox:
        box = QComboBox()
        box.addItem("not used", UNUSED)
        for offered in self._roles.values():
            if offered.takes(column):
                box.addItem(offered.label, offered.id)
        box.setCurrentIndex(max(0, box.findData(role)))
        box.setAccessibleName(f"Use of {describe(column)}")
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(6)
        box.currentIndexChanged.connect(lambda _index: self._on_chosen(box))
        return box

    def _on_chosen(self, box: QComboBox) -> None:
        role = self._roles.get(box.currentData())
        if role is not None and not role.many:
            for other in self.boxes:
                if other is not box and other.currentData() == role.id:
                    with QSignalBlocker(other):
                        other.setCurrentIndex(0)
        self.changed.emit()


def _label(column: Column, box: QComboBox) -> QLabel:
    label = QLabel(describe(column, _LONGEST_NAME))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setToolTip(plain_tip(describe(column)))
    label.setBuddy(box)
    return label


def missing_roles(roles: Sequence[Role], chosen: Sequence[str]) -> str:
    """The sentence that asks for what is missing, or ""."""
    missing = [role.label for role in roles if role.required and role.id not in chosen]
    return f"Choose a column for: {shorten(', '.join(missing))}." if missing else ""
