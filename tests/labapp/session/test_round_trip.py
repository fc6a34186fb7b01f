"""A session comes back bit for bit: in a new process, for random states, and as the same bytes."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from labapp.session import document, hdf5
from labapp.session.document import Document
from labapp.session.pieces import Pieces
from labapp.session.sessions import describe, from_source, open_session, to_bytes
from models.arrays import Array
from models.scene import Scene
from tests.cases import case
from tests.labapp.session import CODEC, Part, Toy, save, scene, write

SHAPES = arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
ARRAYS = st.one_of(*(arrays.arrays(kind, SHAPES) for kind in ("<f8", "<i8", "?"))).map(Array)
FLOATS = st.floats()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | FLOATS | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
PARTS = st.builds(
    Part,
    name=st.sampled_from(["dot", "cosine"]),
    sigma=st.floats(1e-3, 1e3),
    count=st.integers(0, 2**70),
    on=st.booleans(),
    matrix=ARRAYS,
)
TOYS = st.builds(
    Toy,
    title=st.text(),
    seed=st.integers(),
    offset=FLOATS,
    mode=st.sampled_from(["scene", "own"]),
    labels=st.lists(st.text(), max_size=4).map(tuple),
    pair=st.tuples(FLOATS, st.integers()),
    row=st.none() | st.integers(),
    mixed=st.none() | FLOATS | st.integers() | st.text(),
    mask=st.none() | ARRAYS,
    parts=st.lists(PARTS, max_size=3).map(tuple),
    answers=st.dictionaries(st.text(), FLOATS, max_size=3),
    tables=st.dictionaries(st.text(), ARRAYS, max_size=4),
    notes=JSON,
)

FAR = """
import sys
from pathlib import Path
from labapp.session.pieces import Pieces
from labapp.session.sessions import open_session
from models.scene import Scene
from tests.labapp.session import CODEC
opened = open_session(Path(sys.argv[1]), Scene, CODEC)
sys.stdout.write(repr((opened.state, opened.state.keys.digest, opened.view, opened.thumbnail)))
"""


def packed(state: Any, view: Any = None) -> bytes:
    tree, held = CODEC.to_tree(state)
    return bytes(to_bytes(Document(tree, held, view or {}, None, {"created": "then"}), type(state), CODEC))


def unpacked(data: bytes, kind: type) -> Any:
    held = from_source(Pieces([data]))
    return CODEC.from_tree(held.state_tree, held.arrays, kind)


def kinds(state: Any) -> str:
    """Every value with its kind and sign; dicts in the order of their keys, as a file has them."""
    if isinstance(state, dict):
        return repr([(name, kinds(state[name])) for name in sorted(state)])
    if isinstance(state, list | tuple):
        return type(state).__name__ + repr([kinds(item) for item in state])
    if is_dataclass(state):
        return repr([kinds(getattr(state, field.name)) for field in fields(state)])
    return state.digest if isinstance(state, Array) else repr(state)


def test_a_new_process_reads_every_bit(tmp_path: Path) -> None:
    path = tmp_path / "Übung 学校 ♥" / "sitzung ä.h5"  # H-03
    path.parent.mkdir()
    save(path, scene())
    assert path.name in [entry.name for entry in path.parent.iterdir()]
    run = subprocess.run([sys.executable, "-c", FAR, str(path)], capture_output=True, text=True, encoding="utf-8")
    assert run.stderr == ""
    assert run.stdout == repr((scene(), scene().keys.digest, {"zoom": 1.5}, b"\x89PNG picture"))


def test_the_same_state_gives_the_same_bytes_at_another_time() -> None:
    first = packed(scene(), {"b": 1, "a": 2})
    time.sleep(1.1)  # a time stamp of the container would have whole seconds
    assert packed(scene(), {"a": 2, "b": 1}) == first


def test_bits_of_nan_and_the_sign_of_zero_survive_in_arrays() -> None:
    bits = np.array([0x7FF8000000000001, 0xFFF8000000000002, 0x8000000000000000, 1], dtype=np.uint64)
    state = Toy(mask=Array(bits.view(np.float64)))
    assert unpacked(packed(state), Toy).mask.values.view(np.uint64).tolist() == bits.tolist()


def test_names_with_slashes_points_and_nul_come_back_in_order() -> None:
    names = case("H-03")["input"]["column names"]
    state = Toy(labels=tuple(names), tables={name: Array([i]) for i, name in enumerate(names)})
    again = unpacked(packed(state), Toy)
    assert again.labels == tuple(names)
    assert {name: table.values.tolist() for name, table in again.tables.items()} == {
        n: [i] for i, n in enumerate(names)
    }


def test_settings_of_mixed_kinds_keep_value_and_kind() -> None:
    settings = case("H-04")["input"]["settings"]
    settings |= {"neg zero": -0.0, "nan": math.nan, "inf": math.inf}
    again = unpacked(packed(Toy(notes=settings)), Toy).notes
    assert {name: repr(value) for name, value in again.items()} == {name: repr(v) for name, v in settings.items()}


def test_texts_and_lists_with_gaps_come_back() -> None:  # H-05
    labels = tuple(np.array(["2-room", "Straße", "学校", ""]).tolist())
    again = unpacked(packed(Toy(labels=labels, notes=["a", None, "c"])), Toy)
    assert (again.labels, again.notes) == (labels, ["a", None, "c"])


def test_five_thousand_labels_fit() -> None:  # H-06
    labels = tuple(f"flat {i:05d}" for i in range(5000))
    data = packed(Toy(labels=labels), {"names": list(labels)})
    assert unpacked(data, Toy).labels == labels
    assert from_source(Pieces([data])).view == {"names": list(labels)}
    assert len(data) < 1_000_000


def test_many_arrays_in_deep_groups_come_back() -> None:
    state = Toy(tables={f"t{i}": Array(np.full(i, i)) for i in range(300)})
    assert unpacked(packed(state), Toy) == state


def test_other_programs_find_plain_datasets(tmp_path: Path) -> None:
    save(tmp_path / "a.h5", scene())
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["arrays/keys"][:].tolist() == [[40.0], [60.0], [80.0], [100.0]]
        assert file["arrays/similarity/matrix"].dtype == "<f8"
        state = json.loads(file["state"][:].tobytes())
        assert state["arrays"]["keys"]["shape"] == [4, 1]
        assert state["state"]["title"] == "Größe m²"
        assert file.attrs["format"] == b"Lookup Lab session"
        assert set(file) == {"state", "arrays", "view", "thumbnail"}
        assert all(file.attrs.get_id(name).dtype.kind == "S" for name in file.attrs)


def test_the_description_tells_what_is_inside(tmp_path: Path) -> None:
    info = save(tmp_path / "a.h5", scene())
    text = describe(tmp_path / "a.h5").text
    for fact in ("a.h5", "format 1.0", info.created, "temperature", "keys  float64  4×1", "mask  bool  4"):
        assert fact in text


def test_the_description_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    text = describe(write(tmp_path / "a.h5", created="\x1b[2J now", app_version="\a\n1")).text
    assert "\ufffd[2J now" in text
    assert all(char.isprintable() or char == "\n" for char in text)


def test_it_opens_with_view_and_picture_and_is_saved_again_to_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    save(path, scene())
    before = path.read_bytes()
    opened = open_session(path, Scene, CODEC)
    assert (opened.view, opened.thumbnail, opened.info.newer) == ({"zoom": 1.5}, b"\x89PNG picture", False)
    save(path, opened.state, before=opened.info)
    assert path.read_bytes() == before


def test_what_could_not_be_opened_again_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"“a\.h5” was not saved.*“sigma”"):
        save(tmp_path / "a.h5", Part(sigma=0.0))
    assert list(tmp_path.iterdir()) == []


def test_a_container_that_changes_a_number_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = hdf5.pack
    number = np.float64(70.1).tobytes()
    monkeypatch.setattr(hdf5, "pack", lambda *parts: Pieces([bytes(pack(*parts)).replace(number, b"\0" * 8)]))
    tree, held = CODEC.to_tree(scene())
    with pytest.raises(document.SessionError, match="came back different"):
        to_bytes(Document(tree, held, {}, None, {"created": "then"}), Scene, CODEC)


def test_more_than_a_session_may_hold_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdf5, "MAX_OBJECTS", 3)
    with pytest.raises(document.SessionError, match=r"“a\.h5” was not saved") as caught:
        save(tmp_path / "a.h5", scene())
    assert "too many objects" in caught.value.details
    assert list(tmp_path.iterdir()) == []
