"""What the course of a descent says: does the loss still fall, do the steps turn round, has one step leapt away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.descent import Trajectory
from models.dictionary import Dictionary
from models.lazy import torch
from models.saturation import COLD_WEIGHT

if TYPE_CHECKING:
    from torch import Tensor

WINDOW = 20
SWING = 0.01
LEAP = 10.0


@dataclass(frozen=True)
class Progress:
    """Numbers of a descent, scores always in temperatures and apart from what all entries share.

    ``fall`` is the part of the loss that the last ``window`` steps took away, ``pace`` their mean gain over that of
    the best step. ``reversals`` is the part of the last steps that turned back, ``swing`` the most that the last steps
    changed scores, ``leap`` the most that any step did. ``throws`` counts steps after which the loss rose by a tenth of
    its largest, where it ends above twice its least. ``turning``: steps go back and forth and don't grow smaller.
    ``leapt``: a leap of more than 10 began where no entry had 99 % of the weight. ``risen``: the loss is not finite or
    higher than at the start.
    """

    first: float
    last: float
    gradient: float
    fall: float
    pace: float
    window: int
    reversals: float
    swing: float
    leap: float
    throws: int
    turning: bool
    leapt: bool
    risen: bool


def progress(path: Trajectory, book: Dictionary) -> Progress:
    """The numbers of one descent; ``book`` is its dictionary at the end."""
    losses = path.losses
    window = min(len(path), max(10, len(path) // 10))
    first, last, before = float(losses[0]), float(losses[-1]), float(losses[-1 - window])
    gains = -losses.diff()
    best = float(gains.max()) if len(gains) else 0.0
    moves = path.queries.diff(dim=0)[-WINDOW:]
    reversals, shrinking = _turns(moves)
    swing = max((_swing(path, book, i) for i in range(len(path) - len(moves), len(path))), default=0.0)
    furthest = int(path.queries.diff(dim=0).square().sum(-1).argmax()) if len(path) else 0
    leap = _swing(path, book, furthest) if len(path) else 0.0
    restless = reversals >= 0.5 or _wandering(losses[-1 - len(moves) :])
    return Progress(
        first=first,
        last=last,
        gradient=float(path.gradient_norms[-1]),
        fall=(before - last) / before if before > 0 else 0.0,
        pace=(before - last) / window / best if window and best > 0 else 0.0,
        window=window,
        reversals=reversals,
        swing=swing,
        leap=leap,
        throws=int((-gains > 0.1 * losses.max()).sum()) if last > 2 * float(losses.min()) else 0,
        turning=len(moves) >= 4 and swing >= SWING and restless and not shrinking,
        leapt=leap > LEAP and float(_weights(path, book, furthest).max()) < COLD_WEIGHT,
        risen=not last <= first * (1 + 1e-9) + 1e-300,
    )


def _turns(moves: Tensor) -> tuple[float, bool]:
    """The part of moves (w, d) that go against the one before, and whether they have halved within the window."""
    if len(moves) < 2:
        return 0.0, False
    turned = (moves[1:] * moves[:-1]).sum(-1) < 0
    sizes = torch.linalg.vector_norm(moves, dim=-1)
    half = len(moves) // 2
    return float(turned.double().mean()), bool(sizes[half:].mean() < 0.5 * sizes[:half].mean())


def _wandering(losses: Tensor) -> bool:
    """True where the loss rises in a third of the steps or more and on average doesn't fall."""
    if len(losses) < 5:
        return False
    half = len(losses) // 2
    rising = float((losses.diff() > 0).double().mean())
    return rising >= 1 / 3 and float(losses[half:].mean()) >= 0.9 * float(losses[:half].mean())


def _swing(path: Trajectory, book: Dictionary, step: int) -> float:
    """How much step ``step`` changed the scores against one another, in temperatures."""
    scores = book.scores(path.queries[step : step + 2].to(book.k)).detach()
    change = scores[1] - scores[0]
    if book.mask is not None:
        change = change[book.mask.reshape(-1, len(book.k))[0]]
    return float(change.max() - change.min()) / max(float(path.temperatures[step]), 1e-300)


def _weights(path: Trajectory, book: Dictionary, step: int) -> Tensor:
    rows = path.queries[step : step + 1].to(book.k)
    return book.weights(rows, book.scores(rows)).detach()
