"""The table of numbers and the sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QLocale, QPoint, Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.panel import Highlight
from labapp.readout import ReadoutColumn, ReadoutTable, SentenceLabel

COLUMNS = (
    ReadoutColumn("entry"),
    ReadoutColumn("size", "m²", "key", editable=True),
    ReadoutColumn("weight"),
    ReadoutColumn("weight × rent", "per month", "output"),
)


@pytest.fixture
def highlight() -> Highlight:
    return Highlight()


@pytest.fixture
def table(highlight: Highlight, qtbot: QtBot) -> Iterator[ReadoutTable]:
    font, palette, locale = QFont(QApplication.font()), QApplication.palette(), QLocale()
    QLocale.setDefault(QLocale("en_US"))
    made = ReadoutTable(COLUMNS, Look(theme="light"), highlight)
    qtbot.addWidget(made)
    made.set_rows(rows(4), ["sum", None, 1.0, 1372.04])
    made.resize(500, 200)
    made.show()
    qtbot.waitExposed(made)
    yield made
    QApplication.setFont(font)
    QApplication.setPalette(palette)
    QLocale.setDefault(locale)


def rows(n: int) -> list[object]:
    return [[f"flat {i}" for i in range(n)], 40.0 + 20 * np.arange(n), np.full(n, 1 / n), 1000.0 * np.arange(n)]


def shown(table: ReadoutTable, row: int) -> list[str]:
    return [table.model.index(row, column).data() for column in range(len(COLUMNS))]


def test_shows_numbers_as_the_lab_writes_them(table: ReadoutTable) -> None:
    assert shown(table, 2) == ["flat 2", "80", "0.25", "2,000"]
    totals = table.footer.model()
    assert [totals.index(0, c).data() for c in range(4)] == ["sum", "", "1", "1,372"]
    table.set_rows([["a"], [math.nan], [-0.0], [1e-9]])
    assert shown(table, 0) == ["a", "undefined", "0", "1×10⁻⁹"]
    assert not table.footer.isVisible()


def test_colour_is_doubled_by_a_mark(table: ReadoutTable) -> None:
    header = table.model.headerData(1, Qt.Orientation.Horizontal)
    assert header == "■ size,\nm²"
    foreground = table.model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ForegroundRole)
    assert foreground == table.model.index(0, 1).data(Qt.ItemDataRole.ForegroundRole)
    assert foreground.name() == "#b85c00"


def test_hover_lights_everywhere_and_follows(table: ReadoutTable, highlight: Highlight, qtbot: QtBot) -> None:
    where = table.view.visualRect(table.model.index(2, 1)).center()
    qtbot.mouseMove(table.view.viewport(), where - QPoint(1, 1))
    qtbot.mouseMove(table.view.viewport(), where)
    assert highlight.entry == 2
    highlight.show(1)
    assert table.model.index(1, 0).data(Qt.ItemDataRole.BackgroundRole) is not None
    assert table.model.index(2, 0).data(Qt.ItemDataRole.BackgroundRole) is None
    highlight.show(99)
    assert table.model.index(1, 0).data(Qt.ItemDataRole.BackgroundRole) is None


def test_g11_arrow_keys_light_too(table: ReadoutTable, highlight: Highlight, qtbot: QtBot) -> None:
    table.view.setFocus()
    table.view.setCurrentIndex(table.model.index(0, 0))
    qtbot.keyClick(table.view, Qt.Key.Key_Down)
    assert highlight.entry == 1
    assert table.view.accessibleName() == "Read-out"


def test_new_rows_keep_selection_and_scroll(table: ReadoutTable) -> None:
    table.set_rows(rows(10_000))
    table.view.selectRow(5000)
    table.view.scrollTo(table.model.index(5000, 0))
    scroll = table.view.verticalScrollBar().value()
    table.set_rows([["x"] * 10_000, *rows(10_000)[1:]])
    assert table.view.verticalScrollBar().value() == scroll > 0
    assert {index.row() for index in table.view.selectedIndexes()} == {5000}
    assert shown(table, 5000)[0] == "x"
    table.set_rows(rows(3))
    assert table.model.rowCount() == 3
    assert table.view.selectedIndexes() == []


def test_cells_ask_for_what_was_typed(table: ReadoutTable) -> None:
    asked: list[tuple[int, int, str]] = []
    table.edited.connect(lambda *cell: asked.append(cell))
    cell = table.model.index(1, 1)
    assert cell.flags() & Qt.ItemFlag.ItemIsEditable
    assert not table.model.index(1, 2).flags() & Qt.ItemFlag.ItemIsEditable
    table.model.setData(cell, "60")
    table.model.setData(cell, "62,5")
    assert asked == [(1, 1, "62,5")]
    assert shown(table, 1)[1] == "60", "the state has the word"


def test_copies_every_digit(table: ReadoutTable, qtbot: QtBot) -> None:
    table.set_rows([["a"], [1 / 3], [None], [2.0]])
    table.view.selectAll()
    qtbot.keyClick(table.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a\t0.3333333333333333\t\t2.0"


def test_totals_stand_below_their_columns(table: ReadoutTable) -> None:
    table.view.setColumnWidth(0, 222)
    assert table.footer.columnWidth(0) == 222
    table.resize(200, 200)
    bar = table.view.horizontalScrollBar()
    bar.setValue(bar.maximum())
    QApplication.processEvents()
    assert bar.value() > 0
    assert table.view.columnWidth(0) == 222
    assert table.footer.columnViewportPosition(3) == table.view.columnViewportPosition(3)


def test_other_columns(table: ReadoutTable) -> None:
    table.set_columns([ReadoutColumn("key"), ReadoutColumn("score")])
    assert table.model.rowCount() == 0
    table.set_rows([["a", "b"], [1.0, 2.0]], ["sum", 3.0])
    assert table.model.index(1, 1).data() == "2"


def test_sentence(qtbot: QtBot) -> None:
    label = SentenceLabel()
    qtbot.addWidget(label)
    label.show_sentence("60 m² & <80 m²> share 98 %.")
    assert label.text() == label.accessibleName() == "60 m² & <80 m²> share 98 %."
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.wordWrap()


def test_rows_and_columns_grow_with_the_text(table: ReadoutTable, look: Look) -> None:
    small = table.view.needs[1]
    look.set_text_scale(2.0)
    QApplication.processEvents()
    assert table.view.rowHeight(0) >= table.view.fontMetrics().height()
    assert table.footer.height() >= table.view.fontMetrics().height()
    assert table.view.columnWidth(1) >= table.view.needs[1] > 1.5 * small


def test_room_to_spare_is_shared(table: ReadoutTable) -> None:
    needs = list(table.view.needs)
    for width in (900, 640):
        table.resize(width, 200)
        widths = [table.view.columnWidth(column) for column in range(4)]
        gains = np.subtract(widths, needs)
        assert gains[0] == gains[1] == gains[2] >= 0
        assert 0 <= gains[3] - gains[0] < 4
        assert sum(widths) == table.view.viewport().width()
        assert [table.footer.columnWidth(column) for column in range(4)] == widths
    table.resize(150, 200)
    assert [table.view.columnWidth(column) for column in range(3)] == needs[:3]
