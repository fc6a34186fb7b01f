"""Animations of every sweep of the real panels: all frames there, from the very start to the very end, and no jumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from labapp.animation.kinds import KINDS
from labapp.animation.making import Making
from labapp.animation.plan import Plan
from labapp.animation.stage import Stage
from labapp.animation.sweeps import sweeps_of
from labapp.host import PanelHost
from labapp.look import Look
from labapp.panel import Highlight, Lab, PanelSpec
from labapp.runner import InlineExecutor, Runner
from labapp.scenes import Shelf
from labapp.store import Store
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from models.temperature_state import HIGHEST, LOWEST
from panels.flow import SPEC as FLOW
from panels.lookup import SPEC as LOOKUP
from panels.lookup.updates import play_to
from panels.regression import SPEC as REGRESSION
from panels.regression.updates import bandwidth_range, present_data
from panels.regression.updates import show_section as show_regression
from panels.temperature import SPEC as TEMPERATURE
from panels.temperature.updates import set_target
from tests.labapp.film_frames import frames_of

GIF, APNG, _ = KINDS
WIDTH = 240
WRAPPED = Qt.TextFlag.TextWordWrap.value


@dataclass
class Bench:
    """A panel in a lab of its own; ``drawn`` takes the state and the picture of each frame."""

    host: PanelHost
    store: Store
    lab: Lab
    backend: Backend
    qtbot: QtBot

    def make(self, name: str, out: Path, frames: int = 3, **changes: Any) -> list[tuple[AppState, Any]]:
        stage = Stage(self.host, self.lab, self.store.state, self.backend, InlineExecutor())
        drawn: list[tuple[AppState, Any]] = []
        picture = stage.picture

        def seen(width: int) -> Any:
            image = picture(width)
            pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), width, 4)[..., :3].copy()
            drawn.append((stage.store.state, pixels))
            return image

        stage.picture = seen  # type: ignore[method-assign]
        sweep = next(each for each in sweeps_of(self.host.panel) if each.name == name)
        kind = APNG if out.suffix == APNG.ending else GIF
        plan = Plan(name, frames, WIDTH, **changes)
        ended: list[Any] = []
        making = Making(stage, sweep, plan, out, kind)
        making.ended.connect(ended.append)
        self.qtbot.waitUntil(lambda: bool(ended), timeout=20_000)
        assert ended == [None]
        assert making.is_whole
        return drawn[-plan.count :]  # before them come the samples


@pytest.fixture
def bench(look: Look, qtbot: QtBot) -> Iterator[Callable[..., Bench]]:
    runners: list[Runner] = []

    def open_panel(spec: PanelSpec, *updates: Callable[[AppState], AppState], theme: str = "dark") -> Bench:
        look.set_theme(theme)  # type: ignore[arg-type]
        store, backend = Store(Shelf(AppState, Array).state("rents")), Backend("cpu")
        runners.append(Runner(backend, InlineExecutor()))
        lab = Lab(store.dispatch, store.take_back, look, Highlight())
        host = PanelHost(spec, lab, store, runners[-1])
        qtbot.addWidget(host)
        for update in updates:
            store.dispatch(update, "")
        store.load(store.state)
        host.resize(480, 620)
        host.show()
        qtbot.wait(10)
        return Bench(host, store, lab, backend, qtbot)

    yield open_panel
    for runner in runners:
        runner.close()


def flow_section(section: str) -> Callable[[AppState], AppState]:
    return lambda state: replace(state, flow=replace(state.flow, section=section))


def query(state: AppState) -> Any:
    return state.scene.query


def bandwidth(state: AppState) -> float:
    return state.regression.bandwidth


SIGMAS = bandwidth_range(present_data(AppState()))
Number = Callable[[AppState], Any]
SWEEPS: list[tuple[str, PanelSpec, Callable[[AppState], AppState], str, Number, Any, Any]] = [
    ("lookup", LOOKUP, lambda s: s, "Sweep the query", query, 0.0, 1.0),
    ("tau", TEMPERATURE, lambda s: s, "Sweep the temperature", lambda s: s.scene.temperature, LOWEST, HIGHEST),
    ("fit", REGRESSION, lambda s: s, "Play: sweep the bandwidth", bandwidth, *SIGMAS),
    (
        "spread",
        REGRESSION,
        lambda s: show_regression(s, "spread"),
        "Play: sweep the bandwidth",
        bandwidth,
        *SIGMAS,
    ),
    ("learn", REGRESSION, lambda s: show_regression(s, "errors"), "Play: learn the bandwidth", bandwidth, 1.0, 0.3207),
    (
        "metric",
        REGRESSION,
        lambda s: show_regression(s, "metric"),
        "Play: learn one scale per input",
        lambda s: s.regression.metric.step,
        0,
        1500,
    ),
    ("descent", FLOW, flow_section("descent"), "Play the learning", lambda s: s.flow.descent.shown, 0, 100),
    ("memory", FLOW, flow_section("memory"), "Play the recall", lambda s: s.flow.memory.shown, 0, 12),
]


@pytest.mark.parametrize(
    ("spec", "update", "name", "of", "first", "last"), [each[1:] for each in SWEEPS], ids=[each[0] for each in SWEEPS]
)
def test_every_sweep_is_written_from_its_start_to_its_end(
    bench: Callable[..., Bench],
    tmp_path: Path,
    spec: PanelSpec,
    update: Callable[[AppState], AppState],
    name: str,
    of: Number,
    first: Any,
    last: Any,
) -> None:
    panel, out = bench(spec, update), tmp_path / "out.apng"
    before = panel.store.state
    drawn = panel.make(name, out)
    frames = frames_of(out)
    assert len(frames) == 3
    for frame, (_, pixels) in zip(frames, drawn, strict=True):
        assert np.array_equal(frame, pixels)
        assert np.median(frame) > 230  # light, although the lab is dark
    assert not np.array_equal(frames[0], frames[-1])
    if spec is LOOKUP:
        first, last = (play_to(before, end).scene.query for end in (first, last))
        assert (of(drawn[0][0]), of(drawn[-1][0])) == (first, last)
    else:
        assert (of(drawn[0][0]), of(drawn[-1][0])) == pytest.approx((first, last), rel=1e-3)
    assert panel.store.state is before
    assert not panel.store.undo_label
    assert panel.store.is_clean


def test_the_bisection_is_a_sweep_although_no_state_knows_it(bench: Callable[..., Bench], tmp_path: Path) -> None:
    panel = bench(TEMPERATURE, lambda state: set_target(state, 0.5))
    panel.host.panel.pictures.choose("entropy")  # type: ignore[attr-defined]
    drawn = panel.make("Watch the bisection", tmp_path / "out.gif")
    assert len({state for state, _ in drawn}) == 1
    assert not np.array_equal(drawn[0][1], drawn[-1][1])
    assert len(frames_of(tmp_path / "out.gif")) == 3


def test_what_no_state_knows_is_taken_over_from_the_panel(bench: Callable[..., Bench], tmp_path: Path) -> None:
    panel = bench(TEMPERATURE)
    panel.host.panel.play.down.setChecked(True)  # type: ignore[attr-defined]
    panel.host.panel.pictures.choose("triangle")  # type: ignore[attr-defined]
    drawn = panel.make("Sweep the temperature", tmp_path / "out.apng")
    assert [state.scene.temperature for state, _ in drawn] == pytest.approx([HIGHEST, 1.0, LOWEST])
    shown = Stage(panel.host, panel.lab, panel.store.state, panel.backend, InlineExecutor())
    shown.mirror()
    assert shown.panel.pictures.section.id == "triangle"  # type: ignore[attr-defined]
    assert shown.close(5)
    shown.remove()


def test_nothing_moves_but_what_plays(bench: Callable[..., Bench], tmp_path: Path) -> None:
    """The explorer's sentences wrap at some queries and not at others: what is around them stays."""
    panel = bench(LOOKUP, theme="light")
    stage = Stage(panel.host, panel.lab, panel.store.state, panel.backend, InlineExecutor())
    sweep = sweeps_of(panel.host.panel)[0]
    places, sizes, rows = set(), set(), set()

    def show(position: float) -> None:
        stage.go_to(sweep, position)
        panel.qtbot.wait(1)
        stage.settle()

    positions = [number / 12 for number in range(13)]
    for position in positions:
        show(position)
        stage.rehearse()
    for position in positions:
        show(position)
        words = stage.panel.words  # type: ignore[attr-defined]
        places.add(tuple(each.geometry().getRect() for each in (words, stage.panel.pictures, stage.panel.table)))  # type: ignore[attr-defined]
        rows.add(words.fontMetrics().boundingRect(0, 0, words.width(), 999, WRAPPED, words.text()).height())
        sizes.add(stage.picture(WIDTH).size().toTuple())
    assert len(rows) > 1
    assert len(places) == len(sizes) == 1
    assert all(side % 2 == 0 for side in sizes.pop())
    assert stage.close(5)
    stage.remove()
