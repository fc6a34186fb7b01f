"""What is in an animation, read by another program than the one that wrote it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image


def frames_of(path: Path) -> list[Any]:
    """Every frame as colours (height, width, 3)."""
    with Image.open(path) as image:
        found = []
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            found.append(np.array(image.convert("RGB")))
        return found
