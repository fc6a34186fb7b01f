"""The sections of the gradient flow: what they are called, what shows them, which results are theirs."""

from __future__ import annotations

from labapp.panel import Lab
from labapp.section_tabs import Section, SectionTabs
from models.flow_descent import DescentResult
from models.flow_memory import MemoryResult
from models.flow_paths import PathsResult
from models.flow_saturation import SaturationResult
from models.flow_signal import SignalResult
from models.flow_verify import VerifyResult
from panels.flow.descent import DescentSection
from panels.flow.lengths import PathsSection
from panels.flow.memory import MemorySection
from panels.flow.saturation import SaturationSection
from panels.flow.signal import SignalSection
from panels.flow.verify import VerifySection

SECTIONS = {
    "signal": Section("Signal", "How the output answers to each score, and to the query", SignalSection),
    "descent": Section(
        "Descent", "A query learned over the field of its gradients, and why the learning stops", DescentSection
    ),
    "saturation": Section("Saturation", "The gradient over the temperature", SaturationSection),
    "verify": Section("Verify", "Closed form, autograd and differences side by side", VerifySection),
    "paths": Section("Paths", "How much gradient reaches an entry over its distance", PathsSection),
    "memory": Section("Memory", "Keys as values: the output fed back as the next query", MemorySection),
}
KINDS: dict[type, str] = {
    SignalResult: "signal",
    DescentResult: "descent",
    SaturationResult: "saturation",
    VerifyResult: "verify",
    PathsResult: "paths",
    MemoryResult: "memory",
}


def make_sections(lab: Lab) -> SectionTabs:
    """The tabs; which is open is a field of the state."""
    return SectionTabs(
        lab,
        "Sections of the gradient flow",
        SECTIONS,
        open_in=lambda state: state.flow.section,
        section_of=lambda result: KINDS[type(result)],
    )
