"""The explorer's pictures: what is dragged, clicked, hovered and kept, with real events."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.look import Look
from models.explorer_state import Sweep
from models.scene_edit import move_query
from panels.lookup import select
from panels.lookup.pictures import pictures_for
from panels.lookup.updates import on_scene, show_scene
from panels.lookup.words import hard_sentence, numbers_line, sentence
from tests.panels.lookup_bench import Bench, drag, make_bench, move, place


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    yield from make_bench(qtbot, look)


def ask(bench: Bench, *query: float) -> None:
    bench.store.dispatch(on_scene(move_query, list(query)), "Ask")


def test_the_query_line_is_dragged_and_taken_back_in_one_step(bench: Bench) -> None:
    line = bench.picture("line")
    drag(line, place(line, 75, 1200), place(line, 70, 1000), place(line, 60, 1000))
    assert bench.scene.query.values[0] == pytest.approx(60, abs=0.5)
    assert bench.result.inputs[0] == bench.scene
    assert bench.store.undo_label == "Move query"
    bench.store.undo()
    assert bench.scene.query.values.tolist() == [75.0]
    assert bench.store.undo_label == ""


def test_an_entry_is_dragged_by_key_and_value(bench: Bench) -> None:
    line = bench.picture("line")
    drag(line, place(line, 100, 2100), place(line, 95, 2000), place(line, 90, 1800))
    assert bench.scene.keys.values[3, 0] == pytest.approx(90, abs=0.5)
    assert bench.scene.values.values[3, 0] == pytest.approx(1800, abs=15)
    assert bench.cells(3)[1].startswith(("90", "89"))
    bench.undo_all()
    assert bench.scene.values.values[3, 0] == 2100


def test_escape_in_mid_drag_takes_it_back(bench: Bench) -> None:
    line = bench.picture("line")
    drag(line, place(line, 75, 1200), place(line, 60, 1200), release=False)
    assert bench.scene.query.values[0] == pytest.approx(60, abs=0.5)
    QTest.keyClick(line.viewport(), Qt.Key.Key_Escape)
    assert bench.scene.query.values.tolist() == [75.0]
    assert bench.store.undo_label == ""


def test_keys_move_the_query(bench: Bench) -> None:
    line = bench.picture("line")
    line._query.grip.take_focus(0)
    QTest.keyClick(line, Qt.Key.Key_Right)
    QTest.keyClick(line, Qt.Key.Key_Right)
    assert bench.scene.query.values[0] > 75
    bench.undo_all()
    assert bench.scene.query.values.tolist() == [75.0]


def test_query_keys_and_values_are_dragged_in_planes(bench: Bench) -> None:
    bench.open("tokens")
    keys, values = bench.picture("keys"), bench.picture("values")
    drag(keys, place(keys, 1.4, 0.3), place(keys, 1.0, 0.8), place(keys, 0.5, 1.2))
    assert bench.scene.query.values == pytest.approx([0.5, 1.2], abs=0.05)
    drag(keys, place(keys, -0.9, -0.9), place(keys, -0.5, -0.5), place(keys, -0.4, -0.6))
    assert bench.scene.keys.values[0] == pytest.approx([-0.4, -0.6], abs=0.05)
    drag(values, place(values, -0.8, 1.3), place(values, -0.4, 1.0), place(values, -0.5, 0.8))
    assert bench.scene.values.values[2] == pytest.approx([-0.5, 0.8], abs=0.05)
    bench.undo_all()
    assert bench.scene.query.values.tolist() == [1.4, 0.3]


def test_the_handle_of_the_length_stretches_the_query_and_never_turns_it(bench: Bench) -> None:
    bench.open("tokens")
    keys = bench.picture("keys")
    drag(keys, place(keys, 0.7, 0.15), place(keys, 0.6, 0.8), place(keys, 0.35, 0.075))
    query = bench.scene.query.values
    assert np.linalg.norm(query) == pytest.approx(np.hypot(1.4, 0.3) / 2, abs=0.04)
    assert query[1] / query[0] == pytest.approx(0.3 / 1.4)
    bench.undo_all()
    assert bench.scene.query.values.tolist() == [1.4, 0.3]


def test_one_number_of_many_is_dragged_by_its_bar(bench: Bench) -> None:
    bench.open("database")
    bars = bench.picture("query")
    before = bench.scene.query.values.copy()
    drag(bars, place(bars, 3, before[3]), place(bars, 3, before[3] + 0.1), place(bars, 3, before[3] + 0.2))
    changed = bench.scene.query.values
    assert changed[3] == pytest.approx(before[3] + 0.2, abs=0.02)
    assert np.delete(changed, 3).tolist() == np.delete(before, 3).tolist()


def test_a_word_of_a_tied_scene_moves_as_query_key_and_value(bench: Bench) -> None:
    bench.open("causal")
    values = bench.picture("values")
    drag(values, place(values, -1, 2), place(values, -0.8, 1.8), place(values, -0.6, 1.6))
    assert bench.scene.keys == bench.scene.values == bench.scene.queries
    assert bench.scene.keys.values[2] == pytest.approx([-0.6, 1.6], abs=0.06)


def test_a_click_in_the_map_makes_the_row_the_query(bench: Bench) -> None:
    bench.open("causal")
    plot = bench.picture("map")
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place(plot, 0, 1))
    assert bench.scene.row == 1
    assert bench.scene.query.values.tolist() == [0.5, 0.5]
    assert bench.result.soft.weights.tolist() == [0.5, 0.5, 0.0, 0.0]
    assert bench.cells(3)[-4] == "masked"
    bench.store.undo()
    assert bench.scene.row == 3


def test_the_map_and_the_other_pictures_light_the_same_entry(bench: Bench) -> None:
    plot, line = bench.picture("map"), bench.picture("line")
    move(plot, place(plot, 2, 30), Qt.MouseButton.NoButton)
    assert bench.lab.highlight.entry == 2
    assert bench.panel.table.model.lit == 2
    assert line._entries._lit == 2
    assert "80 m²" in plot.toolTip()
    move(line, place(line, 40, 900), Qt.MouseButton.NoButton)
    assert bench.lab.highlight.entry == 0


def test_a_tool_tip_shows_names_as_plain_text(bench: Bench) -> None:
    bench.type_cell(2, 0, "<b>A&B</b>")
    plot = bench.picture("map")
    move(plot, place(plot, 2, 30), Qt.MouseButton.NoButton)
    assert "&lt;b&gt;A&amp;B&lt;/b&gt;" in plot.toolTip()


def test_the_map_opens_and_closes(bench: Bench) -> None:
    button = bench.panel.toolbar.map_button
    button.click()
    assert not bench.panel.pictures._made["map"].isVisible()
    ask(bench, 60)
    button.click()
    assert bench.picture("map")._row_of(bench.result) is not None


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("rents", ["line", "map"]),
        ("tokens", ["keys", "values", "map"]),
        ("orthonormal", ["query", "values", "map"]),
        ("database", ["query", "weights", "map"]),
    ],
)
def test_the_pictures_fit_the_scene_and_stand_in_their_order(bench: Bench, name: str, shown: list[str]) -> None:
    for other in ("database", "orthonormal", "tokens", name):
        bench.open(other)
    pictures = bench.panel.pictures
    assert list(pictures_for(bench.scene)) == shown[:-1]
    assert {part for part, picture in pictures._made.items() if picture.isVisible()} == set(shown)
    places = [pictures._row.indexOf(pictures._made[part]) for part in shown[:-1]]
    assert places == sorted(places)


def test_a_zoom_goes_with_its_dictionary(bench: Bench) -> None:
    line = bench.picture("line")
    line.view.setRange(xRange=(50, 60), yRange=(1000, 1300), padding=0)
    line.ranges.on_user_range()
    ask(bench, 61)
    assert line.view.viewRange()[0] == pytest.approx([50, 60])
    kept = bench.panel.view_state()
    assert kept["pictures"]["zoom"]["line"]["x"] == pytest.approx([50, 60])
    bench.open("houses")
    assert line.view.viewRange()[0] == pytest.approx([0.5, 5.5])
    assert bench.panel.view_state()["pictures"]["zoom"] == {}
    bench.open("rents")
    bench.panel.restore_view(kept)
    assert line.view.viewRange()[0] == pytest.approx([50, 60])


def test_a_zoom_waits_for_the_picture_that_it_is_of(qtbot: QtBot, look: Look) -> None:
    view = {"pictures": {"map": False, "zoom": {"line": {"x": [50, 60], "y": [1000, 1300]}, "odd": 3}}}
    for bench in make_bench(qtbot, look, "tokens"):
        bench.host.hide()
        bench.store.load(bench.store.state)
        bench.panel.restore_view(view)
        bench.open("rents")
        bench.host.show()
        QApplication.processEvents()
        assert bench.picture("line").view.viewRange()[0] == pytest.approx([50, 60])
        assert not bench.panel.pictures.shows_map
        assert not bench.panel.toolbar.map_button.isChecked()


@pytest.mark.parametrize("view", [{}, {"pictures": 3}, {"pictures": {"zoom": [1], "map": "x"}}])
def test_a_strange_view_is_passed_over(bench: Bench, view: dict[str, object]) -> None:
    bench.panel.restore_view(view)
    assert bench.panel.pictures.shows_map


def test_pins_keep_the_curve_with_its_setting(bench: Bench) -> None:
    pin = bench.action("Pin the present curve")
    bench.control("sigma").slider.value_edited.emit(3.0)
    pin.trigger()
    (kept,) = bench.store.state.lookup.pins
    assert kept.label == "σ = 3, τ = 1"
    np.testing.assert_allclose(kept.y.values, bench.result.curve.soft[:, 0])
    for sigma in (5.0, 8.0, 20.0, 40.0):
        bench.control("sigma").slider.value_edited.emit(sigma)
        pin.trigger()
    assert [pin.label for pin in bench.store.state.lookup.pins] == [f"σ = {n}, τ = 1" for n in (5, 8, 20, 40)]
    assert bench.picture("line")._pins[3].name == "σ = 40, τ = 1"
    bench.action("Remove all pins").trigger()
    assert bench.store.state.lookup.pins == ()
    bench.open("tokens")
    assert not bench.panel.toolbar.pin_button.isEnabled()


def test_rents_in_words_numbers_and_table(bench: Bench) -> None:
    assert sentence(bench.result) == (
        "80 m² and 60 m² share 96\u00a0% of the weight, as much as 1.8 equal entries; the answer is 1,442 per month."
    )
    assert numbers_line(bench.result).endswith(r"\output{1,442}")
    assert hard_sentence(bench.result) == "Exact lookup finds no such key; nearest lookup takes 80 m²: 1,500."
    assert bench.cells(2) == ["80 m²", "80", "1,500", "−0.125", "0.7042", "1,056"]
    assert bench.totals() == ["sum", "", "", "", "1", "1,442"]
    assert bench.panel.accessibleDescription() == sentence(bench.result)
    for query, answer in ((69.9, "60 m²: 1,200"), (70.1, "80 m²: 1,500")):
        ask(bench, query)
        assert hard_sentence(bench.result).endswith(f"nearest lookup takes {answer}.")


def test_houses_say_the_tie_and_weight_where_weight_is_meant(bench: Bench) -> None:
    bench.open("houses")
    said = sentence(bench.result)
    assert said.startswith("2 bedrooms and 4 bedrooms share 99\u00a0% of the weight")
    assert "the answer is 275.1 thousand." in said
    assert "Tie: 2 bedrooms and 4 bedrooms score best; the nearest lookup takes the first, 2 bedrooms." in said
    assert "of the answer" not in said
    assert [round(100 * w) for w in bench.result.soft.weights] == [1, 49, 49, 1]


@pytest.mark.parametrize("name", ["padding", "causal", "identity", "orthonormal", "unequal-lengths", "database"])
def test_sum_of_the_table_is_the_answer(bench: Bench, name: str) -> None:
    bench.open(name)
    totals = [float(total.replace("−", "-").replace(",", "")) for total in bench.totals() if total not in ("", "sum")]
    assert totals[1:] == pytest.approx(bench.result.soft.output, rel=1e-3, abs=1e-3)
    assert totals[0] == 1
    for words in (sentence(bench.result), hard_sentence(bench.result), numbers_line(bench.result)):
        assert "nan" not in words.lower()


def test_masked_entries_have_no_score_and_weigh_nothing(bench: Bench) -> None:
    bench.open("padding")
    assert bench.cells(3)[5:] == ["masked", "0", "0", "0"]


def test_nothing_found_is_said_in_words(bench: Bench) -> None:
    bench.control("weighting").combo.setCurrentIndex(4)
    assert sentence(bench.result) == "No key equals the query; the answer is undefined."
    assert numbers_line(bench.result) == r"\output{o} is undefined: no key equals the query"
    ask(bench, 60)
    assert "the answer is 1,200" in sentence(bench.result)
    for row in range(4):
        bench.panel.table.choose_row(row)
        bench.action("Mask or unmask the chosen").trigger()
    bench.control("weighting").combo.setCurrentIndex(0)
    assert sentence(bench.result) == "Every entry is masked, so no entry takes part; the answer is undefined."
    assert hard_sentence(bench.result) == "Exact lookup finds no such key; nearest lookup finds no entry."
    plot = bench.picture("map")
    move(plot, place(plot, 2, 30), Qt.MouseButton.NoButton)
    assert "undefined" in plot.toolTip()


def test_drawing_options_ask_for_no_computation(bench: Bench) -> None:
    before = select(bench.store.state)
    for toggle in bench.control("toggles")._toggles:
        toggle.box.click()
    assert select(bench.store.state) == before
    line = bench.picture("line")
    assert not any(layer.visible for layer in (line._soft, line._steps, line._exact))
    bench.undo_all()
    assert line._soft.visible


def test_another_scene_spans_its_keys(bench: Bench) -> None:
    state = show_scene(bench.store.state, bench.scene)
    assert state.lookup.sweep == Sweep(type(bench.scene.query)([31.0]), type(bench.scene.query)([109.0]))
