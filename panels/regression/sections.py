"""The sections of the kernel regression: what they are called, what shows them, which results are theirs."""

from __future__ import annotations

from labapp.panel import Lab
from labapp.section_tabs import Section, SectionTabs
from models.regression_errors import ErrorsResult
from models.regression_fit import FitResult
from models.regression_kernels import KernelsResult
from models.regression_panel import Result
from models.regression_spread import SpreadResult
from panels.regression.errors import ErrorsSection
from panels.regression.fit import FitSection
from panels.regression.kernels import KernelsSection
from panels.regression.metric import MetricSection
from panels.regression.spread import SpreadSection

SECTIONS = {
    "fit": Section("Fit", "Points, estimate, pinned curves and the attention map", FitSection),
    "errors": Section("Error", "Training, leave-one-out and true error against the bandwidth", ErrorsSection),
    "spread": Section(
        "Spread",
        "How far an estimate spreads when the noise is drawn anew, and the effective number of points",
        SpreadSection,
    ),
    "kernels": Section("Kernels", "The error of every kernel over 20 bandwidths", KernelsSection),
    "metric": Section("Learned metric", "One scale for each of five inputs, learned", MetricSection),
}


def section_of(result: Result) -> str:
    """Which section a result belongs to."""
    kinds = {FitResult: "fit", ErrorsResult: "errors", SpreadResult: "spread", KernelsResult: "kernels"}
    return kinds.get(type(result), "metric")


def make_sections(lab: Lab) -> SectionTabs:
    """The tabs; which is open is a field of the state."""
    return SectionTabs(
        lab,
        "Sections of the kernel regression",
        SECTIONS,
        open_in=lambda state: state.regression.section,
        section_of=section_of,
    )
