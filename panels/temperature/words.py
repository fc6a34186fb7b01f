"""What the panel says in words and in formulas: pure functions of the result."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from labapp.numbers import format_number, format_percent
from models.temperature_panel import Solution, TemperatureResult

if TYPE_CHECKING:
    from models.scene import Scene
    from models.temperature_state import Inverse, Why

TERMS = 4
NOTHING = "Every entry is masked, so no entry takes part: weights and entropy are undefined."
BITS = math.log(2.0)
UNIT_OF = {"nats": 1.0, "bits": BITS}
QUANTITIES = {"entropy": "entropy H", "perplexity": "perplexity", "effective_number": "effective number"}


def number(value: float, digits: int = 4) -> str:
    return format_number(value, digits)


def in_unit(nats: float, unit: str) -> str:
    """An entropy with its unit."""
    return f"{number(nats / UNIT_OF[unit])} {unit}"


def scores_label(result: TemperatureResult) -> str:
    """The scores in short: what a pinned curve is labelled with."""
    shown = "; ".join(number(float(score), 3) for score in result.scores[:TERMS])
    return f"s = {shown}; … ({len(result.scores)})" if len(result.scores) > TERMS else f"s = {shown}"


def sentence(result: TemperatureResult) -> str:
    """Who has the weight at this temperature, and how uncertain that is."""
    if not result.found:
        return NOTHING
    held = format_percent(float(result.weights[list(result.winners)].sum()))
    count = number(result.measures.perplexity, 2)
    who = (
        f"the winner, {result.names[result.winners[0]]}, has"
        if len(result.winners) == 1
        else f"the {len(result.winners)} tied winners share"
    )
    return f"At τ = {number(result.temperature)} {who} {held} of the weight; as uncertain as {count} equal entries."


def weights_line(result: TemperatureResult) -> str:
    """The weight of the winner with the numbers put in."""
    if not result.found:
        return NOTHING
    tau, best = number(result.temperature), result.winners[0]
    order = np.argsort(-result.scores, kind="stable")[: min(TERMS, result.live)]
    terms = [rf"e^(\key{{{number(float(result.scores[j]))}}}/{tau})" for j in order]
    rest = " + …" if result.live > len(order) else ""
    weight = number(float(result.weights[best]))
    return rf"a = {terms[0]} / ({' + '.join(terms)}{rest}) = {weight} for {result.names[best]}"


def entropy_line(result: TemperatureResult, unit: str) -> str:
    if not result.found:
        return NOTHING
    measures = result.measures
    slope = number(measures.slope / UNIT_OF[unit])
    return (
        rf"τ = {number(result.temperature)}: \output{{H = {in_unit(measures.entropy, unit)}}}, "
        rf"\gradient{{dH/dτ = {slope}}}, e^H = {number(measures.perplexity)}, "
        f"1/Σa² = {number(measures.effective_number)}"
    )


def limits_note(result: TemperatureResult) -> str:
    """The two limits, and what becomes of ties."""
    if not result.found:
        return NOTHING
    ties, live = len(result.winners), result.live
    cold = (
        f"τ → 0 gives all weight to {result.names[result.winners[0]]}"
        if ties == 1
        else f"τ → 0 shares the weight among the {ties} tied winners, {number(1 / ties)} each"
    )
    return f"{cold}; τ → ∞ gives each of {number(live)} entries {number(1 / live)}."


def entropy_note(result: TemperatureResult, unit: str) -> str:
    if not result.found:
        return NOTHING
    low, high = math.log(len(result.winners)), math.log(result.live)
    if low == high:
        return f"All scores are equal: H = {in_unit(high, unit)} at every temperature."
    return (
        f"H rises from {in_unit(low, unit)} to {in_unit(high, unit)}: its slope is a variance over τ³, never below 0, "
        "so each value between has one temperature."
    )


def solution_note(solution: Solution | None, inverse: Inverse) -> str:
    """The temperature that was found, or why there is none."""
    if solution is None:
        return "No target. Type one, or start from the present value."
    if solution.refusal:
        return solution.refusal
    name = QUANTITIES[inverse.quantity]
    unit = " nats" if inverse.quantity == "entropy" else ""
    return (
        f"τ = {number(solution.temperature, 7)} gives {name} = {number(solution.target, 7)}{unit}, "
        f"to {number(solution.error, 2)}{unit}."
    )


def step_note(solution: Solution | None, step: int | None) -> str:
    """One step of the bisection, or what to do to see one."""
    if solution is None or solution.steps is None:
        return ""
    if step is None:
        return "Play, or step, to watch the bisection close in on it."
    steps = solution.steps
    step = min(step, len(steps.low) - 1)
    return (
        f"Step {step + 1} of {len(steps.low)}: {number(steps.low[step])} < τ < {number(steps.high[step])}; the middle "
        f"{number(steps.middle[step], 6)} has H = {number(steps.entropy[step], 6)} nats."
    )


def softmax_line(result: TemperatureResult) -> str:
    if not result.found:
        return NOTHING
    measures = result.measures
    return (
        rf"{number(measures.log_sum_exp_low)} ≤ \output{{{number(measures.log_sum_exp)}}} ≤ "
        rf"{number(measures.log_sum_exp_low)} + {number(result.temperature)}·ln {number(result.live)} = "
        f"{number(measures.log_sum_exp_high)}"
    )


def softmax_notes(result: TemperatureResult, why: Why) -> str:
    """Shift, ratio rule and division by the sum, a line each."""
    reasons = result.reasons
    if reasons is None:
        return NOTHING
    c = number(why.shift)
    lines = [f"Adding c = {c} to every score changes a softmax weight by at most {number(reasons.change, 2)}."]
    if not why.shift:
        lines = ["Add c to every score: no softmax weight changes."]
    lines.append(_ratio_text(result, why))
    problems = " ".join(reasons.problems) or "At these scores its weights look fine."
    lines.append(f"Divided by the sum instead: {problems}")
    if reasons.divided_change is not None and why.shift:
        lines.append(f"There the shift by {c} changes a weight by {number(reasons.divided_change, 2)}.")
    return "\n".join(lines)


def _ratio_text(result: TemperatureResult, why: Why) -> str:
    reasons = result.reasons
    if reasons is None or reasons.ratio is None:
        return "Choose two entries that take part to see their ratio."
    i, j = why.first, why.second
    ratio = "too large for a number" if math.isinf(reasons.ratio) else number(reasons.ratio)
    exponent = (
        f"({number(float(result.scores[i]))} − {_bracketed(float(result.scores[j]))})/{number(result.temperature)}"
    )
    return f"a of {result.names[i]} over a of {result.names[j]} = e^({exponent}) = {ratio}, whatever the others score."


def _bracketed(value: float) -> str:
    return f"({number(value)})" if value < 0 else number(value)


def others_line(result: TemperatureResult) -> str:
    if not result.found:
        return NOTHING
    counts = [int(np.count_nonzero(weights)) for weights in (result.weights, result.entmax15, result.sparsemax)]
    return (
        f"τ = {number(result.temperature)}: of {number(result.live)} entries softmax weighs {number(counts[0])}, "
        f"1.5-entmax {number(counts[1])}, sparsemax {number(counts[2])}"
    )


def others_note(result: TemperatureResult) -> str:
    if not result.found:
        return NOTHING
    zeros = int(np.count_nonzero((result.weights == 0) & (result.scores > -np.inf)))
    if zeros:
        return (
            f"Softmax never gives exactly 0; here {number(zeros)} of its weights are too small for a number of 64 bits."
        )
    return "Softmax never gives exactly 0; the other two drop entries far below the best."


def jacobian_line(result: TemperatureResult) -> str:
    if not result.found:
        return NOTHING
    largest = number(result.measures.largest_derivative)
    return rf"τ = {number(result.temperature)}: largest \gradient{{|∂a_i/∂s_j| = {largest}}}"


def jacobian_note(result: TemperatureResult) -> str:
    if not result.found:
        return NOTHING
    curve, taus = result.curves.largest_derivative, result.curves.temperature
    if len(result.winners) > 1:
        return "Tied winners: close to the tie a small change of a score decides, ever more sharply as τ falls."
    peak = int(curve.argmax())
    share = format_percent(result.measures.largest_derivative / float(curve[peak]))
    return (
        f"{share} of the largest signal, which is at τ ≈ {number(float(taus[peak]), 2)}. It vanishes at both ends: "
        "a hard lookup ignores small changes, a flat one divides them away."
    )


def sampling_line(result: TemperatureResult) -> str:
    if result.counts is None:
        return NOTHING
    best = int(result.counts.argmax())
    draws = int(result.counts.sum())
    return (
        f"{result.names[best]}: {int(result.counts[best])} of {draws} draws = "
        f"{format_percent(result.counts[best] / draws, 3)}, weight {format_percent(float(result.weights[best]), 3)}"
    )


def sampling_note(result: TemperatureResult) -> str:
    if result.counts is None:
        return NOTHING
    draws = int(result.counts.sum())
    gap = float(np.abs(result.counts / draws - result.weights).max())
    seen = int(np.count_nonzero(result.counts))
    drawn = f"{number(seen)} of {number(result.live)} entries were drawn"
    return f"{drawn}; share and weight differ by at most {format_percent(gap)}."


def triangle_line(result: TemperatureResult) -> str:
    triangle = result.triangle
    if triangle is None:
        return ""
    texts = [
        rf"a({result.names[entry]}) = {number(float(weight))}"
        for entry, weight in zip(triangle.entries, triangle.weights, strict=True)
    ]
    return f"τ = {number(result.temperature)}: {', '.join(texts)}"


def triangle_note(result: TemperatureResult) -> str:
    triangle = result.triangle
    if triangle is None:
        return "No triangle: choose three entries that take part."
    what = "segment" if len(triangle.entries) == 2 else "triangle"
    text = f"The path runs from the middle of the {what} at high τ to a corner, or between tied winners, at low τ."
    return text + (" Weights are renormalised among the three." if result.live > len(triangle.entries) else "")


def length_note(scene: Scene) -> str:
    """A query's length as a temperature, where scores grow with it."""
    length = float(np.linalg.norm(scene.query.values))
    if length == 0:
        return "A query of length 0 scores every key 0: all weights are equal."
    return (
        f"‖q‖ = {number(length)} at τ = {number(scene.temperature)} weighs like ‖q‖ = 1 at "
        f"τ/‖q‖ = {number(scene.temperature / length)}."
    )
