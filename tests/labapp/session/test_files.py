"""Writing whole or not at all: kills, full disks, stubborn renames, protected files, foreign changes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labapp.session import files
from labapp.session.faults import SessionError
from labapp.session.sessions import is_changed, open_session
from models.scene import Scene
from tests.labapp.session import CODEC, save, scene

SAVE_FOR_EVER = """
import sys
from dataclasses import replace
from pathlib import Path
import numpy as np
from models.arrays import Array
from tests.labapp.session import save, scene
state = replace(scene(), queries=Array(np.zeros((100_000, 1))))
sys.stdout.write("go\\n"); sys.stdout.flush()
for i in range(10**6):
    save(Path(sys.argv[1]), replace(state, title=str(i)))
"""

FULL_DISK = """
import resource, sys
from pathlib import Path
from labapp.session.faults import SessionError
from tests.labapp.session import save, scene
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    save(Path(sys.argv[1]), scene())
except SessionError as error:
    sys.stdout.write(error.reason)
"""


def parts(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir() if entry.name.endswith(".part")]


def test_it_writes_a_new_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    files.write_atomically(tmp_path / "a.h5", b"one")
    files.write_atomically(tmp_path / "a.h5", b"two")
    assert (tmp_path / "a.h5").read_bytes() == b"two"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.h5"]


@pytest.mark.skipif(os.name == "nt", reason="permission bits and links of POSIX")
def test_the_mode_stays_and_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "there" / "a.h5", tmp_path / "link.h5"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    files.write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="no folder can be opened there")
def test_the_file_is_on_the_disk_before_its_name_and_the_name_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps, sync, replace = [], os.fsync, os.replace

    def on_sync(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        sync(handle)

    def on_replace(old: Path, new: Path) -> None:
        steps.append("rename")
        replace(old, new)

    monkeypatch.setattr(files.os, "fsync", on_sync)
    monkeypatch.setattr(files.os, "replace", on_replace)
    files.write_atomically(tmp_path / "a.h5", b"new")
    assert steps == ["file", "rename", "folder"]


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(SessionError, match=r"“a\.h5” is read-only"):
        files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("nowhere/a.h5", "missing"), ("x" * 300, "bad_name"), ("a\0b", "bad_name"), (".", "not_a_file")],
)
def test_places_where_nothing_can_be_written(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(SessionError) as caught:
        files.write_atomically(tmp_path / name, b"new")
    assert caught.value.reason == reason
    assert list(tmp_path.iterdir()) == []


def test_places_where_nothing_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match=r"“a\.h5” is not there"):
        open_session(tmp_path / "a.h5", Scene, CODEC)
    with pytest.raises(SessionError, match="is a folder or a device"):
        open_session(tmp_path, Scene, CODEC)


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.h5")
    with pytest.raises(SessionError, match="is a folder or a device"):
        open_session(tmp_path / "a.h5", Scene, CODEC)


def _fails(monkeypatch: pytest.MonkeyPatch, name: str, error: OSError, times: int) -> list[float]:
    """``os.<name>`` raises so many times; the moments of all calls."""
    real, calls = getattr(os, name), []

    def call(*arguments: object) -> object:
        calls.append(time.monotonic())
        if len(calls) <= times:
            raise error
        return real(*arguments)

    monkeypatch.setattr(files.os, name, call)
    return calls


def test_a_rename_that_fails_twice_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = _fails(monkeypatch, "replace", PermissionError(13, "busy"), 2)
    files.write_atomically(tmp_path / "a.h5", b"new")
    assert (tmp_path / "a.h5").read_bytes() == b"new"
    assert len(calls) == 3
    assert parts(tmp_path) == []


def test_a_rename_that_never_works_is_given_up_with_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, slept = tmp_path / "a.h5", []
    path.write_bytes(b"old")
    _fails(monkeypatch, "replace", PermissionError(13, "busy"), 100)
    monkeypatch.setattr(files.time, "sleep", slept.append)
    with pytest.raises(SessionError, match="no permission"):
        files.write_atomically(path, b"new")
    assert sum(slept) >= 2
    assert path.read_bytes() == b"old"
    assert parts(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "reason"),
    [(28, "disk_full"), (5, "medium_gone"), (30, "read_only"), (19, "medium_gone"), (999, "failed")],
)
def test_a_disk_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, reason: str
) -> None:
    path = tmp_path / "a.h5"
    path.write_bytes(b"old")
    _fails(monkeypatch, "fsync", OSError(number, "it failed"), 1)
    with pytest.raises(SessionError) as caught:
        files.write_atomically(path, b"new")
    assert caught.value.reason == reason
    assert "Errno" not in str(caught.value)
    assert path.read_bytes() == b"old"
    assert parts(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits of file size")
@pytest.mark.parametrize("limit", [0, 1, 4096])
def test_a_full_disk_ends_in_a_sentence_and_not_in_a_crash(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "a.h5"
    save(path, scene())
    before = path.read_bytes()
    assert len(before) > 4096
    run = subprocess.run([sys.executable, "-c", FULL_DISK, str(path), str(limit)], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "disk_full", "")
    assert path.read_bytes() == before
    assert parts(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_killed_save_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    save(path, scene())
    for delay in (0.013, 0.057, 0.101):
        with subprocess.Popen([sys.executable, "-c", SAVE_FOR_EVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        assert open_session(path, Scene, CODEC).state.keys == scene().keys


def test_what_a_killed_save_left_is_swept_up_by_a_later_one(tmp_path: Path) -> None:
    old, fresh, other = (tmp_path / name for name in (".a.h5.0123.part", ".a.h5.4567.part", ".b.h5.0123.part"))
    for path in (old, fresh, other):
        path.write_bytes(b"half")
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    files.write_atomically(tmp_path / "a.h5", b"new")
    assert sorted(parts(tmp_path)) == [fresh.name, other.name]


def test_a_foreign_change_is_noticed_and_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    info = save(path, scene())
    path.write_bytes(b"theirs")
    with pytest.raises(SessionError, match="changed by someone else") as caught:
        save(path, scene(), before=info)
    assert caught.value.reason == "changed"
    assert path.read_bytes() == b"theirs"
    save(path, scene(), before=info, overwrite=True)
    assert open_session(path, Scene, CODEC).state == scene()


def test_a_copy_with_the_same_bytes_and_a_deleted_file_are_no_foreign_change(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    info = save(path, scene())
    data = path.read_bytes()
    path.unlink()
    assert not is_changed(path, info.fingerprint)
    path.write_bytes(data)
    os.utime(path, (1, 1))
    assert not is_changed(path, info.fingerprint)
    info = save(path, scene(), before=info)
    save(path, scene(), before=info)
