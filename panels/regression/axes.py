"""Axes of the pictures: names of the data's columns, and dates where x is one."""

from __future__ import annotations

from typing import Any

from labapp.plots.plot import Plot
from models.regression_data import DataSet
from panels.regression.words import axis_title, date_text, is_date

LEAST_DATE_STEP = 0.999
"""Ticks closer than a day stay numbers."""


def show_columns(plot: Plot, data: DataSet, y: str | None = None) -> None:
    """Name the axes after the columns (``y``: another quantity over the same x), with dates as ticks of a date."""
    plot.set_titles(axis_title(data.x_column), axis_title(data.y_column) if y is None else y)
    axis = plot.x_axis
    dated = is_date(data.x_column)
    if dated != ("tickStrings" in vars(axis)):
        if dated:
            axis.tickStrings = lambda values, scale, spacing: _ticks(plot, values, scale, spacing)  # type: ignore[method-assign]
        else:
            del axis.tickStrings
        axis.picture = None


def _ticks(plot: Plot, values: list[float], scale: float, spacing: float) -> list[str]:
    if spacing < LEAST_DATE_STEP:
        return _numbers(plot, values, scale, spacing)
    return [date_text(value) for value in values]


def _numbers(plot: Plot, *arguments: Any) -> list[str]:
    return type(plot.x_axis).tickStrings(plot.x_axis, *arguments)
