"""The one place that chooses device and dtype, and that falls back to the CPU when a device fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from models.errors import LabError
from models.lazy import load, torch

if TYPE_CHECKING:
    from torch import Tensor

T = TypeVar("T")

DEVICES = ("auto", "cpu", "cuda", "mps", "xpu")
PREFERRED = ("cuda", "mps", "xpu", "cpu")


@dataclass(frozen=True)
class Place:
    """Where a computation runs: a device type and the widest float dtype that it has ("float64" or "float32")."""

    device: str
    dtype: str

    def tensor(self, values: Any) -> Tensor:
        """Numbers as a tensor here. Cast before the move: a device without float64 refuses the array as it comes."""
        import numpy as np

        array = np.array(values, dtype=self.dtype)
        return torch.as_tensor(array).to(self.device)

    def mask(self, values: Any) -> Tensor:
        """Truth values as a boolean tensor here."""
        import numpy as np

        return torch.as_tensor(np.array(values, dtype=bool)).to(self.device)


CPU = Place("cpu", "float64")


class Backend:
    """Runs computations on the chosen device; on a device fault it goes on with the CPU and keeps the reason.

    ``notice`` is the sentence for the status bar, empty while all is well.
    """

    def __init__(self, device: str = "auto") -> None:
        if device not in DEVICES:
            raise LabError(f"There is no device named {device!r}; choose one of {', '.join(DEVICES)}.")
        self.asked = device
        self.notice = ""
        self._place: Place | None = None

    @property
    def place(self) -> Place:
        """The device in use; the first call probes it with a small checked computation."""
        if self._place is None:
            self._place = self._choose()
        return self._place

    def run(self, compute: Callable[[Place], T]) -> T:
        """``compute(place)`` on the device in use, and once more on the CPU if the device fails."""
        place = self.place
        if place == CPU:
            return compute(place)
        try:
            return compute(place)
        except (RuntimeError, NotImplementedError, TypeError) as fault:
            self._fall_back(place.device, fault)
            return compute(CPU)

    def _choose(self) -> Place:
        wanted = PREFERRED if self.asked == "auto" else (self.asked,)
        for device in wanted:
            if device == "cpu":
                return CPU
            if not _is_offered(device):
                continue
            try:
                return _probe(device)
            except (RuntimeError, NotImplementedError, TypeError) as fault:
                self._fall_back(device, fault)
        if self.asked not in ("auto", "cpu") and not self.notice:
            self.notice = f"This machine has no {self.asked} device that torch can use; the lab computes on the CPU."
        return CPU

    def _fall_back(self, device: str, fault: Exception) -> None:
        reason = str(fault).strip().splitlines()[0] if str(fault).strip() else type(fault).__name__
        self.notice = f"The {device} device failed ({reason}); the lab goes on with the CPU."
        self._place = CPU


def _is_offered(device: str) -> bool:
    if device == "mps":
        return bool(torch.backends.mps.is_available())
    module = getattr(torch, device, None)
    return module is not None and bool(module.is_available())


def _probe(device: str) -> Place:
    """A small real computation, checked: "available" is not yet "usable" (a card too old or too new for the build)."""
    for dtype in ("float64", "float32") if device != "mps" else ("float32",):
        place = Place(device, dtype)
        try:
            square = place.tensor([[1.0, 2.0], [3.0, 4.0]])
            if (square @ square).cpu().tolist() != [[7.0, 10.0], [15.0, 22.0]]:
                raise RuntimeError("a small matrix product came out wrong")
            return place
        except (RuntimeError, TypeError):
            if dtype == "float32":
                raise
    raise RuntimeError("no floating point type works")


def warm_up(device: str, job: Any) -> str:
    """Load torch, probe the device and run one operation of each kind; gives device and dtype in words."""
    load()
    # One core stays free for the window: with all of them in use, tiny computations take ten times as long.
    torch.set_num_threads(max(1, (os.cpu_count() or 1) - 1))
    place = job.backend.place
    torch.softmax(place.tensor([[1.0, 2.0]]), -1) @ place.tensor([[1.0], [2.0]])
    return f"{_device_name(place.device)} · {place.dtype}"


def _device_name(device: str) -> str:
    return str(torch.cuda.get_device_name()) if device == "cuda" else device.upper()
