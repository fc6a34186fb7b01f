"""What the gradient flow panel says in words, formulas and rows: pure functions of state and result."""

from __future__ import annotations

from typing import Any

import numpy as np

from labapp.numbers import format_number, format_percent, retold
from models.flow_descent import DescentResult
from models.flow_memory import MemoryResult
from models.flow_paths import PathsResult
from models.flow_saturation import SaturationResult, standing
from models.flow_signal import COVARIANT, SignalResult
from models.flow_verify import VerifyResult
from models.scene import Column, Scene

TERMS = 4
HARD = ("nearest", "exact")

SLOPES = {
    "dot": r"(\key{k_j}-\key{\bar k})^{\top}",
    "scaled_dot": r"\frac{(\key{k_j}-\key{\bar k})^{\top}}{\sqrt{d_k}}",
    "squared_distance": r"\frac{(\key{k_j}-\key{\bar k})^{\top}}{\sigma^2}",
    "bilinear": r"(\key{k_j}-\key{\bar k})^{\top}M^{\top}",
}
FORMULAS = {
    "descent": r"\query{q}\leftarrow\query{q}-\eta\,\gradient{\frac{\partial L}{\partial q}}\qquad "
    r"L=\frac{1}{2}\lVert\output{o}-\truth{t}\rVert^2",
    "saturation": r"\gradient{\frac{\partial a_i}{\partial s_i}}=\frac{a_i(1-a_i)}{\tau}\qquad "
    r"\gradient{\frac{\partial o}{\partial q}}=\frac{1}{\tau}\,\mathrm{Cov}_a(\value{v},\key{k})",
    "verify": r"\gradient{\frac{\partial o}{\partial q_i}}\approx"
    r"\frac{\output{o}(\query{q}+h e_i)-\output{o}(\query{q}-h e_i)}{2h}",
    "paths": r"\gradient{\frac{\partial o}{\partial v_j}}=a_j\qquad "
    r"\gradient{\frac{\partial a_j}{\partial s_j}}=\frac{a_j(1-a_j)}{\tau}\qquad "
    r"\gradient{\frac{\partial h_t}{\partial x_{t-d}}}=\lambda^{d}",
    "memory": r"\query{\xi}\leftarrow\sum_j a_j\,\key{x_j}\qquad "
    r"E=-\tau\ln\sum_j e^{\key{x_j}\cdot\query{\xi}/\tau}+\frac{1}{2}\lVert\query{\xi}\rVert^2+\mathrm{const}",
}
PLAIN = {
    "signal": "The output answers to a score with the weight times the way from the output to the value, over the "
    "temperature. It answers to the query with the covariance of values and score gradients, over the temperature.",
    "descent": "The query moves against the gradient of half the squared distance of output and target.",
    "saturation": "A weight answers to its score with a times 1 minus a over τ: nothing at 0 and at 1.",
    "verify": "The derivative is compared with the quotient of central differences of step h.",
    "paths": "Attention passes the weight, whatever the distance; a chain passes lambda to the power of the distance.",
    "memory": "The output is the next query; no step raises the energy.",
}


def axis_title(column: Column) -> str:
    """ "size, m²" """
    return f"{column.name}, {column.unit}" if column.unit else column.name


def vector_text(vector: Any) -> str:
    """One number as it is, several in brackets, many cut short."""
    numbers = [format_number(float(x)) for x in np.asarray(vector).ravel()[:TERMS]]
    if np.size(vector) == 1:
        return numbers[0]
    return f"({'; '.join(numbers)}{'; …' if np.size(vector) > TERMS else ''})"


def formula_tex(section: str, scene: Scene) -> str:
    if section != "signal":
        return FORMULAS[section]
    by_score, by_query = r"\gradient{\frac{\partial o}{\partial s_j}}", r"\gradient{\frac{\partial o}{\partial q}}"
    if scene.weighting in HARD:
        return rf"{by_score}=0\qquad {by_query}=0"
    pull = r"a_j(\value{v_j}-\output{o})" if scene.weighting == "softmax" else r"w_j(\value{v_j}-\value{\bar v})"
    slope = SLOPES.get(scene.similarity.name, r"\left(\frac{\partial s_j}{\partial q}\right)^{\top}")
    return rf"{by_score}=\frac{{{pull}}}{{\tau}}\qquad {by_query}=\frac{{1}}{{\tau}}\sum_j {pull}{slope}"


def numbers_line(result: Any, scene: Scene, step: int) -> str:
    """The formula with the present numbers put in."""
    writers: dict[type, Any] = {
        SignalResult: lambda: _signal_numbers(result),
        DescentResult: lambda: _descent_numbers(result, step),
        SaturationResult: lambda: _saturation_numbers(result, scene.temperature),
        VerifyResult: lambda: _verify_numbers(result),
        PathsResult: lambda: _paths_numbers(result),
        MemoryResult: lambda: _memory_numbers(result, step),
    }
    return writers[type(result)]()


def sentence(result: Any, scene: Scene, step: int) -> str:
    """What the picture shows, in plain words."""
    writers: dict[type, Any] = {
        SignalResult: lambda: _signal_sentence(result),
        DescentResult: lambda: descent_sentence(result),
        SaturationResult: lambda: _saturation_sentence(result, scene.temperature),
        VerifyResult: lambda: _verify_sentence(result),
        PathsResult: lambda: _paths_sentence(result),
        MemoryResult: lambda: _memory_sentence(result, scene),
    }
    return writers[type(result)]()


def _signal_numbers(result: SignalResult) -> str:
    """The strongest terms of the Jacobian, and its sum."""
    scene = result.inputs.scene
    strength = np.linalg.norm(result.signal, axis=1)
    j = int(strength.argmax())
    a, tau = format_number(float(result.weights[j])), format_number(scene.temperature)
    whole = rf"\gradient{{∂o/∂q}} = \gradient{{{matrix_text(result.jacobian)}}}"
    if scene.weighting != "softmax":
        return rf"\gradient{{∂o/∂s}} of {scene.entries[j]} = {vector_text(result.signal[j])}; {whole}"
    return (
        rf"{scene.entries[j]}: \gradient{{∂o/∂s}} = {a}·(\value{{{vector_text(scene.values.values[j])}}} − "
        rf"\output{{{vector_text(result.output)}}})/{tau} = \gradient{{{vector_text(result.signal[j])}}}; {whole}"
    )


def matrix_text(matrix: np.ndarray) -> str:
    """Rows in brackets: "[0.59 −0.34 | 0.09 0.2]"; large ones cut short."""
    rows = [" ".join(format_number(float(x), 3) for x in row[:TERMS]) for row in matrix[:TERMS]]
    more = " …" if max(matrix.shape) > TERMS else ""
    return rows[0] if matrix.size == 1 else f"[{' | '.join(rows)}{more}]"


def _signal_sentence(result: SignalResult) -> str:
    scene = result.inputs.scene
    if not result.found:
        return "No entry takes part, so that there is no output and no signal."
    strength = np.linalg.norm(result.signal, axis=1)
    if not strength.any():
        return "No score moves the output: one entry has all the weight, or the lookup is hard, and the signal is 0."
    j = int(strength.argmax())
    kind = "a covariance of values and keys" if scene.similarity.name in COVARIANT else "by its own score gradients"
    text = (
        f"Raising the score of {scene.entries[j]} pulls the output most, by {format_number(float(strength[j]))} per "
        f"unit of score, with {format_percent(float(result.weights[j]))} of the weight; ∂o/∂q is {kind}, of norm "
        f"{format_number(float(np.linalg.norm(result.jacobian)))}."
    )
    if result.eigenvalues is not None:
        text += f" Keys are the values: its eigenvalues are {vector_text(result.eigenvalues)}, never negative."
    return text


def _descent_numbers(result: DescentResult, step: int) -> str:
    path = result.path
    step = min(step, len(path))
    return (
        rf"step {step}: L = ½‖\output{{{vector_text(path.outputs[step, 0])}}} − "
        rf"\truth{{{vector_text(result.inputs.target.values)}}}‖² = {format_number(float(path.losses[step, 0]))}, "
        rf"‖\gradient{{∂L/∂q}}‖ = {format_number(float(path.gradients[step, 0]))}, "
        rf"η = {format_number(path.learning_rate)}"
    )


def descent_sentence(result: DescentResult) -> str:
    """Why learning has stopped, or how far it is."""
    path, descent = result.path, result.inputs.descent
    if result.diagnosis is None:
        return f"Learning: step {len(path)} of {descent.steps}, loss {format_number(float(path.losses[-1, 0]))}."
    text = retold(result.diagnosis.sentence)
    starts = path.losses.shape[1]
    return f"{text} {result.reached} of {starts} starts have reached the target." if starts > 1 else text


def _saturation_numbers(result: SaturationResult, tau: float) -> str:
    here = standing(result, tau)
    return (
        rf"τ = {format_number(tau)}: ‖\gradient{{∂o/∂q}}‖ = {format_number(here.norm)}, "
        rf"largest \gradient{{∂a/∂s}} = {format_number(here.slope)}"
    )


def _saturation_sentence(result: SaturationResult, tau: float) -> str:
    here = standing(result, tau)
    if not result.norms.any():
        return "The gradient is exactly 0 at every temperature: a hard lookup is a staircase."
    cold = "nowhere" if result.cold_below is None else f"below τ = {format_number(result.cold_below, 3)}"
    hot = "nowhere" if result.hot_above is None else f"above τ = {format_number(result.hot_above, 3)}"
    return (
        f"τ = {format_number(tau)} is {here.zone}. Cold, where one entry has 99 % of the weight or more: {cold}; hot, "
        f"where the effective number of entries is within 1 % of all: {hot}; the gradient is largest at "
        f"τ = {format_number(result.peak, 2)}."
    )


def _verify_numbers(result: VerifyResult) -> str:
    check = result.checks["float64"]
    return (
        rf"\gradient{{∂o/∂q}} = {vector_text(check.closed)}, by differences {vector_text(check.numeric)} "
        rf"with h = {format_number(check.step, 2)}"
    )


def _verify_sentence(result: VerifyResult) -> str:
    parts = [
        f"{name}: closed form and autograd differ by {format_number(check.autograd_error, 2)}, closed form and "
        f"differences by {format_number(check.numeric_error, 2)} at the best step h = {format_number(check.step, 2)}"
        for name, check in result.checks.items()
    ]
    text = "; ".join(parts) + "."
    eigenvalues = result.checks["float64"].eigenvalues
    if eigenvalues is not None:
        text += (
            " Keys are the values, so that the Jacobian is a positive semidefinite covariance: its eigenvalues are "
            f"{vector_text(eigenvalues)}."
        )
    return text


def _paths_numbers(result: PathsResult) -> str:
    paths, asked = result.paths, result.inputs.settings
    return (
        rf"to every distance 1…{asked.length}: a = \gradient{{{format_number(float(paths.value_path[-1]))}}}, "
        rf"a(1−a)/τ = \gradient{{{format_number(float(paths.score_path[-1]))}}}; chain over {asked.length} steps: "
        rf"{format_number(asked.factor)}^{asked.length} = \gradient{{{power_text(float(paths.recurrent_log10[-1]))}}}"
    )


def _paths_sentence(result: PathsResult) -> str:
    asked = result.inputs.settings
    share = format_percent(float(result.paths.value_path[-1]))
    if result.crossing is None:
        return f"Attention passes {share} of the gradient at any distance, the chain more at all {asked.length}."
    return (
        f"Attention passes {share} of the gradient over one step, whatever the distance; from distance "
        f"{result.crossing} on the chain passes less."
    )


def power_text(log10: float) -> str:
    """A power of ten, also one that no float holds."""
    if log10 > -300:
        return format_number(10.0**log10)
    exponent = int(np.floor(log10))
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{format_number(10.0 ** (log10 - exponent), 3)}×10{digits}"


def _memory_numbers(result: MemoryResult, step: int) -> str:
    step = min(step, len(result.energies) - 1)
    return (
        rf"update {step}: ξ = \query{{{vector_text(result.states[step])}}}, "
        rf"E = {format_number(float(result.energies[step]))}, from {format_number(float(result.energies[0]))}"
    )


def patterns_of(scene: Scene) -> list[str]:
    """The names of the entries that take part."""
    allowed = None if scene.mask_row is None else scene.mask_row.values
    return [name for j, name in enumerate(scene.entries) if allowed is None or allowed[j]]


def _memory_sentence(result: MemoryResult, scene: Scene) -> str:
    end = result.states[-1]
    nearest = int(np.linalg.norm(result.points - end, axis=1).argmin())
    stored = int(result.pattern[nearest])
    what = patterns_of(scene)[stored] if stored >= 0 else "a blend of several patterns"
    count = int(result.stable.sum())
    return (
        f"The recall goes to {what}; at τ = {format_number(result.inputs.temperature)} the memory has {count} stable "
        f"fixed {'point' if count == 1 else 'points'} for {len(result.inputs.patterns)} patterns."
    )
