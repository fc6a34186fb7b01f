"""The explorer's controls, table and menus: what is typed, chosen, imported and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.plots.plot import Plot
from labapp.tables.dialog import ImportDialog
from models.scene import Column
from models.scene_edit import MOST_ENTRIES, own_scene
from panels.lookup.updates import show_scene
from panels.lookup.words import sentence
from tests.cases import data_file
from tests.panels.lookup_bench import Bench, drag, make_bench, place

TWO = [Column("rent", "EUR"), Column("area <i>"), Column("R&D")]


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    yield from make_bench(qtbot, look)


@pytest.fixture
def three_values(bench: Bench) -> Bench:
    """A table of one key and three values."""
    values = np.array([[1.0, 10.0, -5.0], [2.0, 30.0, 5.0], [4.0, 20.0, 0.0]])
    scene = own_scene([1.0, 2.0, 3.0], values, [Column("size", "m²")], TWO)
    bench.store.dispatch(lambda state: show_scene(state, scene), "Import table")
    return bench


def accept(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    """The import dialog is accepted as soon as the table has been read, with the columns that it proposes."""

    def run(dialog: ImportDialog) -> int:
        dialog.show()
        qtbot.waitUntil(lambda: not dialog.progress.isVisible() and bool(dialog.summary.text()), timeout=10_000)
        dialog.accept()
        return int(dialog.result())

    monkeypatch.setattr(ImportDialog, "exec", run)


def test_width_and_sharpness_are_one_setting(bench: Bench) -> None:
    bench.open("houses")
    box, slider = bench.control("sharpness").box, bench.control("sigma").slider
    assert box.value == pytest.approx(1.5)
    box.lineEdit().setText("0.5")
    box.lineEdit().textEdited.emit("0.5")
    box.commit()
    assert bench.scene.similarity.sigma == pytest.approx(1.0)
    slider.value_edited.emit(0.5)
    assert box.value == pytest.approx(2.0)
    for end in (5e-7, 5e5):
        box.value_edited.emit(end)
        assert 1e-3 <= bench.scene.similarity.sigma <= 1e3
    bench.undo_all()
    assert box.value == pytest.approx(1.5)


def test_the_temperature_slider_changes_scene_curve_and_words(bench: Bench) -> None:
    bench.control("temperature").slider.value_edited.emit(1000.0)
    assert bench.result.soft.weights == pytest.approx([0.25] * 4, abs=1e-2)
    assert "as much as 4 equal entries" in sentence(bench.result)


def test_the_query_is_typed(bench: Bench) -> None:
    box = bench.control("query")._boxes[0]
    box.lineEdit().setText("69,9")
    box.lineEdit().textEdited.emit("69,9")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert bench.scene.query.values.tolist() == [69.9]
    assert bench.result.nearest.output.tolist() == [1200.0]
    assert bench.store.undo_label == "Type query"


@pytest.mark.parametrize("name", ["rents", "tokens", "database"])
def test_every_similarity_and_weighting_gives_an_answer(bench: Bench, name: str) -> None:
    bench.open(name)
    similarity, weighting = bench.control("similarity").combo, bench.control("weighting").combo
    for one in range(similarity.count()):
        similarity.setCurrentIndex(one)
        for other in range(weighting.count()):
            weighting.setCurrentIndex(other)
            assert bench.scene.similarity.name == similarity.currentData()
            assert bench.result.inputs[0] == bench.scene
            assert not bench.host.banner.isVisible()
    bench.undo_all()


def test_only_the_parameters_of_the_similarity_are_shown(bench: Bench) -> None:
    shown = {
        "squared_distance": {"sigma", "sharpness"},
        "cosine": {"beta"},
        "dot": {"length"},
        "bilinear": {"matrices"},
    }
    combo = bench.control("similarity").combo
    for name, expected in shown.items():
        combo.setCurrentIndex(combo.findData(name))
        seen = {part for part, control in bench.panel.controls.items() if control.isVisible()}
        assert seen & {"sigma", "sharpness", "beta", "length", "matrices"} == expected


def test_matrices_are_typed_and_drawn_by_seed(bench: Bench) -> None:
    bench.open("tokens")
    combo = bench.control("similarity").combo
    combo.setCurrentIndex(combo.findData("bilinear"))
    matrices = bench.control("matrices")
    assert bench.scene.similarity.matrix.values.tolist() == [[1, 0], [0, 1]]
    matrices._editors["matrix"].item(0, 1).setText("2,5")
    assert bench.scene.similarity.matrix.values.tolist() == [[1, 2.5], [0, 1]]
    matrices._editors["matrix"].item(0, 0).setText("no number")
    assert "no number" in "".join(bench.said)
    draw = next(button for button in matrices.findChildren(QPushButton))
    matrices._seed.setValue(7)
    draw.click()
    first = bench.scene.similarity
    combo.setCurrentIndex(combo.findData("additive"))
    assert bench.scene.similarity.query_weights == first.query_weights
    assert matrices._editors["query_weights"].isVisible()
    matrices._editors["out_weights"].item(0, 0).setText("3")
    assert bench.scene.similarity.out_weights.values[0] == 3
    bench.undo_all()
    assert bench.scene.similarity.matrix.shape == (1, 1)


def test_the_length_of_the_query_is_typed(bench: Bench) -> None:
    bench.open("tokens")
    bench.control("length").box.value_edited.emit(2.0)
    assert np.linalg.norm(bench.scene.query.values) == pytest.approx(2)
    assert "Length 2 at τ = 1 weighs like length 1 at τ = 0.5." in bench.panel.notes._length.text()


def test_equal_lengths_are_said_only_of_equal_lengths(bench: Bench) -> None:
    assert "not equally long" in bench.panel.notes._same.text()
    bench.control("temperature").slider.value_edited.emit(1000.0)
    bench.control("sigma").slider.value_edited.emit(1000.0)
    assert "not equally long" in bench.panel.notes._same.text()
    bench.open("database")
    assert "all keys are equally long" in bench.panel.notes._same.text()


def test_playing_is_one_step(bench: Bench) -> None:
    bar = bench.control("play").bar
    bar.play()
    for _ in range(12):
        bar._on_tick()
    bar.pause()
    assert bench.scene.query.values[0] > 75
    assert bench.store.undo_label == "Play"
    bench.store.undo()
    assert bench.scene.query.values.tolist() == [75.0]
    assert bench.store.undo_label == ""


def test_the_way_begins_and_ends_where_the_query_is(bench: Bench) -> None:
    for button in bench.control("play").findChildren(QPushButton):
        button.click()
    sweep = bench.store.state.lookup.sweep
    assert sweep.start.values.tolist() == sweep.end.values.tolist() == [75.0]
    bar = bench.control("play").bar
    bar.play()
    for _ in range(150):
        bar._on_tick()
    assert not bar.is_playing


def test_cells_are_typed(bench: Bench) -> None:
    bench.type_cell(0, 0, "small & dark")
    bench.type_cell(0, 1, "45,5")
    bench.type_cell(0, 2, "1.000")
    bench.type_cell(1, 1, "many")
    bench.type_cell(1, 0, "  ")
    assert bench.scene.entries[0] == "small & dark"
    assert bench.scene.keys.values[0].tolist() == [45.5]
    assert bench.scene.values.values[0].tolist() == [1.0]
    assert bench.scene.keys.values[1].tolist() == [60.0]
    assert bench.scene.entries[1] == "60 m²"
    assert len(bench.said) == 2
    bench.undo_all()
    assert bench.scene.entries[0] == "40 m²"


def test_entries_are_added_moved_masked_and_removed(bench: Bench) -> None:
    table = bench.panel.table
    table.choose_row(1)
    bench.action("Add").trigger()
    assert bench.scene.entries[-1] == "entry 5"
    assert bench.scene.values.values[-1].tolist() == [1200.0]
    assert table.current_row == 4
    bench.action("Move the chosen up").trigger()
    bench.action("Move the chosen up").trigger()
    assert bench.scene.entries.index("entry 5") == 2
    assert table.current_row == 2
    bench.action("Move the chosen down").trigger()
    assert bench.scene.entries.index("entry 5") == 3
    bench.action("Mask or unmask the chosen").trigger()
    assert bench.cells(3)[3:5] == ["masked", "0"]
    bench.action("Mask or unmask the chosen").trigger()
    assert bench.scene.mask is None
    bench.action("Remove the chosen").trigger()
    assert bench.scene.entries == ("40 m²", "60 m²", "80 m²", "100 m²")
    for _ in range(9):
        bench.action("Remove the chosen").trigger()
    assert len(bench.scene.keys) == 1
    assert "at least one entry" in bench.said[-1]
    assert bench.result.soft.weights.tolist() == [1.0]
    bench.undo_all()
    assert len(bench.scene.keys) == 4


def test_queries_are_listed_for_the_map(bench: Bench) -> None:
    bench.action("List the present query").trigger()
    bench.control("query")._boxes[0].value_edited.emit(60.0)
    bench.action("List the present query").trigger()
    assert bench.result.map.queries.tolist() == [[60.0], [60.0]]
    bench.action("Clear the list").trigger()
    assert bench.result.map.source == "sweep"


def test_scenes_are_chosen_and_made_one_s_own(bench: Bench) -> None:
    combo = bench.panel.toolbar.scenes
    for index in range(combo.count() - 1):
        combo.activated.emit(index)
        assert bench.scene.id == combo.itemData(index) == combo.currentData()
        assert bench.result.inputs[0] == bench.scene
    bench.open("causal")
    combo.activated.emit(combo.count() - 1)
    assert bench.scene.id == "own"
    assert not bench.scene.tied
    assert bench.scene.entries == ("we", "read", "long", "books")
    bench.undo_all()
    assert bench.scene.id == "causal"


def test_a_table_of_one_s_own_is_opened(bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    accept(monkeypatch, qtbot)
    path = data_file("f09_classroom_rent.csv")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    bench.action("Open CSV or TSV…").trigger()
    assert bench.scene.id == "own"
    assert len(bench.scene.keys) > 1
    assert bench.panel.toolbar.scenes.currentData() == "own"
    assert np.isfinite(bench.result.soft.output).all()
    assert bench.store.undo_label == "Import table"
    bench.store.undo()
    assert bench.scene.id == "rents"


def test_a_table_is_pasted(bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    QGuiApplication.clipboard().setText("  ")
    bench.action("Paste from a spreadsheet").trigger()
    assert "clipboard holds no text" in bench.said[-1]
    accept(monkeypatch, qtbot)
    QGuiApplication.clipboard().setText("size\tprice\n1,5\t10\n2,5\t20\n4\t30\n")
    bench.action("Paste from a spreadsheet").trigger()
    assert bench.scene.keys.values.tolist() == [[1.5], [2.5], [4.0]]
    assert bench.scene.values.values.tolist() == [[10.0], [20.0], [30.0]]


def test_a_table_given_up_changes_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImportDialog, "exec", lambda _: ImportDialog.DialogCode.Rejected)
    assert bench.panel.open_table(Path(data_file("f03a_quoted_thousands.csv")))
    assert bench.store.undo_label == ""


def test_a_table_too_large_is_refused_in_a_sentence(
    bench: Bench, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    accept(monkeypatch, qtbot)
    bench.panel.toolbar.import_table("size\tprice\n" + "\n".join(f"{n}\t{n}" for n in range(MOST_ENTRIES + 1)))
    assert f"up to {MOST_ENTRIES} entries" in bench.said[-1]
    assert bench.scene.id == "rents"


def test_the_value_that_is_drawn_is_chosen(three_values: Bench) -> None:
    bench = three_values
    line, chooser = bench.picture("line"), bench.control("column")
    assert chooser.isVisible()
    assert [chooser.combo.itemText(i) for i in range(3)] == ["rent, EUR", "area <i>", "R&D"]
    chooser.combo.activated.emit(1)
    assert line.y_axis.labelText == "area <i>"
    assert line._soft.drawn()[1] == pytest.approx(bench.result.curve.soft[:, 1])
    assert line._entries._y.tolist() == [10.0, 30.0, 20.0]
    drag(line, place(line, 3, 20), place(line, 3, 22), place(line, 3, 25))
    assert bench.scene.values.values[2] == pytest.approx([4, 25, 0], abs=0.5)
    bench.open("rents")
    assert not chooser.isVisible()
    assert line._entries._y.tolist() == [900.0, 1200.0, 1500.0, 2100.0]


def test_names_are_shown_as_they_are(three_values: Bench) -> None:
    for label in three_values.control("query").findChildren(QLabel):
        assert label.textFormat() == Qt.TextFormat.PlainText
        assert label.buddy() is None
    assert [label.text() for label in three_values.control("query")._labels[:1]] == ["Query q: size, m²"]


@pytest.mark.parametrize("keys", [[[5.0]], [[5.0], [5.0]], [[1e9], [1e9 + 1]], [[0.0], [0.0], [1e-9]]])
def test_odd_tables_are_drawn(bench: Bench, keys: list[list[float]]) -> None:
    scene = own_scene(keys, np.ones((len(keys), 1)), [Column("k")], [Column("v")])
    bench.store.dispatch(lambda state: show_scene(state, scene), "Import")
    bench.panel.grab()
    assert "the answer is 1." in sentence(bench.result)
    assert not bench.host.banner.isVisible()


def test_shapes_and_cost_open(bench: Bench) -> None:
    cost = bench.panel.cost
    cost._heading.click()
    assert "Q 1×1, K 4×1, V 4×1" in cost._here.text()
    assert "Q 1024×64" in cost._there.text()


@pytest.mark.parametrize("name", ["rents", "tokens", "database"])
def test_large_text_scrolls_and_nothing_is_squeezed(bench: Bench, look: Look, name: str) -> None:
    bench.open(name)
    bench.host.resize(760, 600)
    look.set_text_scale(2.0)
    QApplication.processEvents()
    bench.panel.grab()
    line = bench.panel.fontMetrics().height()
    area = bench.panel.findChild(QScrollArea)
    assert area is not None
    assert area.verticalScrollBar().maximum() > 0
    pictures: list[Any] = [picture for picture in bench.panel.pictures.findChildren(Plot) if picture.isVisible()]
    assert min(picture.height() for picture in pictures) > 4 * line
    assert bench.panel.table.view.verticalHeader().defaultSectionSize() >= line


def test_every_control_has_a_name(bench: Bench) -> None:
    bench.open("tokens")
    shown = [widget for widget in bench.panel.findChildren(QWidget) if widget.isVisible()]
    reached = [w for w in shown if w.focusPolicy() & Qt.FocusPolicy.TabFocus and not w.focusProxy()]
    assert len(reached) > 10
    assert [w for w in reached if not (w.accessibleName() or getattr(w, "text", lambda: "")())] == []
