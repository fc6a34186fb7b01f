from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.plots.plot import Plot
from labapp.store import Store


@dataclass(frozen=True)
class State:
    """The smallest document: where one point is."""

    x: float = 70.0
    y: float = 1500.0


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    look = Look("light")
    yield look
    look.set_present(False)
    look.set_text_scale(1.0)
    look.deleteLater()


@pytest.fixture
def store(qapp: QApplication) -> Store:
    return Store(State())


@pytest.fixture
def lab(look: Look, store: Store) -> Lab:
    return Lab(store.dispatch, store.take_back, look, Highlight())


@pytest.fixture
def shown(qtbot: QtBot, look: Look) -> Callable[..., Plot]:
    """Make a plot and show it at a size."""

    def make(width: int = 600, height: int = 400, **options: object) -> Plot:
        plot = Plot(look, x="size, m²", y="rent per month", **options)  # type: ignore[arg-type]
        qtbot.addWidget(plot)
        plot.resize(width, height)
        plot.show()
        settle(plot)
        return plot

    return make


def settle(plot: Plot) -> None:
    """Let the plot lay itself out and paint."""
    QApplication.processEvents()
    plot.grab()


def pixel(plot: Plot, x: float, y: float) -> QPoint:
    """Where data are drawn, in pixels of the viewport."""
    px, py = plot.to_pixels(*plot.to_view(x, y))
    at = plot.view.mapToScene(float(px), float(py))
    return plot.mapFromScene(at)
