"""Learning by descent: a query, and if wished keys, values and temperature, follow −∂L/∂· of L = ½‖o − t‖².

A descent is exact: the same start and settings give the same bits on the CPU, and a ``Checkpoint`` holds all that the
next step needs, the optimiser's memory included, so that a descent that was saved goes on to the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from models.arrays import Array
from models.backend import CPU, Place
from models.checkpoint import Checkpoint, Learner
from models.dictionary import Dictionary, open_dictionary
from models.errors import LabError
from models.jacobians import target_rows
from models.job import DirectJob, Job
from models.lazy import torch
from models.learnable import LEARNABLE, OPTIMISERS
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor

TELL = 50
"""Steps between two words on how far it is: some 10 ms."""
SHOW = 500
"""Steps between two partial results."""
MARK = 100
"""Steps between two checkpoints that are kept for going back."""


@dataclass(frozen=True)
class Problem:
    """What is learned from what. ``target`` (d_v,); ``parameters`` are those of the similarity, by name.

    ``temperature`` is the one at the start; where it is learned, through its logarithm, it never falls below
    1/100, as in CLIP, which clips the scale of its scores at 100 (Radford and others, 2021).
    """

    target: Array
    temperature: float = 1.0
    similarity: str = "dot"
    weighting: str = "softmax"
    mask: Array | None = None
    parameters: tuple[tuple[str, Array], ...] = ()
    learning_rate: float = 0.1
    optimiser: str = "sgd"
    momentum: float = 0.9
    learn: tuple[str, ...] = ("query",)

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise LabError(f"There is no optimiser {self.optimiser!r}; choose one of {', '.join(OPTIMISERS)}.")
        unknown = [name for name in self.learn if name not in LEARNABLE]
        if unknown or not self.learn:
            raise LabError(f"What is learned is one or more of {', '.join(LEARNABLE)}; {self.learn} came.")
        if not self.learning_rate > 0:
            raise LabError(f"A learning rate above 0 was expected; {self.learning_rate} came.")
        if "temperature" in self.learn and not self.temperature > 0:
            raise LabError(f"To be learned, the temperature must start above 0; {self.temperature} came.")


@dataclass(frozen=True)
class Trajectory:
    """A descent of some steps; several starts at once add an axis S after the steps.

    ``queries`` (steps+1, [S,] d_q), ``outputs`` (steps+1, [S,] d_v), ``losses`` and ``gradient_norms`` (of the query)
    (steps+1, [S]), ``temperatures`` (steps+1,). ``marks`` are checkpoints on the way, the last of them at the end.
    """

    problem: Problem
    queries: Tensor
    outputs: Tensor
    losses: Tensor
    gradient_norms: Tensor
    temperatures: Tensor
    marks: tuple[Checkpoint, ...] = field(repr=False)

    @property
    def last(self) -> Checkpoint:
        """The state after the last step."""
        return self.marks[-1]

    def __len__(self) -> int:
        return len(self.losses) - 1

    def book(self) -> Dictionary:
        """The dictionary as it is after the last step, on the CPU."""
        return _book(self.problem, self.last, CPU)


def descend(
    q: Any,
    k: Any,
    v: Any,
    target: Any,
    temperature: float = 1.0,
    learning_rate: float = 0.1,
    steps: int = 100,
    optimiser: str = "sgd",
    *,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    learn: tuple[str, ...] = ("query",),
    momentum: float = 0.9,
    job: Job | None = None,
    **parameters: Any,
) -> Trajectory:
    """Descend from a query (d_q,), or from several starts (S, d_q) at once, towards the target (d_v,).

    ``learn`` names what moves: query, keys, values, temperature; with several starts the query alone. Raises LabError
    as ``soft_lookup`` does, and for unknown names and rates that aren't above 0.
    """
    rows, book = open_dictionary(q, k, v, similarity, temperature, weighting, mask, parameters)
    if len(rows) > 1 and tuple(learn) != ("query",):
        raise LabError("Several starts share keys, values and temperature, so that the query alone can be learned.")
    goal = target_rows(target, book, 1)
    problem = Problem(
        Array(goal.detach().cpu().numpy()[0]),
        float(temperature),
        similarity,
        weighting,
        None if mask is None else Array(torch.as_tensor(mask).cpu().numpy().astype(bool)),
        tuple((name, Array(_numbers(value))) for name, value in parameters.items()),
        learning_rate,
        optimiser,
        momentum,
        tuple(learn),
    )
    return advance(problem, begin(problem, q, book.k, book.v), steps, job)


def begin(problem: Problem, query: Any, keys: Any, values: Any) -> Checkpoint:
    """The state before the first step, for a query (d_q,) or several (S, d_q), keys (m, d_k) and values (m, d_v)."""
    log = float(torch.log(torch.tensor(problem.temperature, dtype=torch.float64))) if problem.temperature > 0 else 0.0
    start, k, v = (Array(_numbers(x)) for x in (query, keys, values))
    return Checkpoint(0, start, k, v, log)


def advance(
    problem: Problem, start: Checkpoint, steps: int, job: Job | None = None, place: Place | None = None
) -> Trajectory:
    """``steps`` more steps from ``start``, streamed to the job; row 0 of the trajectory is the start itself.

    Runs on the job's backend, or on ``place`` where one is given.
    """
    if steps < 0:
        raise LabError(f"A number of steps from 0 up was expected; {steps} came.")
    work = job or DirectJob()
    if place is not None:
        return _advance(problem, start, steps, work, place)
    return work.backend.run(lambda chosen: _advance(problem, start, steps, work, chosen))


def checkpoint_at(trajectory: Trajectory, step: int) -> Checkpoint:
    """The state after ``step`` steps in all, to the bit: repeated from the nearest checkpoint before it."""
    first, last = trajectory.marks[0].step, trajectory.last.step
    if not first <= step <= last:
        raise LabError(f"A step from {first} to {last} was expected; {step} came.")
    before = max((mark for mark in trajectory.marks if mark.step <= step), key=lambda mark: mark.step)
    return before if before.step == step else advance(trajectory.problem, before, step - before.step).last


def _advance(problem: Problem, start: Checkpoint, steps: int, job: Job, place: Place) -> Trajectory:
    learner = _learner(problem, start, place)
    rows: dict[str, list[Tensor]] = {"queries": [], "outputs": [], "losses": [], "norms": [], "temperatures": []}
    marks = [start]
    for step in range(steps + 1):
        for name, value in learner.look().items():
            rows[name].append(value)
        if step == steps:
            break
        learner.step()
        if learner.steps % MARK == 0:
            marks.append(learner.checkpoint())
        job.check()
        if step % TELL == TELL - 1:
            job.progress(step / steps)
        if step % SHOW == SHOW - 1:
            job.partial(_trajectory(problem, rows, (*marks, learner.checkpoint())))
    if marks[-1].step != learner.steps:
        marks.append(learner.checkpoint())
    return _trajectory(problem, rows, tuple(marks))


def _trajectory(problem: Problem, rows: dict[str, list[Tensor]], marks: tuple[Checkpoint, ...]) -> Trajectory:
    queries, outputs, losses, norms = (
        torch.stack(rows[name]).cpu() for name in ("queries", "outputs", "losses", "norms")
    )
    if len(marks[0].query.shape) == 1:
        queries, outputs, losses, norms = (part.squeeze(1) for part in (queries, outputs, losses, norms))
    return Trajectory(problem, queries, outputs, losses, norms, torch.stack(rows["temperatures"]).cpu(), marks)


def _learner(problem: Problem, start: Checkpoint, place: Place) -> Learner:
    return Learner(
        start,
        _book(problem, start, place),
        place.tensor(problem.target),
        problem.learn,
        (problem.optimiser, problem.learning_rate, problem.momentum),
    )


def _book(problem: Problem, at: Checkpoint, place: Place) -> Dictionary:
    mask = None if problem.mask is None else place.mask(problem.mask)
    parameters = {name: place.tensor(value) for name, value in problem.parameters}
    temperature: Any = problem.temperature
    if "temperature" in problem.learn:
        temperature = place.tensor(at.log_temperature).exp()
    book = Dictionary(
        place.tensor(at.keys),
        place.tensor(at.values),
        problem.similarity,
        parameters,
        problem.weighting,
        temperature,
        mask,
    )
    return replace(book, v=book.v.unsqueeze(-1)) if book.v.ndim == 1 else book


def _numbers(values: Any) -> Any:
    return together(values)[0].detach().cpu().numpy()
