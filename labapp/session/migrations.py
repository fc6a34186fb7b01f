"""From older schemas to the present one, step by step and in memory; nothing is written on opening.

A field with a default needs no step. Any other change of the state's tree gets one here, a higher
``document.SCHEMA``, and a sample of the old schema in ``tests/sessions``, which is opened for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labapp.session import document

Version = tuple[int, int]
Arrays = dict[str, np.ndarray[Any, Any]]
Step = Callable[[Any, Arrays], tuple[Any, Arrays]]

STEPS: dict[Version, tuple[Version, Step]] = {}
"""For a schema: the next one, and the pure function that makes its tree and arrays from those of the old one."""


def migrated(schema: Version, tree: Any, arrays: Arrays) -> tuple[Any, Arrays]:
    """Tree and arrays as the present schema has them."""
    while schema < document.SCHEMA and (step := STEPS.get(schema)) is not None:
        schema, change = step
        tree, arrays = change(tree, arrays)
    return tree, arrays
