"""The temperature panel on the real store and the real computation, driven by real events."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from labapp.errors import PlainError
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.plots.plot import Plot
from labapp.runner import InlineExecutor, Runner
from labapp.scenes import Shelf
from labapp.session.codec import Codec
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from panels.lookup import SPEC as LOOKUP
from panels.temperature import SPEC, select
from panels.temperature.controls import LENGTHS, DrawAgain, QueryLength
from panels.temperature.entries import EntryChoice, Pair
from panels.temperature.panel import TemperaturePanel
from panels.temperature.sections import SECTIONS
from panels.temperature.target import Target
from panels.temperature.typed import scores_in
from panels.temperature.updates import choose_preset, set_quantity, set_target, set_temperature, take_scores

NAMES = [section.id for section in SECTIONS]
LEFT = Qt.MouseButton.LeftButton


@dataclass
class Bench:
    """The panel in its frame, with what stands behind it."""

    host: PanelHost
    store: Store
    lab: Lab
    runner: Runner
    said: list[str]

    @property
    def panel(self) -> TemperaturePanel:
        panel = self.host.panel
        assert isinstance(panel, TemperaturePanel)
        return panel

    @property
    def result(self):
        return self.panel._result

    def change(self, update) -> None:
        self.store.dispatch(update, "Test")

    def own(self, *scores: float) -> None:
        self.change(lambda state: take_scores(state, np.array(scores)))

    def show(self, section: str):
        self.panel.pictures.choose(section)
        QApplication.processEvents()
        return self.panel.pictures.picture(section)

    def control(self, kind: type) -> QWidget:
        return next(c for c in self.panel._controls[self.panel.pictures.section.id] if isinstance(c, kind))


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    shelf = Shelf(AppState, Array)
    store, said = Store(shelf.state("rents")), []
    runner = Runner(Backend("cpu"), InlineExecutor())
    lab = Lab(store.dispatch, store.take_back, look, Highlight(), notify=said.append, scene=shelf.choose)
    host = PanelHost(SPEC, lab, store, runner)
    qtbot.addWidget(host)
    host.resize(640, 860)
    host.show()
    QApplication.processEvents()
    yield Bench(host, store, lab, runner, said)
    runner.close()


def at(plot: Plot, x: float, y: float) -> QPoint:
    QApplication.processEvents()
    plot.grab()
    px, py = plot.to_pixels(*plot.to_view(x, y))
    return plot.mapFromScene(plot.view.mapToScene(QPointF(float(px), float(py))))


def drag(plot: Plot, start: QPoint, *stops: QPoint, release: bool = True) -> None:
    viewport = plot.viewport()
    QTest.mouseMove(viewport, start)
    QTest.mousePress(viewport, LEFT, pos=start)
    for stop in stops:
        where = viewport.mapToGlobal(QPointF(stop))
        event = QMouseEvent(
            QEvent.Type.MouseMove, QPointF(stop), where, Qt.MouseButton.NoButton, LEFT, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(viewport, event)
    if release:
        QTest.mouseRelease(viewport, LEFT, pos=stops[-1])


def test_scene_and_panel_share_one_temperature(bench: Bench, qtbot: QtBot) -> None:
    explorer = PanelHost(LOOKUP, bench.lab, bench.store, bench.runner)
    qtbot.addWidget(explorer)
    explorer.show()
    explorer.panel.controls["temperature"].slider.value_edited.emit(0.25)
    assert bench.store.state.scene.temperature == 0.25
    assert bench.result.temperature == 0.25
    assert bench.panel.temperature._scene.box.value == 0.25
    plot = bench.show("entropy").entropy
    drag(plot, at(plot, 0.25, 1.2), at(plot, 1.0, 1.2), at(plot, 2.0, 1.2))
    tau = bench.store.state.scene.temperature
    assert tau == pytest.approx(2.0, rel=0.1)
    assert explorer.panel.controls["temperature"].box.value == tau
    bench.store.undo()
    assert bench.store.state.scene.temperature == 0.25
    assert explorer.panel.controls["temperature"].box.value == bench.result.temperature == 0.25


def test_scene_scores_are_those_of_the_explorer(bench: Bench, qtbot: QtBot) -> None:
    explorer = PanelHost(LOOKUP, bench.lab, bench.store, bench.runner)
    qtbot.addWidget(explorer)
    answers = []
    bench.runner.answered.connect(lambda answer: answers.append(answer) if answer.request.key == "lookup" else None)
    explorer.show()
    seen = answers[-1].result
    np.testing.assert_allclose(bench.result.scores, seen.scores)
    np.testing.assert_allclose(bench.result.weights, seen.soft.weights, rtol=1e-12)


def test_own_scores_have_their_own_temperature(bench: Bench) -> None:
    before = bench.store.state.scene.temperature
    bench.own(2.0, 1.0, 0.1)
    bench.change(lambda state: set_temperature(state, 0.5))
    assert bench.store.state.scene.temperature == before
    assert bench.result.temperature == 0.5
    sentence = bench.panel.sentence().replace("\N{NO-BREAK SPACE}", " ")
    assert sentence == "At τ = 0.5 the winner, 1, has 86 % of the weight; as uncertain as 1.6 equal entries."


def test_escape_takes_a_drag_of_the_temperature_back(bench: Bench) -> None:
    plot = bench.show("entropy").entropy
    drag(plot, at(plot, 1.0, 1.2), at(plot, 30.0, 1.2), release=False)
    assert bench.store.state.scene.temperature > 10
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert bench.store.state.scene.temperature == 1.0
    assert bench.store.undo_label == ""


def test_a_bar_is_pulled_in_one_step(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    plot = bench.show("weights").plots[0]
    drag(plot, at(plot, 1, 1.0), at(plot, 1, 1.3), at(plot, 1, 1.8))
    scores = bench.store.state.temperature.own.scores.values
    assert scores[1] == pytest.approx(1.8, abs=0.1)
    assert scores[[0, 2]].tolist() == [2.0, 0.1]
    assert bench.store.state.temperature.own.recipe == ""
    bench.store.undo()
    assert bench.store.state.temperature.own.scores.values.tolist() == [2.0, 1.0, 0.1]


def test_scene_scores_are_not_pulled_but_copied(bench: Bench) -> None:
    plot = bench.show("weights").plots[0]
    assert not plot._ends.visible
    bench.change(lambda state: set_temperature(state, 0.5))
    shown = bench.result.scores
    bench.panel.source._on_copy()
    own = bench.store.state.temperature
    assert own.source == "own"
    assert own.own.scores.values.tolist() == shown.tolist()
    assert own.own.temperature == 0.5
    assert plot._ends.visible


def test_point_on_the_path_is_dragged(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    plot = bench.show("triangle")
    start = at(plot, *bench.result.triangle.point)
    drag(plot, start, at(plot, 0.1, 0.05), at(plot, 0.02, 0.01))
    assert bench.result.weights[0] > 0.9
    bench.store.undo()
    assert bench.result.temperature == 1.0


def test_target_is_dragged_and_its_temperature_found(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    plot = bench.show("entropy").entropy
    target = bench.control(Target)
    assert not plot._target.visible
    target.start.click()
    assert bench.store.state.temperature.inverse.target == pytest.approx(bench.result.measures.entropy)
    drag(plot, at(plot, 0.003, bench.result.measures.entropy), at(plot, 0.003, 0.4))
    wanted = bench.store.state.temperature.inverse.target
    assert wanted == pytest.approx(0.4, abs=0.05)
    assert bench.result.solution.error <= 1e-6
    target.go.click()
    assert bench.result.measures.entropy == pytest.approx(wanted, abs=1e-6)
    target.clear.click()
    assert bench.result.solution is None
    assert not plot._target.visible


def test_out_of_reach_is_said(bench: Bench) -> None:
    bench.own(2.0, 2.0, 0.1)
    bench.show("entropy")
    bench.change(lambda state: set_target(state, 0.5))
    assert "tied winners" in bench.control(Target).note.text()
    assert not bench.control(Target).go.isEnabled()


def test_bisection_is_watched(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    plot = bench.show("entropy").entropy
    bench.change(lambda state: set_target(state, 0.5))
    target = bench.control(Target)
    assert not plot._bracket.visible
    wide = []
    for _ in range(3):
        target.bar.step(1)
        low, high = plot._bracket.extent()[0]
        wide.append(high - low)
    assert plot._bracket.visible
    assert wide[0] == pytest.approx(2 * wide[1]) == pytest.approx(4 * wide[2])
    assert target.step_note.text().startswith("Step 4 of")


def test_quantity_keeps_the_wish(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    bench.change(lambda state: set_target(state, 0.5))
    tau = bench.result.solution.temperature
    bench.change(lambda state: set_quantity(state, "perplexity"))
    assert bench.store.state.temperature.inverse.target == pytest.approx(math.exp(0.5))
    assert bench.result.solution.temperature == pytest.approx(tau)
    assert bench.show("entropy").plots[2].isVisible()


def test_unit_changes_the_picture_alone(bench: Bench) -> None:
    asked = select(bench.store.state)
    plot = bench.show("entropy").entropy
    high = plot._entropy.drawn()[1].max()
    bench.change(
        lambda s: replace(s, temperature=replace(s.temperature, drawn=replace(s.temperature.drawn, unit="bits")))
    )
    assert select(bench.store.state) == asked
    assert plot._entropy.drawn()[1].max() == pytest.approx(high / math.log(2))
    assert "bits" in plot.y_axis.labelText


def test_shift_changes_nothing_but_division_by_the_sum(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    bench.show("softmax")
    weights = bench.result.weights
    bench.change(lambda s: replace(s, temperature=replace(s.temperature, why=replace(s.temperature.why, shift=-1.0))))
    assert bench.result.weights.tolist() == weights.tolist()
    assert bench.result.reasons.change < 1e-15
    assert "negative" in bench.panel.note.text()


def test_entries_of_the_ratio_are_chosen(bench: Bench) -> None:
    bench.show("softmax")
    choice = bench.control(Pair).second
    assert isinstance(choice, EntryChoice)
    choice.chosen.emit(2)
    assert bench.store.state.temperature.why.second == 2
    assert bench.result.names[2] in bench.panel.note.text()


def test_query_length_moves_the_marker(bench: Bench) -> None:
    bench.change(bench.lab.scene("orthonormal"))
    bench.change(lambda s: replace(s, scene=replace(s.scene, similarity=replace(s.scene.similarity, name="dot"))))
    bench.change(lambda s: replace(s, temperature=replace(s.temperature, per_length=True)))
    length = bench.panel.length
    assert isinstance(length, QueryLength)
    assert not length.isHidden()
    before = bench.result.curves.entropy
    length.slider.value_edited.emit(4.0)
    assert np.linalg.norm(bench.store.state.scene.query.values) == pytest.approx(4.0)
    assert bench.result.temperature == pytest.approx(bench.store.state.scene.temperature / 4)
    np.testing.assert_allclose(bench.result.curves.entropy, before, atol=1e-12)
    plot = bench.show("entropy").entropy
    drag(plot, at(plot, bench.result.temperature, 0.1), at(plot, 1.0, 0.1))
    assert bench.result.temperature == pytest.approx(1.0, rel=0.1)
    assert bench.store.state.scene.temperature == pytest.approx(4.0, rel=0.1)
    assert LENGTHS.low > 0


def test_length_is_hidden_where_it_means_nothing(bench: Bench) -> None:
    assert bench.store.state.scene.similarity.name == "squared_distance"
    assert bench.panel.length.isHidden()


def test_play_sweeps_both_ways_as_one_step(bench: Bench) -> None:
    play = bench.panel.play
    play.bar.started.emit()
    for position in (0.0, 0.5, 0.75):
        play.bar.moved.emit(position)
    assert bench.store.state.scene.temperature == pytest.approx(10**1.5)
    bench.store.undo()
    assert bench.store.state.scene.temperature == 1.0
    play.down.setChecked(True)
    play.bar.moved.emit(0.75)
    assert bench.store.state.scene.temperature == pytest.approx(10**-1.5)


def test_draws_follow_the_seed(bench: Bench) -> None:
    bench.change(lambda state: choose_preset(state, "words"))
    bench.show("sampling")
    first = bench.result.counts
    bench.control(DrawAgain).click()
    assert bench.store.state.temperature.sampling.seed == 1
    assert bench.result.counts.tolist() != first.tolist()
    assert bench.result.names[0] == "mat"
    assert bench.panel.note.text().startswith(f"{np.count_nonzero(bench.result.counts)} of 8")


@pytest.mark.parametrize("name", NAMES)
def test_every_section_shows_every_kind_of_row(bench: Bench, name: str) -> None:
    bench.show(name)
    for update in (
        lambda state: take_scores(state, np.array([1.0, 1.0])),
        lambda state: take_scores(state, np.array([-np.inf, 0.0, -1e30, 5.0])),
        lambda state: take_scores(state, np.array([-np.inf, -np.inf])),
        lambda state: take_scores(state, np.random.default_rng(0).standard_normal(3000)),
        lambda state: choose_preset(state, "tied"),
        bench.lab.scene("tokens"),
    ):
        bench.change(update)
        bench.host.grab()
        assert not bench.host.banner.isVisible(), bench.host.banner.text
        assert bench.panel.sentence()
        for text in (bench.panel.note.text(), bench.panel.sentence(), bench.panel.formula.accessibleDescription()):
            assert "nan" not in text.lower()


def test_masked_scene_is_undefined_in_words(bench: Bench) -> None:
    scene = bench.store.state.scene
    bench.change(lambda s: replace(s, scene=replace(scene, mask=Array(np.zeros(len(scene.keys), dtype=bool)))))
    assert "undefined" in bench.panel.sentence()


def test_table_equals_the_picture_and_is_typed_into(bench: Bench) -> None:
    bench.own(2.0, 1.0, 0.1)
    model = bench.panel.table.model
    assert model.text(0, 2) == "0.659"
    assert model.setData(model.index(2, 1), "3") is False
    assert bench.store.state.temperature.own.scores.values.tolist() == [2.0, 1.0, 3.0]
    model.setData(model.index(0, 0), "best")
    assert bench.result.names == ("best", "2", "3")
    model.setData(model.index(0, 1), "much")
    assert "much" in bench.said[-1]


def test_scene_table_is_read_only(bench: Bench) -> None:
    assert not any(column.editable for column in bench.panel.table.model.columns)


def test_typed_scores(bench: Bench) -> None:
    assert bench.panel.source.type_scores("3; 1,5; −2")
    assert bench.store.state.temperature.own.scores.values.tolist() == [3.0, 1.5, -2.0]
    assert not bench.panel.source.type_scores("3; x")
    assert "x" in bench.said[-1]
    assert not bench.panel.source.type_scores("3")
    assert "2 to 100,000" in bench.said[-1]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2, 1, 0.1", [2, 1, 0.1]),
        ("2,1,0.1", [2, 1, 0.1]),
        ("2;1;0,1", [2, 1, 0.1]),
        ("2,5 1,5", [2.5, 1.5]),
        ("2\n1\n1e-3", [2, 1, 1e-3]),
        ("1\t2\r\n3\t4", [1, 2, 3, 4]),
    ],
)
def test_lists_of_numbers(text: str, wanted: list[float]) -> None:
    assert scores_in(text).tolist() == wanted


def test_text_without_numbers() -> None:
    with pytest.raises(PlainError, match="Scores were expected"):
        scores_in(" \n")


def test_pins(bench: Bench) -> None:
    plot = bench.show("entropy").entropy
    bench.panel.source.pin_asked.emit()
    assert len(bench.store.state.temperature.pins) == 1
    assert plot._pins[0].visible
    bench.store.undo()
    assert not plot._pins[0].visible


def test_light_is_shared_with_the_scene_alone(bench: Bench) -> None:
    bench.lab.highlight.show(2)
    assert bench.panel.table.model.lit == 2
    bench.own(2.0, 1.0, 0.1)
    bench.lab.highlight.show(1)
    assert bench.panel.table.model.lit is None
    bench.panel._entries.show(0)
    assert bench.lab.highlight.entry == 1


def test_view_travels_and_comes_back(bench: Bench) -> None:
    bench.show("learning")
    view = bench.panel.view_state()
    bench.show("weights")
    bench.panel.restore_view(view)
    assert bench.panel.pictures.section.id == "learning"
    bench.panel.restore_view({"pictures": 3})
    assert bench.panel.pictures.section.id == "weights"


def test_pictures_are_made_when_first_seen(bench: Bench) -> None:
    assert set(bench.panel.pictures._made) == {"weights"}
    bench.show("others")
    assert set(bench.panel.pictures._made) == {"weights", "others"}


def test_state_survives_a_session(bench: Bench) -> None:
    bench.change(lambda state: choose_preset(state, "words"))
    bench.change(lambda state: set_target(state, 0.5))
    bench.panel.source.pin_asked.emit()
    codec = Codec(Array)
    state = bench.store.state
    assert codec.from_tree(*codec.to_tree(state), AppState) == state


def test_every_control_has_a_name(bench: Bench) -> None:
    for name in NAMES:
        bench.show(name)
        for widget in bench.panel.findChildren(QWidget):
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                named = widget.accessibleName() or getattr(widget, "text", lambda: "")()
                assert named or widget.parentWidget().accessibleName(), (name, type(widget))


def test_very_many_entries_are_a_curve_by_rank(bench: Bench) -> None:
    plot = bench.show("weights").plots[1]
    scores = np.random.default_rng(0).standard_normal(5000)
    bench.change(lambda state: take_scores(state, scores))
    assert plot.x_axis.is_log
    rank, height = plot._weights._curve.drawn()
    assert rank[0] == 0
    assert height[0] == bench.result.weights.max()
    assert (np.diff(height) <= 0).all()
    bench.own(1.0, 2.0)
    assert not plot.x_axis.is_log
    assert plot._weights.bars.visible
    assert not plot._weights._curve.visible


def test_import_loads_no_torch(repository: Path) -> None:
    code = "import panels.temperature, sys; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=repository).returncode == 0
