"""Wrong, cut, damaged, newer and hostile files: a plain sentence each, and nothing else happens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from labapp.session import envelope
from labapp.session.faults import SessionError
from labapp.session.pieces import Pieces
from labapp.session.sessions import describe, from_source, open_session
from models.scene import Scene
from tests.labapp.session import CODEC, save, scene, write


def refusal(path: Path) -> SessionError:
    """The fault of opening a file, which names the file in two sentences and leaves it as it is."""
    before = path.read_bytes()
    with pytest.raises(SessionError) as caught:
        open_session(path, Scene, CODEC)
    assert f"“{path.name}”" in str(caught.value)
    assert str(caught.value).count(". ") >= 1
    plain = str(caught.value).replace(path.name, "").lower()
    assert not any(word in plain for word in ("errno", "hdf5", "h5", "none", "sha", "traceback"))
    assert path.read_bytes() == before
    return caught.value


@pytest.fixture
def good(tmp_path: Path) -> bytes:
    save(tmp_path / "good.h5", scene())
    return (tmp_path / "good.h5").read_bytes()


@pytest.mark.parametrize("length", [0, 1, 8, 9, 47, 48, 100, 0.5, -1])
def test_a_cut_file_is_incomplete(tmp_path: Path, good: bytes, length: float) -> None:
    path = tmp_path / "cut.h5"
    path.write_bytes(good[: int(len(good) * length) if isinstance(length, float) else length])
    assert refusal(path).reason == "incomplete"


@pytest.mark.parametrize("data", [b"size;rent\n40;900\n", b"\x89PNG\r\n\x1a\n" + b"\0" * 100, b"PK\3\4", b"\0" * 5000])
def test_another_kind_of_file_is_no_session(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "table.h5"
    path.write_bytes(data)
    assert refusal(path).reason == "not_a_session"


@pytest.mark.parametrize("libver", ["earliest", "v110"])
def test_hdf5_of_another_program_is_no_session(tmp_path: Path, libver: str) -> None:
    with h5py.File(tmp_path / "other.h5", "w", libver=(libver, "v110")) as file:
        file["data"] = np.arange(3)
        file.attrs["title"] = "text of any length"
    assert refusal(tmp_path / "other.h5").reason == "not_a_session"


def test_bytes_behind_the_end_are_damage(tmp_path: Path, good: bytes) -> None:
    (tmp_path / "long.h5").write_bytes(good + b"\0")
    assert refusal(tmp_path / "long.h5").reason == "damaged"


def test_too_large_a_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "MAX_BYTES", 1000)
    (tmp_path / "big.h5").write_bytes(b"\0" * 1001)
    assert refusal(tmp_path / "big.h5").reason == "too_large"


def test_versions(tmp_path: Path) -> None:  # H-07
    newer = refusal(write(tmp_path / "newer.h5", schema="2.0", min_reader="2"))
    assert newer.reason == "needs_version"
    assert "2.0" in str(newer)
    assert "1.0" in str(newer)
    for attributes in ({"schema": "abc"}, {"schema": ""}, {"min_reader": "x"}, {"schema": "0.9"}, {"schema": "1.0\n"}):
        assert refusal(write(tmp_path / "bad.h5", **attributes)).reason == "not_a_session"


def test_an_unknown_group_of_a_newer_format_is_said_to_be_newer(tmp_path: Path) -> None:
    path = write(tmp_path / "newer.h5", schema="2.0", min_reader="2")
    with h5py.File(path, "r+") as file:
        file.create_group("future")
    assert refusal(path).reason == "needs_version"
    with pytest.raises(SessionError, match=r"“newer\.h5”.*2\.0"):
        describe(path)


def test_fields_of_a_newer_minor_format_survive_a_save(tmp_path: Path) -> None:
    path = write(tmp_path / "newer.h5", lambda tree: {**tree, "later": {"x": [1, 2.5]}}, schema="1.7", min_reader="1")
    for _ in range(2):
        opened = open_session(path, Scene, CODEC)
        assert opened.state == scene()
        assert opened.info.newer
        assert opened.info.kept.fields == {("later",): {"x": [1, 2.5]}}
        save(path, opened.state, before=opened.info)
    assert describe(path).schema == "1.7"


def test_an_unknown_field_of_our_own_format_is_refused_by_name(tmp_path: Path) -> None:
    fault = refusal(write(tmp_path / "a.h5", lambda tree: {**tree, "run_me": "import os"}))
    assert fault.reason == "value"
    assert "“run_me”" in str(fault)


def test_a_value_out_of_range_is_refused_by_name(tmp_path: Path) -> None:
    fault = refusal(write(tmp_path / "a.h5", lambda tree: {**tree, "temperature": 0.0}))
    assert "“temperature”" in str(fault)


def _soft(file: h5py.File) -> None:
    file["arrays/twin"] = h5py.SoftLink("/arrays/keys")


def _external_link(file: h5py.File) -> None:
    file["arrays/far"] = h5py.ExternalLink("/etc/hostname", "/")


def _hard_twin(file: h5py.File) -> None:
    file["arrays/twin"] = file["arrays/keys"]


def _loop(file: h5py.File) -> None:
    file["arrays/loop"] = file["arrays"]


def _virtual(file: h5py.File) -> None:
    layout = h5py.VirtualLayout((4,), "f8")
    layout[:] = h5py.VirtualSource(".", "arrays/seen", (4,))
    file.create_virtual_dataset("arrays/seen", layout)


def _external(file: h5py.File) -> None:
    file.create_dataset("arrays/raw", (8,), "u1", external=[("/etc/passwd", 0, 8)])


def _gzip(file: h5py.File) -> None:
    file.create_dataset("arrays/zip", data=np.zeros(1000), compression="gzip")


def _chunked(file: h5py.File) -> None:
    file.create_dataset("arrays/chunks", data=np.zeros(1000), chunks=(10,))


def _hollow(file: h5py.File) -> None:
    file.create_dataset("arrays/hollow", (2**28,), "f8")


def _unwritten(file: h5py.File) -> None:
    file.create_dataset("arrays/unwritten", (10,), "f8")


def _variable(file: h5py.File) -> None:
    file.create_dataset("arrays/text", data=["a", "b"])


def _compound(file: h5py.File) -> None:
    file.create_dataset("arrays/compound", data=np.zeros(3, [("a", "f8")]))


def _big_endian(file: h5py.File) -> None:
    file.create_dataset("arrays/big", data=np.zeros(3, ">f8"))


def _variable_attribute(file: h5py.File) -> None:
    file.attrs["comment"] = "text of any length"


def _inner_attribute(file: h5py.File) -> None:
    file["arrays/keys"].attrs["x"] = 1


def _no_extent(file: h5py.File) -> None:
    file["arrays/null"] = h5py.Empty("f8")


def _extra_array(file: h5py.File) -> None:
    file.create_dataset("arrays/extra", data=np.zeros(3))


def _unknown_group(file: h5py.File) -> None:
    file.create_group("code")


def _deep(file: h5py.File) -> None:
    file.create_dataset("arrays/a/b/c/d/e/f/g", data=np.zeros(3))


def _crowd(file: h5py.File) -> None:
    for i in range(2001):
        file.create_group(f"arrays/g{i}")


def _strange_name(file: h5py.File) -> None:
    file.create_dataset("arrays/ä", data=np.zeros(3))


def _named_type(file: h5py.File) -> None:
    file["arrays/kind"] = np.dtype("f8")


def _flipped(file: h5py.File) -> None:
    file["arrays/keys"][0] = 41.0


def _other_view(file: h5py.File) -> None:
    file["view"][0] = ord("[")


HOSTILE = {
    _soft: "no plain link",
    _external_link: "no plain link",
    _strange_name: "no plain link",
    _hard_twin: "there twice",
    _loop: "there twice",
    _virtual: "not stored plainly",
    _external: "not stored plainly",
    _gzip: "not stored plainly",
    _chunked: "not stored plainly",
    _hollow: "aren't there",
    _unwritten: "aren't there",
    _variable: "another type",
    _compound: "another type",
    _big_endian: "another type",
    _named_type: "TypeError|KeyError|ValueError|another type",
    _variable_attribute: "no short text",
    _inner_attribute: "attributes",
    _no_extent: "no extent|aren't there|not stored plainly",
    _extra_array: "name different arrays",
    _unknown_group: "not known",
    _deep: "too deep",
    _crowd: "too many objects",
    _flipped: "shape and digest",
    _other_view: "view doesn't agree",
}


@pytest.mark.parametrize(("change", "details"), HOSTILE.items(), ids=[change.__name__ for change in HOSTILE])
def test_what_a_session_never_has_is_refused(tmp_path: Path, change: Callable[[h5py.File], None], details: str) -> None:
    path = tmp_path / "hostile.h5"
    save(path, scene())
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        change(file)
    fault = refusal(path)
    assert fault.reason == "damaged"
    assert re.search(details, fault.details)


def test_results_of_other_programs_are_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    save(path, scene())
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        file.create_dataset("results/lookup/weights", data=np.zeros(4)).attrs["unit"] = "1"
        file["results/far"] = h5py.ExternalLink("/etc/hostname", "/")
    assert open_session(path, Scene, CODEC).state == scene()


def test_bytes_alone_are_enough(good: bytes) -> None:
    held: Any = from_source(Pieces([good]))
    assert held.arrays["keys"].shape == (4, 1)
