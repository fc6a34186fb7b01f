"""The kernel regression's widget: data, formula, sections behind tabs, controls, read-out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QVBoxLayout, QWidget

from labapp.controls import ControlColumn, IntegerControl
from labapp.formula import FormulaView
from labapp.named_table import Table
from labapp.panel import Lab, Panel
from labapp.readout import ReadoutColumn, ReadoutTable, SentenceLabel
from labapp.shown import shown_tables
from models.app_state import AppState
from models.regression_panel import Result
from panels.regression.controls import (
    BandwidthControl,
    MapOptions,
    Play,
    RecipeControls,
    fit_controls,
    kernel_choice,
    learning_controls,
    metric_controls,
)
from panels.regression.numbers import numbers_of
from panels.regression.script import regression_script
from panels.regression.sections import make_sections, section_of
from panels.regression.toolbar import Toolbar
from panels.regression.updates import range_of, show_section
from panels.regression.words import formula_plain, formula_tex, numbers_line, sentence, summary_rows

SHARES = {
    (Qt.Orientation.Horizontal, Qt.Orientation.Vertical): ([70, 30], [60, 40]),
    (Qt.Orientation.Vertical, Qt.Orientation.Horizontal): ([72, 28], [58, 42]),
    (Qt.Orientation.Vertical, Qt.Orientation.Vertical): ([66, 34], [60, 40]),
}
"""Per cent of the room for the picture and for what is beside or below it, and there for controls and read-out."""
FEW = ([82, 18], [100, 0])
"""The same where a high panel shows a section with few controls and no read-out."""
SETTING = ("bandwidth", "kernel", "play", "own", "recipe")
SHOWN = {
    "fit": SETTING,
    "errors": ("bandwidth", "kernel", "own", "recipe"),
    "spread": SETTING,
    "kernels": ("recipe",),
    "metric": ("own",),
}
"""The common controls that a section has."""


class RegressionPanel(Panel):
    """Sections with controls and read-out on the right, or where the panel is narrow at the bottom."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self._state: AppState | None = None
        self._result: Result | None = None
        self._arranged: object = None
        self._moved = False
        self.toolbar = Toolbar(lab)
        self.formula = FormulaView(lab.look)
        self.sections = make_sections(lab)
        self.common: dict[str, QWidget] = {
            "bandwidth": BandwidthControl(lab),
            "kernel": kernel_choice(lab),
            "play": Play(lab),
        }
        self.own: dict[str, list[QWidget]] = {}
        self.recipe = RecipeControls(lab)
        self.common |= {"own": QWidget(), "recipe": self.recipe}
        QVBoxLayout(self.common["own"]).setContentsMargins(0, 0, 0, 0)
        self.column = ControlColumn([self.common[name] for name in SETTING])
        self.table = ReadoutTable(
            (ReadoutColumn("quantity"), ReadoutColumn("now")), lab.look, name="Read-out of the regression"
        )
        self.words = SentenceLabel()
        self.sections.chosen.connect(self._on_section)
        self._lay_out()

    def _lay_out(self) -> None:
        self._side, self._body = QSplitter(Qt.Orientation.Vertical), QSplitter(Qt.Orientation.Horizontal)
        self._side.addWidget(self.column)
        self._side.addWidget(self.table)
        self._body.addWidget(self.sections)
        self._body.addWidget(self._side)
        for splitter in (self._body, self._side):
            splitter.setChildrenCollapsible(False)
            splitter.splitterMoved.connect(self._on_moved)
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.setSpacing(4)
        for widget in (self.toolbar, self.formula):
            layout.addWidget(widget)
        layout.addWidget(self._body, 1)
        layout.addWidget(self.words)
        self._reserve()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(_scrolling(content))

    def show_state(self, state: AppState) -> None:
        reopened = self._state is None or self._state.regression.section != state.regression.section
        self._state = state
        section, kernel = state.regression.section, state.regression.kernel
        self.toolbar.show_state(state)
        fits = range_of(state) is not None
        self._body.setEnabled(fits)
        if not fits:
            return  # the banner says why
        self.formula.set_formula(formula_tex(section, kernel), formula_plain(section, kernel))
        self.sections.show_state(state)
        if reopened:
            self._show_controls(section)
            self._share()
        shown = [self.common[name] for name in SHOWN[section]]
        for control in (*shown, *self.own[section]):
            if hasattr(control, "show_state"):
                control.show_state(state)

    def show_result(self, result: Result) -> None:
        if self._state is not None and section_of(result) != self._state.regression.section:
            return  # the answer to a tab that was left
        self._result = result
        self.formula.set_numbers(numbers_line(result))
        self.sections.show_result(result)
        for control in self.own.get(section_of(result), ()):
            if hasattr(control, "show_result"):
                control.show_result(result)
        names, numbers = summary_rows(result)
        self.table.setVisible(bool(names))
        if names:
            self.table.set_rows([names, numbers])
        self.words.show_sentence(sentence(result))

    def sentence(self) -> str:
        return self.words.text()

    def tables(self) -> list[Table]:
        """Those of the open section; there are none while another one's result is still shown."""
        state, result = self._state, self._result
        if state is None or result is None or section_of(result) != state.regression.section:
            return []
        return [*shown_tables(self), *numbers_of(result)]

    def script(self) -> str:
        """For the result of the open section; there is none while another one's is still shown."""
        result, state = self._result, self._state
        if state is None or result is None or section_of(result) != state.regression.section or not range_of(state):
            return ""
        return regression_script(result, state)

    def open_table(self, path: Path) -> bool:
        self.toolbar.import_table(path)
        return True

    def view_state(self) -> dict[str, Any]:
        return {"zoom": self.sections.view_state()}

    def restore_view(self, view: dict[str, Any]) -> None:
        zoom = view.get("zoom")
        self.sections.restore_view(zoom if isinstance(zoom, dict) else {})

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._reserve()

    def _reserve(self) -> None:
        """Heights below which a part can't be read; and two lines of words, so that nothing moves as they change."""
        em = self.fontMetrics().lineSpacing()
        for widget, lines in ((self.sections, 16), (self.column, 5), (self.table, 5), (self.words, 2)):
            widget.setMinimumHeight(lines * em)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        em = self.fontMetrics().height()
        wide = self.width() > 46 * em and self.width() > 1.05 * self.height()
        beside = not wide and self.width() > 27 * em
        body = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        side = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._arranged != (body, side):
            self._arranged, self._moved = (body, side), False
            self._body.setOrientation(body)
            self._side.setOrientation(side)
        self._share()

    def _share(self) -> None:
        """Share the room out anew, until the user has moved a border of this arrangement."""
        body, side = self._body.orientation(), self._side.orientation()
        few = self._state is not None and self._state.regression.section in ("kernels", "metric")
        shares = FEW if few and body == Qt.Orientation.Vertical else SHARES.get((body, side))
        if not self._moved and shares is not None:
            for splitter, parts in zip((self._body, self._side), shares, strict=True):
                splitter.setSizes([1000 * part for part in parts])

    def _on_moved(self) -> None:
        self._moved = True

    def _on_section(self, section: str) -> None:
        self.lab.dispatch(lambda state: show_section(state, section), "Open section")

    def _show_controls(self, section: str) -> None:
        """The controls of the section; those of its own are made when it is first opened."""
        if section not in self.own:
            self.own[section] = self._make_own(section)
            for control in self.own[section]:
                self.common["own"].layout().addWidget(control)
        for name, control in self.common.items():
            control.setVisible(name in SHOWN[section])
        for name, controls in self.own.items():
            for control in controls:
                control.setVisible(name == section)

    def _make_own(self, section: str) -> list[QWidget]:
        if section == "fit":
            options, fit = MapOptions(), self.sections.widget_of("fit")
            options.map_toggled.connect(fit.show_map)
            options.relative_toggled.connect(fit.map.show_relative)
            return [*fit_controls(self.lab), options]
        if section == "errors":
            return learning_controls(self.lab)
        if section == "metric":
            return metric_controls(self.lab)
        if section == "spread":
            return [IntegerControl(self.lab, "regression.redraw_seed", AppState)]
        return []


def _scrolling(content: QWidget) -> QScrollArea:
    """With large text all of it may need more room than there is: then it scrolls, nothing is clipped.

    The splitter between hides that some of it could be taller: the area would grant that, and always scroll.
    """
    holder = QSplitter()
    holder.addWidget(content)
    scroll = QScrollArea()
    scroll.setWidget(holder)
    scroll.setWidgetResizable(True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return scroll
