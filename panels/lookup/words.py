"""What the explorer says in words and in formulas: pure functions of the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from labapp.numbers import format_number, format_percent
from models.scene import Column, Scene
from models.similarities import SIMILARITIES
from models.weightings import WEIGHTINGS

if TYPE_CHECKING:
    from models.explorer import ExplorerResult

NAMED, SHARE, BESIDE = 3, 0.9, 0.1
"""At most so many entries are named: as many as hold that share, and none below that part of the largest weight."""
TERMS = 5
HARD = ("nearest", "exact")


def axis_title(column: Column) -> str:
    """ "size, m²" """
    return f"{column.name}, {column.unit}" if column.unit else column.name


def vector_text(vector: np.ndarray) -> str:
    """One number as it is, several in brackets, many cut short."""
    numbers = [format_number(float(x)) for x in vector[:TERMS]]
    if len(vector) == 1:
        return numbers[0]
    return f"({'; '.join(numbers)}{'; …' if len(vector) > TERMS else ''})"


def formula_tex(scene: Scene) -> str:
    """The lookup of the scene, typeset: answer, weights, scores."""
    score = _coloured(SIMILARITIES[scene.similarity.name].tex)
    weights = WEIGHTINGS[scene.weighting].tex
    answer = r"\output{o}=\sum_j a_j\,\value{v_j}\qquad "
    if scene.weighting == "exact":
        return answer + weights.replace("k_j", r"\key{k_j}").replace("=q", r"=\query{q}")
    return rf"{answer}{weights}\qquad s_j={score}"


def formula_plain(scene: Scene) -> str:
    return (
        f"The output is the sum of weight times value. Weights: {WEIGHTINGS[scene.weighting].label} of the scores. "
        f"Scores: {SIMILARITIES[scene.similarity.name].label}."
    )


def numbers_line(result: ExplorerResult) -> str:
    """The sum with the present numbers put in, largest terms first; marked for colours."""
    scene, weights = result.inputs[0], result.soft.weights
    if not result.soft.found:
        return rf"\output{{o}} is undefined: {_why_nothing(scene)}"
    order = np.argsort(-weights, kind="stable")
    order = order[weights[order] > 0]
    terms = [
        rf"{format_number(float(weights[j]))}·\value{{{vector_text(scene.values.values[j])}}}" for j in order[:TERMS]
    ]
    rest = " + …" if len(order) > TERMS else ""
    return rf"\output{{o}} = {' + '.join(terms)}{rest} = \output{{{vector_text(result.soft.output)}}}"


def sentence(result: ExplorerResult) -> str:
    """Who shares the weight, what the answer is, and whether the hard lookup met a tie."""
    scene = result.inputs[0]
    if not result.soft.found:
        return f"{_why_nothing(scene).capitalize()}; the answer is undefined."
    return f"{_shares(result)}; the answer is {_answer_text(result)}.{_tie_text(result)}"


def hard_sentence(result: ExplorerResult) -> str:
    """What the two hard lookups answer."""
    scene = result.inputs[0]
    exact = f"finds {vector_text(result.exact.output)}" if result.exact.found else "finds no such key"
    nearest = "finds no entry"
    if result.nearest.found:
        best = int(result.nearest.weights.argmax())
        nearest = f"takes {scene.entries[best]}: {vector_text(result.nearest.output)}"
    return f"Exact lookup {exact}; nearest lookup {nearest}."


def same_sentence(result: ExplorerResult) -> str:
    """Why the squared distance and the dot product are nearly the same, with the present numbers."""
    same, without = (format_number(x, 2) for x in (result.same_as_distance, result.without_norms))
    lengths = np.linalg.norm(result.inputs[0].keys.values, axis=1)
    is_equal = np.ptp(lengths) <= 1e-6 * lengths.max()
    verdict = (
        "all keys are equally long, so the dot product alone gives the same weights"
        if is_equal
        else f"without ‖k‖² the weights differ by up to {without}, since the keys are not equally long"
    )
    return (
        f"−‖q−k‖² = 2 q·k − ‖k‖² − ‖q‖², and ‖q‖² is the same for every key. "
        f"Weights by the two sides differ by {same}; {verdict}."
    )


def length_sentence(scene: Scene) -> str:
    """A query's length as a temperature, for dot products."""
    length = float(np.linalg.norm(scene.query.values))
    if length == 0:
        return "A query of length 0 scores every key 0: all weights are equal."
    return (
        f"Length {format_number(length)} at τ = {format_number(scene.temperature)} weighs like length 1 at "
        f"τ = {format_number(scene.temperature / length)}."
    )


def _shares(result: ExplorerResult) -> str:
    scene, weights = result.inputs[0], result.soft.weights
    order = np.argsort(-weights, kind="stable")[:NAMED]
    held = np.cumsum(weights[order])
    enough = int(np.searchsorted(held, SHARE)) + 1
    count = min(enough, int((weights[order] >= BESIDE * weights[order[0]]).sum()))
    names = [scene.entries[j] for j in order[:count]]
    share = format_percent(float(held[count - 1]))
    if count == 1:
        return f"{names[0]} has {share} of the weight"
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} share {share} of the weight, as much as {format_number(result.effective_number, 2)} equal entries"


def _answer_text(result: ExplorerResult) -> str:
    text, columns = vector_text(result.soft.output), result.inputs[0].value_columns
    return f"{text} {columns[0].unit}".rstrip() if len(columns) == 1 else text


def _tie_text(result: ExplorerResult) -> str:
    names = [result.inputs[0].entries[j] for j in result.tied]
    if len(names) < 2:
        return ""
    listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) <= NAMED else f"{len(names)} entries"
    return f" Tie: {listed} score best; the nearest lookup takes the first, {names[0]}."


def _why_nothing(scene: Scene) -> str:
    if scene.weighting == "exact":
        return "no key equals the query"
    return "every entry is masked, so no entry takes part"


def _coloured(tex: str) -> str:
    tex = re.sub(r"(?<![A-Za-z_\\])q(?![A-Za-z])", r"\\query{q}", tex)
    return re.sub(r"(?<![A-Za-z_\\])k(?![A-Za-z])", r"\\key{k_j}", tex)
