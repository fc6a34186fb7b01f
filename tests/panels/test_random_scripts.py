"""Copy as Python for states that nobody chose: every script is short, runs aside, and prints what the panel shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.app_state import AppState
from models.arrays import Array
from models.errors import LabError
from models.explorer_state import ExplorerState, Sweep
from models.flow_presets import FLOW_PRESETS, show_preset
from models.flow_state import SECTIONS as FLOW_SECTIONS
from models.flow_state import Descent, FlowState, MemorySettings, PathSettings
from models.kernels import KERNELS
from models.learnable import OPTIMISERS
from models.regression_data import DataSet, add_point, domain_of, drawn, own_data, remove_point
from models.regression_state import SECTIONS as REGRESSION_SECTIONS
from models.regression_state import Learning, Metric, RegressionState
from models.scene import Column, Scene, Similarity
from models.similarities import SIMILARITIES, randomised
from models.temperature_state import Corners, Inverse, OwnScores, Sampling, TemperatureState, Why
from models.weightings import WEIGHTINGS
from panels.temperature.script import SECTIONS as TEMPERATURE_SECTIONS
from tests.panels.script_cases import Case, Notebook, flow_case, lookup_case, regression_case, temperature_case

SEEDS = range(16)
Random = np.random.Generator


def one_of(random: Random, names: Any) -> str:
    return str(list(names)[int(random.integers(len(list(names))))])


def between(random: Random, low: float, high: float) -> float:
    """A number, evenly over its logarithm."""
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def random_scene(random: Random) -> Scene:
    m, d_k, d_v = (int(random.integers(1, most + 1)) for most in (6, 3, 2))
    keys = random.standard_normal((m, d_k)) * between(random, 0.1, 30)
    queries = random.standard_normal((3, d_k)) if random.random() < 0.4 else None
    if queries is not None:
        queries[0] = keys[0]
    row = int(random.integers(3)) if queries is not None and random.random() < 0.7 else None
    shape = (3, m) if row is not None and random.random() < 0.5 else (m,)
    mask = Array(random.random(shape) < 0.7) if random.random() < 0.5 else None
    similarity = Similarity(one_of(random, SIMILARITIES), between(random, 0.1, 10), between(random, 0.1, 10))
    return Scene(
        "random",
        'A "random" scene\nof two lines',
        Array(keys),
        Array(random.standard_normal((m, d_v))),
        tuple(f"entry {number}" for number in range(m)),
        tuple(Column(f"k{number}") for number in range(d_k)),
        tuple(Column(f"v{number}") for number in range(d_v)),
        Array(random.standard_normal(d_k) if queries is None or row is None else queries[row]),
        randomised(similarity, d_k, int(random.integers(100))),
        one_of(random, WEIGHTINGS),
        between(random, 0.02, 20),
        mask,
        None if queries is None else Array(queries),
        row=row,
    )


def random_temperature(random: Random) -> TemperatureState:
    m = int(random.integers(2, 60))
    scores = np.where(random.random(m) < 0.1, -np.inf, random.standard_normal(m))
    chosen = tuple(int(each) for each in random.permutation(max(3, m))[:3])
    return TemperatureState(
        source=one_of(random, ("scene", "own")),
        own=OwnScores(Array(scores), temperature=between(random, 0.01, 100)),
        per_length=bool(random.random() < 0.5),
        inverse=Inverse(one_of(random, ("entropy", "perplexity", "effective_number")), float(random.uniform(0, 3))),
        why=Why(float(random.uniform(-5, 5)), *(int(each) for each in random.integers(m, size=2))),
        corners=Corners(one_of(random, ("best", "chosen", "none")), chosen),
        sampling=Sampling(int(random.integers(1, 2000)), int(random.integers(1000))),
    )


def random_data(random: Random) -> DataSet:
    if random.random() < 0.2:
        x = np.round(random.uniform(-3, 9, int(random.integers(2, 40))), 1)
        return own_data(x, random.standard_normal(len(x)), Column("x", "m"), Column("y"))
    recipe = one_of(random, ("book", "sine", "step", "bumps", "line", "doppler", "heteroscedastic", "two_clusters"))
    n, noise, seed = int(random.integers(2, 300)), round(float(random.uniform(0, 2)), 3), int(random.integers(9999))
    data = drawn(DataSet(recipe, n, noise, seed, redraw=int(random.integers(3))))
    if random.random() < 0.3:
        data = remove_point(add_point(data, float(random.uniform(-1, 7)), 1.0), 0)
    return data


def random_regression(random: Random, section: str) -> RegressionState:
    data = random_data(random)
    low, high = domain_of(data)
    return RegressionState(
        data,
        one_of(random, ("own", "own", "scene")),
        one_of(random, KERNELS),
        between(random, 0.01, 1) * (high - low),
        float(random.uniform(low, high)),
        beyond=bool(random.random() < 0.3),
        naive=bool(random.random() < 0.3),
        section=section,
        learning=Learning(one_of(random, ("training", "leave_one_out")), between(random, 0.1, 3), steps=20),
        redraw_seed=int(random.integers(100)),
        metric=Metric(seed=int(random.integers(100)), step=int(random.integers(8))),
    )


def random_flow(random: Random, section: str) -> FlowState:
    flow = FlowState(seed=int(random.integers(100)))
    if random.random() < 0.4:
        flow = show_preset(flow, one_of(random, FLOW_PRESETS))
    steps = int(random.integers(1, 30))
    query, keys, values, temperature = (bool(each) for each in random.random(4) < (0.8, 0.2, 0.2, 0.2))
    descent = Descent(
        None if random.random() < 0.5 else between(random, 0.01, 1),
        one_of(random, OPTIMISERS),
        0.8,
        steps,
        int(random.integers(40)),
        int(random.integers(1, 4)),
        int(random.integers(100)),
        query,
        keys,
        values,
        temperature,
    )
    return replace(
        flow,
        section=section,
        descent=descent,
        paths=PathSettings(int(random.integers(1, 1001)), between(random, 0.01, 1.5), float(random.uniform(0, 20))),
        memory=MemorySettings(int(random.integers(1, 20)), int(random.integers(30)), basins=False),
    )


def cases(random: Random) -> Iterator[Case]:
    """A case of every panel and one section of it; what a panel refuses in a sentence has no script."""
    sections = [one_of(random, names) for names in (TEMPERATURE_SECTIONS, REGRESSION_SECTIONS, FLOW_SECTIONS)]
    scene = random_scene(random)
    ends = (Array(end) for end in random.standard_normal((2, scene.keys.shape[1])))
    state = AppState(
        scene=scene,
        lookup=ExplorerState(sweep=Sweep(*ends)),
        temperature=random_temperature(random),
        regression=random_regression(random, sections[1]),
        flow=random_flow(random, sections[2]),
    )
    for make, given in (
        (lookup_case, (state,)),
        (temperature_case, (state, sections[0])),
        (regression_case, (state,)),
        (flow_case, (state,)),
    ):
        try:
            yield make(*given)
        except LabError:
            continue


@pytest.mark.parametrize("seed", SEEDS)
def test_scripts_of_random_states(aside: Notebook, seed: int) -> None:
    made = list(cases(np.random.default_rng(seed)))
    assert len(made) >= 2  # few states are refused
    for case in made:
        aside.check(case)
