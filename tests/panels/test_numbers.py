"""The numbers that the panels give away: every section has its own, and they are those of the result, to the bit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from labapp.host import PanelHost
from labapp.look import Look
from labapp.named_table import NamedMap, NamedTable, PanelNumbers, to_csv
from labapp.render import Picture, open_window
from labapp.session.sessions import numbers_file
from labapp.window import LabWindow
from main import make_parts

EXPECTED = {
    "temperature": [
        {"Weights and their limits"},
        {"Entropy over the temperature"},
        {"Path of the temperature", "Point in the plane", "Line of entropy 0.5 nats"},
        {"Smooth maximum", "Softmax and dividing by the sum", "Reasons"},
        {"Three weightings", "Entries with weight"},
        {"∂a/∂s", "Signal over the temperature"},
        {"Draws"},
    ],
    "regression": [
        {"Points", "Curves", "Query", "Kernel at the query", "Attention map"},
        {"Error over the bandwidth", "Best bandwidths", "Gradient descent"},
        {"Spread", "Noise"},
        {"Error over the bandwidth", "Best of the widths"},
        {"Scales w = 1/σ", "Errors", "Learning"},
    ],
    "flow": [
        {"Signal", "∂o/∂q", "Singular values of ∂o/∂q", "Sizes"},
        {"Descent", "Target"},
        {"Saturation"},
        {"∂o/∂q, closed, float64", "Error of the differences, float32", "Differences from the closed form"},
        {"Paths"},
        {"Patterns", "Recall", "Weights of the recall", "Fixed points"},
    ],
}
"""Tables that each section has, whatever the scene."""


def opened(look: Look, qtbot: QtBot, scene: str) -> LabWindow:
    window = open_window(make_parts(), look, Picture(scene), "cpu")
    qtbot.addWidget(window)
    window.filing.ask = lambda *question: QMessageBox.StandardButton.Discard  # type: ignore[method-assign]
    window.show()
    window.warm_up()
    window.docks.arrange()
    qtbot.wait(10)
    return window


@pytest.fixture
def window(look: Look, qtbot: QtBot, request: pytest.FixtureRequest) -> LabWindow:
    return opened(look, qtbot, getattr(request, "param", "rents"))


def host_of(window: LabWindow, name: str, qtbot: QtBot) -> PanelHost:
    window.docks.go_to(name)
    qtbot.wait(10)
    return next(host for host in window.hosts if host.spec.id == name)


def sections(host: PanelHost, qtbot: QtBot) -> Iterator[int]:
    """Open one section after the other."""
    tabs = host.panel.pictures if host.spec.id == "temperature" else host.panel.sections  # type: ignore[attr-defined]
    for number in range(tabs.count()):
        tabs.setCurrentIndex(number)
        qtbot.wait(5)
        yield number


def sound(numbers: PanelNumbers) -> dict[str, Any]:
    """The tables by name, each once, whole, and good for both kinds of file."""
    tables = {table.name: table for table in numbers.tables}
    assert len(tables) == len(numbers.tables)
    for table in numbers.tables:
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert all(column.title for column in table.columns)
    assert to_csv(numbers.tables)
    assert len(numbers_file([numbers]))
    return tables


@pytest.mark.parametrize("window", ["tokens"], indirect=True)
def test_every_section_has_the_numbers_that_it_shows(window: LabWindow, qtbot: QtBot) -> None:
    assert {"Query", "Answers", "Weights", "Measures", "Attention map"} <= sound(
        host_of(window, "lookup", qtbot).numbers()
    ).keys()
    for name, expected in EXPECTED.items():
        host = host_of(window, name, qtbot)
        for number in sections(host, qtbot):
            assert host.has_result
            assert expected[number] <= sound(host.numbers()).keys(), (name, number)


def table(host: PanelHost, name: str) -> NamedTable | NamedMap:
    return next(table for table in host.numbers().tables if table.name == name)


def cells(host: PanelHost, name: str, title: str) -> Any:
    return next(column.cells for column in table(host, name).columns if column.title == title)


def same(found: Any, expected: Any) -> bool:
    return bool(np.array_equal(np.asarray(found), np.asarray(expected), equal_nan=True))


def test_the_explorer_gives_its_map_and_curves(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "lookup", qtbot)
    result = host.panel._result  # type: ignore[attr-defined]
    drawn = table(host, "Attention map")
    assert isinstance(drawn, NamedMap)
    assert same(drawn.values, result.map.weights)
    assert (drawn.down.header, list(drawn.across.cells)) == ("query: size, m²", list(result.inputs[0].entries))
    assert same(cells(host, "Curve: soft", "answer: rent"), result.curve.soft[:, 0])
    assert same(cells(host, "Weights", "weight, soft"), result.soft.weights)
    assert not any(table.name == "Shapes and cost" for table in host.numbers().tables)
    host.panel.cost._heading.click()  # type: ignore[attr-defined]
    assert list(cells(host, "Shapes and cost", "entries m")) == [4, 1024]
    host.panel.pictures.show_map(False)  # type: ignore[attr-defined]
    assert not any(table.name == "Attention map" for table in host.numbers().tables)


def test_entropies_are_in_the_unit_that_is_shown(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "temperature", qtbot)
    next(section for section in sections(host, qtbot) if section == 1)
    result = host.panel._result  # type: ignore[attr-defined]
    name = "Entropy over the temperature"
    assert same(cells(host, name, "entropy H"), result.curves.entropy)
    assert table(host, name).columns[1].unit == "nats"


def test_a_jacobian_has_its_rows_and_columns_named(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "temperature", qtbot)
    next(section for section in sections(host, qtbot) if section == 5)
    drawn = table(host, "∂a/∂s")
    assert isinstance(drawn, NamedMap)
    result = host.panel._result  # type: ignore[attr-defined]
    assert same(drawn.values, result.jacobian)
    assert (drawn.down.title, drawn.across.title) == ("weight of", "score of")
    assert tuple(drawn.down.cells) == result.jacobian_names


def test_the_regression_gives_its_fit_and_its_map(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "regression", qtbot)
    result = host.panel._result  # type: ignore[attr-defined]
    assert same(cells(host, "Curves", "estimate"), result.estimate.y)
    drawn = table(host, "Attention map")
    assert isinstance(drawn, NamedMap)
    assert same(drawn.values, result.map.weights)
    assert same(drawn.across.cells, np.sort(result.x))


def test_the_learned_metric_gives_scales_errors_and_the_way(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "regression", qtbot)
    list(sections(host, qtbot))
    result = host.panel._result  # type: ignore[attr-defined]
    assert same(cells(host, "Scales w = 1/σ", "oracle"), np.abs(result.oracle.scales))
    assert same(cells(host, "Errors", "test error"), [result.isotropic.test, result.learned.test, result.oracle.test])
    assert same(cells(host, "Learning", "scale of x5"), result.path[:, 4])


@pytest.mark.parametrize("window", ["tokens"], indirect=True)
def test_the_flow_gives_its_fields(window: LabWindow, qtbot: QtBot, tmp_path: Path) -> None:
    host = host_of(window, "flow", qtbot)
    next(section for section in sections(host, qtbot) if section == 1)
    result = host.panel._result  # type: ignore[attr-defined]
    drawn = table(host, "loss L over the queries")
    assert isinstance(drawn, NamedMap)
    assert same(drawn.values, result.field.losses)
    assert (same(drawn.down.cells, result.field.y), same(drawn.across.cells, result.field.x)) == (True, True)
    assert same(cells(host, "Descent", "loss L"), result.path.losses.T.ravel())
    path = tmp_path / "n.h5"
    path.write_bytes(bytes(numbers_file([host.numbers()])))
    with h5py.File(path) as file:
        assert same(file["results/flow/loss_L_over_the_queries/values"][:], result.field.losses)
        assert same(file["results/flow/Descent/loss_L"][:], result.path.losses.T.ravel())


def test_parts_of_the_jacobian_add_up_to_it(window: LabWindow, qtbot: QtBot) -> None:
    host = host_of(window, "flow", qtbot)
    host.panel.sections.setCurrentIndex(0)  # type: ignore[attr-defined]
    qtbot.wait(5)
    parts = cells(host, "Signal", "its part of ∂(rent)/∂(size)")
    assert np.isclose(parts.sum(), host.panel._result.jacobian[0, 0], rtol=1e-12)  # type: ignore[attr-defined]
