"""A part of a larger computation: it can be cancelled with the whole, but tells nothing of its own progress."""

from __future__ import annotations

from models.job import DirectJob, Job


class CheckedJob(DirectJob):
    """Passes ``check`` on to the job of the whole; progress and partial results of the part are dropped."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.backend)
        self._job = job

    def check(self) -> None:
        self._job.check()
