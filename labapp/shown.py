"""The numbers that a widget shows in its read-out tables."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from labapp.named_table import Table
from labapp.readout import ReadoutTable


def shown_tables(widget: QWidget) -> list[Table]:
    """What is on a page that isn't open is left out, and so are tables without rows."""
    shown = [each.named() for each in widget.findChildren(ReadoutTable) if each.isVisibleTo(widget)]
    return [table for table in shown if table.columns and len(table.columns[0].cells)]
