"""Kills at random points of saving: none lost, none mixed, and what was acknowledged is never older afterwards.

The process that saves is forked from one that has loaded everything, so that a thousand kills take a minute.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.torture.lab import number_in, save

LONGEST = 0.08
"""Seconds until the kill: several saves."""


def torture(folder: Path, count: int, seed: int) -> str:
    """``count`` kills, in a process of its own: a process with threads had better not fork."""
    command = [sys.executable, "-m", "tests.torture.kills", str(folder), str(count), str(seed)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def _kill_many(folder: Path, count: int, seed: int) -> str:
    path, draw = folder / "a.h5", random.Random(seed)
    save(path, 0)
    known = saves = 0
    for _ in range(count):
        acknowledged = _killed(path, known + 1, draw.uniform(0, LONGEST))
        found = number_in(path)
        assert found >= max(known, acknowledged), f"{found} after {acknowledged} was acknowledged"
        saves += found - known
        known = found
    return f"{count} kills in {saves} saves: none lost, none mixed, none older than acknowledged"


def _killed(path: Path, first: int, seconds: float) -> int:
    """Let a process save for so many seconds, then kill it; the last number that it said was saved."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        for number in range(first, first + 10_000):
            save(path, number)
            os.write(write, number.to_bytes(8, "little"))
    os.close(write)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said = b""
    while part := os.read(read, 2**16):
        said += part
    os.close(read)
    return int.from_bytes(said[-8:], "little")


if __name__ == "__main__":
    sys.stdout.write(_kill_many(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
