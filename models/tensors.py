"""What the functions of the lesson take: tensors, arrays or lists, brought to one dtype and one device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from models.errors import LabError
from models.lazy import torch

if TYPE_CHECKING:
    from torch import Tensor


def as_tensor(values: Any) -> Tensor:
    """Numbers as a floating point tensor: lists and integers as float64, half precision widened to float32.

    A tensor keeps its device and its gradient. Raises LabError where the numbers aren't real.
    """
    if not isinstance(values, torch.Tensor):
        values = torch.as_tensor(_real_array(values))
    if values.is_complex():
        raise LabError(f"Real numbers were expected, {values.dtype} came. Give the real part.")
    if values.dtype in (torch.float32, torch.float64):
        return values
    return values.to(torch.float32 if values.is_floating_point() else torch.float64)


def together(*values: Any) -> tuple[Tensor, ...]:
    """The values as tensors of one dtype, the widest, on the device of the first tensor among them.

    Lists and arrays follow the tensors beside them, so that parameters kept as float64 arrays serve on a device that
    has float32 alone.
    """
    given = [value for value in values if isinstance(value, torch.Tensor)]
    device = given[0].device if given else torch.device("cpu")
    tensors = [as_tensor(value) for value in values]
    deciding = [as_tensor(value) for value in given if value.is_floating_point()] or tensors
    dtype = torch.float64 if any(tensor.dtype == torch.float64 for tensor in deciding) else torch.float32
    return tuple(tensor.to(dtype=dtype).to(device) for tensor in tensors)


def as_number(value: Any) -> float:
    """A number, a text with one or a tensor of one number as a float; NaN for all else, which every range refuses."""
    if isinstance(value, int | float):  # without torch: panels ask for such numbers before it is loaded
        return float(value)
    try:
        return float(value.detach() if isinstance(value, torch.Tensor) else value)
    except (TypeError, ValueError, RuntimeError):
        return math.nan


def as_mask(mask: Any, shape: Sequence[int], device: Any = "cpu") -> Tensor:
    """The mask as truth values of ``shape``, the shape of the scores; all True for None.

    True, or the number 1, means that the entry takes part. Raises LabError for other numbers (a mask that is added to
    the scores has another meaning) and where the mask doesn't spread over the shape.
    """
    if mask is None:
        return torch.ones(tuple(shape), dtype=torch.bool, device=device)
    mask = mask if isinstance(mask, torch.Tensor) else torch.as_tensor(_real_array(mask))
    if mask.dtype != torch.bool:
        if not bool(((mask == 0) | (mask == 1)).all()):
            raise LabError("A mask holds True (takes part) and False, or 1 and 0; other numbers came.")
        mask = mask != 0
    if not _spreads(mask.shape, shape):
        raise LabError(f"A mask for scores of shape {tuple(shape)} was expected, {tuple(mask.shape)} came.")
    return mask.to(device).expand(tuple(shape))


def _spreads(shape: Sequence[int], over: Sequence[int]) -> bool:
    pairs = zip(reversed(shape), reversed(over), strict=False)
    return len(shape) <= len(over) and all(mine in (1, theirs) for mine, theirs in pairs)


def _real_array(values: Any) -> Any:
    try:
        array = np.array(values)
    except (TypeError, ValueError, RuntimeError):
        raise LabError("Rows of equal length, all of numbers, were expected.") from None
    if array.dtype.kind not in "fiub":
        raise LabError(f"Numbers were expected; what came holds {array.dtype}.")
    return array
