"""Rows of scores that teach: each a function of the recipe, in a registry that the panel's menu iterates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from models.registry import Registry
from models.temperature_state import Recipe, TemperatureState, with_scores

PRESETS: Registry[Callable[..., Any]] = Registry("row of scores")
"""Each takes a ``Recipe`` and gives (scores (m,), names: m or none)."""

Row = tuple[Any, tuple[str, ...]]

SENTENCE = "The cat sat on the …"
NEXT_WORDS = {"mat": 3.2, "sofa": 2.6, "floor": 2.2, "roof": 1.1, "chair": 0.9, "table": 0.4, "moon": -1.5, "of": -4.0}


@PRESETS.add("three", label="Three scores: 2, 1, 0.1", tex="(2, 1, 0.1)")
def three(recipe: Recipe) -> Row:
    return [2.0, 1.0, 0.1], ()


@PRESETS.add("one_of_four", label="One ahead of three equal: 5, 0, 0, 0", tex="(5, 0, 0, 0)")
def one_of_four(recipe: Recipe) -> Row:
    return [5.0, 0.0, 0.0, 0.0], ()


@PRESETS.add("tied", label="Two equal winners: 2, 2, 1, 0", tex="(2, 2, 1, 0)", help="The hard limit shares.")
def tied(recipe: Recipe) -> Row:
    return [2.0, 2.0, 1.0, 0.0], ()


@PRESETS.add("far", label="One far winner: 20, 1, 0.5, 0, −1", tex="(20, 1, 0.5, 0, -1)")
def far(recipe: Recipe) -> Row:
    return [20.0, 1.0, 0.5, 0.0, -1.0], ()


@PRESETS.add(
    "dot_products",
    label="Random dot products of d_k numbers",
    tex=r"q\cdot k_j",
    help="A standard normal query and m standard normal keys: the scores spread like √d_k.",
)
def dot_products(recipe: Recipe) -> Row:
    generator = np.random.default_rng(recipe.seed)
    query = generator.standard_normal(recipe.key_size)
    scores = np.empty(recipe.entries)
    # Keys come in pieces: 100,000 of 4096 numbers would be 3 GB at once.
    step = max(1, 2**20 // recipe.key_size)
    for first in range(0, recipe.entries, step):
        count = min(step, recipe.entries - first)
        scores[first : first + count] = generator.standard_normal((count, recipe.key_size)) @ query
    return scores, ()


@PRESETS.add("words", label=f"Next words: “{SENTENCE}” (made up)", tex=r"\text{next word}")
def words(recipe: Recipe) -> Row:
    return list(NEXT_WORDS.values()), tuple(NEXT_WORDS)


def show_preset(state: TemperatureState, name: str) -> TemperatureState:
    """The panel with that row as its own scores. LabError for an unknown name."""
    scores, names = PRESETS[name](state.recipe)
    return with_scores(state, scores, names, name)
