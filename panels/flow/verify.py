"""The section *Verify*: three ways to one Jacobian, side by side."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QTabWidget

from labapp.panel import Lab
from labapp.plots.curves import Curve
from labapp.plots.marks import Marks
from labapp.plots.plot import Plot
from labapp.readout import ReadoutColumn, ReadoutTable
from models.app_state import AppState
from models.flow_verify import PRECISIONS, VerifyResult
from models.similarities import SIMILARITIES
from panels.flow.rows import similarity_rows, verify_rows

LABELS = {name: entry.label for name, entry in SIMILARITIES.items()}
STYLES = {"float64": ("output", "solid"), "float32": ("gradient", "dash")}


class ErrorPlot(Plot):
    """The largest difference of the central differences from the closed form, over their step h."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab.look, x="step h of the differences", y="largest difference", log_x=True, log_y=True)
        self.legend.corner = "top left"
        self._curves = {name: Curve(self, *_line(name), name=name) for name in PRECISIONS}
        self._best = {name: Marks(self, STYLES[name][0], size=12, symbol="d") for name in PRECISIONS}

    def show_result(self, result: VerifyResult) -> None:
        for name, check in result.checks.items():
            self._curves[name].set_data(check.steps, check.errors)
            self._best[name].set_data([check.step], [check.numeric_error])


def _line(name: str) -> tuple[str, float, str]:
    meaning, style = STYLES[name]
    return meaning, 1.0, style


class VerifySection(QSplitter):
    """The errors over the step, and two tables: every number of ∂o/∂q, and every similarity of the registry."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.plot = ErrorPlot(lab)
        three = [ReadoutColumn("closed form"), ReadoutColumn("autograd"), ReadoutColumn("differences")]
        self.numbers = ReadoutTable([ReadoutColumn("∂o/∂q"), *three], lab.look, name="Jacobian in three ways")
        self.others = ReadoutTable(
            [
                ReadoutColumn("similarity"),
                ReadoutColumn("form of ∂o/∂q"),
                ReadoutColumn("‖∂o/∂q‖"),
                ReadoutColumn("autograd differs by"),
                ReadoutColumn("differences by"),
            ],
            lab.look,
            name="Every similarity",
        )
        tables = QTabWidget()
        tables.setDocumentMode(True)
        tables.addTab(self.numbers, "Every number")
        tables.addTab(self.others, "Every similarity")
        self.addWidget(self.plot)
        self.addWidget(tables)
        self.setChildrenCollapsible(False)
        self.setSizes([600, 400])

    def show_state(self, state: AppState) -> None:
        """All that is shown is computed."""

    def show_result(self, result: VerifyResult) -> None:
        self.plot.show_result(result)
        self.numbers.set_rows(verify_rows(result, result.inputs.scene))
        self.others.set_rows(similarity_rows(result, LABELS))

    def view_state(self) -> dict[str, Any]:
        return self.plot.view_state()

    def restore_view(self, view: dict[str, Any]) -> None:
        self.plot.restore_view(view)
