"""How the file is read: encoding, separator, decimal mark and the line of the column names."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from labapp.tables import structure
from labapp.tables.dialect import SEPARATORS
from labapp.tables.encoding import ENCODINGS
from labapp.tables.read import ReadOptions
from labapp.tables.report import MARKS
from labapp.tables.table import Recognised, shorten

_LONGEST_LINE = 40


class ReadingBar(QWidget):
    """Four choices, each with what was recognised as its first entry. ``changed`` follows the person alone."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.encoding = self._box("&Encoding", 0)
        self.separator = self._box("&Separator", 1)
        self.decimal = self._box("&Decimal mark", 2)
        self.header = self._box("Column &names", 3)
        for name in ENCODINGS:
            self.encoding.addItem(name, name)
        for sign, name in SEPARATORS.items():
            self.separator.addItem(name, sign)
        for mark in (".", ","):
            self.decimal.addItem(f"{MARKS[mark]} ( {mark} )", mark)
        self.header.addItem("none in the file", structure.NO_HEADER)

    def options(self) -> ReadOptions:
        header = self.header.currentData()
        return ReadOptions(
            encoding=self.encoding.currentData(),
            separator=self.separator.currentData(),
            decimal=self.decimal.currentData(),
            header_line=structure.AUTOMATIC if header is None else header,
        )

    def show_recognised(self, found: Recognised) -> None:
        """Name what was recognised, or what was chosen, in the first entry of each box."""
        self._name_first(self.encoding, found.encoding)
        self._name_first(self.separator, SEPARATORS.get(found.separator, found.separator))
        self._name_first(self.decimal, MARKS[found.decimal])
        self._name_first(self.header, f"line {found.header_line}" if found.header_line else "none")
        with QSignalBlocker(self.header):
            chosen = self.header.currentData()
            while self.header.count() > 2:
                self.header.removeItem(2)
            for line, text in found.first_lines:
                self.header.addItem(f"line {line}: {shorten(text, _LONGEST_LINE)}", line)
            self.header.setCurrentIndex(max(0, self.header.findData(chosen)))

    def choose_decimal(self, mark: str) -> None:
        self.decimal.setCurrentIndex(self.decimal.findData(mark))

    @staticmethod
    def _name_first(box: QComboBox, found: str) -> None:
        if box.currentData() is None:
            box.setItemText(0, f"recognised: {found}")

    def _box(self, label: str, place: int) -> QComboBox:
        box = QComboBox()
        box.addItem("recognised", None)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(12)
        box.setAccessibleName(label.replace("&", ""))
        text = QLabel(label)
        text.setBuddy(box)
        row, column = divmod(place, self._boxes_in_a_row())
        self._grid.addWidget(text, 2 * row, column)
        self._grid.addWidget(box, 2 * row + 1, column)
        box.currentIndexChanged.connect(self.changed)
        return box

    def _boxes_in_a_row(self) -> int:
        """Four beside each other, or two where the text is so large that four would be wider than the screen."""
        width = 4 * self.fontMetrics().horizontalAdvance("recognised: semicolon")
        return 4 if width < QGuiApplication.primaryScreen().availableSize().width() else 2
