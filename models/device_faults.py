"""What a device does wrong, in plain words; what torch itself said of it goes to the log."""

from __future__ import annotations

import logging
import traceback
from contextlib import suppress
from dataclasses import dataclass

from models.lazy import torch

log = logging.getLogger("lookuplab.device")

REASONS = {
    "no kernel image": "this version of torch has no program for this card",
    "not compatible": "this version of torch has no program for this card",
    "driver on your system is too old": "its driver is too old for this version of torch",
    "driver version is insufficient": "its driver is too old for this version of torch",
    "not compiled": "this version of torch was built without it",
    "not linked": "this version of torch was built without it",
    "not implemented": "torch has no such operation for it",
    "float64": "it lacks numbers of double precision",
    "fp64": "it lacks numbers of double precision",
    "came out wrong": "it computes wrong numbers",
}
MEMORY = "it has too little free memory"
MEMORY_TEXTS = ("out of memory", "alloc_failed")


@dataclass(frozen=True)
class Fault:
    """One fault of a device. It keeps words only: the error's traceback would hold the tensors of what failed.

    ``is_memory``: it may work with less at once. ``is_final``: the device answers nothing more in this process.
    """

    reason: str
    is_memory: bool = False
    is_final: bool = False

    @classmethod
    def of(cls, device: str, error: Exception) -> Fault:
        """To be called while the error is handled; writes it to the log."""
        log.warning("%s failed\n%s", device, traceback.format_exc())
        text = str(error).lower()
        if isinstance(error, torch.OutOfMemoryError) or any(part in text for part in MEMORY_TEXTS):
            return cls(MEMORY, is_memory=True)
        reason = next((words for part, words in REASONS.items() if part in text), "it has stopped answering")
        if isinstance(error, NotImplementedError):
            reason = REASONS["not implemented"]
        return cls(reason, is_final=isinstance(error, getattr(torch, "AcceleratorError", ())))


def device_errors() -> tuple[type[Exception], ...]:
    """What torch raises for a device that fails. Bugs and unfit input raise the same types."""
    return RuntimeError, TypeError, AssertionError, torch.cuda.DeferredCudaCallError


def release(device: str) -> None:
    """Give back the memory that torch keeps for later on a device."""
    with suppress(RuntimeError):  # a device that can't even do that is found out by the next try
        getattr(torch, device).empty_cache()


def unusable(device: str, fault: Fault, instead: str) -> str:
    """The sentence for a device that was not taken."""
    name = device.upper()
    return f"{name} can't be used: {fault.reason}. The lab computes on {instead} instead, with the same numbers."


def lost(device: str, fault: Fault) -> str:
    """The sentence for a device that was given up."""
    name = device.upper()
    return f"{name} failed: {fault.reason}. The lab goes on with the CPU and the same numbers; to retry, choose {name}."


def short_of_memory(device: str) -> str:
    """The sentence for a device that works on, but not on everything at once."""
    name = device.upper()
    return f"{name} is short of memory. What doesn't fit is done in pieces or on the CPU, with the same numbers."
