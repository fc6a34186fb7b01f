"""States as lines of Python, for scripts that compute what a panel shows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from models.arrays import Array
from models.scene import Scene, Similarity
from models.similarities import score_parameters

HEAD = "# {title}, as Lookup Lab shows it. Run it where the lab is installed, or in its folder."
MOST_NUMBERS = 5_000
"""An array of more numbers isn't written out: the script takes it from the file of the session."""
SESSION = 'saved = h5py.File("session.h5")["arrays"]  # many numbers: save the session, and name its file here'
FIELDS = {"M": "matrix", "W1": "query_weights", "W2": "key_weights", "w": "out_weights"}
"""The fields of ``Similarity`` that hold its matrices."""
_CONSTANT = re.compile(r"\b(?:inf|nan)\b")
_USED = {"saved[": "import h5py", "np.": "import numpy as np", "torch.": "import torch"}


def script_of(title: str, imports: Sequence[str], lines: Sequence[str], body: str) -> str:
    """A whole script: what it is, what it needs, what is given, what it does. Libraries are imported where used."""
    given = "\n".join(lines)
    text = f"{given}\n\n{body.strip()}\n"
    first = [line for mark, line in _USED.items() if mark in text]
    constants = ", ".join(sorted(set(_CONSTANT.findall(given))))
    if constants:
        first.append(f"from math import {constants}")
    if "saved[" in text:
        text = f"{SESSION}\n{text}"
    return "\n".join([HEAD.format(title=" ".join(title.split())), *first, *sorted(imports), "", text])


def assigned(name: str, value: Any) -> str:
    """One line that gives a number, a text or an array its name, with every digit."""
    return f"{name} = {literal(value)}"


def literal(value: Any) -> str:
    """A number, text, array, None, or a list or dict of them, as Python reads it."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(name)}: {literal(each)}' for name, each in value.items())}}}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple) and any(isinstance(each, str) for each in value):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return repr(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def array_text(array: Array, path: str) -> str:
    """An array of a state as Python reads it; a large one from the session's file, where it lies at ``path``."""
    return f'saved["{path}"][:]' if is_many(array.values.size) else literal(array.values)


def is_many(numbers: int) -> bool:
    """Whether so many numbers are more than a script should hold."""
    return numbers > MOST_NUMBERS


def scene_lines(scene: Scene, path: str = "scene") -> list[str]:
    """Query, keys, values, temperature, and as keywords what scores and what weighs. The scene lies at ``path``."""
    tables = {name: array_text(getattr(scene, name), f"{path}/{name}") for name in ("query", "keys", "values")}
    mask = mask_text(scene.mask_row, scene, path)
    scoring = [f"similarity={literal(scene.similarity.name)}", *parameters_text(scene.similarity, path)]
    weighing = [f"weighting={literal(scene.weighting)}", *([f"mask={mask}"] if mask else [])]
    return [
        *(f"{name} = {text}" for name, text in tables.items()),
        assigned("temperature", scene.temperature),
        f"scoring = dict({', '.join(scoring)})",
        f"weighing = dict({', '.join(weighing)})",
    ]


def parameters_text(similarity: Similarity, path: str = "scene") -> list[str]:
    """The parameters of a scene's similarity as keywords: ``sigma=10.0``."""
    given = score_parameters(similarity)
    texts = {
        name: array_text(Array(value), f"{path}/similarity/{FIELDS[name]}") if name in FIELDS else literal(value)
        for name, value in given.items()
    }
    return [f"{name}={text}" for name, text in texts.items()]


def mask_text(mask: Array | None, scene: Scene, path: str = "scene") -> str:
    """The mask (m,) of the present query as Python reads it; "" where every entry takes part."""
    if mask is None or scene.mask is None:
        return ""
    if not is_many(mask.values.size):
        return literal(mask.values)
    # Truth values lie in the file as bytes.
    return f'saved["{path}/mask"][{":" if scene.mask.values.ndim == 1 else scene.row}] > 0'
