"""The section *Field and descent*: the field, the path of the learning over it, and why it has stopped."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.arrays import Array
from models.descent import Trajectory, checkpoint_at
from models.diagnosis import Diagnosis, diagnose
from models.flow_book import Numbers, hull_of, numbers, problem_of, unanswered
from models.flow_field import SIDE, Field, Line, field_of
from models.flow_remedies import Remedy, remedy_for
from models.flow_runs import run_of, start_of
from models.flow_state import Descent, FlowState, scene_of, target_of
from models.job import Job
from models.scene import Scene

NO_MATCH = Diagnosis(
    "hard_lookup",
    "No key equals the query: an exact lookup has no answer there, so no loss and no gradient.",
    (),
    "soften",
)


@dataclass(frozen=True)
class DescentQuestion:
    """``shown`` is the step whose keys, values and temperature the field is of, where those are learned; else 0."""

    scene: Scene
    target: Array
    descent: Descent
    shown: int = 0


@dataclass(frozen=True)
class Path:
    """A descent of n steps from S starts: ``queries`` (n+1, S, d_k), ``outputs`` (n+1, S, d_v), ``losses`` and
    ``gradients``, the norms of ∂L/∂q, (n+1, S), ``temperatures`` (n+1,)."""

    queries: Numbers
    outputs: Numbers
    losses: Numbers
    gradients: Numbers
    temperatures: Numbers
    learning_rate: float

    def __len__(self) -> int:
        return len(self.losses) - 1


@dataclass(frozen=True)
class DescentResult:
    """``scene`` has the keys, values and temperature of the step that is shown. ``diagnosis`` None: still learning."""

    inputs: DescentQuestion
    scene: Scene
    field: Field | Line | None
    hull: Numbers
    """(h, 2): corners of the convex hull of 2-D values, else (0, 2)"""
    path: Path
    diagnosis: Diagnosis | None = None
    remedy: Remedy | None = None
    reached: int = 0
    """How many of several starts have come as near as 1 % of the spread of the values."""


def descent_question(state: FlowState, scene: Scene) -> DescentQuestion:
    """Only what the descent depends on: of the playhead only where the dictionary moves with it."""
    shown = scene_of(state, scene)
    moves = state.descent.learn != ("query",)
    plain = replace(state.descent, shown=0)
    return DescentQuestion(shown, target_of(state, shown), plain, state.descent.shown if moves else 0)


def compute_descent(question: DescentQuestion, job: Job) -> DescentResult:
    """The field at once, then the path as it grows, last the diagnosis."""
    scene, target = question.scene, question.target
    problem = problem_of(scene, target, question.descent)
    run = run_of(problem, start_of(problem, scene, question.descent))
    field = job.backend.run(lambda place: field_of(scene, target, place), rows=SIDE**2)

    def shown(path: Trajectory) -> DescentResult:
        return DescentResult(question, scene, field, hull_of(scene.values), _path(path))

    path = run.to(question.descent.steps, job, lambda part: job.partial(shown(part)))
    job.check()
    result = shown(path)
    if question.descent.learn != ("query",):
        result = _at_step(result, path, question, job)
    return _explained(result, path)


def _at_step(result: DescentResult, path: Trajectory, question: DescentQuestion, job: Job) -> DescentResult:
    """The same over the keys, the values and the temperature that were learned up to the step that is shown."""
    at = checkpoint_at(path, min(question.shown, len(path)))
    moved = replace(question.scene, keys=at.keys, values=at.values)
    if "temperature" in question.descent.learn:
        moved = replace(moved, temperature=float(np.exp(at.log_temperature)))
    field = job.backend.run(lambda place: field_of(moved, question.target, place), rows=SIDE**2)
    return replace(result, scene=moved, field=field, hull=hull_of(at.values))


def _explained(result: DescentResult, path: Trajectory) -> DescentResult:
    if not np.isfinite(result.path.losses[-1, 0]):
        return replace(result, diagnosis=NO_MATCH, remedy=Remedy(NO_MATCH.remedy))
    diagnosis = diagnose(path)
    scene, target = result.inputs.scene, result.inputs.target
    values = scene.values.values
    spread = float(np.linalg.norm(np.ptp(values, axis=0)))
    near = np.sqrt(2 * result.path.losses[-1]) <= 0.01 * spread
    return replace(
        result,
        diagnosis=diagnosis,
        remedy=remedy_for(diagnosis, path, scene, target),
        reached=int(near.sum()),
    )


def _path(path: Trajectory) -> Path:
    queries, outputs, losses, gradients = (
        numbers(part) for part in (path.queries, path.outputs, path.losses, path.gradient_norms)
    )
    if losses.ndim == 1:
        queries, outputs, losses, gradients = (part[:, None] for part in (queries, outputs, losses, gradients))
    nothing = unanswered(path.queries[0].reshape(-1, path.queries.shape[-1]), path.book())
    if nothing is not None:  # without an answer there is no gradient, and the query stays where it is
        outputs[:, nothing], losses[:, nothing] = np.nan, np.nan
    return Path(queries, outputs, losses, gradients, numbers(path.temperatures), path.problem.learning_rate)
