"""A disk that fails: at each system call of saving, once or from there on, and at each 4 KiB of a full one.

The failing call is a preloaded library, built with the C compiler of the machine. Where there is none, this is skipped.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

from labapp.session.faults import SessionError
from tests.torture.lab import number_in, save

CODES = (errno.ENOSPC, errno.EIO, errno.EROFS)
STEP = 4096


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def torture(folder: Path, count: int, seed: int) -> str:
    """All calls and all offsets, which are few enough for the suite; ``count`` and ``seed`` are not needed."""
    library = folder / "counter.so"
    source = Path(__file__).with_name("counter.c")
    found = compiler()
    assert found is not None
    subprocess.run([found, "-shared", "-fPIC", "-O1", "-w", "-o", library, source, "-ldl"], check=True)
    command = [sys.executable, "-m", "tests.torture.failing", str(folder)]
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def _fail_each_call(path: Path) -> int:
    library = ctypes.CDLL(None)
    tries = 0
    for code in CODES:
        for sticky in (0, 1):
            n = 0
            made = n + 1
            while made >= n:  # until the save needs fewer calls than the one that should fail
                n += 1
                before = number_in(path)
                library.arm(n, code, sticky)
                saved = _saves(path, before + 1)
                made = library.disarm()
                after = number_in(path)
                assert after in (before, before + 1), f"{after} after {before}"
                assert after == before + 1 or not saved, "acknowledged, but the old one is there"
                tries += 1
    return tries


def _fill_the_disk(path: Path) -> int:
    import resource  # not on Windows

    size = path.stat().st_size
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in range(0, size, STEP):
        before = number_in(path)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        saved = _saves(path, before + 1)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        assert not saved
        assert number_in(path) == before
        assert not list(path.parent.glob(".*.part"))
    return len(range(0, size, STEP))


def _saves(path: Path, number: int) -> bool:
    """Whether the save was acknowledged; a failure is a plain sentence."""
    try:
        save(path, number)
    except SessionError as error:
        said = str(error)
    else:
        return True
    assert "Errno" not in said
    assert said.startswith(f"“{path.name}”")
    return False


def main(folder: Path) -> None:
    path = folder / "a.h5"
    save(path, 0)
    number_in(path)
    calls = _fail_each_call(path)
    for part in folder.glob(".*.part"):  # where nothing could be removed either
        part.unlink()
    offsets = _fill_the_disk(path)
    sys.stdout.write(f"{calls} saves with a failing call, {offsets} on a disk filled to each 4 KiB: old or new, whole")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
