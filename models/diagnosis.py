"""Why has learning stopped? One sentence, the numbers that it rests on, and a remedy.

The rules, in this order, with R the largest distance between two values and p the point of the values' hull nearest
to the target:

1. *converged*: the answer is within 1 % of R of the target;
2. *step too large*: the last steps turn back and forth without growing smaller, or several threw the query to a far
   higher loss (oscillating); the loss is above the first, or one step threw the query away (diverging);
3. *unreachable*: the target is outside the hull, and the answer within 10 % of R of p, or three
   quarters of the loss are those of p;
4. *hard lookup*: the weighting is a staircase;
5. *cold lock*, *too hot*: the loss hardly falls in a zone of ``models.saturation``, and, if hot, the gradient is small
   for the temperature alone;
6. *unreachable*: the target is outside the hull, and the loss hardly falls or is half that of p;
7. *learning*: the loss still falls; *converged*: it is at a minimum, and none better is near; else a *plateau*.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from models.descent import Trajectory
from models.errors import LabError
from models.hull import Nearest, nearest_in_hull
from models.lazy import torch
from models.lookup import soft_lookup
from models.progress import Progress, progress
from models.saturation import COLD, HOT, zone
from models.score_gradients import score_gradients

if TYPE_CHECKING:
    from torch import Tensor

REACHED = 0.01
AT_HULL = 0.1
FLOOR = 0.75
STIR = 1e-3
BETTER = 0.5
PROBES = 32

REMEDIES = {
    "converged": "none",
    "learning": "more_steps",
    "oscillating": "smaller_steps",
    "diverging": "smaller_steps",
    "unreachable": "nearest_target",
    "hard_lookup": "soften",
    "cold_lock": "raise_temperature",
    "too_hot": "lower_temperature",
    "plateau": "other_start",
}
"""For every kind of answer the name of what helps."""


@dataclass(frozen=True)
class Diagnosis:
    """``kind`` is a key of ``REMEDIES``; ``evidence`` pairs of a name and a number, in the order of the sentence.

    ``nearest`` (d_v,) is the reachable point next to a target that lies outside the hull of the values, else None.
    """

    kind: str
    sentence: str
    evidence: tuple[tuple[str, float], ...]
    remedy: str
    nearest: tuple[float, ...] | None = None


@dataclass(frozen=True)
class _Scene:
    """The last state, with what the rules ask of it."""

    weights: Tensor
    output: Tensor
    distance: float
    spread: float
    hull: Nearest
    past: Progress
    stir: float
    """The gradient over the most that it could be at this temperature: small where the entries' pulls cancel."""
    hard: bool

    @property
    def zone(self) -> str:
        return zone(self.weights)

    @property
    def outside(self) -> bool:
        return self.hull.distance > 1e-9 * max(self.spread, 1.0)

    @property
    def floor(self) -> float:
        """The part of the loss that is left at the nearest point of the hull."""
        return self.hull.distance**2 / max(self.distance**2, 1e-300)

    @property
    def from_hull(self) -> float:
        return float(np.linalg.norm(self.output.numpy() - self.hull.point))


def diagnose(trajectory: Trajectory, start: int = 0) -> Diagnosis:
    """Why the descent, or the one from start number ``start`` of several, is where it is."""
    path = trajectory if trajectory.losses.ndim == 1 else _one(trajectory, start)
    scene = _scene(path)
    kind = _kind(path, scene)
    sentence, evidence = _SENTENCES[kind](scene)
    nearest = tuple(float(x) for x in scene.hull.point) if scene.outside else None
    return Diagnosis(kind, sentence, evidence, REMEDIES[kind], nearest)


def _kind(path: Trajectory, scene: _Scene) -> str:
    slow = scene.past.fall < 0.05
    if scene.distance <= REACHED * scene.spread and not scene.past.turning:
        return "converged"
    if scene.past.turning or scene.past.throws > 1:
        return "oscillating"
    if scene.past.risen or scene.past.throws or (scene.past.leapt and scene.zone == COLD):
        return "diverging"
    if scene.outside and (scene.from_hull <= AT_HULL * scene.spread or scene.floor >= FLOOR):
        return "unreachable"
    if scene.hard:
        return "hard_lookup"
    if slow and scene.zone == COLD:
        return "cold_lock"
    if slow and scene.zone == HOT and scene.stir >= STIR and not _at_minimum(path):
        return "too_hot"
    if scene.outside and (slow or scene.floor >= 0.5):
        return "unreachable"
    if not slow or (scene.past.fall >= 0.005 and scene.past.pace > 0.05):
        return "learning"
    return "converged" if _at_minimum(path) and not _better_elsewhere(path) else "plateau"


def _scene(path: Trajectory) -> _Scene:
    book, last = path.book(), path.queries[-1]
    lookup = book.lookup(last)
    if not bool(lookup.found):
        raise LabError("No entry takes part in the last lookup, so that nothing can be learned; widen the mask.")
    allowed = torch.ones(len(book.k), dtype=torch.bool) if book.mask is None else book.mask.reshape(-1, len(book.k))[0]
    values = book.v[allowed].double()
    target = np.asarray(path.problem.target)
    output = lookup.output.detach().double()
    distance, spread = float(np.linalg.norm(output.numpy() - target)), float(torch.cdist(values, values).max())
    past = progress(path, book)
    slopes = score_gradients(last, book.k, book.similarity, **book.parameters)[allowed].double()
    most = float(torch.linalg.vector_norm(slopes - slopes.mean(0), dim=-1).max()) * distance * spread
    return _Scene(
        lookup.weights.detach()[allowed],
        output,
        distance,
        spread,
        nearest_in_hull(values.numpy(), target),
        past,
        past.gradient * float(book.temperature) / most if most > 0 else 0.0,
        path.problem.weighting in ("nearest", "exact"),
    )


def _one(trajectory: Trajectory, start: int) -> Trajectory:
    count = trajectory.losses.shape[1]
    if not 0 <= start < count:
        raise LabError(f"A start from 0 to {count - 1} was expected; {start} came.")
    return Trajectory(
        trajectory.problem,
        trajectory.queries[:, start],
        trajectory.outputs[:, start],
        trajectory.losses[:, start],
        trajectory.gradient_norms[:, start],
        trajectory.temperatures,
        trajectory.marks,
    )


def _loss(path: Trajectory, q: Tensor) -> Tensor:
    book = path.book()
    target = torch.as_tensor(np.array(path.problem.target)).to(q)
    lookup = soft_lookup(
        q, book.k, book.v, book.similarity, book.temperature, book.weighting, book.mask, **book.parameters
    )
    return (lookup.output - target).square().sum(-1) / 2


def _at_minimum(path: Trajectory) -> bool:
    """True where the loss bends upwards in every direction that changes it, and a Newton step gains under 0.1 %."""
    q = path.queries[-1]
    loss = partial(_loss, path)
    hessian: Any = torch.autograd.functional.hessian(loss, q)  # type: ignore[no-untyped-call]
    gradient: Any = torch.autograd.functional.jacobian(loss, q)  # type: ignore[no-untyped-call]
    bends, axes = torch.linalg.eigh(hessian)
    along = axes.mT @ gradient
    felt = bends.abs() > 1e-9 * bends.abs().max()
    if not bool(felt.any()) or bool((bends[felt] <= 0).any()):
        return False
    gain = float((along[felt].square() / bends[felt]).sum() / 2)
    return gain <= 1e-3 * float(path.losses[-1])


def _better_elsewhere(path: Trajectory) -> bool:
    """True where the loss is less than half at a multiple of a key or half-way between two: a better start."""
    keys = path.book().k
    if keys.shape[-1] != path.queries.shape[-1] or path.problem.mask is not None:
        return False
    some = keys[:PROBES]
    halfway = (some.unsqueeze(0) + some.unsqueeze(1)).flatten(0, 1) / 2
    probes = torch.cat([halfway, *(keys * scale for scale in (-4.0, -1.0, 0.0, 4.0))])
    return bool(_loss(path, probes).min() < BETTER * path.losses[-1])


Told = tuple[str, tuple[tuple[str, float], ...]]


def _converged(s: _Scene) -> Told:
    if s.distance <= REACHED * s.spread:
        return f"Converged: the answer has reached the target to within {s.distance:.3g}.", (("distance", s.distance),)
    text = f"Converged: the loss is at a minimum; with these keys the answer stays {s.distance:.3g} from the target."
    return text, (("distance", s.distance),)


def _learning(s: _Scene) -> Told:
    text = f"Learning has not stopped: the loss fell by {100 * s.past.fall:.3g} % over the last {s.past.window} steps."
    return text, (("fall", s.past.fall), ("window", float(s.past.window)))


def _oscillating(s: _Scene) -> Told:
    text = (
        f"The step is too large: the query jumps back and forth, {100 * s.past.reversals:.3g} % of the last steps "
        f"turn round, and each changes scores by up to {s.past.swing:.3g} temperatures."
    )
    return text, (("reversals", s.past.reversals), ("swing", s.past.swing))


def _diverging(s: _Scene) -> Told:
    text = (
        f"The step is too large: one step changed scores by {s.past.leap:.3g} temperatures, "
        f"and the loss went from {s.past.first:.3g} to {s.past.last:.3g}."
    )
    return text, (("leap", s.past.leap), ("first_loss", s.past.first), ("last_loss", s.past.last))


def _unreachable(s: _Scene) -> Told:
    text = (
        f"The target lies {s.hull.distance:.3g} outside the convex hull of the values, where no average can go; "
        f"the answer is {s.from_hull:.3g} from the nearest point of the hull."
    )
    return text, (("outside", s.hull.distance), ("from_nearest", s.from_hull))


def _hard_lookup(s: _Scene) -> Told:
    text = f"The hard lookup is a staircase: its gradient is exactly 0, at a loss of {s.past.last:.3g}."
    return text, (("loss", s.past.last), ("gradient", s.past.gradient))


def _cold_lock(s: _Scene) -> Told:
    heaviest, entry = float(s.weights.max()), int(s.weights.argmax())
    text = (
        f"Cold lock: entry {entry} holds {100 * heaviest:.4g} % of the weight, so that the gradient is "
        f"{s.past.gradient:.3g} although the loss is {s.past.last:.3g}."
    )
    return text, (("weight", heaviest), ("gradient", s.past.gradient), ("loss", s.past.last))


def _too_hot(s: _Scene) -> Told:
    effective = float(s.weights.sum().square() / s.weights.square().sum())
    text = (
        f"Too hot: the weights are spread over {effective:.4g} of {len(s.weights)} entries, the answer is nearly the "
        f"plain average, and the gradient is {s.past.gradient:.3g}."
    )
    return text, (("effective_number", effective), ("entries", float(len(s.weights))), ("gradient", s.past.gradient))


def _plateau(s: _Scene) -> Told:
    heaviest = float(s.weights.max())
    text = (
        f"Plateau between entries: no entry holds more than {100 * heaviest:.3g} % of the weight, the gradient is "
        f"{s.past.gradient:.3g}, and the loss of {s.past.last:.3g} hardly falls."
    )
    return text, (("weight", heaviest), ("gradient", s.past.gradient), ("loss", s.past.last))


_SENTENCES = {
    "converged": _converged,
    "learning": _learning,
    "oscillating": _oscillating,
    "diverging": _diverging,
    "unreachable": _unreachable,
    "hard_lookup": _hard_lookup,
    "cold_lock": _cold_lock,
    "too_hot": _too_hot,
    "plateau": _plateau,
}
