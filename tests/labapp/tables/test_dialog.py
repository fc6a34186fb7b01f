"""The import dialog, with mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QModelIndex, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from labapp.tables.choice import Role
from labapp.tables.dialog import ImportDialog
from labapp.tables.loader import TableSource
from tests.cases import data_file

Opener = Callable[..., ImportDialog]
ROLES = (Role("key", "Key"), Role("value", "Value"), Role("name", "Name", many=False, numeric=False, required=False))
TABLE = "size\trent\tplace\n40\t900\tA\n60\t1200\tB\n\t1300\tC\n80\tno data\tD\n100\t2100\tE\n"


def settled(qtbot: QtBot, dialog: ImportDialog) -> None:
    qtbot.waitUntil(lambda: not dialog.progress.isVisible() and bool(dialog.summary.text()), timeout=10_000)


@pytest.fixture
def opened(qtbot: QtBot) -> Iterator[Opener]:
    dialogs: list[ImportDialog] = []

    def open_dialog(source: TableSource = TABLE, roles: tuple[Role, ...] = ROLES) -> ImportDialog:
        dialog = ImportDialog(source, roles)
        qtbot.addWidget(dialog)
        dialogs.append(dialog)
        dialog.show()
        settled(qtbot, dialog)
        return dialog

    yield open_dialog
    for dialog in dialogs:
        dialog.reject()


def import_button(dialog: ImportDialog) -> QPushButton:
    return next(button for button in dialog.findChildren(QPushButton) if button.text() == "&Import")


def reasons(dialog: ImportDialog) -> list[str]:
    return [dialog.reasons.item(row).text() for row in range(dialog.reasons.count())]


def use(dialog: ImportDialog, column: int, label: str) -> None:
    box = dialog.role_editor.boxes[column]
    box.setCurrentIndex(box.findText(label))


def shown(dialog: ImportDialog, row: int, column: int, role: int = Qt.ItemDataRole.DisplayRole) -> object:
    assert dialog.model is not None
    return dialog.model.index(row, column).data(role)


def test_pasted_table_is_proposed_and_taken(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened()
    assert dialog.role_editor.roles() == ["key", "value", "name"]
    assert reasons(dialog) == ["line 4 has no size", 'line 5 says "no data" under rent']
    assert dialog.summary.text() == "3 of 5 rows will be imported."
    qtbot.mouseClick(import_button(dialog), Qt.MouseButton.LeftButton)
    assert dialog.result() == QDialog.DialogCode.Accepted
    choice = dialog.choice
    assert choice is not None
    assert choice.values("key").tolist() == [[40], [60], [100]]
    assert choice.values("value").tolist() == [[900], [1200], [2100]]
    assert choice.texts("name") == ("A", "B", "E")


def test_left_out_rows_are_marked_and_say_why(opened: Opener) -> None:
    dialog = opened()
    assert "line 4 has no size" in str(shown(dialog, 2, 1, Qt.ItemDataRole.ToolTipRole))
    assert shown(dialog, 2, 1, Qt.ItemDataRole.ForegroundRole) is not None
    assert shown(dialog, 2, 0, Qt.ItemDataRole.CheckStateRole) is None
    assert shown(dialog, 0, 1, Qt.ItemDataRole.ForegroundRole) is None


def test_ragged_lines_stand_where_they_stand_in_the_file(opened: Opener) -> None:
    dialog = opened(data_file("f07c_ragged.csv"))
    assert [shown(dialog, row, 0) for row in range(6)] == ["2", "3", "4", "5", "6", "7"]
    assert "3 fields" in str(shown(dialog, 2, 1, Qt.ItemDataRole.ToolTipRole))


def test_slips_are_seen_and_left_out_by_the_person(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened(data_file("f09_classroom_rent.csv"))
    use(dialog, 1, "not used")
    use(dialog, 3, "Key")
    assert shown(dialog, 4, 3) == "180000"
    dialog.preview.selectRow(4)
    qtbot.mouseClick(dialog.leave_out, Qt.MouseButton.LeftButton)
    assert reasons(dialog) == ["line 7 is left out by you"]
    dialog.preview.setCurrentIndex(dialog.model.index(5, 0))
    qtbot.keyClick(dialog.preview, Qt.Key.Key_Space)
    assert dialog.summary.text() == "4 of 6 rows will be imported."
    dialog.accept()
    assert dialog.choice.values("key").ravel().tolist() == [40, 60, 80, 100]
    assert dialog.choice.values("value").ravel().tolist() == [900, 1200, 1500, 2100]


def test_rows_left_out_come_back_and_survive_another_reading(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened(data_file("f03b_ambiguous_comma.csv"))
    dialog.preview.selectRow(1)
    dialog.leave_out.click()
    dialog.question.other.click()
    settled(qtbot, dialog)
    assert dialog.summary.text() == "2 of 3 rows will be imported."
    dialog.preview.selectRow(1)
    dialog.keep.click()
    dialog.accept()
    assert dialog.choice.values("key").ravel().tolist() == [1250, 1480, 2005]


def test_the_question_shows_both_readings(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened(data_file("f03b_ambiguous_comma.csv"))
    assert dialog.question.isVisible()
    assert "1.25 or 1,250" in dialog.question.text.text()
    assert shown(dialog, 0, 1) == f"1,250 → {QLocale().toString(1.25, 'g', 12)}"
    dialog.question.other.click()
    settled(qtbot, dialog)
    assert dialog.table.column("area").values.tolist() == [1250, 1480, 2005]
    dialog.question.other.click()
    settled(qtbot, dialog)
    assert dialog.table.column("area").values.tolist() == [1.25, 1.48, 2.005]


def test_reading_is_named_and_can_be_changed(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened(data_file("f04_cp1252.csv"))
    assert dialog.reading.encoding.itemText(0) == "recognised: cp1252"
    dialog.reading.encoding.setCurrentIndex(dialog.reading.encoding.findData("cp437"))
    settled(qtbot, dialog)
    assert dialog.table.names[0] != "Fläche (m²)"
    dialog.reading.encoding.setCurrentIndex(0)
    settled(qtbot, dialog)
    assert dialog.table.names[0] == "Fläche (m²)"


def test_header_line_can_be_picked(opened: Opener, qtbot: QtBot) -> None:
    dialog = opened(data_file("f06b_title_units.csv"))
    box = dialog.reading.header
    assert [box.itemText(at) for at in (0, 2)] == ["recognised: line 4", "line 1: Rent survey, district 4"]
    box.setCurrentIndex(1)
    settled(qtbot, dialog)
    assert dialog.table.names == ("column 1", "column 2", "column 3")


def test_a_role_for_one_column_moves(opened: Opener) -> None:
    dialog = opened("a,b,c,d\n1,2,x,y\n3,4,z,w\n")
    use(dialog, 3, "Name")
    assert dialog.role_editor.roles() == ["key", "value", "", "name"]
    use(dialog, 0, "Value")
    assert dialog.role_editor.roles() == ["value", "value", "", "name"]
    assert not import_button(dialog).isEnabled()
    assert "Key" in dialog.summary.text()
    dialog.accept()
    assert dialog.choice is None


def test_text_columns_are_not_offered_for_numbers(opened: Opener) -> None:
    dialog = opened(data_file("f08_headers.csv"))
    box = dialog.role_editor.boxes[0]
    assert [box.itemText(at) for at in range(box.count())] == ["not used", "Name"]


def test_a_table_that_can_not_be_read_says_so(opened: Opener, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    path.write_bytes(b"PK\x03\x04")
    dialog = opened(path)
    assert "workbook" in dialog.problem.text()
    assert dialog.problem.isVisible()
    assert not import_button(dialog).isEnabled()


def test_what_files_hold_is_never_taken_as_format(opened: Opener) -> None:
    dialog = opened("<b>size</b>,rent\n40,<img src=x>\n60,5\n70,6\n")
    labels = [label for label in dialog.findChildren(QLabel) if "size" in label.text()]
    assert labels
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in labels)
    assert "&lt;img" in str(shown(dialog, 0, 2, Qt.ItemDataRole.ToolTipRole))


def test_cancel_while_reading_leaves_no_choice(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text("a,b\n" + "1,2\n" * 300_000, encoding="utf-8")
    dialog = ImportDialog(path, ROLES)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.progress.isVisible()
    assert dialog.summary.text() == "Reading…"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.result() == QDialog.DialogCode.Rejected
    assert dialog.choice is None


def test_everything_has_a_name_and_tab_reaches_it(opened: Opener) -> None:
    dialog = opened()
    inputs: list[QWidget] = [*dialog.findChildren(QComboBox), dialog.preview, dialog.reasons]
    assert all(widget.accessibleName() for widget in inputs)
    reached, widget = set(), dialog.nextInFocusChain()
    while widget is not dialog:
        reached.add(widget)
        widget = widget.nextInFocusChain()
    for widget in [*inputs, dialog.leave_out, dialog.keep, import_button(dialog)]:
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert widget in reached


@contextmanager
def large_text_in_a_comma_locale() -> Iterator[None]:
    font, locale = QApplication.font(), QLocale()
    large = QApplication.font()
    large.setPointSizeF(2 * font.pointSizeF())
    QApplication.setFont(large)
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    try:
        yield
    finally:
        QApplication.setFont(font)
        QLocale.setDefault(locale)


def test_large_text_and_comma_locale(opened: Opener, qtbot: QtBot) -> None:
    with large_text_in_a_comma_locale():
        dialog = opened("a;b\n1.250;2\n1.480;3\n")
        dialog.resize(1024, 768)
        qtbot.wait(20)
        assert (dialog.width(), dialog.height()) == (1024, 768)
        for widget in (dialog.preview, import_button(dialog), *dialog.role_editor.boxes[:1], dialog.reading.header):
            corner = widget.mapTo(dialog, QPoint(0, 0))
            assert dialog.rect().contains(QRect(corner, widget.size()))
        assert shown(dialog, 0, 1) == "1.250 → 1,25"
        dialog.accept()
        assert dialog.choice.values("key").ravel().tolist() == [1.25, 1.48]
        assert dialog.model.rowCount(QModelIndex()) == 2


def test_all_rows_selected_ask_only_for_what_is_seen(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = opened("a,b\n" + "1,2\n" * 5_000)
    asked: list[int] = []
    monkeypatch.setattr(type(dialog.model), "flags", lambda _model, index: asked.append(index.row()) or _SELECTABLE)
    dialog.preview.selectAll()
    QApplication.processEvents()
    dialog.leave_out.click()
    assert len(asked) < 5_000
    assert dialog.model.kept_by_person.sum() == 0
    assert not import_button(dialog).isEnabled()


_SELECTABLE = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
