"""The entry under the pointer, lit in every view."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPointF

from labapp.panel import Highlight
from labapp.plots.layer import Layer
from labapp.plots.plot import Plot


class Linked(QObject):
    """Ties layers of a plot to the highlight of the lab: the first that has an entry under the pointer says it.

    The layers are those that show the dictionary's entries by number (``Marks``, ``Bars``, ``HeatMap``).
    """

    def __init__(self, highlight: Highlight, plot: Plot, *layers: Layer) -> None:
        super().__init__(plot)
        self.highlight, self.layers = highlight, layers
        self._said: int | None = None
        plot.pointed.connect(self._on_pointed)
        plot.left.connect(self._on_left)
        highlight.changed.connect(self._show)

    def _on_pointed(self, point: QPointF) -> None:
        entries = (layer.entry_at(point) for layer in self.layers if layer.visible)
        self._said = next((entry for entry in entries if entry is not None), None)
        self.highlight.show(self._said)

    def _on_left(self) -> None:
        """Take back what this plot said; the next plot may have spoken before this one hears of it."""
        if self._said is not None and self.highlight.entry == self._said:
            self.highlight.show(None)
        self._said = None

    def _show(self, entry: int | None) -> None:
        for layer in self.layers:
            layer.show_lit(entry)
