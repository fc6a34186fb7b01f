"""What the kernel regression panel computes: a question for the open section, and its answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from models.job import Job
from models.metric_lesson import MetricQuestion, MetricResult, compute_metric
from models.regression_data import DataSet
from models.regression_errors import ErrorsQuestion, ErrorsResult, compute_errors
from models.regression_fit import FitQuestion, FitResult, compute_fit
from models.regression_kernels import KernelsQuestion, KernelsResult, compute_kernels
from models.regression_spread import SpreadQuestion, SpreadResult, compute_spread
from models.regression_state import RegressionState

Question: TypeAlias = FitQuestion | ErrorsQuestion | SpreadQuestion | KernelsQuestion | MetricQuestion
Result: TypeAlias = FitResult | ErrorsResult | SpreadResult | KernelsResult | MetricResult

ANSWERS: dict[type, Callable[[Any, Job], Result]] = {
    FitQuestion: compute_fit,
    ErrorsQuestion: compute_errors,
    SpreadQuestion: compute_spread,
    KernelsQuestion: compute_kernels,
    MetricQuestion: compute_metric,
}


def question_of(state: RegressionState, data: DataSet) -> Question:
    """What the open section needs to know, and nothing else: the rest may change without computing again."""
    if state.section == "metric":
        return MetricQuestion(state.metric)
    if state.section == "kernels":
        return KernelsQuestion(data)
    setting = (data, state.kernel, state.bandwidth)
    if state.section == "errors":
        return ErrorsQuestion(*setting, state.learning)
    if state.section == "spread":
        return SpreadQuestion(*setting, state.redraw_seed)
    return FitQuestion(*setting, state.query, state.pins, state.beyond, state.naive)


def compute_regression(question: Question, job: Job) -> Result:
    """The answer of a section to its question."""
    return ANSWERS[type(question)](question, job)
