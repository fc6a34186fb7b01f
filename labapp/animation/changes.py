"""What changed from one frame to the next: only that is written."""

from __future__ import annotations

from typing import Any

import numpy as np

Box = tuple[int, int, int, int]
"""Left, top, right, bottom; right and bottom are outside."""


def box_of(changed: Any) -> Box:
    """The smallest box around what is True, height × width; one pixel where nothing is."""
    rows, columns = np.flatnonzero(changed.any(1)), np.flatnonzero(changed.any(0))
    if not len(rows):
        return 0, 0, 1, 1
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1
