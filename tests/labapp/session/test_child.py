"""The reading process: what it may not do, and that the lab survives whatever becomes of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from labapp.session import child
from labapp.session.child import Child, Readers
from labapp.session.faults import SessionError
from labapp.session.pieces import Pieces
from models.arrays import Array
from tests.labapp.session import Toy, save, scene

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
LIMITED = """
import os, sys
from labapp.session import reader
reader._forbid()
reader._limit()
{attempt}
"""


@pytest.fixture
def data(tmp_path: Path) -> Pieces:
    save(tmp_path / "a.h5", scene())
    return Pieces([(tmp_path / "a.h5").read_bytes()])


@pytest.fixture
def readers() -> Readers:
    return Readers()


def test_one_process_reads_file_after_file(readers: Readers, data: Pieces) -> None:
    readers.warm()
    first = readers.child
    for _ in range(3):
        assert "state" in readers.survey(data.read, len(data)).places
    assert readers.child is first
    readers.close()


def test_only_tables_are_asked_for_and_no_values(readers: Readers, tmp_path: Path) -> None:
    save(tmp_path / "a.h5", Toy(mask=Array(np.zeros(100_000))))
    data = Pieces([(tmp_path / "a.h5").read_bytes()])
    asked = []

    def read(start: int, count: int) -> bytes:
        asked.append(count)
        return data.read(start, count)

    assert readers.survey(read, len(data)).places["arrays/mask"].shape == (100_000,)
    assert sum(asked) < 20_000
    readers.close()


@POSIX
def test_a_process_that_was_killed_is_a_damaged_file_and_the_next_one_opens(readers: Readers, data: Pieces) -> None:
    readers.survey(data.read, len(data))
    assert readers.child
    os.kill(readers.child.pid, signal.SIGKILL)
    with pytest.raises(SessionError, match="damaged or not safe to open"):
        readers.survey(data.read, len(data))
    assert readers.survey(data.read, len(data)).attributes["schema"] == "1.0"
    readers.close()


@POSIX
def test_a_process_that_fails_after_it_refused_a_file_is_replaced_unnoticed(readers: Readers, data: Pieces) -> None:
    junk = Pieces([bytes(data)[:48] + b"\0" * (len(data) - 48)])
    with pytest.raises(SessionError):
        readers.survey(junk.read, len(junk))
    assert readers.child
    os.kill(readers.child.pid, signal.SIGKILL)
    assert readers.survey(data.read, len(data)).attributes["schema"] == "1.0"
    readers.close()


@POSIX
def test_a_process_that_hangs_is_ended(readers: Readers, data: Pieces, monkeypatch: pytest.MonkeyPatch) -> None:
    readers.survey(data.read, len(data))
    assert readers.child
    os.kill(readers.child.pid, signal.SIGSTOP)
    monkeypatch.setattr(child, "READ_SECONDS", 0.2)
    with pytest.raises(SessionError, match="damaged or not safe to open"):
        readers.survey(data.read, len(data))
    readers.close()


@POSIX
@pytest.mark.parametrize(
    "attempt",
    [
        "open('/etc/hostname')",
        "open(sys.argv[1], 'w')",
        "os.pipe()",
        "bytearray(2**30)",
        "os.write(os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY), b'x')",
        "while True: pass",
    ],
)
def test_what_the_process_may_not_do(tmp_path: Path, attempt: str) -> None:
    code = LIMITED.format(attempt=attempt)
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path / "made")], capture_output=True, timeout=30)
    assert run.returncode != 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b'{"attributes": {}, "places": {}}',
        b'{"attributes": {}, "places": {"state": ["|u1", [1], 0], "view": ["|u1", [9999999], 0]}}',
        b'{"attributes": {}, "places": {"state": ["|u1", [1], -1], "view": ["|u1", [1], 0]}}',
        b'{"attributes": {}, "places": {"state": ["|u1", [1], 0.5], "view": ["|u1", [1], 0]}}',
        b'{"attributes": {}, "places": {"state": ["O", [1], 0], "view": ["|u1", [1], 0]}}',
        b'{"attributes": {}, "places": {"state": ["<f8", [1], 0], "view": ["|u1", [1], 0]}}',
        b'{"reason": "nonsense", "details": "", "values": {}}',
        b'{"reason": "value", "details": "", "values": {}}',
        b"[" * 100_000,
    ],
)
def test_an_answer_of_a_process_that_was_taken_over_is_refused(answer: bytes, data: Pieces) -> None:
    from labapp.session.survey import from_json

    with pytest.raises(SessionError, match="damaged or not safe"):
        from_json(answer).read(data)


def test_plug_ins_and_python_settings_do_not_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HDF5_PLUGIN_PATH", "/tmp/evil")
    monkeypatch.setenv("PYTHONSTARTUP", "/tmp/evil.py")
    environment = child._environment()
    assert environment["HDF5_PLUGIN_PRELOAD"] == "::"
    assert not {"HDF5_PLUGIN_PATH", "PYTHONSTARTUP"} & environment.keys()


def test_it_is_gone_when_closed() -> None:
    process = Child()
    process.close()
    assert process._process.poll() is not None
