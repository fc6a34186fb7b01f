"""The section *Paths*: how much gradient reaches an entry, whatever its distance."""

from __future__ import annotations

from dataclasses import dataclass

from models.flow_state import PathSettings
from models.job import Job
from models.paths import Paths, compare_paths, crossing


@dataclass(frozen=True)
class PathsQuestion:
    settings: PathSettings
    temperature: float


@dataclass(frozen=True)
class PathsResult:
    """``crossing`` is the first distance at which attention passes more than the chain, None where the chain does."""

    inputs: PathsQuestion
    paths: Paths
    crossing: int | None


def compute_path_lengths(question: PathsQuestion, job: Job) -> PathsResult:
    asked = question.settings
    paths = compare_paths(asked.length, asked.factor, asked.margin, question.temperature)
    return PathsResult(question, paths, crossing(paths))
