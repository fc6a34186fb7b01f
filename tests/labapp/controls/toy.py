"""A small state with one field of each kind, and a lab around a real store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from labapp.look import Look
from labapp.panel import Highlight, Lab
from labapp.store import Store


def declared(default: Any, **metadata: Any) -> Any:
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    tau: float = declared(1.0, label="Temperature", symbol="τ", minimum=1e-3, maximum=1e3, log=True, help="Divides.")
    size: float = declared(70.0, label="Size", symbol="q", unit="m²", minimum=0.0, maximum=120.0)
    free: float = declared(0.0, label="Target")
    width: float | None = declared(None, label="Bandwidth", minimum=0.01, maximum=10.0, log=True)
    seed: int = declared(3, label="Seed", minimum=0, maximum=10**9)
    kind: str = declared("dot", label="Similarity", choices=("dot", "squared_distance"))
    on: bool = declared(True, label="Show the staircase")
    name: str = declared("Mine", label="Name")


@dataclass(frozen=True)
class State:
    settings: Settings = Settings(tau=2.0)
    count: int = 0


class Bench:
    """A store and the lab that controls see."""

    def __init__(self) -> None:
        self.store = Store(State())
        self.said: list[str] = []
        self.look = Look(theme="light")
        self.lab = Lab(self.store.dispatch, self.store.take_back, self.look, Highlight(), self.said.append)

    @property
    def settings(self) -> Settings:
        return self.store.state.settings  # type: ignore[no-any-return]

    def follow(self, control: Any) -> Any:
        control.show_state(self.store.state)
        self.store.changed.connect(control.show_state)
        return control


def turn_wheel(widget: QWidget, notches: int = -1) -> None:
    """The wheel over the middle of a widget that is shown, as the window system sends it."""
    window = widget.window()
    where = widget.mapTo(window, widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), where, QPoint(0, 120 * notches))
    QApplication.processEvents()


def show_unfocused(widget: QWidget) -> None:
    widget.show()
    QApplication.processEvents()
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
