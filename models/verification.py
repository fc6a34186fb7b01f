"""One Jacobian found in three ways, side by side: the closed form, autograd, and central differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.jacobians import query_jacobian
from models.lazy import torch
from models.lookup import soft_lookup
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor

STEPS_PER_DECADE = 4

TIED = ("dot", "scaled_dot", "squared_distance")
"""The similarities for which keys that are the values make a covariance of the Jacobian."""


@dataclass(frozen=True)
class Verification:
    """∂o/∂q (d_v, d_q) in three ways.

    ``numeric`` is taken with ``step``, the best of ``steps`` (s,), whose largest differences from the closed form are
    ``errors`` (s,): too large a step bends, too small a step rounds. ``autograd_error`` and ``numeric_error`` are the
    largest differences from the closed form; ``eigenvalues`` (d,), rising, where keys and values are the same, so that
    the Jacobian is a covariance and none may be negative (None elsewhere).
    """

    closed: Tensor
    autograd: Tensor
    numeric: Tensor
    step: float
    steps: Tensor
    errors: Tensor
    autograd_error: float
    numeric_error: float
    eigenvalues: Tensor | None


def verify(
    q: Any,
    k: Any,
    v: Any,
    temperature: float = 1.0,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    dtype: str = "float64",
    **parameters: Any,
) -> Verification:
    """The three Jacobians at one query (d_q,) in "float64" or "float32"; ``soft_lookup`` says what else it takes."""
    if dtype not in ("float64", "float32"):
        raise LabError(f"float64 or float32 was expected; {dtype!r} came.")
    kind = getattr(torch, dtype)
    q, k, v = (x.to(kind) for x in together(q, k, v))
    parameters = {name: torch.as_tensor(value).to(kind) for name, value in parameters.items()}
    if q.ndim != 1:
        raise LabError(f"One query (d_q,) was expected; what came has the shape {tuple(q.shape)}.")
    columns = v.unsqueeze(-1) if v.ndim == 1 else v

    def answer(query: Tensor) -> Any:
        return soft_lookup(query, k, columns, similarity, temperature, weighting, mask, **parameters).output

    closed = query_jacobian(q, k, columns, temperature, similarity, weighting, mask, **parameters)
    automatic: Any = torch.autograd.functional.jacobian(answer, q)  # type: ignore[no-untyped-call]
    steps, numeric, errors = _differences(answer, q, closed)
    best = int(errors.argmin())
    tied = similarity in TIED and weighting == "softmax" and k.shape == columns.shape and torch.equal(k, columns)
    return Verification(
        closed,
        automatic,
        numeric[best],
        float(steps[best]),
        steps,
        errors,
        float((automatic - closed).abs().max()),
        float(errors[best]),
        torch.linalg.eigvalsh(closed) if tied else None,
    )


def central_difference(answer: Any, q: Tensor, step: float) -> Tensor:
    """(f(q + h·e) − f(q − h·e))/2h for every axis e: (d_v, d_q) of a function from (n, d_q) to (n, d_v)."""
    shift = step * torch.eye(len(q), dtype=q.dtype, device=q.device)
    ahead, behind = q + shift, q - shift
    # What was really moved, as q + h rounds: half of the error of small steps is this one.
    moved = (ahead - behind).diagonal().unsqueeze(-1)
    slopes: Tensor = ((answer(ahead) - answer(behind)) / moved).mT
    return slopes


def _differences(answer: Any, q: Tensor, closed: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The steps (s,), the Jacobian with each (s, d_v, d_q), and its largest difference from the closed form (s,)."""
    steps = _steps(q)
    numeric = torch.stack([central_difference(answer, q, float(step)) for step in steps])
    return steps, numeric, (numeric - closed).abs().amax((-2, -1))


def _steps(q: Tensor) -> Tensor:
    """Steps from 1 down to some digits above rounding, for the size of the query."""
    smallest = torch.finfo(q.dtype).eps * 32
    count = int(-torch.log10(torch.tensor(smallest)) * STEPS_PER_DECADE) + 1
    decades = torch.arange(count, dtype=torch.float64) / STEPS_PER_DECADE
    return (10.0**-decades).to(q) * q.abs().max().clamp(min=1.0)
