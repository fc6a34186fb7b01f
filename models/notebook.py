"""States as lines of Python, for scripts that compute what a panel shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from models.scene import Scene
from models.similarities import score_parameters

HEAD = "# {title}, as Lookup Lab shows it. Run it where the lab is installed, or in its folder."
_CONSTANT = re.compile(r"\b(?:inf|nan)\b")


def script_of(title: str, imports: Sequence[str], lines: Sequence[str], body: str) -> str:
    """A whole script: what it is, what it needs, what is given, what it does."""
    text = "\n".join([*lines, body])
    constants = ", ".join(sorted(set(_CONSTANT.findall(text))))
    first = [f"from math import {constants}"] if constants else []
    return "\n".join([HEAD.format(title=" ".join(title.split())), *first, *imports, "", text])


def assigned(name: str, value: Any) -> str:
    """One line that gives a number, a text or an array its name, with every digit."""
    return f"{name} = {literal(value)}"


def literal(value: Any) -> str:
    """A number, text, array, None, or a dict of them, as Python reads it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name!r}: {literal(each)}' for name, each in value.items())}}}"
    return repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def scene_lines(scene: Scene) -> list[str]:
    """Query, keys, values, mask, and the parameters of the similarity."""
    mask = scene.mask_row
    return [
        assigned("query", scene.query.values),
        assigned("keys", scene.keys.values),
        assigned("values", scene.values.values),
        assigned("mask", None if mask is None else mask.values),
        assigned("parameters", score_parameters(scene.similarity)),
        assigned("similarity", scene.similarity.name),
        assigned("weighting", scene.weighting),
        assigned("temperature", scene.temperature),
    ]
