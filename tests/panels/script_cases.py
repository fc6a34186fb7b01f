"""What the script of a panel should print, by name, for a state; and a process that runs scripts aside."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from models.app_state import AppState
from models.backend import Backend
from models.explorer import compute_explorer
from models.flow_panel import compute_flow
from models.flow_panel import question_of as flow_question
from models.flow_saturation import standing
from models.job import DirectJob
from models.regression_fit import Summary
from models.regression_panel import compute_regression
from models.regression_panel import question_of as regression_question
from models.regression_state import data_of
from models.temperature_panel import compute_temperature
from panels.flow.script import flow_script
from panels.flow.updates import shown_scene
from panels.lookup.script import lookup_script
from panels.regression.script import regression_script
from panels.temperature import select as select_temperature
from panels.temperature.script import temperature_script

Expected = dict[str, Any]
Case = tuple[str, Expected]
LONGEST, EXACT = 40, 1e-6
RUNNER = """
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(json.loads(line), "script", "exec"), {"__name__": "__main__"})
        answer = [True, said.getvalue()]
    except Exception:
        answer = [False, traceback.format_exc()]
    print(json.dumps(answer), flush=True)
"""


class Notebook:
    """A Python of its own, in a folder of its own, that runs scripts one by one, each in a namespace of its own."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {"PYTHONPATH": str(repository.resolve()), "OMP_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", RUNNER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=folder,
            env=self.environment | {"PYTHONIOENCODING": "utf-8"},
        )

    def close(self) -> None:
        self._process.communicate()

    def run(self, script: str) -> Expected:
        """What the script prints, by name."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(script) + "\n")
        self._process.stdin.flush()
        fine, said = json.loads(self._process.stdout.readline())
        assert fine, f"{said}\n{script}"
        return read(said)

    def check(self, case: Case) -> None:
        """The script is short and prints what is expected of it, to 1e-6 of the size of the numbers."""
        script, expected = case
        assert 0 < len(script.splitlines()) <= LONGEST, script
        assert "_" not in [name[:1] for name in script.replace(".", " ").split()], script
        compare(self.run(script), expected, script)


def read(output: str) -> Expected:
    """The lines of an output by their names; each name once."""
    pairs = [line.split(": ", 1) for line in output.splitlines()]
    found = {name: eval(value, {"nan": math.nan, "inf": math.inf}) for name, value in pairs}
    assert len(found) == len(pairs), output
    return found


def compare(found: Expected, expected: Expected, script: str = "") -> None:
    for name, value in expected.items():
        assert name in found, f"{name}\n{script}"
        if value is None:
            assert found[name] is None, f"{name}\n{script}"
            continue
        wanted, came = np.asarray(value, dtype=float), np.asarray(found[name], dtype=float)
        assert came.shape == wanted.shape, f"{name}\n{script}"
        size = np.abs(wanted[np.isfinite(wanted)]).max(initial=1.0)
        np.testing.assert_allclose(came, wanted, rtol=EXACT, atol=EXACT * size, err_msg=f"{name}\n{script}")


def job() -> DirectJob:
    return DirectJob(Backend("cpu"))


def lookup_case(state: AppState) -> Case:
    result = compute_explorer(state.scene, state.lookup.sweep, job())
    soft, values = result.soft, state.scene.values.values
    expected: Expected = {"weights": soft.weights, "weight × value": soft.weights[:, None] * values}
    expected |= {"entropy, nats": result.entropy, "effective number": result.effective_number}
    for name in ("output", "nearest", "exact"):
        answer = soft if name == "output" else getattr(result, name)
        expected[name] = answer.output if answer.found else None
    if state.scene.queries is not None:
        expected["attention map"] = result.map.weights
    if state.scene.mask_row is None:
        expected["scores"] = result.scores
    return lookup_script(state.scene), expected


def temperature_case(state: AppState, section: str) -> Case:
    result = compute_temperature(*select_temperature(state), job())
    script = temperature_script(result, section, state.scene)
    weights, measures = result.weights, result.measures
    expected: Expected = {"scores": result.scores, "weights": weights, "s/τ": result.scores / result.temperature}
    expected["−a ln a"] = -weights * np.log(np.where(weights > 0, weights, 1.0))
    if not result.found:
        return script, expected
    draws = np.nan if result.counts is None else result.counts.sum()
    triangle, reasons = result.triangle, result.reasons
    sections: dict[str, Expected] = {
        "weights": {"limit τ → 0": result.cold, "limit τ → ∞": result.hot},
        "entropy": {
            "entropy, nats": measures.entropy,
            "slope dH/dτ": measures.slope,
            "perplexity": measures.perplexity,
            "effective number": measures.effective_number,
        },
        "triangle": {"weights in the triangle": triangle.weights, "point": triangle.point} if triangle else {},
        "softmax": {
            "log-sum-exp": measures.log_sum_exp,
            "max s": measures.log_sum_exp_low,
            "max s + τ ln n": measures.log_sum_exp_high,
            "change by the shift": reasons.change,
            "divided by the sum": reasons.divided,
        },
        "others": {"sparsemax": result.sparsemax, "entmax15": result.entmax15},
        "learning": {"largest |∂a/∂s|": measures.largest_derivative},
        "sampling": {"draws": result.counts, "shares": result.counts / draws},
    }
    expected |= sections[section]
    if section == "entropy" and result.solution is not None and not result.solution.refusal:
        expected["τ for the target"] = result.solution.temperature
    if section == "softmax" and reasons.ratio is not None:
        expected["aᵢ/aⱼ"] = reasons.ratio
    if section == "learning" and len(result.scores) <= 40:
        expected["∂a/∂s"] = result.jacobian
    return script, expected


def regression_case(state: AppState) -> Case:
    panel = state.regression
    result: Any = compute_regression(regression_question(panel, data_of(panel, state.scene)), job())
    writers: dict[str, Callable[[Any], Expected]] = {
        "fit": _fit,
        "errors": _errors,
        "spread": _spread,
        "kernels": _kernels,
        "metric": _metric,
    }
    return regression_script(result, state), writers[panel.section](result)


def _summary(summary: Summary) -> Expected:
    """The read-out."""
    expected: Expected = {"points n": summary.n, "leave-one-out": summary.leave_one_out, "training": summary.training}
    expected |= {"n_eff from": summary.fewest, "n_eff to": summary.most, "undefined": summary.undefined}
    if not np.isnan(summary.truth):
        expected["MSE to the truth"] = summary.truth
    if summary.rows < summary.n:
        expected["rows measured"] = summary.rows
    if summary.alone:
        expected["alone in a window"] = summary.alone
    return expected


def _fit(result: Any) -> Expected:
    expected = _summary(result.summary) | {"estimate at the query": result.asked.estimate}
    expected |= {"its n_eff": result.asked.effective_number, "estimate at the queries": result.estimate.y}
    return expected if result.naive is None else expected | {"naive quotient": result.naive}


def _errors(result: Any) -> Expected:
    expected = _summary(result.summary)
    for curve in result.curves:
        expected[f"{curve.name} over σ"] = curve.errors
        expected[f"{curve.name}, best σ"] = curve.best
        expected[f"{curve.name}, least error"] = curve.best_error
    if len(result.path.widths):
        expected |= {"σ of every step": result.path.widths, "error of every step": result.path.errors}
    return expected


def _spread(result: Any) -> Expected:
    expected = _summary(result.summary) | {"s": result.noise, "estimate": result.estimate.y}
    expected |= {"n_eff": result.estimate.effective_number, "predicted s/√n_eff": result.predicted}
    return expected if result.measured is None else expected | {"measured over 200 redraws": result.measured}


def _kernels(result: Any) -> Expected:
    expected: Expected = {}
    for curve in result.curves:
        expected[f"{curve.kernel} over σ"] = curve.errors
        expected[f"{curve.kernel}, best σ"] = curve.best
        expected[f"{curve.kernel}, least error"] = curve.best_error
    return expected


def _metric(result: Any) -> Expected:
    expected: Expected = {}
    for name, fit in (("one σ", result.isotropic), ("learned", result.learned), ("oracle", result.oracle)):
        expected[f"{name}, scales w"] = np.abs(fit.scales)
        expected |= {f"{name}, leave-one-out": fit.leave_one_out, f"{name}, test error": fit.test}
    return expected


def flow_case(state: AppState) -> Case:
    result: Any = compute_flow(flow_question(state.flow, state.scene), job())
    writers: dict[str, Callable[[Any, AppState], Expected]] = {
        "signal": _signal,
        "descent": _descent,
        "saturation": _saturation,
        "verify": _verify,
        "paths": _paths,
        "memory": _memory,
    }
    return flow_script(result, state), writers[state.flow.section](result, state)


def _signal(result: Any, state: AppState) -> Expected:
    parts = result.signal[:, :, None] * (result.slopes - result.mean_slope)[:, None, :]
    expected: Expected = {"weights a": result.weights, "output o": result.output, "∂o/∂s": result.signal}
    expected |= {"parts of ∂o/∂q": parts, "∂o/∂q": result.jacobian, "its norm": np.linalg.norm(result.jacobian)}
    return expected if result.eigenvalues is None else expected | {"its eigenvalues": result.eigenvalues}


def _descent(result: Any, state: AppState) -> Expected:
    path = result.path
    if not np.isfinite(path.losses).all():
        return {"found": False} if path.losses.shape[1] == 1 else {}
    one: Any = 0 if path.losses.shape[1] == 1 else slice(None)
    expected: Expected = {}
    for step in {0, min(state.flow.descent.shown, len(path)), len(path)}:
        expected[f"step {step}, query q"] = path.queries[step][one]
        expected[f"step {step}, output o"] = path.outputs[step][one]
        expected[f"step {step}, loss L"] = path.losses[step][one]
        expected[f"step {step}, ‖∂L/∂q‖"] = path.gradients[step][one]
        expected[f"step {step}, temperature τ"] = path.temperatures[step]
    if len(path) <= 200:
        expected |= {"every loss L": path.losses[:, one], "every ‖∂L/∂q‖": path.gradients[:, one]}
    return expected


def _saturation(result: Any, state: AppState) -> Expected:
    expected: Expected = {"‖∂o/∂q‖ over τ": result.norms, "largest ∂a/∂s over τ": result.slopes}
    marks = {"now": shown_scene(state).temperature, "cold below": result.cold_below, "hot above": result.hot_above}
    if result.norms.any():
        marks["gradient largest"] = result.peak
    for name, tau in marks.items():
        if tau is not None:
            here = standing(result, tau)
            expected |= {f"{name}, τ": tau, f"{name}, ‖∂o/∂q‖": here.norm, f"{name}, largest ∂a/∂s": here.slope}
    return expected


def _verify(result: Any, state: AppState) -> Expected:
    expected: Expected = {}
    for name, check in result.checks.items():
        expected |= {f"{name}, closed form": check.closed, f"{name}, autograd": check.autograd}
        expected |= {f"{name}, differences": check.numeric, f"{name}, best step h": check.step}
        expected |= {f"{name}, autograd differs by": check.autograd_error}
        expected |= {f"{name}, differences differ by": check.numeric_error}
    for one in result.similarities:
        expected |= {f"{one.name}, ‖∂o/∂q‖": one.norm, f"{one.name}, autograd differs by": one.autograd_error}
        expected[f"{one.name}, differences differ by"] = one.numeric_error
    return expected


def _paths(result: Any, state: AppState) -> Expected:
    paths, last = result.paths, result.inputs.settings.length
    expected: Expected = {"the chain passes less from distance": result.crossing}
    for distance in {1, last}:
        expected[f"distance {distance}, a"] = paths.value_path[distance - 1]
        expected[f"distance {distance}, a(1−a)/τ"] = paths.score_path[distance - 1]
        expected[f"distance {distance}, log₁₀ λ^distance"] = paths.recurrent_log10[distance - 1]
    return expected


def _memory(result: Any, state: AppState) -> Expected:
    shown = min(state.flow.memory.shown, len(result.energies) - 1)
    expected: Expected = {"weights at the start": result.weights[0], "weights shown": result.weights[shown]}
    expected |= {"weights at the end": result.weights[-1], "state ξ shown": result.states[shown]}
    expected |= {"energy E of every update": result.energies, "fixed points": result.points}
    expected |= {"their energies": result.point_energies, "stable": result.stable}
    return expected | {"pattern with most of the weight, −1 for a blend": result.pattern}


def in_section(state: AppState, panel: str, section: str) -> AppState:
    """The state with another section open."""
    return replace(state, **{panel: replace(getattr(state, panel), section=section)})
