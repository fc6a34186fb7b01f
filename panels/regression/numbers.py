"""The numbers of each section of the kernel regression with every digit, as tables and a map."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from labapp.named_table import Column, NamedMap, NamedTable, Table
from labapp.numbers import format_number
from models.kernels import KERNELS
from models.learned_metric import DIMENSIONS
from models.metric_lesson import MetricResult
from models.regression_data import DataSet
from models.regression_errors import ErrorsResult
from models.regression_fit import FitResult
from models.regression_kernels import KernelsResult
from models.regression_panel import Result
from models.regression_spread import SpreadResult
from panels.regression.words import CURVE_NAMES

MOST_POINTS = 1_000_000
"""More points are not written: they come from a recipe, and are seen as a density."""
RIVALS = {"isotropic": "one σ", "learned": "learned", "oracle": "oracle"}


def numbers_of(result: Result) -> list[Table]:
    """All that the section of a result shows, but for the read-out beside it."""
    writers: dict[type, Callable[[Any], Iterator[Table]]] = {
        FitResult: fit_tables,
        ErrorsResult: error_tables,
        SpreadResult: spread_tables,
        KernelsResult: kernel_tables,
        MetricResult: metric_tables,
    }
    return list(writers[type(result)](result))


def fit_tables(result: FitResult) -> Iterator[Table]:
    asked, question = result.asked, result.question
    data = question.data
    if len(result.x) <= MOST_POINTS:
        weights = () if asked.weights is None else (Column("weight for the query", asked.weights),)
        yield NamedTable("Points", (x_column(data, result.x), y_column(data, result.y), *weights))
    yield curves_table(result)
    query = (
        x_column(data, [question.query], "query"),
        x_column(data, [question.bandwidth], "bandwidth σ"),
        y_column(data, [asked.estimate], "estimate"),
        Column("n_eff", [asked.effective_number]),
    )
    yield NamedTable("Query", query)
    if not np.isnan(result.breaks_at):
        yield NamedTable("The naive quotient is 0/0", (x_column(data, [result.breaks_at], "from the query"),))
    yield NamedTable("Kernel at the query", (x_column(data, asked.window_x), Column("kernel", asked.window)))
    if result.map is not None:
        down, across = x_column(data, result.map.queries, "query"), x_column(data, result.x[result.map.order], "key")
        yield NamedMap("Attention map", down, across, result.map.weights)


def curves_table(result: FitResult) -> NamedTable:
    """Over the queries: estimate, n_eff, truth, pins, and the naive quotient where it is drawn."""
    data = result.question.data
    columns = [
        x_column(data, result.queries, "query"),
        y_column(data, result.estimate.y, "estimate"),
        Column("n_eff", result.estimate.effective_number),
    ]
    others = {"truth": result.truth, "naive quotient, single precision": result.naive}
    columns += [y_column(data, curve, name) for name, curve in others.items() if curve is not None]
    for pin, curve in zip(result.question.pins, result.pins, strict=True):
        label = f"pinned: σ = {format_number(pin.bandwidth)}, {KERNELS[pin.kernel].label.lower()}"
        columns.append(y_column(data, curve, label))
    return NamedTable("Curves", tuple(columns))


def error_tables(result: ErrorsResult) -> Iterator[Table]:
    data = result.question.data
    curves = [
        column
        for curve in result.curves
        for column in (Column(CURVE_NAMES[curve.name], curve.errors), _undefined(curve.name, curve.undefined))
    ]
    yield NamedTable("Error over the bandwidth", (x_column(data, result.widths, "bandwidth σ"), *curves))
    yield NamedTable(
        "Best bandwidths",
        (
            Column("error", [CURVE_NAMES[curve.name] for curve in result.curves]),
            x_column(data, [curve.best for curve in result.curves], "bandwidth σ"),
            Column("mean squared error", [curve.best_error for curve in result.curves]),
            Column("at the end of the range", ["yes" if curve.at_edge else "no" for curve in result.curves]),
        ),
    )
    path = result.path
    columns = x_column(data, path.widths, "bandwidth σ"), Column("mean squared error", path.errors)
    yield NamedTable("Gradient descent", (Column("step", np.arange(len(path.widths))), *columns))


def _undefined(name: str, counts: np.ndarray) -> Column:
    return Column(f"rows without one: {CURVE_NAMES[name]}", counts)


def spread_tables(result: SpreadResult) -> Iterator[Table]:
    data = result.question.data
    columns = [
        x_column(data, result.queries, "query"),
        y_column(data, result.estimate.y, "estimate"),
        Column("n_eff", result.estimate.effective_number),
        y_column(data, result.predicted, "predicted standard deviation"),
    ]
    others = {"measured standard deviation": result.measured, "truth": result.truth}
    columns += [y_column(data, curve, name) for name, curve in others.items() if curve is not None]
    yield NamedTable("Spread", tuple(columns))
    source = Column("known from", ["the recipe" if result.is_known else "leave-one-out"])
    yield NamedTable("Noise", (y_column(data, [result.noise], "standard deviation s"), source))


def kernel_tables(result: KernelsResult) -> Iterator[Table]:
    data, curves = result.question.data, result.curves
    labels = [KERNELS[curve.kernel].label for curve in curves]
    error = "error against the truth" if result.against_truth else "leave-one-out error"
    columns = [Column(f"{error}: {label}", curve.errors) for label, curve in zip(labels, curves, strict=True)]
    yield NamedTable("Error over the bandwidth", (x_column(data, result.widths, "bandwidth σ"), *columns))
    yield NamedTable(
        "Best of the widths",
        (
            Column("kernel", labels),
            x_column(data, [curve.best for curve in curves], "bandwidth σ"),
            Column(error, [curve.best_error for curve in curves]),
            Column("range of the error", [curve.range for curve in curves]),
        ),
    )


def metric_tables(result: MetricResult) -> Iterator[Table]:
    inputs = [f"x{k + 1}" for k in range(DIMENSIONS)]
    fits = {name: getattr(result, field) for field, name in RIVALS.items()}
    scales = (Column(name, np.abs(fit.scales)) for name, fit in fits.items())
    yield NamedTable("Scales w = 1/σ", (Column("input", inputs), *scales))
    yield NamedTable(
        "Errors",
        (
            Column("metric", list(fits)),
            Column("leave-one-out error", [fit.leave_one_out for fit in fits.values()]),
            Column("test error", [fit.test for fit in fits.values()]),
        ),
    )
    path = (Column(f"scale of {name}", result.path[:, k]) for k, name in enumerate(inputs))
    columns = Column("step", np.arange(len(result.path))), Column("leave-one-out error", result.errors)
    yield NamedTable("Learning", (*columns, *path))


def x_column(data: DataSet, cells: Any, title: str = "") -> Column:
    """A quantity along x; a date is in days, as its unit says."""
    return Column(title or data.x_column.name, cells, data.x_column.unit)


def y_column(data: DataSet, cells: Any, title: str = "") -> Column:
    return Column(title or data.y_column.name, cells, data.y_column.unit)
