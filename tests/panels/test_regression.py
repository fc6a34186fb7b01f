"""The kernel regression panel on the real store and the real computation, driven by real events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

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
from models.kernels import KERNELS
from models.regression_data import KEPT, points_of
from models.regression_state import SECTIONS, Learning, RegressionState
from models.scene import Column
from panels.regression import SPEC
from panels.regression.panel import RegressionPanel
from panels.regression.sections import section_of
from panels.regression.updates import add_pin, show_table


@dataclass
class Bench:
    """A panel in its frame, with what stands behind it."""

    host: PanelHost
    store: Store
    said: list[str]

    @property
    def panel(self) -> RegressionPanel:
        panel = self.host.panel
        assert isinstance(panel, RegressionPanel)
        return panel

    @property
    def state(self) -> RegressionState:
        return self.store.state.regression

    def change(self, **changes: object) -> None:
        self.store.dispatch(lambda s: replace(s, regression=replace(s.regression, **changes)), "Test")

    def widget(self, section: str) -> object:
        return self.panel.sections.widgets[section]


@pytest.fixture
def bench(qtbot: QtBot, look: Look) -> Iterator[Bench]:
    shelf = Shelf(AppState, Array)
    store, said = Store(shelf.state("rents")), []
    runner = Runner(Backend("cpu"), InlineExecutor())
    lab = Lab(store.dispatch, store.take_back, look, Highlight(), notify=said.append, scene=shelf.choose)
    host = PanelHost(SPEC, lab, store, runner)
    qtbot.addWidget(host)
    host.resize(640, 760)
    host.show()
    QApplication.processEvents()
    yield Bench(host, store, said)
    runner.close()


def at(plot: Plot, x: float, y: float) -> QPoint:
    """A place of the picture, in data units, as a pixel of its viewport."""
    QApplication.processEvents()
    px, py = plot.to_pixels(*plot.to_view(x, y))
    return plot.mapFromScene(plot.view.mapToScene(QPointF(float(px), float(py))))


def send(plot: Plot, kind: QEvent.Type, place: QPoint, pressed: bool) -> None:
    button = Qt.MouseButton.LeftButton if kind != QEvent.Type.MouseMove else Qt.MouseButton.NoButton
    held = Qt.MouseButton.LeftButton if pressed else Qt.MouseButton.NoButton
    viewport = plot.viewport()
    event = QMouseEvent(
        kind, QPointF(place), QPointF(viewport.mapToGlobal(place)), button, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, event)


def drag(plot: Plot, start: QPoint, end: QPoint, release: bool = True) -> None:
    send(plot, QEvent.Type.MouseMove, start, False)
    send(plot, QEvent.Type.MouseButtonPress, start, True)
    for part in (0.3, 0.7, 1.0):
        send(plot, QEvent.Type.MouseMove, start + (end - start) * part, True)
    if release:
        send(plot, QEvent.Type.MouseButtonRelease, end, False)


def test_default_shows_the_books_points_and_three_pins(bench: Bench) -> None:
    assert [pin.bandwidth for pin in bench.state.pins] == [0.1, 0.5, 2.0]
    fit = bench.widget("fit").fit
    names = [row[0] for row in fit.legend.rows]
    assert {"truth", "estimate", "σ = 0.1", "σ = 0.5", "σ = 2"} <= set(names)
    x, _ = fit._marks.drawn()
    assert len(x) == 40
    assert "each estimate averages 6.5 to 17 points" in bench.panel.sentence()


def test_dragging_the_kernel_changes_the_bandwidth_in_one_step(bench: Bench) -> None:
    fit = bench.widget("fit").fit
    x, y = fit._shoulder._x[0], fit._shoulder._y[0]
    drag(fit, at(fit, x, y), at(fit, 3.5, y))
    assert bench.state.bandwidth == pytest.approx(1.0, abs=0.05)
    bench.store.undo()
    assert bench.state.bandwidth == 0.5
    assert bench.store.undo_label == ""


def test_escape_takes_a_drag_of_the_query_back(bench: Bench) -> None:
    fit = bench.widget("fit").fit
    drag(fit, at(fit, 2.5, 0.5), at(fit, 4.0, 0.5), release=False)
    assert bench.state.query == pytest.approx(4.0, abs=0.05)
    QApplication.sendEvent(fit.scene(), _escape())
    assert bench.state.query == 2.5


def test_click_adds_drag_moves_delete_removes(bench: Bench, qtbot: QtBot) -> None:
    fit = bench.widget("fit").fit
    qtbot.mouseClick(fit.viewport(), Qt.MouseButton.LeftButton, pos=at(fit, 4.2, 5.0))
    x, y = points_of(bench.state.data)
    assert (len(x), bench.state.data.edited) == (41, True)
    assert (x[40], y[40]) == (pytest.approx(4.2, abs=0.05), pytest.approx(5.0, abs=0.05))
    drag(fit, at(fit, x[40], y[40]), at(fit, 4.6, 4.6))
    x, y = points_of(bench.state.data)
    assert (x[40], y[40]) == (pytest.approx(4.6, abs=0.05), pytest.approx(4.6, abs=0.05))
    qtbot.keyClick(fit.viewport(), Qt.Key.Key_Delete)
    assert len(points_of(bench.state.data)[0]) == 40
    for _ in range(3):
        bench.store.undo()
    assert not bench.state.data.edited


def test_pointing_lights_the_row_of_the_map_and_says_n_eff(bench: Bench) -> None:
    section = bench.widget("fit")
    send(section.fit, QEvent.Type.MouseMove, at(section.fit, 1.0, 4.6), False)
    assert section.pointed.text().startswith("At q = 1 the estimate is")
    assert "points in effect" in section.pointed.text()
    assert section.map._heat._row._rect.center().y() == pytest.approx(10)
    section.fit.left.emit()
    assert section.pointed.text().startswith("At q = 2.5")


def test_a_point_is_lit_in_the_map_by_its_place_in_the_order(bench: Bench) -> None:
    bench.change(data=replace(bench.state.data, x=Array([3.0, 1.0, 2.0]), y=Array([1.0, 2.0, 3.0]), n=3, edited=True))
    section = bench.widget("fit")
    section.points.show(0)
    assert section.map._columns.entry == 2
    section.map._columns.show(1)
    assert section.points.entry == 2


def test_clicking_a_row_of_the_map_asks_its_query(bench: Bench, qtbot: QtBot) -> None:
    chosen = bench.widget("fit").map
    qtbot.mouseClick(chosen.viewport(), Qt.MouseButton.LeftButton, pos=at(chosen, 20, 40))
    assert bench.state.query == pytest.approx(4.0)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_tab_computes_its_section_alone(bench: Bench, section: str) -> None:
    asked = []
    bench.host.computed.connect(lambda answer: answer.result and asked.append(section_of(answer.result)))
    if section == "fit":
        bench.change(section="kernels")
        asked.clear()
    bench.panel.sections.setCurrentIndex(SECTIONS.index(section))
    QApplication.processEvents()
    assert bench.state.section == section
    assert set(asked) == {section}
    assert bench.panel.sentence()
    assert "nan" not in bench.panel.sentence()
    assert not bench.host.banner.isVisible()
    bench.store.undo()
    assert bench.panel.sections.currentIndex() == SECTIONS.index(bench.state.section)


def test_the_marker_of_the_errors_is_the_bandwidth(bench: Bench) -> None:
    bench.change(section="errors")
    errors = bench.widget("errors")
    drag(errors, at(errors, 0.5, 0.8), at(errors, 0.2, 0.8))
    assert bench.state.bandwidth == pytest.approx(0.2, rel=0.05)


def test_learning_is_played_step_by_step(bench: Bench) -> None:
    bench.change(section="errors")
    play = bench.panel.own["errors"][0]
    play.bar.show_position(0)
    play.bar.step(1)
    assert bench.state.bandwidth == pytest.approx(0.7647673270822404)
    play.bar.step(1)
    assert bench.state.bandwidth == pytest.approx(0.6302775822136520)
    bench.store.undo()
    assert bench.state.bandwidth == pytest.approx(0.7647673270822404)


def test_learning_by_the_training_error_runs_off(bench: Bench) -> None:
    bench.change(section="errors", learning=Learning("training", steps=50))
    assert "is still on its way" in bench.panel.sentence()
    bench.change(learning=Learning(steps=50))
    assert "leads from σ = 1 to 0.321 in 50 steps and has settled" in bench.panel.sentence()


def test_playing_stops_when_its_section_is_left(bench: Bench) -> None:
    bench.change(section="metric")
    bar = bench.panel.own["metric"][0].bar
    bar.play()
    bench.change(section="fit")
    assert not bar.is_playing


def test_scales_are_played_as_they_are_learned(bench: Bench) -> None:
    bench.change(section="metric")
    play = bench.panel.own["metric"][0]
    play.bar.step(1)
    assert bench.state.metric.step == 10
    assert "learned for 10 steps" in bench.panel.sentence()


def test_a_change_of_the_recipe_draws_other_numbers(bench: Bench, qtbot: QtBot) -> None:
    toolbar = bench.panel.toolbar
    toolbar.data.setCurrentIndex(toolbar.data.findData("step"))
    toolbar.data.activated.emit(toolbar.data.currentIndex())
    assert bench.state.data.recipe == "step"
    x, _ = points_of(bench.state.data)
    count = bench.panel.recipe._count
    count.box.lineEdit().setText("500")
    count.box.lineEdit().textEdited.emit("500")
    count.box.commit()
    assert len(points_of(bench.state.data)[0]) == 500 != len(x)
    before = bench.state.data
    toolbar.redraw.click()
    assert bench.state.data.x == before.x
    assert bench.state.data.y != before.y


def test_another_range_of_x_keeps_the_place_of_the_bandwidth(bench: Bench) -> None:
    toolbar = bench.panel.toolbar
    toolbar._on_data(toolbar.data.findData("doppler"))
    assert bench.state.bandwidth == 0.1
    assert [pin.bandwidth for pin in bench.state.pins] == [0.02, 0.1, 0.4]
    assert bench.state.query == 0.5


def test_the_explorers_scene_is_followed_and_edited(bench: Bench, qtbot: QtBot) -> None:
    toolbar = bench.panel.toolbar
    toolbar._on_data(toolbar.data.findData("scene"))
    fit = bench.widget("fit").fit
    assert len(fit._marks.drawn()[0]) == 4
    drag(fit, at(fit, 60.0, 1200.0), at(fit, 65.0, 1300.0))
    assert bench.store.state.scene.keys.values[1, 0] == pytest.approx(65, abs=1)
    assert bench.store.state.scene.values.values[1, 0] == pytest.approx(1300, abs=15)


def test_an_entry_of_the_scene_is_lit_in_every_panel(bench: Bench) -> None:
    fit = bench.widget("fit")
    fit.points.show(2)
    assert bench.panel.lab.highlight.entry is None
    bench.change(source="scene")
    fit.points.show(1)
    assert bench.panel.lab.highlight.entry == 1
    bench.panel.lab.highlight.show(3)
    assert fit.points.entry == 3


def test_a_double_click_adds_no_point(bench: Bench, qtbot: QtBot) -> None:
    fit = bench.widget("fit").fit
    place = at(fit, 4.2, 5.0)
    qtbot.mouseClick(fit.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(points_of(bench.state.data)[0]) == 41
    qtbot.mouseDClick(fit.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert len(points_of(bench.state.data)[0]) == 40


@pytest.mark.parametrize("kernel", list(KERNELS))
def test_every_section_shows_every_kernel(bench: Bench, kernel: str) -> None:
    bench.change(kernel=kernel, beyond=True, naive=True)
    for section in ("errors", "spread", "kernels", "fit"):
        bench.change(section=section)
        assert not bench.host.banner.isVisible()
        assert "nan" not in bench.panel.sentence()


def test_few_points_of_ones_own_survive_a_session(bench: Bench) -> None:
    bench.store.dispatch(lambda s: show_table(s, np.arange(3.0), np.ones(3), Column("t", "s"), Column("v")), "Import")
    codec = Codec(Array)
    assert codec.from_tree(*codec.to_tree(bench.store.state), AppState) == bench.store.state
    fit = bench.widget("fit").fit
    assert fit.x_axis.labelText == "t, s"
    assert not fit._truth.visible


def test_a_scene_of_more_dimensions_is_refused_in_words(bench: Bench) -> None:
    bench.change(source="scene")
    bench.store.dispatch(Shelf(AppState, Array).choose("tokens"), "Choose scene")
    assert "needs keys of one number" in bench.host.banner.text
    toolbar = bench.panel.toolbar
    toolbar._on_data(toolbar.data.findData("line"))
    assert not bench.host.banner.isVisible()
    toolbar._on_data(toolbar.data.findData("scene"))
    assert toolbar.data.currentData() == "line"
    assert "needs keys of one number" in bench.said[-1]


def test_a_million_points_are_one_picture(bench: Bench) -> None:
    data = replace(bench.state.data, recipe="sine", n=KEPT * 2, x=None, y=None)
    bench.change(data=data)
    fit = bench.widget("fit").fit
    fit.grab()
    made = fit._density.renders
    assert made > 0
    for width in (0.4, 0.3, 0.2):
        bench.change(bandwidth=width)
        fit.grab()
    assert fit._density.renders == made
    assert not bench.widget("fit").map.isVisible()
    assert "map is drawn for up to 2,000 points" in bench.panel.sentence()


def test_pins_are_kept_up_to_four(bench: Bench) -> None:
    for width in (0.2, 0.3, 0.3):
        bench.change(bandwidth=width)
        bench.store.dispatch(add_pin, "Pin")
    assert [pin.bandwidth for pin in bench.state.pins] == [0.5, 2.0, 0.2, 0.3]


def test_empty_windows_are_a_gap_and_said(bench: Bench) -> None:
    bench.change(kernel="boxcar", bandwidth=0.03)
    fit = bench.widget("fit").fit
    _, y = fit._fit._line.getData()
    assert np.isnan(y).any()
    assert "empty window: undefined, a gap" in bench.panel.sentence()


def test_import_takes_dates_as_x(bench: Bench, tmp_path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    from labapp.tables.dialog import ImportDialog

    path = tmp_path / "days.csv"
    path.write_text("day,count\n2031-05-18,5\n2031-05-19,7\n2031-05-21,6\n2031-05-25,9\n", encoding="utf-8")

    def choose(dialog: ImportDialog) -> int:
        qtbot.waitUntil(lambda: dialog.model is not None and dialog.role_editor.isEnabled())
        for box, role in zip(dialog.role_editor.boxes, ("x", "y"), strict=True):
            box.setCurrentIndex(box.findData(role))
        dialog.accept()
        return ImportDialog.DialogCode.Accepted if dialog.choice else ImportDialog.DialogCode.Rejected

    monkeypatch.setattr(ImportDialog, "exec", choose)
    assert bench.panel.open_table(path)
    x, y = points_of(bench.state.data)
    assert y.tolist() == [5.0, 7.0, 6.0, 9.0]
    assert x[1] - x[0] == 1.0
    fit = bench.widget("fit").fit
    assert fit.x_axis.tickStrings([float(x[0])], 1.0, 1.0) == ["2031-05-18"]


def test_every_control_has_a_name(bench: Bench) -> None:
    for section in SECTIONS:
        bench.change(section=section)
        for controls in bench.panel.own.values():
            for control in controls:
                assert control.accessibleName() or control.findChildren(object)


def _escape() -> object:
    from PySide6.QtGui import QKeyEvent

    return QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
