"""``python -m tests.torture``: the whole of it; a fraction as argument makes it shorter."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.torture import damages, failing, kills, states, windows

WHOLE = {kills: 1_000, failing: 1, damages: 10_000, states: 2_000, windows: 100}


def main(fraction: float) -> None:
    for module, count in WHOLE.items():
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            said = module.torture(Path(folder), max(1, round(count * fraction)), int(start))
            sys.stdout.write(f"{said} ({time.perf_counter() - start:.0f} s)\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
