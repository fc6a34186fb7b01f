"""Hostile files, one for each way that other programs were harmed: a clear refusal, no other file opened, no code run.

Each is opened in a process whose every opened file is noted, and whose reading process is held to account too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest

from labapp.session import document, hdf5
from labapp.session.document import Document
from labapp.session.faults import SessionError
from labapp.session.sessions import open_session
from models.scene import Scene
from tests.labapp.session import CODEC, save, scene

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links of POSIX")
NOTED = """
import sys
opened = []
sys.addaudithook(lambda event, what: opened.append(str(what[0])) if event == "open" else None)
from pathlib import Path
from labapp.session.faults import SessionError
from labapp.session.sessions import open_session
from models.scene import Scene
from tests.labapp.session import CODEC
for name in sys.argv[1:]:
    opened.clear()
    try:
        open_session(Path(name), Scene, CODEC, rescue=True)
        reason = "opened"
    except SessionError as error:
        reason = error.reason
    strange = [other for other in opened if "secret" in other or "evil" in other]
    sys.stdout.write(f"{Path(name).stem} {reason} {strange}\\n")
"""
FAR = "secret.bin"


def _pipe(file: h5py.File, folder: Path) -> None:
    os.mkfifo(folder / FAR)
    file.create_dataset("arrays/raw", (8,), "u1", external=[(str(folder / FAR), 0, 8)])


def _raw(file: h5py.File, folder: Path) -> None:
    (folder / FAR).write_bytes(b"password")
    file.create_dataset("arrays/raw", (8,), "u1", external=[(str(folder / FAR), 0, 8)])


def _linked(file: h5py.File, folder: Path) -> None:
    with h5py.File(folder / FAR, "w") as other:
        other["x"] = np.arange(3.0)
    del file["arrays/keys"]
    file["arrays/keys"] = h5py.ExternalLink(str(folder / FAR), "/x")


def _virtual_of_another(file: h5py.File, folder: Path) -> None:
    with h5py.File(folder / FAR, "w") as other:
        other["x"] = np.arange(4.0)
    layout = h5py.VirtualLayout((4,), "f8")
    layout[:] = h5py.VirtualSource(str(folder / FAR), "x", (4,))
    file.create_virtual_dataset("arrays/far", layout)


def _virtual_of_itself(file: h5py.File, folder: Path) -> None:
    layout = h5py.VirtualLayout((4,), "f8")
    layout[:] = h5py.VirtualSource(".", "arrays/self", (4,))
    file.create_virtual_dataset("arrays/self", layout)


def _unknown_filter(file: h5py.File, folder: Path) -> None:
    kept = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    kept.set_chunk((10,))
    kept.set_filter(32_000, h5py.h5z.FLAG_OPTIONAL, (1, 2))
    space = h5py.h5s.create_simple((10,))
    h5py.h5d.create(file.id, b"arrays/strange", h5py.h5t.NATIVE_DOUBLE, space, kept)


def _gzip_bomb(file: h5py.File, folder: Path) -> None:
    made = file.create_dataset("arrays/bomb", (2**27,), "f8", chunks=(2**27,), compression="gzip")
    made.id.write_direct_chunk((0,), zlib.compress(bytes(2**20)))


def _two_gigabytes(file: h5py.File, folder: Path) -> None:
    file.create_dataset("arrays/hollow", (2**28,), "f8")


def _a_million_links(file: h5py.File, folder: Path) -> None:
    for i in range(3_000):
        file[f"arrays/l{i}"] = file["arrays/keys"]


def _texts_of_any_length(file: h5py.File, folder: Path) -> None:
    file.attrs["comment"] = "text of any length"


def _huge_attribute(file: h5py.File, folder: Path) -> None:
    file.attrs["comment"] = np.bytes_(b"x" * 60_000)


def _reference(file: h5py.File, folder: Path) -> None:
    file.create_dataset("arrays/to", data=np.array([file["arrays/keys"].ref], dtype=h5py.ref_dtype))


ZOO = (
    _pipe,
    _raw,
    _linked,
    _virtual_of_another,
    _virtual_of_itself,
    _unknown_filter,
    _gzip_bomb,
    _two_gigabytes,
    _a_million_links,
    _texts_of_any_length,
    _huge_attribute,
    _reference,
)


def hostile(folder: Path, make: Callable[[h5py.File, Path], None]) -> Path:
    folder.mkdir()
    path = folder / f"{make.__name__}.h5"
    save(path, scene())
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        make(file, folder)
    return path


@POSIX
def test_hostile_files_are_refused_and_open_no_other(tmp_path: Path) -> None:
    paths = [hostile(tmp_path / make.__name__, make) for make in ZOO]
    run = subprocess.run(
        [sys.executable, "-c", NOTED, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "HDF5_PLUGIN_PATH": str(tmp_path / "evil")},
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines() == [f"{make.__name__} damaged []" for make in ZOO]


TEXTS = {
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 200 + b"1" + b"}" * 200,
    "twice": b'{"arrays":{},"schema":"1.0","state":{},"state":{}}',
    "no number": b'{"arrays":{},"schema":"1.0","state":NaN}',
    "too large a number": b'{"arrays":{},"schema":"1.0","state":1e999}',
    "many digits": b'{"arrays":{},"schema":"1.0","state":' + b"9" * 10_000 + b"}",
    "a tag of code": b'{"arrays":{},"schema":"1.0","state":{"$py/reduce":["os.system","id"]}}',
    "not UTF-8": b"\xff\xfe",
    "an array outside": b'{"arrays":{"../../x":{"dtype":"float64","shape":[1],"sha256":""}},"schema":"1.0","state":{}}',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_hostile_text_is_refused(tmp_path: Path, text: bytes) -> None:
    stored = document.encode(Document({}, {}))
    digests = {**stored.attributes, "state_sha256": document._sha256(text)}
    path = tmp_path / "text.h5"
    path.write_bytes(bytes(hdf5.pack(document.Stored(text, {}, stored.view, None, digests))))
    with pytest.raises(SessionError) as caught:
        open_session(path, Scene, CODEC, rescue=True)
    assert caught.value.reason in ("damaged", "value")


def test_texts_from_a_file_are_shown_as_they_are(tmp_path: Path) -> None:
    """A name with marks of HTML, and one that would move the cursor of a terminal, change no sentence."""
    path = tmp_path / "<b>bold.h5"
    path.write_bytes(b"junk" * 100)
    with pytest.raises(SessionError, match=r"“<b>bold\.h5” is not a session"):
        open_session(path, Scene, CODEC)
