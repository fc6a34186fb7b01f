"""The numbers of each section of the temperature panel with every digit, as tables and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from labapp.named_table import Column, NamedMap, NamedTable, Table
from models.explorer_state import Pin
from models.temperature_panel import LEVELS, Solution, TemperatureResult
from panels.temperature.words import QUANTITIES, UNIT_OF

TAU = "temperature τ"


def numbers_of(result: TemperatureResult, section: str, unit: str, pins: tuple[Pin, ...]) -> list[Table]:
    """All that the section shows, but for the read-out beside it. Entropies are in ``unit``, nats or bits."""
    if not result.found:
        return []
    writers: dict[str, Callable[[], Iterator[Table]]] = {
        "weights": lambda: weight_tables(result),
        "entropy": lambda: entropy_tables(result, unit, pins),
        "triangle": lambda: triangle_tables(result),
        "softmax": lambda: softmax_tables(result),
        "others": lambda: other_tables(result),
        "learning": lambda: learning_tables(result),
        "sampling": lambda: sampling_tables(result),
    }
    return [measures_table(result, unit), *writers[section]()]


def measures_table(result: TemperatureResult, unit: str) -> NamedTable:
    """One row: the single numbers at the present temperature."""
    measures, nats = result.measures, UNIT_OF[unit]
    return NamedTable(
        "Now",
        (
            Column(TAU, [result.temperature]),
            Column("entropy H", [measures.entropy / nats], unit),
            Column("dH/dτ", [measures.slope / nats], unit),
            Column("perplexity", [measures.perplexity]),
            Column("effective number", [measures.effective_number]),
            Column("τ ln Σ exp(s/τ)", [measures.log_sum_exp]),
            Column("max s", [measures.log_sum_exp_low]),
            Column("max s + τ ln n", [measures.log_sum_exp_high]),
            Column("largest |∂a/∂s|", [measures.largest_derivative]),
        ),
    )


def weight_tables(result: TemperatureResult) -> Iterator[Table]:
    yield _entries(
        result,
        "Weights and their limits",
        Column("score s", result.scores),
        Column("weight a", result.weights),
        Column("limit τ → 0", result.cold),
        Column("limit τ → ∞", result.hot),
    )


def entropy_tables(result: TemperatureResult, unit: str, pins: tuple[Pin, ...]) -> Iterator[Table]:
    curves, nats = result.curves, UNIT_OF[unit]
    yield NamedTable(
        "Entropy over the temperature",
        (
            Column(TAU, curves.temperature),
            Column("entropy H", curves.entropy / nats, unit),
            Column("dH/dτ", curves.slope / nats, unit),
            Column("perplexity", curves.perplexity),
            Column("effective number", curves.effective_number),
        ),
    )
    for pin in pins:
        columns = Column(TAU, pin.x.values), Column("entropy H", pin.y.values / nats, unit)
        yield NamedTable(f"Pinned: {pin.label}", columns)
    if result.solution is not None and not result.solution.refusal:
        yield from solution_tables(result.solution, result.inputs[2].quantity, unit)


def solution_tables(solution: Solution, quantity: str, unit: str) -> Iterator[Table]:
    """The temperature for the target, and the bisection that finds it; a target that is an entropy is in ``unit``."""
    nats = UNIT_OF[unit]
    scale, its_unit = (nats, unit) if quantity == "entropy" else (1.0, "")
    yield NamedTable(
        "Temperature for the target",
        (
            Column(f"target: {QUANTITIES[quantity]}", [solution.target / scale], its_unit),
            Column(TAU, [solution.temperature]),
            Column("entropy H", [solution.entropy / nats], unit),
            Column("error", [solution.error / scale], its_unit),
        ),
    )
    if solution.steps is not None:
        steps = solution.steps
        yield NamedTable(
            "Bisection",
            (
                Column("step", np.arange(len(steps.low))),
                Column("τ from", steps.low),
                Column("τ to", steps.high),
                Column("middle", steps.middle),
                Column("entropy H in the middle", steps.entropy / nats, unit),
            ),
        )


def triangle_tables(result: TemperatureResult) -> Iterator[Table]:
    triangle = result.triangle
    if triangle is None:
        return
    names = [result.names[j] for j in triangle.entries]
    yield NamedTable("Weights of the corners", (Column("entry", names), Column("weight among them", triangle.weights)))
    yield NamedTable("Point in the plane", _plane(triangle.point[None]))
    yield NamedTable("Path of the temperature", (Column(TAU, triangle.temperatures), *_plane(triangle.path)))
    for level, line in zip(LEVELS, triangle.contours, strict=False):
        yield NamedTable(f"Line of entropy {level} nats", _plane(line))


def softmax_tables(result: TemperatureResult) -> Iterator[Table]:
    taus, low = result.curves.temperature, result.measures.log_sum_exp_low
    yield NamedTable(
        "Smooth maximum",
        (
            Column(TAU, taus),
            Column("τ ln Σ exp(s/τ)", result.curves.log_sum_exp),
            Column("max s", np.full(len(taus), low)),
            Column("max s + τ ln n", low + taus * np.log(result.live)),
        ),
    )
    reasons = result.reasons
    if reasons is not None:
        yield NamedTable(
            "Reasons",
            (
                Column("change of softmax by the shift", [reasons.change]),
                Column("ratio of two weights", [reasons.ratio]),
                Column("change of score ÷ sum by the shift", [reasons.divided_change]),
            ),
        )
    divided = None if reasons is None else reasons.divided
    both = [Column("softmax", result.weights), *([] if divided is None else [Column("score ÷ sum", divided)])]
    yield _entries(result, "Softmax and dividing by the sum", *both)


def other_tables(result: TemperatureResult) -> Iterator[Table]:
    curves = result.curves
    yield _entries(
        result,
        "Three weightings",
        Column("softmax", result.weights),
        Column("1.5-entmax", result.entmax15),
        Column("sparsemax", result.sparsemax),
    )
    yield NamedTable(
        "Entries with weight",
        (
            Column(TAU, curves.temperature),
            Column("softmax", np.full(len(curves.temperature), result.live)),
            Column("1.5-entmax", curves.entmax15_support),
            Column("sparsemax", curves.sparsemax_support),
        ),
    )


def learning_tables(result: TemperatureResult) -> Iterator[Table]:
    names = result.jacobian_names
    yield NamedMap("∂a/∂s", Column("weight of", names), Column("score of", names), result.jacobian)
    columns = Column(TAU, result.curves.temperature), Column("largest |∂a/∂s|", result.curves.largest_derivative)
    yield NamedTable("Signal over the temperature", columns)


def sampling_tables(result: TemperatureResult) -> Iterator[Table]:
    counts = np.zeros(len(result.names), dtype=int) if result.counts is None else result.counts
    shares = counts / max(int(counts.sum()), 1)
    columns = Column("weight a", result.weights), Column("drawn", counts), Column("share of the draws", shares)
    yield _entries(result, "Draws", *columns)


def _entries(result: TemperatureResult, name: str, *columns: Column) -> NamedTable:
    return NamedTable(name, (Column("entry", result.names), *columns))


def _plane(points: np.ndarray) -> tuple[Column, Column]:
    """Points (n, 2) of the triangle, whose sides are 1."""
    return Column("x", points[:, 0]), Column("y", points[:, 1])
