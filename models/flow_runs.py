"""Descents that go on where they stood: more steps cost only the steps that are new."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from models.backend import CPU
from models.checked_job import CheckedJob
from models.checkpoint import Checkpoint
from models.descent import Problem, Trajectory, advance, begin, checkpoint_at
from models.flow_state import Descent
from models.job import Job
from models.lazy import torch
from models.scene import Scene

FIRST, NEXT, EACH = 10, 20, 120
"""Steps before the first picture; at a time then, so that a drag may stop them soon; and between later pictures."""


class Run:
    """The longest trajectory so far of one problem from one start."""

    def __init__(self, problem: Problem, start: Checkpoint) -> None:
        self.longest = advance(problem, start, 0, place=CPU)

    def to(self, steps: int, job: Job, show: Callable[[Trajectory], None]) -> Trajectory:
        """The trajectory of ``steps`` steps, shown as it grows. What was done stays, also when the job is stopped.

        On the CPU always: a step is a few small operations, on which any device would only wait, and the same start
        gives the same bits wherever a session is opened.
        """
        while len(self.longest) < steps:
            done = len(self.longest)
            some = min(EACH if done >= EACH else NEXT if done else FIRST, steps - done)
            more = advance(self.longest.problem, self.longest.last, some, CheckedJob(job), CPU)
            self.longest = _joined(self.longest, more)
            job.progress(len(self.longest) / steps)
            if len(self.longest) < steps and (done == 0 or done >= EACH):
                show(self.longest)
        return _first(self.longest, steps)


@lru_cache(maxsize=8)
def run_of(problem: Problem, start: Checkpoint) -> Run:
    """The one run of this problem from this start."""
    return Run(problem, start)


def start_of(problem: Problem, scene: Scene, descent: Descent) -> Checkpoint:
    """The first state: the scene's query, with several starts at once also others in the box around the keys."""
    keys, query = scene.keys.values, scene.query.values
    if descent.starts > 1 and descent.learn == ("query",):
        draws = np.random.default_rng(descent.seed).random((descent.starts - 1, keys.shape[1]))
        low, high = keys.min(0), keys.max(0)
        spread = np.where(high > low, high - low, 1.0)
        query = np.vstack([query, low - 0.2 * spread + 1.4 * spread * draws])
    return begin(problem, query, keys, scene.values.values)


def _joined(path: Trajectory, more: Trajectory) -> Trajectory:
    """One trajectory of two, the second of which begins where the first ends."""
    return Trajectory(
        path.problem,
        torch.cat([path.queries, more.queries[1:]]),
        torch.cat([path.outputs, more.outputs[1:]]),
        torch.cat([path.losses, more.losses[1:]]),
        torch.cat([path.gradient_norms, more.gradient_norms[1:]]),
        torch.cat([path.temperatures, more.temperatures[1:]]),
        (*path.marks, *more.marks[1:]),
    )


def _first(path: Trajectory, steps: int) -> Trajectory:
    """The first steps of a longer trajectory."""
    if len(path) == steps:
        return path
    end = checkpoint_at(path, steps)
    return Trajectory(
        path.problem,
        path.queries[: steps + 1],
        path.outputs[: steps + 1],
        path.losses[: steps + 1],
        path.gradient_norms[: steps + 1],
        path.temperatures[: steps + 1],
        (*(mark for mark in path.marks if mark.step < steps), end),
    )
