"""A card that is none: its tensors lie on the CPU, and it raises what it is told at the k-th operation on them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from models.backend import CPU, Place

PROPERTIES = ("__get__", "dim", "size", "numel", "is_floating_point", "is_complex")


class FakedCard:
    """``fails(k, tensor)`` says for the k-th operation, and a result of it, whether it ends in ``error()``."""

    def __init__(
        self,
        error: Callable[[], Exception] = RuntimeError,
        fails: Callable[[int, torch.Tensor | None], bool] = lambda k, result: False,
        dtype: str = "float64",
    ) -> None:
        self.calls = self.faults = 0
        self.dtype = dtype
        self._error, self._fails = error, fails
        card = self

        class OnCard(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
                result = super().__torch_function__(function, types, args, kwargs or {})
                if function.__name__ in PROPERTIES:
                    return result
                card.operate(result if isinstance(result, torch.Tensor) else None)
                return result.as_subclass(torch.Tensor) if function is torch.Tensor.cpu else result

        self._type = OnCard

    def operate(self, result: torch.Tensor | None) -> None:
        self.calls += 1
        if self._fails(self.calls - 1, result):
            self.faults += 1
            raise self._error()

    def put(self, tensor: torch.Tensor) -> torch.Tensor:
        self.operate(tensor)
        return tensor.as_subclass(self._type)

    def find(self, device: str) -> Place | None:
        return FakedPlace(device, self.dtype, card=self) if device == "cuda" else None


@dataclass(frozen=True)
class FakedPlace(Place):
    """A place on the card; no other card finds what was kept for this one."""

    card: FakedCard | None = None

    def tensor(self, values: Any) -> torch.Tensor:
        assert self.card
        return self.card.put(Place("cpu", self.dtype).tensor(values))

    def mask(self, values: Any) -> torch.Tensor:
        assert self.card
        return self.card.put(CPU.mask(values))


def assert_same(found: Any, right: Any, near: float = 1e-12) -> None:
    """Equal in every field, numbers to ``near`` of the largest among them."""
    if dataclasses.is_dataclass(right):
        assert type(found) is type(right)
        for field in dataclasses.fields(right):
            assert_same(getattr(found, field.name), getattr(right, field.name), near)
    elif isinstance(right, tuple | list):
        assert len(found) == len(right)
        for one, other in zip(found, right, strict=True):
            assert_same(one, other, near)
    elif isinstance(right, float | np.ndarray) and np.asarray(right).dtype.kind == "f":
        size = np.abs(right[np.isfinite(right)] if isinstance(right, np.ndarray) else right)
        off = near * max(1.0, float(np.max(size, initial=0.0)))
        np.testing.assert_allclose(found, right, rtol=0, atol=off, equal_nan=True)
    else:
        np.testing.assert_array_equal(found, right)
