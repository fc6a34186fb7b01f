"""What the gradient flow shows in its open section, as a script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from models.app_state import AppState
from models.flow_descent import DescentResult
from models.flow_memory import MOST_PATTERNS, MemoryResult
from models.flow_paths import PathsResult
from models.flow_saturation import TEMPERATURES, SaturationResult
from models.flow_signal import SignalResult
from models.flow_verify import VerifyResult
from models.notebook import array_text, assigned, is_many, literal, mask_text, scene_lines, script_of
from models.scene import Scene
from models.similarities import SIMILARITIES, fitting, score_parameters
from panels.flow.updates import shown_scene

LISTED = 200
"""Descents of up to so many steps have every loss printed, longer ones some steps alone."""
DISTANCES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)

LOOKUP = "from models.lookup import soft_lookup"
SIGNAL_IMPORTS = (
    "from models.flow import query_jacobian, score_gradient, score_gradients",
    LOOKUP,
    "from models.slopes import responses, total",
)
SIGNAL = """
answer = soft_lookup(query, keys, values, temperature=temperature, **scoring, **weighing)
signal = score_gradient(answer.scores, values, temperature, **weighing)
print("weights a:", answer.weights.tolist())
print("output o:", answer.output.tolist())
print("∂o/∂s:", signal.tolist())

response = responses(answer.weights, weighing["weighting"])
slopes = score_gradients(query, keys, **scoring)
relative = slopes - response / total(response) @ slopes
print("parts of ∂o/∂q:", (signal[:, :, None] * relative[:, None, :]).tolist())
jacobian = query_jacobian(query, keys, values, temperature, **scoring, **weighing)
print("∂o/∂q:", jacobian.tolist())
print("its norm:", float(jacobian.norm()))
"""
EIGENVALUES = 'print("its eigenvalues:", torch.linalg.eigvalsh(jacobian).tolist())\n'
DESCENT = """
setting = scoring | weighing
loss, gradient = query_step(start, keys, values, target, temperature, **setting)
print("∂L/∂q at the start:", gradient.tolist())
path = descend(start, keys, values, target, temperature, **learning, **setting)
for step in steps:
    print(f"step {step}, query q:", path.queries[step].tolist())
    print(f"step {step}, output o:", path.outputs[step].tolist())
    print(f"step {step}, loss L:", path.losses[step].tolist())
    print(f"step {step}, ‖∂L/∂q‖:", path.gradient_norms[step].tolist())
    print(f"step {step}, temperature τ:", float(path.temperatures[step]))
"""
EVERY_STEP = """print("every loss L:", path.losses.tolist())
print("every ‖∂L/∂q‖:", path.gradient_norms.tolist())
"""
NO_ANSWER = """
answer = soft_lookup(start, keys, values, temperature=temperature, **scoring, **weighing)
print("found:", answer.found.tolist())  # no key equals the query: no answer, so no loss and no gradient
"""
SATURATION = """
curves = saturation(query, keys, values, np.logspace(-3, 3, {count}), **scoring, **weighing)
print("‖∂o/∂q‖ over τ:", curves.norms.tolist())
print("largest ∂a/∂s over τ:", curves.slopes.tolist())
marks = {{"now": temperature, "cold below": curves.cold_below, "hot above": curves.hot_above}}
if curves.norms.any():
    marks["gradient largest"] = curves.peak
for name, tau in marks.items():
    if tau is not None:
        at, x = np.log(tau), curves.temperatures.log()
        print(f"{{name}}, τ:", tau)
        print(f"{{name}}, ‖∂o/∂q‖:", float(np.interp(at, x, curves.norms)))
        print(f"{{name}}, largest ∂a/∂s:", float(np.interp(at, x, curves.slopes)))
"""
VERIFY = """
for dtype in ("float64", "float32"):
    check = verify(query, keys, values, temperature, dtype=dtype, **scoring, **weighing)
    print(f"{dtype}, closed form:", check.closed.tolist())
    print(f"{dtype}, autograd:", check.autograd.tolist())
    print(f"{dtype}, differences:", check.numeric.tolist())
    print(f"{dtype}, best step h:", check.step)
    print(f"{dtype}, autograd differs by:", check.autograd_error)
    print(f"{dtype}, differences differ by:", check.numeric_error)
"""
OTHERS = """
for similarity, parameters in others.items():
    check = verify(query, keys, values, temperature, similarity, **weighing, **parameters)
    print(f"{similarity}, ‖∂o/∂q‖:", float(check.closed.norm()))
    print(f"{similarity}, autograd differs by:", check.autograd_error)
    print(f"{similarity}, differences differ by:", check.numeric_error)
"""
PATHS = """
paths = compare_paths(length, factor, margin, temperature)
for distance in distances:
    print(f"distance {distance}, a:", float(paths.value_path[distance - 1]))
    print(f"distance {distance}, a(1−a)/τ:", float(paths.score_path[distance - 1]))
    print(f"distance {distance}, log₁₀ λ^distance:", float(paths.recurrent_log10[distance - 1]))
print("the chain passes less from distance:", crossing(paths))
"""
MEMORY = """
path = recall(start, patterns, temperature, updates)
weights = weights_at(path.states, patterns, temperature)
print("weights at the start:", weights[0].tolist())
print("weights shown:", weights[shown].tolist())
print("weights at the end:", weights[-1].tolist())
print("state ξ shown:", path.states[shown].tolist())
print("energy E of every update:", path.energies.tolist())

fixed = fixed_points(patterns, temperature)
print("fixed points:", fixed.points.tolist())
print("their energies:", fixed.energies.tolist())
print("stable:", fixed.stable.tolist())
print("pattern with most of the weight, −1 for a blend:", fixed.pattern.tolist())
"""


def flow_script(result: Any, state: AppState) -> str:
    """The numbers of the section that gave the result; ``state`` says where its dictionary lies and what is shown."""
    writers: dict[type, Callable[[Any, AppState], str]] = {
        SignalResult: _signal_script,
        DescentResult: _descent_script,
        SaturationResult: _saturation_script,
        VerifyResult: _verify_script,
        PathsResult: _paths_script,
        MemoryResult: _memory_script,
    }
    return writers[type(result)](result, state)


def _place(state: AppState) -> str:
    return "flow/own" if state.flow.source == "own" else "scene"


def _signal_script(result: SignalResult, state: AppState) -> str:
    scene = result.inputs.scene
    body = SIGNAL if result.eigenvalues is None else SIGNAL + EIGENVALUES
    return script_of(scene.title, SIGNAL_IMPORTS, scene_lines(scene, _place(state)), body)


def _descent_script(result: DescentResult, state: AppState) -> str:
    path, scene, descent = result.path, result.inputs.scene, result.inputs.descent
    starts = path.queries[0]
    _, *given = scene_lines(scene, _place(state))
    lines = [assigned("start", starts if len(starts) > 1 else starts[0]), *given]
    if not np.isfinite(path.losses).all():
        return script_of(scene.title, (LOOKUP,), lines, NO_ANSWER)
    learning = [f"learning_rate={literal(path.learning_rate)}", f"steps={len(path)}"]
    learning += [f"optimiser={literal(descent.optimiser)}", f"learn={literal(descent.learn)}"]
    if descent.optimiser == "momentum":
        learning.append(f"momentum={literal(descent.momentum)}")
    shown = min(state.flow.descent.shown, len(path))
    lines += [
        assigned("target", result.inputs.target.values),
        f"learning = dict({', '.join(learning)})",
        assigned("steps", sorted({0, shown, len(path)})),
    ]
    body = DESCENT + (EVERY_STEP if len(path) <= LISTED else "")
    return script_of(scene.title, ("from models.flow import descend, query_step",), lines, body)


def _saturation_script(result: SaturationResult, state: AppState) -> str:
    scene = replace(result.inputs.scene, temperature=shown_scene(state).temperature)
    count = TEMPERATURES
    imports = ("from models.saturation import saturation",)
    return script_of(scene.title, imports, scene_lines(scene, _place(state)), SATURATION.format(count=count))


def _verify_script(result: VerifyResult, state: AppState) -> str:
    """Every similarity too, unless the matrices of some have more numbers than a script should."""
    scene = result.inputs.scene
    lines, body, width = scene_lines(scene, _place(state)), VERIFY, scene.keys.shape[1]
    others = {name: score_parameters(fitting(replace(scene.similarity, name=name), width)) for name in SIMILARITIES}
    if not is_many(sum(np.size(value) for given in others.values() for value in given.values())):
        lines, body = [*lines, assigned("others", others)], VERIFY + OTHERS
    return script_of(scene.title, ("from models.verification import verify",), lines, body)


def _paths_script(result: PathsResult, state: AppState) -> str:
    asked = result.inputs.settings
    some = sorted({each for each in DISTANCES if each < asked.length} | {asked.length})
    lines = [
        *(assigned(name, getattr(asked, name)) for name in ("length", "factor", "margin")),
        assigned("temperature", result.inputs.temperature),
        assigned("distances", some),
    ]
    return script_of("How far a gradient travels", ("from models.paths import compare_paths, crossing",), lines, PATHS)


def _memory_script(result: MemoryResult, state: AppState) -> str:
    question, scene = result.inputs, shown_scene(state)
    lines = [
        f"patterns = {_patterns_text(result, scene, _place(state))}",
        assigned("start", question.start.values),
        assigned("temperature", question.temperature),
        assigned("updates", question.steps),
        assigned("shown", min(state.flow.memory.shown, question.steps)),
    ]
    imports = ("from models.hopfield import fixed_points, recall, weights_at",)
    return script_of(f"{scene.title} as an associative memory", imports, lines, MEMORY)


def _patterns_text(result: MemoryResult, scene: Scene, place: str) -> str:
    """The keys that take part, the first of many."""
    patterns = result.inputs.patterns
    if not is_many(patterns.values.size):
        return literal(patterns.values)
    mask = mask_text(scene.mask_row, scene, place)
    keys = array_text(scene.keys, f"{place}/keys")
    return f"{keys}{f'[{mask}]' if mask else ''}[:{MOST_PATTERNS}]"
