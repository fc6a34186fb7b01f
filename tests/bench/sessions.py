"""Sessions of 100 MB beside ``numpy.savez``, and how soon one of 1 MB is open, the reading process started for it.

``python -m tests.bench.sessions``. A save is checked and on the disk when it ends, so savez is given an fsync too; its
time without one stands beside it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from labapp.session.child import READERS
from labapp.session.codec import Codec
from labapp.session.sessions import open_session, save_session
from models.arrays import Array
from tests.labapp.session import Toy

CODEC = Codec(Array)
MEGABYTE = 10**6
ROUNDS = 7


def state(megabytes: float) -> Toy:
    draw = np.random.default_rng(1)
    size = int(megabytes * MEGABYTE / 4 / 8)
    return Toy(tables={f"t{i}": Array(draw.normal(size=size)) for i in range(4)})


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def savez(path: Path, arrays: dict[str, Any], sync: bool) -> None:
    with path.open("wb") as file:
        np.savez(file, **arrays)
        if sync:
            file.flush()
            os.fsync(file.fileno())


def loadz(path: Path) -> dict[str, Any]:
    with np.load(path) as file:
        return {name: file[name] for name in file.files}


def compare(folder: Path) -> dict[str, float]:
    """Seconds of each way of saving and loading 100 MB: the median of rounds in which all take turns."""
    held, mine, theirs = state(100), folder / "a.h5", folder / "a.npz"
    arrays = {name: table.values for name, table in held.tables.items()}
    ways: dict[str, Callable[[], object]] = {
        "savez": lambda: savez(theirs, arrays, sync=False),
        "savez, on the disk": lambda: savez(theirs, arrays, sync=True),
        "save, checked and on the disk": lambda: save_session(mine, held, {}, None, CODEC),
        "numpy.load": lambda: loadz(theirs),
        "open": lambda: open_session(mine, Toy, CODEC),
    }
    rounds = [{name: timed(way) for name, way in ways.items()} for _ in range(ROUNDS)]
    return {name: statistics.median(each[name] for each in rounds[1:]) for name in ways}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        times = compare(Path(name))
        for label, seconds in times.items():
            print(f"{label:30} {1000 * seconds:6.0f} ms")
        save, load = times["save, checked and on the disk"], times["open"]
        print(f"save {save / times['savez, on the disk']:.2f} times savez with fsync (at most 1.0)")
        print(f"save {save / times['savez']:.2f} times savez without")
        print(f"load {load / times['numpy.load']:.2f} times numpy.load (at most 1.3)")
        small = Path(name) / "small.h5"
        save_session(small, state(1), {}, None, CODEC)
        READERS.close()
        print(f"1 MB opens in {1000 * timed(lambda: open_session(small, Toy, CODEC)):.0f} ms with a new process")
        print(
            f"1 MB opens in {1000 * timed(lambda: open_session(small, Toy, CODEC)):.0f} ms with one at hand (limit 600)"
        )


if __name__ == "__main__":
    main()
