"""Kernels: how much a neighbour counts, by its distance in bandwidths."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from models.lazy import torch
from models.registry import Registry
from models.tensors import as_tensor

if TYPE_CHECKING:
    from torch import Tensor

KERNELS: Registry[Callable[[Any], Any]] = Registry("kernel")
"""Each takes u = distance ÷ bandwidth, of any shape and either sign, and gives 1 at u = 0 and never less than 0.

The constant factors that make a kernel a density are left out: they cancel in every weighted mean.
"""


@KERNELS.add("gaussian", label="Gaussian", tex=r"e^{-u^2/2}", help="Smooth, and never quite zero.")
def gaussian(u: Any) -> Tensor:
    """exp(−u²/2)."""
    return torch.exp(-(as_tensor(u) ** 2) / 2)


@KERNELS.add("boxcar", label="Boxcar", tex=r"[\,|u|\le 1\,]", help="All neighbours in the window count the same.")
def boxcar(u: Any) -> Tensor:
    """1 where |u| ≤ 1 (the edge is inside), else 0."""
    u = as_tensor(u)
    return (u.abs() <= 1).to(u.dtype)


@KERNELS.add("triangular", label="Triangular", tex=r"\max(0,1-|u|)", help="Falls straight to zero at the edge.")
def triangular(u: Any) -> Tensor:
    """max(0, 1 − |u|)."""
    return (1 - as_tensor(u).abs()).clamp(min=0)


@KERNELS.add("epanechnikov", label="Epanechnikov", tex=r"\max(0,1-u^2)", help="A parabola, zero at the edge.")
def epanechnikov(u: Any) -> Tensor:
    """max(0, 1 − u²) (Epanechnikov, 1969)."""
    return (1 - as_tensor(u) ** 2).clamp(min=0)


@KERNELS.add("constant", label="Constant", tex="1", help="All points count the same, however far: the plain average.")
def constant(u: Any) -> Tensor:
    """1 everywhere."""
    return torch.ones_like(as_tensor(u))
