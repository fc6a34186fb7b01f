"""Shapes and cost, folded away: what this lookup is made of, and what one of another size would cost."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from labapp.controls import IntegerControl
from labapp.named_table import Column, NamedTable
from labapp.numbers import format_number
from labapp.panel import Lab
from models.app_state import AppState
from models.cost import LookupCost, ParameterCounts, lookup_cost, parameter_counts
from models.scene import Scene

SIZES = ("queries", "entries", "key_size", "value_size")


class Cost(QWidget):
    """Opened by its heading. Closed, it computes nothing."""

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._state: AppState | None = None
        self._heading = QToolButton()
        self._heading.setText("Shapes and cost")
        self._heading.setCheckable(True)
        self._heading.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._heading.setArrowType(Qt.ArrowType.RightArrow)
        self._heading.setAutoRaise(True)
        self._heading.toggled.connect(self._on_toggled)
        self._body = QWidget()
        self._body.hide()
        self._here, self._there = (_text() for _ in range(2))
        self._sizes = [IntegerControl(lab, f"lookup.sizes.{name}", AppState) for name in SIZES]
        form = QFormLayout(self._body)
        form.addRow("This lookup", self._here)
        for control in self._sizes:
            form.addRow(control)
        form.addRow("At these sizes", self._there)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._heading)
        column.addWidget(self._body)

    def show_state(self, state: AppState) -> None:
        self._state = state
        if self.is_open:
            self._show(state)

    @property
    def is_open(self) -> bool:
        return not self._body.isHidden()

    def _show(self, state: AppState) -> None:
        for control in self._sizes:
            control.show_state(state)
        for label, sizes in zip((self._here, self._there), here_and_there(state), strict=True):
            label.setText(cost_text(*sizes, state.scene))

    def _on_toggled(self, opened: bool) -> None:
        self._heading.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)
        self._body.setVisible(opened)
        if opened and self._state is not None:
            self._show(self._state)


def here_and_there(state: AppState) -> tuple[tuple[int, int, int, int], tuple[int, int, int, int]]:
    """n, m, d_k and d_v of this lookup, and those typed in."""
    scene, sizes = state.scene, state.lookup.sizes
    n = 1 if scene.queries is None else len(scene.queries)
    here = (n, *scene.keys.shape, scene.values.shape[1])
    return here, (sizes.queries, sizes.entries, sizes.key_size, sizes.value_size)


def cost_of(n: int, m: int, d_k: int, d_v: int, scene: Scene) -> tuple[LookupCost, ParameterCounts]:
    hidden = len(scene.similarity.out_weights)
    cost = lookup_cost(n, m, d_k, d_v, similarity=scene.similarity.name, hidden=hidden)
    return cost, parameter_counts(d_k, d_v, m)


def cost_table(state: AppState) -> NamedTable:
    """A row for this lookup and one for the sizes typed in."""
    both = here_and_there(state)
    costs = [cost_of(*sizes, state.scene) for sizes in both]
    named = zip(
        ("queries n", "entries m", "numbers in a key d_k", "numbers in a value d_v"),
        zip(*both, strict=True),
        strict=True,
    )
    return NamedTable(
        "Shapes and cost",
        (
            Column("lookup", ("this one", "at the sizes typed in")),
            *(Column(title, numbers) for title, numbers in named),
            Column("multiply-adds", [cost.multiply_adds_scores + cost.multiply_adds_output for cost, _ in costs]),
            Column("exponentials", [cost.exponentials for cost, _ in costs]),
            Column("scores", [cost.score_matrix_bytes for cost, _ in costs], "bytes"),
            Column("parameters, bilinear", [layers.bilinear_parameters for _, layers in costs]),
            Column("parameters, dense", [layers.dense_parameters_with_bias for _, layers in costs]),
            Column("parameters, dense, for each entry more", [layers.dense_growth_per_pair for _, layers in costs]),
        ),
    )


def cost_text(n: int, m: int, d_k: int, d_v: int, scene: Scene) -> str:
    """Shapes, operations and memory of a lookup, and the parameters of two layers that could learn it."""
    cost, layers = cost_of(n, m, d_k, d_v, scene)
    number = format_number
    return (
        f"Q {n}×{d_k}, K {m}×{d_k}, V {m}×{d_v}, scores and weights {n}×{m}, output {n}×{d_v}\n"
        f"{number(cost.multiply_adds_scores + cost.multiply_adds_output)} multiply-adds, "
        f"{number(cost.exponentials)} exponentials, {number(cost.score_matrix_bytes)} bytes of scores\n"
        f"A bilinear lookup learns {number(layers.bilinear_parameters)} numbers, however many entries there are; "
        f"a dense layer over all pairs {number(layers.dense_parameters_with_bias)}, "
        f"{number(layers.dense_growth_per_pair)} more for each entry."
    )


def _text() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
