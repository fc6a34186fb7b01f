"""Copy as Python: the script of every scene and preset, run in a fresh process, prints the numbers on screen."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from labapp.scenes import Shelf, scene_files
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from models.explorer import compute_explorer
from models.flow_panel import compute_flow
from models.flow_panel import question_of as flow_question
from models.flow_presets import FLOW_PRESETS
from models.flow_presets import show_preset as show_flow
from models.flow_state import scene_of
from models.job import DirectJob
from models.kernels import KERNELS
from models.regression_data import SOURCES, DataSet, drawn
from models.regression_fit import FitQuestion, compute_fit
from models.regression_state import data_of
from models.score_presets import PRESETS
from models.score_presets import show_preset as show_scores
from models.temperature_panel import compute_temperature
from panels.flow.script import flow_script
from panels.lookup.script import lookup_script
from panels.regression.script import fit_script
from panels.temperature import select as select_temperature
from panels.temperature.script import temperature_script

LONGEST, EXACT = 40, 1e-6
RUNNER = """
import contextlib, io, json, sys
for script in json.load(sys.stdin):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    print(json.dumps(said.getvalue()))
"""
Pairs = list[tuple[str, dict[str, Any]]]


def printed(scripts: Iterable[str], folder: Path) -> list[dict[str, Any]]:
    """What scripts print, by name: each in a namespace of its own, in one process that knows nothing of the test."""
    import json

    given = json.dumps(list(scripts))
    done = subprocess.run(
        [sys.executable, "-c", RUNNER], input=given, capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    outputs = [json.loads(line) for line in done.stdout.splitlines()]
    return [dict(_read(line) for line in output.splitlines()) for output in outputs]


def _read(line: str) -> tuple[str, Any]:
    name, _, value = line.partition(" ")
    return name, eval(value, {"nan": math.nan, "inf": math.inf, "None": None})


def agree(pairs: Pairs, folder: Path) -> None:
    """Every script prints what is expected of it, to 1e-6 of the size of the numbers."""
    for script, _ in pairs:
        assert 0 < len(script.splitlines()) <= LONGEST, script
    for (script, expected), found in zip(pairs, printed((script for script, _ in pairs), folder), strict=True):
        for name, value in expected.items():
            if value is None:
                assert found[name] is None, f"{name}\n{script}"
                continue
            wanted, came = np.asarray(value, dtype=float), np.asarray(found[name], dtype=float)
            assert came.shape == wanted.shape, name
            size = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
            np.testing.assert_allclose(came, wanted, rtol=EXACT, atol=EXACT * size, err_msg=f"{name}\n{script}")


@pytest.fixture
def job() -> DirectJob:
    return DirectJob(Backend("cpu"))


@pytest.fixture
def state() -> Callable[[str], AppState]:
    return Shelf(AppState, Array).state


def test_the_explorer(job: DirectJob, state: Callable[[str], AppState], repository: Path) -> None:
    pairs: Pairs = []
    for name in scene_files():
        scene = state(name).scene
        result = compute_explorer(scene, state(name).lookup.sweep, job)
        answers = {key: getattr(result, key) for key in ("nearest", "exact")}
        expected = {key: answer.output if answer.found else None for key, answer in answers.items()}
        expected["output"] = result.soft.output if result.soft.found else None
        expected |= {"weights": result.soft.weights, "entropy": result.entropy}
        pairs.append((lookup_script(scene), expected | {"effective_number": result.effective_number}))
    agree(pairs, repository)


def test_the_temperature(job: DirectJob, state: Callable[[str], AppState], repository: Path) -> None:
    states = [state(name) for name in scene_files()]
    first = states[0]
    states += [replace(first, temperature=show_scores(first.temperature, name)) for name in PRESETS]
    pairs: Pairs = []
    for each in states:
        result = compute_temperature(*select_temperature(each), job)
        expected = {key: getattr(result, key) for key in ("scores", "weights", "sparsemax", "entmax15")}
        measures = ("entropy", "slope", "perplexity", "effective_number", "log_sum_exp")
        expected |= {key: getattr(result.measures, key) for key in measures}
        pairs.append((temperature_script(result), expected))
    agree(pairs, repository)


def test_the_regression(job: DirectJob, state: Callable[[str], AppState], repository: Path) -> None:
    own = state("rents").regression
    sets = [data_of(replace(own, source="scene"), state("rents").scene)]
    sets += [drawn(replace(DataSet(), recipe=name)) for name in SOURCES if name not in ("own", "scene")]
    questions = [FitQuestion(data, "gaussian", 0.5, 2.5, (), False, False) for data in sets]
    questions += [FitQuestion(sets[1], name, 0.3, 2.5, (), True, False) for name in KERNELS]
    pairs: Pairs = []
    for question in questions:
        result = compute_fit(question, job)
        expected = {key: getattr(result.summary, key) for key in ("training", "leave_one_out", "fewest", "most")}
        expected |= {"estimate": result.asked.estimate, "effective_number": result.asked.effective_number}
        pairs.append(
            (fit_script(result), expected | {"curve": result.estimate.y, "undefined": result.summary.undefined})
        )
    agree(pairs, repository)


@pytest.mark.parametrize("section", ["signal", "descent"])
def test_the_flow(job: DirectJob, state: Callable[[str], AppState], repository: Path, section: str) -> None:
    states = [state(name) for name in scene_files()]
    states += [replace(states[0], flow=show_flow(states[0].flow, name)) for name in FLOW_PRESETS]
    states.append(replace(states[0], flow=replace(states[0].flow, descent=replace(states[0].flow.descent, starts=5))))
    pairs: Pairs = []
    for each in states:
        flow = replace(each.flow, section=section)
        result: Any = compute_flow(flow_question(flow, each.scene), job)
        script = flow_script(result, scene_of(flow, each.scene))
        if section == "signal":
            pairs.append((script, {"weights": result.weights, "output": result.output, "jacobian": result.jacobian}))
            continue
        path = result.path
        one = (slice(None), 0) if path.losses.shape[1] == 1 else slice(None)
        expected = {"losses": path.losses[one], "gradients": path.gradients[one], "temperatures": path.temperatures}
        last = 0 if path.losses.shape[1] == 1 else slice(None)
        pairs.append((script, expected | {"queries": path.queries[-1][last], "outputs": path.outputs[-1][last]}))
    agree(pairs, repository)
