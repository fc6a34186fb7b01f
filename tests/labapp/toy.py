"""A small lab for tests of the shell: real states and scenes, panels that only take notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSettings
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QMessageBox, QVBoxLayout

from labapp.look import Look
from labapp.panel import Lab, Panel, PanelSpec
from labapp.parts import Parts
from labapp.runner import Executor, InlineExecutor
from labapp.settings import Settings
from labapp.window import LabWindow
from models.app_state import AppState
from models.arrays import Array
from models.errors import LabError

NAMES = ("one", "two", "three", "four")


class ToyBackend:
    def __init__(self, device: str = "auto") -> None:
        self.device = device
        self.notice = ""
        self.label = "cpu · toy"


class ToyPanel(Panel):
    """Keeps what it was shown; ``fault`` is raised at the next paint, ``takes_tables`` says whether it takes some."""

    def __init__(self, lab: Lab) -> None:
        super().__init__(lab)
        self.states: list[Any] = []
        self.results: list[Any] = []
        self.view: dict[str, Any] = {}
        self.taken: list[Any] = []
        self.takes_tables = False
        self.fault: Exception | None = None
        self.label = QLabel("nothing")
        QVBoxLayout(self).addWidget(self.label)
        self.setMinimumSize(120, 80)

    def show_state(self, state: Any) -> None:
        self.states.append(state)

    def show_result(self, result: Any) -> None:
        self.results.append(result)
        self.label.setText(str(result))

    def sentence(self) -> str:
        return f"The result is {self.results[-1]}."

    def open_table(self, path: Any) -> bool:
        self.taken.append(path)
        return self.takes_tables

    def view_state(self) -> dict[str, Any]:
        return self.view

    def restore_view(self, view: dict[str, Any]) -> None:
        self.view = view

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        if self.fault is not None:
            raise self.fault
        QPainter(self).drawText(10, 10, "toy")


@dataclass(frozen=True)
class ToyResult:
    temperature: float
    device: str


def temperature(state: AppState) -> tuple[Any, ...]:
    if state.scene.temperature == 13.0:
        raise LabError("13 is no temperature that this panel knows. Choose another.")
    return (state.scene.temperature,)


def compute_toy(tau: float, job: Any) -> ToyResult:
    if tau == 7.0:
        raise LabError("There is no answer at 7. Choose another temperature.")
    if tau == 8.0:
        raise ZeroDivisionError("a fault of the program")
    return ToyResult(tau, job.backend.device)


def toy_spec(name: str = "one", **changes: Any) -> PanelSpec:
    spec = PanelSpec(name, name.capitalize(), "lookup", ToyPanel, temperature, compute_toy)
    return replace(spec, **changes)


def warm_up(device: str, job: Any) -> str:
    return f"{device} · toy"


def toy_parts(*specs: PanelSpec, **changes: Any) -> Parts:
    chosen = specs or tuple(toy_spec(name) for name in NAMES)
    parts = Parts(
        AppState,
        Array,
        lambda: chosen,
        ToyBackend,
        ("auto", "cpu", "cuda"),
        warm_up,
        lambda: {"torch": "9.9"},
        "rents",
    )
    return replace(parts, **changes)


def heat(tau: float) -> Callable[[AppState], AppState]:
    """The update that sets the temperature."""
    return lambda state: replace(state, scene=replace(state.scene, temperature=tau))


class QueueExecutor:
    """Keeps work until the test runs it, on the test's own thread."""

    def __init__(self) -> None:
        self.work: list[Callable[[], None]] = []

    def submit(self, work: Callable[[], None]) -> None:
        self.work.append(work)

    def run_next(self) -> None:
        self.work.pop(0)()

    def close(self, seconds: float) -> bool:
        return not self.work


def toy_settings(path: Any) -> Settings:
    return Settings(QSettings(str(path), QSettings.Format.IniFormat))


def toy_window(
    look: Look, settings: Settings, *specs: PanelSpec, executor: Executor | None = None, **changes: Any
) -> LabWindow:
    """A window that is shown, built and warm. It is asked no questions: changes are given up."""
    window = LabWindow(look, settings)
    window.furnish(toy_parts(*specs, **changes), executor=executor or InlineExecutor())
    window.filing.ask = lambda *question: QMessageBox.StandardButton.Discard  # type: ignore[method-assign]
    window.show()
    window.build()
    window.warm_up()
    return window
