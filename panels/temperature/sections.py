"""The sections of the panel, a tab each: its picture, its formula, and what it says of a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from labapp.panel import Lab
from models.app_state import AppState
from models.temperature_panel import TemperatureResult
from panels.temperature import words
from panels.temperature.bars import weights_picture
from panels.temperature.curves import EntropyPicture
from panels.temperature.learning import learning_picture
from panels.temperature.others import others_picture
from panels.temperature.sampling import SamplingPicture
from panels.temperature.softmax import softmax_picture
from panels.temperature.triangle import TrianglePicture

Say = Callable[[TemperatureResult, AppState], str]


@dataclass(frozen=True)
class Section:
    """``numbers`` puts the present numbers into the formula, ``note`` is a sentence beside the controls."""

    id: str
    title: str
    picture: Callable[[Lab], Any]
    tex: str
    plain: str
    numbers: Say
    note: Say


def _unit(state: AppState) -> str:
    return state.temperature.drawn.unit


SECTIONS = (
    Section(
        "weights",
        "Weights",
        weights_picture,
        r"a_j=\frac{e^{\key{s_j}/\tau}}{\sum_l e^{\key{s_l}/\tau}}",
        "The weight of an entry is the exponential of its score over the temperature, divided by the sum of all.",
        lambda result, state: words.weights_line(result),
        lambda result, state: words.limits_note(result),
    ),
    Section(
        "entropy",
        "Entropy",
        EntropyPicture,
        r"\output{H}=-\sum_j a_j\ln a_j\qquad \gradient{\frac{dH}{d\tau}}=\frac{\mathrm{Var}_a(\key{s})}{\tau^3}",
        "The entropy is minus the sum of weight times its logarithm; its slope is the variance of the scores over τ³.",
        lambda result, state: words.entropy_line(result, _unit(state)),
        lambda result, state: words.entropy_note(result, _unit(state)),
    ),
    Section(
        "triangle",
        "Triangle",
        TrianglePicture,
        r"a_1+a_2+a_3=1\qquad a_j\geq 0",
        "Three weights of at least 0 that sum to 1 are a point of a triangle.",
        lambda result, state: words.triangle_line(result),
        lambda result, state: words.triangle_note(result),
    ),
    Section(
        "softmax",
        "Why softmax",
        softmax_picture,
        r"\max_j \key{s_j}\leq\output{\tau\ln\sum_j e^{\key{s_j}/\tau}}\leq\max_j \key{s_j}+\tau\ln n",
        "The log-sum-exp lies between the largest score and that plus τ times the logarithm of their number.",
        lambda result, state: words.softmax_line(result),
        lambda result, state: words.softmax_notes(result, state.temperature.why),
    ),
    Section(
        "others",
        "Sparse",
        others_picture,
        r"\output{a}=\arg\min_{p\in\Delta}\lVert p-\key{s}/\tau\rVert^2\qquad "
        r"\value{a_j}=\max\left(0,\tfrac{\key{s_j}}{2\tau}-t\right)^2",
        "Sparsemax is the nearest point of the simplex; 1.5-entmax is a square above a threshold.",
        lambda result, state: words.others_line(result),
        lambda result, state: words.others_note(result),
    ),
    Section(
        "learning",
        "Learning",
        learning_picture,
        r"\gradient{\frac{\partial a_i}{\partial s_j}}=\frac{a_i(\delta_{ij}-a_j)}{\tau}",
        "What a little more score of one entry does to the weight of another.",
        lambda result, state: words.jacobian_line(result),
        lambda result, state: words.jacobian_note(result),
    ),
    Section(
        "sampling",
        "Sampling",
        SamplingPicture,
        r"P(j)=a_j=\frac{e^{\key{s_j}/\tau}}{\sum_l e^{\key{s_l}/\tau}}",
        "An entry is drawn with a probability that is its weight.",
        lambda result, state: words.sampling_line(result),
        lambda result, state: words.sampling_note(result),
    ),
)
