"""Numbers for other programs: what a file of them holds, and that a session is none the worse for them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from labapp.named_table import Column, NamedMap, NamedTable, PanelNumbers
from labapp.session import envelope, sessions
from labapp.session.faults import SessionError
from labapp.session.results import entries, slug, stored, unique
from labapp.session.sessions import describe, numbers_file, open_session, save_session
from models.scene import Scene
from tests.labapp.session import CODEC, save, scene

TABLE = NamedTable(
    "Entries",
    (Column("entry", ("Größe", "=b")), Column("size", [0.1 + 0.2, None], "m²"), Column("size", np.array([7, 9]))),
)
MAP = NamedMap("∂a/∂s", Column("query", np.array([0.5, 1.5]), "m²"), Column("entry", "abc"), np.eye(2, 3) / 3, "1/€")
NUMBERS = (PanelNumbers("lookup", "Lookup explorer", (TABLE, TABLE, MAP)), PanelNumbers("flow", "Flow", (TABLE,)))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("loss L", "loss_L"),
        ("temperature τ", "temperature_tau"),
        ("‖∂L/∂q‖", "dL_dq"),
        ("size, m²", "size_m2"),
        ("../a\0b", "a_b"),
        ("Ω√2", "Omegasqrt2"),
        ("学校", "unnamed"),
        ("", "unnamed"),
        ("x" * 500, "x" * 48),
    ],
)
def test_titles_become_safe_names(title: str, name: str) -> None:
    assert slug(title) == name


def test_names_are_told_apart_whatever_their_case() -> None:
    assert unique(["a b", "A b", "a_b", "学", "a_b_2"]) == ["a_b", "A_b_2", "a_b_3", "unnamed", "a_b_2_2"]


@pytest.mark.parametrize(
    ("cells", "kind", "found"),
    [
        (np.array([1, 2], dtype=np.int32), "<i8", [1, 2]),
        (np.array([True, False]), "<i8", [1, 0]),
        (np.array([0.1], dtype=np.float32), "<f8", [float(np.float32(0.1))]),
        ([3, 2**62], "<i8", [3, 2**62]),
        ([3, 0.5], "<f8", [3.0, 0.5]),
        ([1 / 3, "masked", None], "|S18", [b"0.3333333333333333", b"masked", b""]),
        ([2**53 + 1, 0.5], "|S16", [b"9007199254740993", b"0.5"]),
        (["学", ""], "|S3", ["学".encode(), b""]),
        ([], "<f8", []),
    ],
)
def test_cells_are_stored_exactly(cells: Any, kind: str, found: list[object]) -> None:
    values = stored(cells)
    assert (values.dtype.str, values.tolist()) == (kind, found)


def test_what_is_missing_is_no_number() -> None:
    assert np.isnan(stored([None, 1.0])).tolist() == [True, False]


def test_a_file_of_numbers_is_plain_hdf5_with_titles_and_units(tmp_path: Path) -> None:
    path = tmp_path / "n.h5"
    path.write_bytes(bytes(numbers_file(NUMBERS)))
    with h5py.File(path) as file:
        top = file["results/lookup"]
        assert list(top) == ["Entries", "Entries_2", "da_ds"]
        table, drawn = top["Entries"], top["da_ds"]
        assert list(table) == ["entry", "size", "size_2"]
        assert table["size"].attrs["unit"].decode() == "m²"
        assert table["size"][0] == 0.1 + 0.2
        assert [text.decode() for text in table["entry"]] == ["Größe", "=b"]
        assert drawn.attrs["title"].decode() == "∂a/∂s"
        assert drawn["values"][:].tolist() == MAP.values.tolist()
        assert (drawn["values"].attrs["unit"].decode(), drawn["rows"][:].tolist()) == ("1/€", [0.5, 1.5])
        found: list[Any] = []
        file.visititems(lambda name, item: found.append(item) if isinstance(item, h5py.Dataset) else None)
        assert all(
            (item.chunks, item.compression, item.id.get_create_plist().get_nfilters()) == (None, None, 0)
            for item in found
        )
        texts = [item.attrs.get_id(name).get_type() for item in (file, *found) for name in item.attrs]
        assert not any(kind.is_variable_str() for kind in texts)


def test_the_same_numbers_give_the_same_bytes_at_another_time() -> None:
    first = bytes(numbers_file(NUMBERS))
    time.sleep(1.1)  # a time stamp of the container would have whole seconds
    assert bytes(numbers_file(NUMBERS)) == first


def test_a_file_of_numbers_is_no_session_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "n.h5"
    path.write_bytes(bytes(numbers_file(NUMBERS)))
    with pytest.raises(SessionError, match=r"“n\.h5” holds numbers .* and no session"):
        open_session(path, Scene, CODEC)


def test_a_session_holds_numbers_beside_and_opens_as_without(tmp_path: Path) -> None:
    plain = save(tmp_path / "plain.h5", scene())
    info = save(tmp_path / "a.h5", scene(), before=plain, overwrite=True, numbers=NUMBERS)
    assert (plain.numbers, info.numbers) == ((), ("lookup", "flow"))
    opened = open_session(tmp_path / "a.h5", Scene, CODEC)
    assert (opened.state, opened.view, opened.info.numbers) == (scene(), {"zoom": 1.5}, ("lookup", "flow"))
    assert "numbers of 2 panels for other programs: lookup, flow" in describe(tmp_path / "a.h5").text
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["results/flow/Entries/size"][0] == 0.1 + 0.2
    again = save(tmp_path / "again.h5", scene(), before=info, overwrite=True, numbers=NUMBERS)
    assert again.numbers
    assert (tmp_path / "again.h5").read_bytes() == (tmp_path / "a.h5").read_bytes()


def test_numbers_that_are_not_kept_leave_no_trace(tmp_path: Path) -> None:
    first = save(tmp_path / "a.h5", scene())
    before = (tmp_path / "a.h5").read_bytes()
    save(tmp_path / "a.h5", scene(), before=first, overwrite=True, numbers=NUMBERS)
    opened = open_session(tmp_path / "a.h5", Scene, CODEC)
    save(tmp_path / "a.h5", opened.state, before=opened.info)
    assert (tmp_path / "a.h5").read_bytes() == before


def test_damaged_numbers_hinder_nothing_and_are_not_even_looked_at(tmp_path: Path) -> None:
    """Every byte of the headers below /results, of the group itself too, and of the values."""
    path = tmp_path / "a.h5"
    save(path, scene(), numbers=NUMBERS)
    data = path.read_bytes()
    spans = []
    with h5py.File(path) as file:
        names: list[str] = []
        file["results"].visit(names.append)
        for item in (file["results"], *(file["results"][name] for name in names)):
            start = h5py.h5o.get_info(item.id).addr
            spans.append((start, 64))
            if isinstance(item, h5py.Dataset):
                spans.append((item.id.get_offset(), item.nbytes))
    hurt = bytearray(data)
    for start, length in spans:
        hurt[start : start + length] = b"\xff" * length
    path.write_bytes(hurt)
    with pytest.raises((OSError, RuntimeError, KeyError)), h5py.File(path) as file:
        list(file["results"])
    assert open_session(path, Scene, CODEC).state == scene()


@pytest.mark.parametrize("kind", ["soft", "external", "own", "many", "packed"])
def test_whatever_lies_under_that_name_is_not_followed(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.h5"
    save(path, scene())
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        if kind == "many":
            for number in range(2100):
                file.create_group(f"results/g{number}")
        elif kind == "packed":
            file.create_dataset("results", data=np.zeros(100), compression="gzip")
        else:
            links = {"soft": h5py.SoftLink("/results"), "external": h5py.ExternalLink("/etc/hostname", "/")}
            file["results"] = links.get(kind, file["/"])
    assert open_session(path, Scene, CODEC).state == scene()


def test_numbers_that_don_t_fit_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum(entry.size + sessions.ENTRY_BYTES for entry in entries(NUMBERS))
    room = size + sum(array.nbytes for array in CODEC.to_tree(scene())[1].values())
    monkeypatch.setattr(sessions, "SPARE_BYTES", envelope.MAX_BYTES - room)
    assert save(tmp_path / "a.h5", scene(), numbers=NUMBERS).numbers == ("lookup", "flow")
    monkeypatch.setattr(sessions, "SPARE_BYTES", envelope.MAX_BYTES - room + 1)
    assert save(tmp_path / "b.h5", scene(), numbers=NUMBERS).numbers == ()
    with h5py.File(tmp_path / "b.h5") as file:
        assert "results" not in file
        assert "results" not in file.attrs


def test_what_could_not_be_opened_for_its_size_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "MAX_BYTES", 1000)
    with pytest.raises(SessionError, match=r"“a\.h5” has 0 MB"):
        save_session(tmp_path / "a.h5", scene(), {}, None, CODEC)
    assert list(tmp_path.iterdir()) == []


def test_a_title_that_fits_no_attribute_is_cut(tmp_path: Path) -> None:
    table = NamedTable("名" * 40_000, (Column("x" * 70_000, [1.0]),))
    path = tmp_path / "long.h5"
    path.write_bytes(bytes(numbers_file([PanelNumbers("flow", "Flow", (table,))])))
    with h5py.File(path) as file:
        group = file["results/flow/unnamed"]
        assert group.attrs["title"].decode() == "名" * 166
        assert group["x" * 48].attrs["title"] == b"x" * 500
