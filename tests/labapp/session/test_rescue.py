"""A hurt part is left out and said; the others open, the file stays, and what is older is brought up to date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import pytest

from labapp.session import document, hdf5, migrations
from labapp.session.document import Document
from labapp.session.faults import SessionError
from labapp.session.sessions import open_session
from models.app_state import AppState
from models.arrays import Array
from models.scene import Scene
from tests.labapp.session import CODEC, save, scene, write


def app_file(path: Path, change: Callable[[Any], Any] = lambda tree: tree) -> Path:
    state = AppState()
    state = replace(state, scene=replace(state.scene, title="kept", temperature=3.0))
    tree, arrays = CODEC.to_tree(state)
    path.write_bytes(bytes(hdf5.pack(document.encode(Document(change(tree), arrays)))))
    return path


def _out_of_range(tree: Any) -> Any:
    return {**tree, "temperature": {**tree["temperature"], "chance": {"nonsense": 1}}}


def _unknown_panel(tree: Any) -> Any:
    return {**tree, "holography": {"angle": 1.0}}


def _no_group(tree: Any) -> Any:
    return {**tree, "flow": 7}


@pytest.mark.parametrize(
    ("change", "part"), [(_out_of_range, "temperature"), (_unknown_panel, "holography"), (_no_group, "flow")]
)
def test_the_others_open(tmp_path: Path, change: Callable[[Any], Any], part: str) -> None:
    path = app_file(tmp_path / "a.h5", change)
    before = path.read_bytes()
    with pytest.raises(SessionError):
        open_session(path, AppState, CODEC)
    opened = open_session(path, AppState, CODEC, rescue=True)
    assert opened.info.left_out == (part,)
    assert (opened.state.scene.title, opened.state.scene.temperature) == ("kept", 3.0)
    assert path.read_bytes() == before


def test_a_damaged_array_costs_its_part_alone(tmp_path: Path) -> None:
    path = app_file(tmp_path / "a.h5")
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        file["arrays/lookup/sweep/start"][0] = 9.0
    opened = open_session(path, AppState, CODEC, rescue=True)
    assert opened.info.left_out == ("lookup",)
    assert opened.state.scene.title == "kept"


def test_a_part_that_does_not_fit_the_default_of_another_is_left_out_too(tmp_path: Path) -> None:
    def wide(tree: Any) -> Any:
        return {**tree, "scene": 1}

    state = AppState()
    two = Array([[1.0, 2.0]])
    wide_scene = replace(state.scene, keys=two, query=Array([0.0, 1.0]), key_columns=(state.scene.key_columns[0],) * 2)
    sweep = replace(state.lookup.sweep, start=Array([0.0, 0.0]), end=Array([1.0, 1.0]))
    state = AppState(wide_scene, replace(state.lookup, sweep=sweep))
    tree, arrays = CODEC.to_tree(state)
    path = tmp_path / "a.h5"
    path.write_bytes(bytes(hdf5.pack(document.encode(Document(wide(tree), arrays)))))
    assert open_session(path, AppState, CODEC, rescue=True).info.left_out == ("lookup", "scene")


def test_what_has_no_good_part_is_refused(tmp_path: Path) -> None:
    path = app_file(tmp_path / "a.h5", lambda tree: {"other": 1})
    with pytest.raises(SessionError):
        open_session(path, AppState, CODEC, rescue=True)


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema 1.1, in which the temperature has another name than in 1.0."""

    def step(tree: Any, arrays: Any) -> Any:
        tree = {**tree, "temperature": tree["heat"]}
        del tree["heat"]
        return tree, arrays

    monkeypatch.setattr(document, "SCHEMA", (1, 1))
    monkeypatch.setitem(migrations.STEPS, (1, 0), ((1, 1), step))


def _old_name(tree: Any) -> Any:
    tree = {**tree, "heat": 2.5}
    del tree["temperature"]
    return tree


@pytest.mark.usefixtures("raised")
def test_an_older_file_opens_and_its_first_save_keeps_a_copy(tmp_path: Path) -> None:
    path = write(tmp_path / "old.h5", _old_name, schema="1.0")
    before = path.read_bytes()
    opened = open_session(path, Scene, CODEC)
    assert opened.state == replace(scene(), temperature=2.5)
    assert opened.info.older
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.h5"]
    info = save(path, opened.state, before=opened.info)
    save(path, scene(), before=info)
    assert (tmp_path / "old.h5.bak").read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["old.h5", "old.h5.bak"]
    assert open_session(path, Scene, CODEC).info.schema == (1, 1)


@pytest.mark.usefixtures("raised")
def test_a_copy_that_is_there_is_not_written_over_and_other_names_need_none(tmp_path: Path) -> None:
    path = write(tmp_path / "old.h5", _old_name, schema="1.0")
    (tmp_path / "old.h5.bak").write_bytes(b"precious")
    opened = open_session(path, Scene, CODEC)
    save(tmp_path / "new.h5", opened.state, before=opened.info)
    assert not (tmp_path / "new.h5.bak").exists()
    save(path, opened.state, before=opened.info)
    assert (tmp_path / "old.h5.bak").read_bytes() == b"precious"
    assert (tmp_path / "old.h5.bak2").exists()
