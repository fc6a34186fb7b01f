"""What the kernel regression shows: data, kernel, bandwidth, the query asked, and which section is open."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from models.arrays import Array
from models.errors import LabError
from models.kernels import KERNELS
from models.parameters import parameter
from models.regression_data import SCENE, DataSet
from models.scene import Scene

SECTIONS = ("fit", "errors", "spread", "kernels", "metric")
MOST_PINS = 4


@dataclass(frozen=True)
class FitPin:
    """A setting kept for comparison: its curve is drawn beside the present one."""

    bandwidth: float
    kernel: str = "gaussian"


@dataclass(frozen=True)
class Learning:
    """Gradient descent on log σ: from where, on which error, how fast, how long."""

    objective: str = parameter("leave_one_out", label="Learn by", choices=("leave_one_out", "training"))
    start: float = parameter(1.0, label="Start σ₀", minimum=1e-300, maximum=1e300, log=True)
    rate: float = parameter(0.5, label="Learning rate", symbol="η", minimum=0.01, maximum=5.0, log=True)
    steps: int = parameter(50, label="Steps", minimum=5, maximum=500, log=True)


@dataclass(frozen=True)
class Metric:
    """The experiment with five inputs of which the first alone matters, and how far its learning was played."""

    size: str = parameter("200", label="Points", symbol="n", choices=("200", "1000"))
    seed: int = parameter(0, label="Seed", minimum=0, maximum=9999)
    step: int = parameter(0, label="Step", minimum=0, maximum=1500)


@dataclass(frozen=True)
class RegressionState:
    """The kernel regression panel.

    ``section`` is the open tab. It is part of the document and not of the view, because it decides what is computed:
    only the open section is, and a lesson or a session opens at the section that it is about.
    """

    data: DataSet = field(default_factory=DataSet)
    source: str = parameter("own", label="Data from", choices=("own", SCENE))
    kernel: str = parameter("gaussian", label="Kernel", choices=lambda: KERNELS)
    bandwidth: float = parameter(
        0.5,
        label="Bandwidth",
        symbol="σ",
        minimum=1e-300,
        maximum=1e300,
        log=True,
        help="Width of the Gaussian, or half the width of a window.",
    )
    query: float = parameter(2.5, label="Query", symbol="q")
    pins: tuple[FitPin, ...] = (FitPin(0.1), FitPin(0.5), FitPin(2.0))
    beyond: bool = parameter(False, label="Beyond the data", help="Ask far outside the range of the data too.")
    naive: bool = parameter(
        False,
        label="Naive quotient in single precision",
        help="The sum of weight × y over the sum of weights, as it is.",
    )
    section: str = parameter("fit", label="Section", choices=SECTIONS)
    learning: Learning = Learning()
    redraw_seed: int = parameter(0, label="Seed of the redraws", minimum=0, maximum=9999)
    metric: Metric = Metric()


def scene_data(scene: Scene) -> DataSet:
    """The explorer's dictionary as data: its keys, and the first column of its values."""
    size = scene.keys.shape[1]
    if size != 1:
        raise LabError(
            f"Kernel regression here needs keys of one number; those of this scene have {size}. "
            "Choose another scene, or data of the panel's own."
        )
    x, y = scene.keys.values[:, 0], scene.values.values[:, 0]
    if scene.mask_row is not None:
        allowed = np.asarray(scene.mask_row.values, dtype=bool)
        x, y = x[allowed], y[allowed]
    if not len(x):
        raise LabError("Every entry of the scene is masked, so there is no data. Unmask one.")
    return DataSet(
        SCENE, len(x), x=Array(x), y=Array(y), x_column=scene.key_columns[0], y_column=scene.value_columns[0]
    )


def data_of(state: RegressionState, scene: Scene) -> DataSet:
    """The data that the panel is about."""
    return scene_data(scene) if state.source == SCENE else state.data
