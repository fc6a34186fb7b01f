"""Copy as Python: the script of every panel, section, scene and preset, run aside, prints the numbers on screen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from labapp.scenes import Shelf, scene_files
from labapp.session import document, hdf5
from labapp.session.codec import Codec
from models import notebook
from models.app_state import AppState
from models.arrays import Array
from models.flow_presets import FLOW_PRESETS
from models.flow_presets import show_preset as show_flow
from models.flow_state import SECTIONS as FLOW_SECTIONS
from models.kernels import KERNELS
from models.regression_data import KEPT, SOURCES, DataSet, drawn, move_point, own_data
from models.regression_state import SECTIONS as REGRESSION_SECTIONS
from models.scene import Column
from models.score_presets import PRESETS
from models.score_presets import show_preset as show_scores
from panels.temperature.script import SECTIONS as TEMPERATURE_SECTIONS
from tests.panels.script_cases import (
    Notebook,
    compare,
    flow_case,
    in_section,
    lookup_case,
    read,
    regression_case,
    temperature_case,
)


def scene_state(name: str) -> AppState:
    state = Shelf(AppState, Array).state(name)
    assert isinstance(state, AppState)
    return state


RENTS = scene_state("rents")


def changed(state: AppState, **regression: Any) -> AppState:
    return replace(state, regression=replace(state.regression, **regression))


def drawn_as(name: str, **more: Any) -> DataSet:
    return drawn(replace(DataSet(), recipe=name, **more))


@pytest.mark.parametrize("name", scene_files())
def test_the_explorer(aside: Notebook, name: str) -> None:
    aside.check(lookup_case(scene_state(name)))


@pytest.mark.parametrize("section", TEMPERATURE_SECTIONS)
def test_the_temperature(aside: Notebook, section: str) -> None:
    states = [scene_state(name) for name in scene_files()]
    states += [replace(RENTS, temperature=show_scores(RENTS.temperature, name)) for name in PRESETS]
    for state in states:
        aside.check(temperature_case(state, section))


@pytest.mark.parametrize("section", REGRESSION_SECTIONS)
def test_the_regression(aside: Notebook, section: str) -> None:
    state = in_section(RENTS, "regression", section)
    recipes = [name for name in SOURCES if name not in ("own", "scene")]
    states = [changed(state, source="own", data=drawn_as(name)) for name in recipes]
    states += [scene_state("houses"), changed(state, source="scene", bandwidth=15.0, query=70.0)]
    states.append(changed(states[0], data=move_point(DataSet(), 3, 1.0, 5.0), bandwidth=0.2))
    states += [changed(states[0], kernel=kernel, bandwidth=0.1, beyond=True, naive=True) for kernel in KERNELS]
    for each in states if section != "metric" else states[:1]:
        aside.check(regression_case(in_section(each, "regression", section)))


@pytest.mark.parametrize("step", [0, 100])
def test_the_learned_metric_as_far_as_it_was_played(aside: Notebook, step: int) -> None:
    metric = replace(RENTS.regression.metric, seed=3, step=step)
    aside.check(regression_case(changed(in_section(RENTS, "regression", "metric"), metric=metric)))


@pytest.mark.parametrize("section", FLOW_SECTIONS)
def test_the_flow(aside: Notebook, section: str) -> None:
    states = [scene_state(name) for name in scene_files()]
    states += [replace(RENTS, flow=show_flow(RENTS.flow, name)) for name in FLOW_PRESETS]
    descent = replace(RENTS.flow.descent, shown=7, starts=5, steps=300)
    states.append(replace(RENTS, flow=replace(RENTS.flow, descent=descent)))
    # Three ways, two precisions and six similarities take half a second: the same script for some of the dictionaries.
    for state in states[::4] if section == "verify" else states:
        aside.check(flow_case(in_section(state, "flow", section)))


def saved(state: AppState, aside: Notebook) -> None:
    """The state as the session beside the script."""
    tree, arrays = Codec(Array).to_tree(state)
    file = hdf5.pack(document.encode(document.Document(tree, arrays)))
    (aside.folder / "session.h5").write_bytes(bytes(file))


def wide_state(entries: int) -> AppState:
    """The explorer with a random dictionary that has a mask."""
    generator = np.random.default_rng(4)
    keys, values = generator.standard_normal((2, entries, 1))
    scene = replace(
        RENTS.scene,
        keys=Array(keys),
        values=Array(values),
        entries=tuple(map(str, range(entries))),
        query=Array([0.3]),
        mask=Array(generator.random(entries) < 0.9),
        similarity=replace(RENTS.scene.similarity, sigma=0.5),
        temperature=0.1,
    )
    return replace(RENTS, scene=scene)


def test_very_many_entries_come_from_the_session(aside: Notebook) -> None:
    state = wide_state(notebook.MOST_NUMBERS + 1)
    saved(state, aside)
    script, expected = lookup_case(state)
    assert len(script) < 2_000
    aside.check((script, expected))


def test_many_numbers_come_from_the_session(aside: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "MOST_NUMBERS", 200)
    state = wide_state(300)
    saved(state, aside)
    aside.check(temperature_case(state, "entropy"))
    for section in ("signal", "descent", "memory"):
        aside.check(flow_case(in_section(state, "flow", section)))
    for section in ("fit", "spread", "kernels"):
        aside.check(regression_case(changed(in_section(state, "regression", section), source="scene", bandwidth=0.1)))


def test_masks_matrices_and_own_tables_come_from_the_session(aside: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "MOST_NUMBERS", 3)
    scene = scene_state("causal").scene
    similarity = replace(scene.similarity, name="bilinear", matrix=Array([[1.0, 0.2], [-0.3, 0.8]]))
    state = replace(scene_state("causal"), scene=replace(scene, similarity=similarity, row=1))
    state = replace(state, flow=replace(show_flow(state.flow, "tied"), section="signal"))
    state = replace(state, temperature=show_scores(state.temperature, "tied"))
    x = np.random.default_rng(5).random(50)
    data = own_data(x, np.sin(9 * x), Column("x"), Column("y"))
    state = changed(in_section(state, "regression", "errors"), source="own", data=data, bandwidth=0.03)
    saved(state, aside)
    follows = replace(state, temperature=replace(state.temperature, source="scene"))
    for case in (lookup_case(state), temperature_case(state, "weights"), temperature_case(follows, "weights")):
        aside.check(case)
    for case in (flow_case(state), regression_case(state)):
        aside.check(case)


@pytest.mark.parametrize("section", ["fit", "errors", "spread", "kernels"])
def test_very_many_points_of_a_recipe_are_drawn_again(aside: Notebook, section: str) -> None:
    state = changed(in_section(RENTS, "regression", section), data=drawn_as("bumps", n=KEPT + 1), bandwidth=0.02)
    aside.check(regression_case(state))


@pytest.mark.parametrize(
    "case", [lookup_case, regression_case, flow_case, lambda state: temperature_case(state, "others")]
)
def test_alone_in_a_fresh_process(aside: Notebook, case: Callable[[AppState], Any]) -> None:
    script, expected = case(RENTS)
    path = aside.folder / "lesson.py"
    path.write_text(script, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, path], capture_output=True, encoding="utf-8", env=aside.environment, check=True
    )
    compare(read(done.stdout), expected)
