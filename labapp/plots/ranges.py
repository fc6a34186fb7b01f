"""What range a plot shows: its data until the user zooms, and then what the user chose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from labapp.plots.data import Range, joined, padded

if TYPE_CHECKING:
    from labapp.plots.plot import Plot


class Ranges:
    """The range policy of a plot.

    ``fit`` is a function of the data alone, so calling it again changes nothing. Before a picture the range follows new
    data only where they leave it or fill less than half of it, and never during a drag.
    """

    def __init__(self, plot: Plot) -> None:
        self.plot = plot
        self.due = True
        """Whether there are new data to look at before the next picture."""
        self._home: list[Range | None] = [None, None]
        self._follows = True
        self._had_data = False

    def set_home(self, x: Range | None, y: Range | None) -> None:
        home: list[Range | None] = [x, y]
        if home != self._home:
            self._home = home
            self.due = True
            if self._follows and not self.plot.is_dragging:
                self.fit()

    def fit(self) -> None:
        self._show(self._wanted())

    def reset(self) -> None:
        self._follows = True
        self.fit()

    def on_user_range(self, _: Any = None) -> None:
        self._follows = False

    def before_paint(self) -> None:
        if self.due and self._follows and not self.plot.is_dragging:
            self._show(
                now if home is None and self._had_data and _still_good(now, wanted) else wanted
                for now, wanted, home in zip(self.plot.view.targetRange(), self._wanted(), self._home, strict=True)
            )
            self.plot.view.prepareForPaint()

    def state(self) -> dict[str, Any]:
        if self._follows:
            return {}
        (x0, x1), (y0, y1) = self.plot.view.viewRange()
        return {"x": [x0, x1], "y": [y0, y1]}

    def restore(self, view: dict[str, Any]) -> None:
        x, y = view.get("x"), view.get("y")
        if not (_is_range(x) and _is_range(y)):
            self.reset()
            return
        self._follows = False
        self.plot.view.setRange(xRange=x, yRange=y, padding=0)

    def _wanted(self) -> list[Range]:
        axes = self.plot.x_axis, self.plot.y_axis
        extents = [layer.extent() for layer in self.plot.layers if layer.counts and layer.visible]
        return [
            padded(joined([extent[which] for extent in extents]))
            if home is None
            else (axes[which].to_view(home[0]), axes[which].to_view(home[1]))
            for which, home in enumerate(self._home)
        ]

    def _show(self, ranges: Iterable[Range]) -> None:
        x, y = ranges
        self.plot.view.setRange(xRange=x, yRange=y, padding=0)
        self.due = False
        self._had_data = any(any(layer.extent()) for layer in self.plot.layers if layer.counts and layer.visible)


def _still_good(now: Sequence[float], wanted: Range) -> bool:
    """The present range holds the wanted one, and isn't twice as wide."""
    slack = 0.03 * (wanted[1] - wanted[0])
    inside = now[0] <= wanted[0] + slack and wanted[1] - slack <= now[1]
    return inside and now[1] - now[0] <= 2 * (wanted[1] - wanted[0])


def _is_range(value: Any) -> bool:
    """Two finite numbers in order, as JSON may or may not hold them."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    if not all(isinstance(end, int | float) and math.isfinite(end) for end in value):
        return False
    return bool(value[0] < value[1])
