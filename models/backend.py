"""The one place that chooses device and dtype, and that goes on with the CPU when a device fails."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from models.device_faults import Fault, device_errors, log, lost, release, short_of_memory, unusable
from models.errors import LabError
from models.lazy import load, torch

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor

T = TypeVar("T")

DEVICES = ("auto", "cpu", "cuda", "mps", "xpu")
PREFERRED = ("cuda", "mps", "xpu", "cpu")
ALL_ROWS = 2**62
FEWEST_ROWS = 16
"""Pieces of fewer rows than this aren't worth a device."""
PATIENCE = 3
"""After so many computations that didn't fit, a device is given up."""


@dataclass(frozen=True)
class Place:
    """Where a computation runs: a device type, the widest float dtype that it has ("float64" or "float32"), and how
    many rows it takes at once."""

    device: str
    dtype: str
    rows: int = ALL_ROWS
    name: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """For the status bar."""
        return f"{self.name or self.device.upper()} · {self.dtype}"

    def tensor(self, values: Any) -> Tensor:
        """Numbers as a tensor here. Cast before the move: a device without float64 refuses the array as it comes."""
        import numpy as np

        with np.errstate(over="ignore"):  # too large for float32: infinity, which the lookup refuses in words
            array = np.array(values, dtype=self.dtype)
        return torch.as_tensor(array).to(self.device)

    def mask(self, values: Any) -> Tensor:
        """Truth values as a boolean tensor here."""
        import numpy as np

        return torch.as_tensor(np.array(values, dtype=bool)).to(self.device)

    def by_rows(self, compute: Callable[[slice], tuple[NDArray[Any], ...]], count: int) -> tuple[NDArray[Any], ...]:
        """Arrays whose rows don't depend on one another, (count, …) each, as many rows at a time as fit here."""
        import numpy as np

        pieces = [compute(slice(at, at + self.rows)) for at in range(0, max(1, count), self.rows)]
        return pieces[0] if len(pieces) == 1 else tuple(np.concatenate(parts) for parts in zip(*pieces, strict=True))

    def halved(self, count: int) -> Place | None:
        """This place with half as many rows at once, for a computation of ``count`` rows; None where that is few."""
        rows = -(-min(count, self.rows) // 2)
        return replace(self, rows=rows) if rows >= FEWEST_ROWS else None


CPU = Place("cpu", "float64")


def find_place(device: str) -> Place | None:
    """The device after a small checked computation on it; None where the machine has none.

    "Available" is not yet "usable": a card may be too old or too new for this torch. Raises one of ``device_errors``.
    """
    with warnings.catch_warnings(record=True) as said:  # why a device isn't available is a warning to torch
        warnings.simplefilter("always")
        place = _probed(device) if _is_offered(device) else None
    for warning in said:
        log.warning("%s: %s", device, warning.message)
    if place is None and said:
        raise RuntimeError(str(said[0].message))
    return place


class Backend:
    """Runs computations on the chosen device and, where that fails, on the CPU.

    ``notice`` is the sentence for the status bar, empty while all is well. ``find`` gives the place for the name of a
    device, None where there is no such device.
    """

    def __init__(self, device: str = "auto", find: Callable[[str], Place | None] = find_place) -> None:
        if device not in DEVICES:
            raise LabError(f"There is no device named {device!r}; choose one of {', '.join(DEVICES)}.")
        self.asked = device
        self.notice = ""
        self._find = find
        self._place: Place | None = None
        self._short = 0

    @property
    def place(self) -> Place:
        """The device in use; the first call probes it with a small checked computation."""
        if self._place is None:
            self._place = self._choose()
        return self._place

    @property
    def label(self) -> str:
        """Device and dtype in words, empty before the first computation."""
        return self._place.label if self._place else ""

    def run(self, compute: Callable[[Place], T], rows: int = 1) -> T:
        """``compute(place)`` on the device in use, or on the CPU where that fails.

        Out of memory: again with half as many of its ``rows`` at once (it asks ``place.by_rows``) and so on, then on
        the CPU, this once. Any other fault: on the CPU for the rest of the run, unless the CPU raises an error as well:
        then it is the computation's own, it goes up, and the device stays.
        """
        place = self.place
        while place.device != "cpu":
            try:
                answer = compute(place)
            except LabError:
                if (place.dtype, place.rows) == (CPU.dtype, CPU.rows):
                    raise
                return compute(CPU)  # what float32 alone refuses; and of all rows at once, so that it counts them right
            except device_errors() as error:
                fault = Fault.of(place.device, error)
            else:
                return self._kept(answer, place)
            # Only out here is the error gone, and with its traceback the tensors of what failed.
            if not fault.is_memory:
                return self._without(compute, place, fault)
            release(place.device)
            smaller = place.halved(rows)
            if smaller is None:
                return self._this_once(compute, place, fault)
            place = smaller
        return compute(CPU)

    def _kept(self, answer: T, place: Place) -> T:
        """An answer of the device. Pieces that fit are the size from now on."""
        if place != self._place:
            self._place, self.notice = place, short_of_memory(place.device)
        return answer

    def _this_once(self, compute: Callable[[Place], T], place: Place, fault: Fault) -> T:
        self._short += 1
        if self._short == PATIENCE:
            return self._without(compute, place, fault)
        answer = compute(CPU)
        self.notice = short_of_memory(place.device)
        return answer

    def _without(self, compute: Callable[[Place], T], place: Place, fault: Fault) -> T:
        if fault.is_final:
            self._give_up(place, fault)
        answer = compute(CPU)
        self._give_up(place, fault)
        return answer

    def _give_up(self, place: Place, fault: Fault) -> None:
        self._place, self.notice = CPU, lost(place.device, fault)

    def _choose(self) -> Place:
        faults: dict[str, Fault] = {}
        for device in PREFERRED if self.asked == "auto" else (self.asked, "cpu"):
            place = CPU if device == "cpu" else self._tried(device, faults)
            if place:
                break
        assert place
        instead = "the CPU" if place == CPU else place.device.upper()
        if faults:
            self.notice = unusable(*next(iter(faults.items())), instead)
        elif self.asked not in ("auto", place.device):
            absent = f"This machine has no {self.asked.upper()} device that torch can use"
            self.notice = f"{absent}; the lab computes on the CPU."
        return place

    def _tried(self, device: str, faults: dict[str, Fault]) -> Place | None:
        try:
            return self._find(device)
        except device_errors() as error:
            faults[device] = Fault.of(device, error)
            return None


def _is_offered(device: str) -> bool:
    if device == "mps":
        return bool(torch.backends.mps.is_available())
    module = getattr(torch, device, None)
    return module is not None and bool(module.is_available())


def _probed(device: str) -> Place:
    """The device with the first dtype in which a small computation gives what the CPU gives."""
    name = str(torch.cuda.get_device_name()) if device == "cuda" else ""
    for dtype in ("float64", "float32") if device != "mps" else ("float32",):
        place = Place(device, dtype, name=name)
        try:
            probe(place)
        except device_errors():
            if dtype == "float32":
                raise
        else:
            return place
    raise RuntimeError("no floating point type works")


def probe(place: Place) -> None:
    """A product and a softmax, compared with the CPU's; RuntimeError where they differ.

    Products of reduced precision (TF32) differ in the third digit and don't pass.
    """
    here, there = (_first_operations(one).cpu().double() for one in (place, CPU))
    if not torch.allclose(here, there, rtol=0, atol=1e-12 if place.dtype == "float64" else 1e-6):
        raise RuntimeError("a small matrix product came out wrong")


def _first_operations(place: Place) -> Tensor:
    import numpy as np

    square = place.tensor(np.cos(np.arange(64.0)).reshape(8, 8))
    return torch.softmax(square @ square, -1)


def warm_up(device: str, job: Any) -> str:
    """Load torch, probe the device and run one operation of each kind; gives device and dtype in words."""
    try:
        load()
    except (ImportError, OSError) as error:
        log.exception("torch can't be loaded")
        raise LabError("torch, which computes everything here, can't be loaded. Install the lab again.") from error
    # One core stays free for the window: with all of them in use, tiny computations take ten times as long.
    torch.set_num_threads(max(1, (os.cpu_count() or 1) - 1))
    job.backend.run(_first_operations)
    return str(job.backend.label)
