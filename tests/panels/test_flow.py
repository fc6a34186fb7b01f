"""The gradient flow panel on the real store and the real computation, driven by real events."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.plots.grip import Grip
from labapp.plots.plot import Plot
from labapp.runner import InlineExecutor, Runner
from labapp.scenes import Shelf
from labapp.session.codec import Codec
from labapp.session.sessions import open_session, save_session
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from models.flow_descent import DescentResult, compute_descent, descent_question
from models.flow_presets import FLOW_PRESETS
from models.flow_state import SECTIONS, FlowState
from models.job import DirectJob
from panels.flow import SPEC, select
from panels.flow.panel import FlowPanel
from panels.flow.updates import choose_preset, set_steps, show_section, shown_scene, shown_target


@dataclass
class Bench:
    """A panel in its frame, with what stands behind it."""

    host: PanelHost
    store: Store
    said: list[str]

    @property
    def panel(self) -> FlowPanel:
        panel = self.host.panel
        assert isinstance(panel, FlowPanel)
        return panel

    @property
    def state(self) -> FlowState:
        return self.store.state.flow

    @property
    def result(self) -> Any:
        return self.panel._result

    def preset(self, name: str, section: str = "descent") -> None:
        self.store.dispatch(lambda state: show_section(choose_preset(state, name), section), "Test")
        QApplication.processEvents()

    def picture(self, name: str) -> Any:
        return self.panel.sections.widget_of(self.state.section).gallery.made[name]

    def control(self, kind: str) -> Any:
        return next(control for control in self.panel.own[self.state.section] if type(control).__name__ == kind)


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    shelf = Shelf(AppState, Array)
    store, said = Store(shelf.state("tokens")), []
    runner = Runner(Backend("cpu"), InlineExecutor())
    lab = Lab(store.dispatch, store.take_back, look, Highlight(), notify=said.append, scene=shelf.choose)
    host = PanelHost(SPEC, lab, store, runner)
    qtbot.addWidget(host)
    host.resize(640, 760)
    host.show()
    QApplication.processEvents()
    yield Bench(host, store, said)
    runner.close()


def centre(plot: Plot, grip: Grip, entry: int = 0) -> QPoint:
    """The pixel of the viewport on which a handle lies."""
    QApplication.processEvents()
    x, y = plot.to_pixels(grip.xs[entry], grip.ys[entry])
    # A line lies along the whole picture: its other coordinate is the middle.
    size = plot.view_size()
    x = x if grip.figure.free[0] else size.width() / 2
    y = y if grip.figure.free[1] else size.height() / 2
    return plot.mapFromScene(plot.view.mapToScene(QPointF(float(x), float(y))))


def grip_of(plot: Plot, title: str) -> Grip:
    return next(grip for grip in plot.grips if grip.title == title)


def send(plot: Plot, kind: QEvent.Type, place: QPoint, pressed: bool) -> None:
    button = Qt.MouseButton.LeftButton if kind != QEvent.Type.MouseMove else Qt.MouseButton.NoButton
    held = Qt.MouseButton.LeftButton if pressed else Qt.MouseButton.NoButton
    viewport = plot.viewport()
    event = QMouseEvent(
        kind, QPointF(place), QPointF(viewport.mapToGlobal(place)), button, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, event)


def drag(plot: Plot, title: str, way: QPoint, release: bool = True) -> None:
    start = centre(plot, grip_of(plot, title))
    send(plot, QEvent.Type.MouseMove, start, False)
    send(plot, QEvent.Type.MouseButtonPress, start, True)
    for part in (0.3, 0.7, 1.0):
        send(plot, QEvent.Type.MouseMove, start + way * part, True)
    if release:
        send(plot, QEvent.Type.MouseButtonRelease, start + way, False)


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("name", FLOW_PRESETS)
def test_every_section_shows_every_preset(bench: Bench, name: str, section: str) -> None:
    bench.preset(name, section)
    assert not bench.host.banner.isVisible(), bench.host.banner.text
    assert bench.panel.sentence()
    assert "nan" not in bench.panel.sentence().lower()
    assert bench.host.is_current


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("scene", ["rents", "houses", "two-entries", "causal", "database", "orthonormal", "padding"])
def test_every_section_follows_every_kind_of_scene(bench: Bench, scene: str, section: str) -> None:
    shelf = Shelf(AppState, Array)
    bench.store.dispatch(lambda state: show_section(shelf.choose(scene)(state), section), "Test")
    QApplication.processEvents()
    assert not bench.host.banner.isVisible(), bench.host.banner.text
    assert bench.host.is_current
    assert bench.panel.sentence()


def test_query_dragged_in_the_field_is_the_query_of_all_panels_and_one_undo_step(bench: Bench) -> None:
    before = bench.store.state
    drag(bench.picture("field"), "Query", QPoint(-40, 20))
    assert bench.store.state.scene.query != before.scene.query
    assert bench.store.undo_label == "Move query"
    assert bench.result.path.queries[0, 0] == pytest.approx(bench.store.state.scene.query.values)
    bench.store.undo()
    assert bench.store.state == before


def test_own_dictionary_leaves_the_scene_alone(bench: Bench) -> None:
    bench.preset("tokens")
    scene = bench.store.state.scene
    drag(bench.picture("field"), "Query", QPoint(-40, 20))
    assert bench.store.state.scene == scene
    assert bench.state.own.query != scene.query


def test_target_dragged_is_one_undo_step_and_escape_takes_it_back(bench: Bench) -> None:
    before = bench.store.state
    plane = bench.picture("plane")
    drag(plane, "Target", QPoint(-30, -10))
    assert bench.state.target is not None
    assert bench.store.undo_label == "Move target"
    bench.store.undo()
    assert bench.store.state == before
    drag(plane, "Target", QPoint(-30, -10), release=False)
    assert bench.store.state != before
    QTest.keyClick(plane.viewport(), Qt.Key.Key_Escape)
    assert bench.store.state == before


def test_steps_forward_and_as_many_back_give_the_same_state(bench: Bench) -> None:
    bench.preset("tokens")
    bar = bench.control("StepBar")
    bar.step(-60)
    before = bench.store.state
    for _ in range(25):
        bar.step(1)
    assert bench.state.descent.shown == before.flow.descent.shown + 25
    for _ in range(25):
        bar.step(-1)
    assert bench.store.state == before


def test_playing_shows_the_path_without_computing_again(bench: Bench) -> None:
    answers: list[Any] = []
    bench.host.computed.connect(answers.append)
    bench.control("StepBar").step(-40)
    assert bench.state.descent.shown == 60
    assert answers == []
    x, y = bench.picture("field")._now.drawn()
    assert (x[0], y[0]) == pytest.approx(tuple(bench.result.path.queries[60, 0]))
    assert bench.panel.table.model.text(0, 1) == "60"


def test_ten_thousand_steps_are_one_undo_step(bench: Bench) -> None:
    bench.preset("orthonormal")
    before = bench.store.state
    bench.store.dispatch(lambda state: set_steps(state, 10_000), "10,000 steps")
    QApplication.processEvents()
    assert len(bench.result.path) == 10_000
    assert bench.state.descent.shown == 10_000
    bench.store.undo()
    assert bench.store.state == before


@pytest.mark.parametrize(
    ("name", "way", "label"),
    [
        ("cold_lock", {}, "Raise the temperature"),
        ("hard_lookup", {}, "Weigh by softmax"),
        ("orthonormal", {"learning_rate": 200.0}, "Take steps of a tenth"),
    ],
)
def test_remedy_is_offered_done_and_one_undo_step(bench: Bench, name: str, way: dict[str, Any], label: str) -> None:
    bench.preset(name)
    bench.store.dispatch(
        lambda s: replace(s, flow=replace(s.flow, descent=replace(s.flow.descent, **way))) if way else s, "Test"
    )
    QApplication.processEvents()
    before, loss = bench.store.state, bench.result.path.losses[-1, 0]
    assert bench.panel.remedy.isVisible()
    assert bench.panel.remedy.text() == label
    bench.panel.remedy.click()
    QApplication.processEvents()
    assert bench.store.undo_label == label
    assert bench.result.path.losses[-1, 0] < loss
    bench.store.undo()
    assert bench.store.state == before


def test_unreachable_target_shows_the_nearest_point_and_aims_there(bench: Bench) -> None:
    bench.preset("orthonormal")
    bench.store.dispatch(
        lambda s: replace(s, flow=replace(s.flow, target=replace(s.flow.target, values=Array([2.0, 2.0])))), "Test"
    )
    QApplication.processEvents()
    x, y = bench.picture("plane")._nearest.drawn()
    assert (x[0], y[0]) == pytest.approx((0.5, 0.5))
    bench.panel.remedy.click()
    assert shown_target(bench.store.state) == pytest.approx([0.5, 0.5])


def test_what_was_learned_can_be_taken_into_the_dictionary(bench: Bench) -> None:
    bench.preset("tokens")
    learned = bench.result.path.queries[-1, 0]
    bench.control("Learned").take.click()
    assert shown_scene(bench.store.state).query.values == pytest.approx(learned)
    assert bench.store.undo_label == "Take what was learned"


def test_temperature_dragged_in_the_saturation_is_that_of_the_scene(bench: Bench) -> None:
    bench.store.dispatch(lambda state: show_section(state, "saturation"), "Test")
    QApplication.processEvents()
    drag(bench.panel.sections.widget_of("saturation").norm, "Temperature", QPoint(-60, 0))
    assert bench.store.state.scene.temperature < 0.5
    assert "cold" in bench.panel.sentence()


def test_opened_tab_is_part_of_the_document(bench: Bench) -> None:
    bench.panel.sections.setCurrentIndex(SECTIONS.index("verify"))
    assert bench.state.section == "verify"
    bench.store.undo()
    assert bench.panel.sections.currentIndex() == SECTIONS.index("descent")


def test_only_the_open_section_is_made_and_computed(bench: Bench) -> None:
    assert set(bench.panel.sections.widgets) == {"descent"}
    assert isinstance(bench.result, DescentResult)


def test_signal_of_rents_says_the_numbers_of_the_table(bench: Bench) -> None:
    bench.preset("rents", "signal")
    table = bench.panel.table.model
    names = [table.text(row, 0) for row in range(table.rowCount())]
    assert names == ["40 m²", "60 m²", "80 m²", "100 m²"]
    weights = [float(table.exact(row, 1)) for row in range(4)]
    assert sum(weights) == pytest.approx(1.0)
    assert "60 m² pulls the output most" in bench.panel.sentence()


def test_session_goes_on_to_the_same_bits_in_a_new_process(bench: Bench, tmp_path: Path, repository: Path) -> None:
    """200 steps with Adam, saved; a new process opens the file and learns 100 further steps."""
    bench.preset("tokens")
    bench.store.dispatch(
        lambda s: set_steps(
            replace(s, flow=replace(s.flow, descent=replace(s.flow.descent, optimiser="adam", starts=3))), 200
        ),
        "Test",
    )
    codec, path = Codec(Array), tmp_path / "flow.h5"
    save_session(path, bench.store.state, {}, None, codec)
    assert open_session(path, AppState, codec).state == bench.store.state
    done = subprocess.run([sys.executable, "-c", GO_ON, str(path)], cwd=repository, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    state = set_steps(bench.store.state, 300)
    here = compute_descent(descent_question(state.flow, state.scene), DirectJob()).path.queries
    there = np.frombuffer(done.stdout, dtype=np.float64).reshape(here.shape)
    assert np.array_equal(here, there)


GO_ON = """
import sys
from pathlib import Path
from labapp.session.codec import Codec
from labapp.session.sessions import open_session
from models.app_state import AppState
from models.arrays import Array
from models.flow_descent import compute_descent, descent_question
from models.job import DirectJob
from panels.flow.updates import set_steps
state = set_steps(open_session(Path(sys.argv[1]), AppState, Codec(Array)).state, 300)
path = compute_descent(descent_question(state.flow, state.scene), DirectJob()).path
sys.stdout.buffer.write(path.queries.tobytes())
"""


def test_drawing_options_do_not_compute(bench: Bench) -> None:
    state = bench.store.state
    played = replace(state, flow=replace(state.flow, descent=replace(state.flow.descent, shown=3)))
    assert select(played) == select(state)


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
@pytest.mark.parametrize("section", SECTIONS)
def test_nothing_needs_more_room_than_a_dock_has(bench: Bench, look: Look, section: str, scale: float) -> None:
    """520×700 at normal text; larger text scrolls, and never asks for more than a screen."""
    bench.preset("tokens", section)
    look.set_text_scale(scale)
    QApplication.processEvents()
    need = bench.host.minimumSizeHint()
    assert need.width() <= 520 * scale
    assert need.height() <= 640 * scale


@pytest.mark.parametrize("section", SECTIONS)
@pytest.mark.parametrize("weighting", ["exact", "sparsemax", "entmax15", "nearest"])
def test_every_section_shows_every_weighting(bench: Bench, section: str, weighting: str) -> None:
    for scene in ("tokens", "rents"):
        bench.store.load(show_section(_weighed(scene, weighting), section))
        QApplication.processEvents()
        assert not bench.host.banner.isVisible(), bench.host.banner.text
        assert "nan" not in bench.panel.sentence().lower()


def _weighed(scene: str, weighting: str) -> AppState:
    state = Shelf(AppState, Array).state(scene)
    return replace(state, scene=replace(state.scene, weighting=weighting))
