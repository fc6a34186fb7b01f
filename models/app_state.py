"""The whole document: one scene that every panel may follow, and one state for each panel."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.arrays import Array
from models.errors import LabError
from models.explorer_state import ExplorerState
from models.flow_state import FlowState
from models.regression_state import RegressionState
from models.scene import Column, Scene
from models.temperature_state import TemperatureState


def _empty_scene() -> Scene:
    """One entry, so that a state is never without a dictionary."""
    one = Array([[0.0]])
    return Scene("own", "My own table", one, one, ("entry 1",), (Column("key"),), (Column("value"),), Array([0.0]))


@dataclass(frozen=True)
class AppState:
    scene: Scene = field(default_factory=_empty_scene)
    lookup: ExplorerState = ExplorerState()
    temperature: TemperatureState = field(default_factory=TemperatureState)
    regression: RegressionState = field(default_factory=RegressionState)
    flow: FlowState = field(default_factory=FlowState)

    def __post_init__(self) -> None:
        way, d_k = self.lookup.sweep.start.shape, self.scene.keys.shape[1]
        if way != (d_k,):
            raise LabError(f"The way of the query needs points of {d_k} numbers; what came has the shape {way}.")
