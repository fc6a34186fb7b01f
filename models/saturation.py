"""How strong the gradient is at which temperature, and where it vanishes.

The zones are named by this rule, from the weights at a temperature: *cold, saturated* where one entry has at least
99 % of the weight; *hot, averaged* where the effective number of entries 1/Σa² is at least 99 % of those that take
part; *healthy* between. With one entry, or none, it is cold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from models.dictionary import Dictionary, open_dictionary
from models.errors import LabError
from models.jacobians import jacobian_field
from models.lazy import torch
from models.slopes import responses, total

if TYPE_CHECKING:
    from torch import Tensor

COLD, HEALTHY, HOT = "cold, saturated", "healthy", "hot, averaged"
COLD_WEIGHT = 0.99
HOT_SHARE = 0.99


@dataclass(frozen=True)
class Saturation:
    """Curves over ``temperatures`` (t,) at one query.

    ``norms`` (t,) is the Frobenius norm of ∂o/∂q, ``slopes`` (t,) the largest entry of ∂a/∂s, ``zones`` one name for
    each temperature. ``cold_below`` and ``hot_above`` are where the zones change, None where one doesn't exist between
    the ends; ``peak`` is the temperature of the largest norm.
    """

    temperatures: Tensor
    norms: Tensor
    slopes: Tensor
    zones: tuple[str, ...]
    cold_below: float | None
    hot_above: float | None
    peak: float


@dataclass(frozen=True)
class Preset:
    """A start from which the flow is worth a look, with the reason."""

    title: str
    why: str
    query: tuple[float, ...]
    keys: tuple[tuple[float, ...], ...]
    values: tuple[tuple[float, ...], ...]
    target: tuple[float, ...]
    temperature: float
    weighting: str = "softmax"
    learning_rate: float = 0.5


_KEYS = ((1.0, 0.2), (-0.5, 0.8), (0.3, -1.1), (0.7, 0.9))
_VALUES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.5), (0.5, -1.0))

COLD_LOCK = Preset(
    "Cold lock",
    "The query lies on the wrong entry, and at τ = 0.01 no other has any weight: the loss is large, the gradient zero. "
    "At τ = 1 the same query learns.",
    (3.0, -0.2),
    _KEYS,
    _VALUES,
    (0.0, 1.0),
    0.01,
)
HARD_LOOKUP = Preset(
    "Hard lookup",
    "The answer of a hard lookup is a staircase over the query: flat, so that the gradient is exactly zero.",
    (0.6, -0.4),
    _KEYS,
    _VALUES,
    (0.0, 1.0),
    1.0,
    "nearest",
)
PRESETS = {"cold_lock": COLD_LOCK, "hard_lookup": HARD_LOOKUP}


def zone(weights: Tensor) -> str:
    """The name of the zone for the weights (m,) of one query."""
    taking = int((weights > 0).sum())
    if taking < 2 or float(weights.max()) >= COLD_WEIGHT:
        return COLD
    effective = float(weights.sum().square() / weights.square().sum())
    return HOT if effective >= HOT_SHARE * len(weights) else HEALTHY


def saturation(
    q: Any,
    k: Any,
    v: Any,
    temperatures: Any = None,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    **parameters: Any,
) -> Saturation:
    """The curves at one query (d_q,); temperatures above 0 and rising, 241 from 10⁻³ to 10³ where none are given."""
    rows, book = open_dictionary(q, k, v, similarity, 1.0, weighting, mask, parameters)
    if len(rows) != 1:
        raise LabError(f"One query was expected; {len(rows)} came.")
    if temperatures is None:
        taus = torch.logspace(-3, 3, 241, dtype=torch.float64)
    else:
        taus = torch.as_tensor(temperatures, dtype=torch.float64)
    if taus.ndim != 1 or len(taus) == 0 or not bool((taus > 0).all()):
        raise LabError("A row of temperatures above 0 was expected.")
    allowed = torch.ones(len(book.k), dtype=torch.bool) if book.mask is None else book.mask[0].cpu()
    points = [_at(float(tau), rows, book) for tau in taus]
    norms = torch.stack([norm for norm, _, _ in points]).cpu()
    names = tuple(zone(weights.cpu()[allowed]) for _, _, weights in points)

    def name_at(tau: float) -> str:
        return zone(_at(tau, rows, book)[2].cpu()[allowed])

    return Saturation(
        taus,
        norms,
        torch.stack([slope for _, slope, _ in points]).cpu(),
        names,
        _border(taus, names, COLD, name_at),
        _border(taus, names, HOT, name_at),
        float(taus[norms.argmax()]),
    )


def _at(tau: float, q: Tensor, book: Dictionary) -> tuple[Tensor, Tensor, Tensor]:
    """‖∂o/∂q‖, the largest entry of ∂a/∂s, and the weights (m,) at one temperature."""
    here = replace(book, temperature=tau)
    weights = here.weights(q, here.scores(q))
    response = responses(weights, book.weighting)
    share = response / total(response)
    heaviest = share.argmax(-1, keepdim=True)
    # 1 − share of the heaviest is summed from the others, which keeps its digits near saturation.
    rest = share.scatter(-1, heaviest, 0.0).sum(-1, keepdim=True)
    slopes = response * torch.ones_like(share).sub(share).scatter(-1, heaviest, rest) / here.divisor
    return torch.linalg.vector_norm(jacobian_field(q, here)), slopes.max(), weights[0]


def _border(taus: Tensor, names: tuple[str, ...], which: str, name_at: Any) -> float | None:
    """Where the zone ``which`` begins or ends, by halving the logarithm between two neighbours; None if it doesn't."""
    inside = [name == which for name in names]
    at = next((i for i in range(1, len(inside)) if inside[i] != inside[i - 1]), None)
    if at is None:
        return None
    low, high = float(taus[at - 1]), float(taus[at])
    for _ in range(60):
        middle = (low * high) ** 0.5
        if (name_at(middle) == which) == inside[at - 1]:
            low = middle
        else:
            high = middle
    return (low * high) ** 0.5
