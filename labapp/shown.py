"""The numbers that a widget shows: its read-out tables, and the named curves and marks of its pictures."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from labapp.named_table import NamedTable
from labapp.plots.curves import Curve
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.readout import ReadoutTable


def shown_tables(widget: QWidget) -> list[NamedTable]:
    """Tables first, then curves and marks; what is on a page that isn't open is left out."""
    tables = [each.named() for each in widget.findChildren(ReadoutTable) if each.isVisibleTo(widget)]
    plots = [plot for plot in widget.findChildren(Plot) if plot.isVisibleTo(widget)]
    drawn = [table for plot in plots for table in _drawn(plot)]
    return [table for table in (*tables, *drawn) if table.rows]


def _drawn(plot: Plot) -> Iterator[NamedTable]:
    columns = ((plot.x_axis.labelText, ""), (plot.y_axis.labelText, ""))
    for layer in plot.layers:
        if isinstance(layer, Curve | Marks) and layer.visible and layer.name:
            x, y = layer.data
            kind = "curve" if isinstance(layer, Curve) else "marks"
            yield NamedTable(f"{kind}: {layer.name}", columns, tuple(zip(x.tolist(), y.tolist(), strict=True)))
