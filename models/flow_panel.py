"""What the gradient flow panel computes: a question for the open section, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from models.flow_descent import DescentQuestion, DescentResult, compute_descent, descent_question
from models.flow_memory import MemoryQuestion, MemoryResult, compute_memory, memory_question
from models.flow_paths import PathsQuestion, PathsResult, compute_path_lengths
from models.flow_saturation import SaturationQuestion, SaturationResult, compute_saturation, saturation_question
from models.flow_signal import SignalQuestion, SignalResult, compute_signal
from models.flow_state import FlowState, scene_of
from models.flow_verify import VerifyQuestion, VerifyResult, compute_verify
from models.job import Job
from models.scene import Scene

Question: TypeAlias = (
    SignalQuestion | DescentQuestion | SaturationQuestion | VerifyQuestion | PathsQuestion | MemoryQuestion
)
Result: TypeAlias = SignalResult | DescentResult | SaturationResult | VerifyResult | PathsResult | MemoryResult

ANSWERS: dict[type, Callable[[Any, Job], Result]] = {
    SignalQuestion: compute_signal,
    DescentQuestion: compute_descent,
    SaturationQuestion: compute_saturation,
    VerifyQuestion: compute_verify,
    PathsQuestion: compute_path_lengths,
    MemoryQuestion: compute_memory,
}


def question_of(state: FlowState, scene: Scene) -> Question:
    """What the open section needs to know, and nothing else: the rest may change without computing again."""
    shown = scene_of(state, scene)
    if state.section == "signal":
        return SignalQuestion(shown)
    if state.section == "saturation":
        return saturation_question(shown)
    if state.section == "verify":
        return VerifyQuestion(shown)
    if state.section == "paths":
        return PathsQuestion(state.paths, shown.temperature)
    if state.section == "memory":
        return memory_question(shown, state.memory.steps, state.memory.basins)
    return descent_question(state, scene)


def compute_flow(question: Question, job: Job) -> Result:
    """The answer of a section to its question."""
    return ANSWERS[type(question)](question, job)
