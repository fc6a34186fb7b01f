from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from labapp.controls.matrix import MatrixEditor
from tests.labapp.controls.toy import Bench


@pytest.fixture
def editor(bench: Bench, qtbot: QtBot) -> MatrixEditor:
    made = MatrixEditor("Matrix M")
    qtbot.addWidget(made)
    made.show_matrix([[1.0, 0.1 + 0.2], [-3e-6, 4.0]])
    return made


def test_shows_and_asks(editor: MatrixEditor) -> None:
    asked: list[tuple[int, int, float]] = []
    editor.edited.connect(lambda *cell: asked.append(cell))
    assert [editor.item(r, c).text() for r, c in np.ndindex(2, 2)] == ["1", "0.3", "−3e-6", "4"]
    editor.item(0, 1).setText("0.3")
    assert asked == [], "text that wasn't changed doesn't round the value"
    editor.item(0, 1).setText("0,25")
    assert asked == [(0, 1, 0.25)]
    assert editor.item(0, 1).text() == "0.3", "the state has the word"
    editor.show_matrix([[1.0, 0.25], [-3e-6, 4.0]])
    assert editor.item(0, 1).text() == "0.25"
    assert len(asked) == 1


def test_refuses_what_is_no_number(editor: MatrixEditor) -> None:
    said: list[str] = []
    editor.refused.connect(said.append)
    editor.item(0, 0).setText("abc")
    assert "number was expected" in said[0]
    assert editor.item(0, 0).text() == "1"


def test_other_shapes(editor: MatrixEditor) -> None:
    editor.show_matrix([1.0, 2.0, 3.0])
    assert (editor.rowCount(), editor.columnCount()) == (1, 3)
    assert editor.accessibleName() == "Matrix M"
