"""Edits of a scene: pure, complete, and refused in words where they make no sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labapp.scenes import Shelf, scene_files
from labapp.session.codec import Codec
from models.app_state import AppState
from models.arrays import Array
from models.errors import LabError
from models.parameters import parameter
from models.scene import Column, Scene, Similarity
from models.scene_edit import (
    MOST_ENTRIES,
    add_entry,
    allow_entry,
    choose_query,
    list_query,
    move_entry,
    move_key,
    move_query,
    move_value,
    own_scene,
    remove_entry,
    rename_entry,
    stretch_query,
    unlist_queries,
)
from models.similarities import SIMILARITIES
from models.weightings import WEIGHTINGS

SHELF = Shelf(AppState, Array)
SCENES = {name: SHELF.state(name).scene for name in scene_files()}
Edit = Callable[[Scene], Scene]


def edits(scene: Scene, index: int, number: float) -> list[Edit]:
    """Every edit that a user can make of an entry, with a number of the user's."""
    d_k, d_v = scene.keys.shape[1], scene.values.shape[1]
    key, value = np.full(d_k, number), np.full(d_v, number)
    return [
        lambda s: move_query(s, key),
        lambda s: stretch_query(s, abs(number) + 0.1),
        lambda s: move_key(s, index, key),
        lambda s: move_value(s, index, value),
        lambda s: rename_entry(s, index, "<b>&</b>"),
        lambda s: allow_entry(s, index, False),
        lambda s: allow_entry(s, index, True),
        lambda s: add_entry(s, key, key if s.tied else value),
        lambda s: remove_entry(s, index),
        lambda s: move_entry(s, index, round(number)),
        list_query,
        unlist_queries,
        lambda s: choose_query(s, key),
    ]


def is_sound(scene: Scene) -> None:
    """What holds of every scene that edits lead to."""
    assert len(scene.keys) == len(scene.values) == len(scene.entries)
    if scene.tied:
        assert scene.keys == scene.values == scene.queries
        assert scene.query_names == scene.entries
        assert scene.row is not None
    if scene.row is not None:
        assert scene.queries is not None
        assert (scene.queries.values[scene.row] == scene.query.values).all()
    codec = Codec(Array)
    state = replace(AppState(), scene=scene, lookup=_way(scene))
    assert codec.from_tree(*codec.to_tree(state), AppState) == state


def _way(scene: Scene) -> Any:
    zero = Array(np.zeros(scene.keys.shape[1]))
    return replace(AppState().lookup, sweep=replace(AppState().lookup.sweep, start=zero, end=zero))


@given(
    st.sampled_from(sorted(set(SCENES) - {"database"})),
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3), st.floats(-5, 5)), max_size=6),
)
def test_any_row_of_edits_is_pure_and_leaves_a_sound_scene(name: str, steps: list[tuple[int, int, float]]) -> None:
    scene = SCENES[name]
    for which, entry, number in steps:
        before = scene
        kept = {field.name: getattr(before, field.name) for field in fields(before)}
        edit = edits(scene, entry % len(scene.keys), number)[which]
        try:
            scene = edit(before)
        except LabError:
            assert which in (8, 12)
            assert len(before.keys) == 1 or before.tied
        assert kept == {field.name: getattr(before, field.name) for field in fields(before)}
        assert edit(before) == scene if scene != before else True
    is_sound(scene)


def test_moving_the_query_moves_its_row_of_the_list() -> None:
    scene = move_query(list_query(SCENES["rents"]), [60.0])
    assert scene.queries is not None
    assert scene.queries.values.tolist() == [[60.0]]
    assert scene.query.values.tolist() == [60.0]


def test_listed_queries_keep_their_places() -> None:
    scene = list_query(move_query(choose_query(list_query(SCENES["rents"]), [50.0]), [55.0]))
    assert scene.queries is not None
    assert scene.queries.values.tolist() == [[75.0], [55.0]]
    assert scene.query_names == ("query 1", "query 2")
    assert scene.row == 1
    assert unlist_queries(scene).queries is None
    assert unlist_queries(scene).query == scene.query


def test_a_word_of_a_tied_scene_is_query_key_and_value() -> None:
    scene = move_key(SCENES["causal"], 3, [2.0, 2.0])
    assert scene.values.values[3].tolist() == [2.0, 2.0]
    assert scene.query.values.tolist() == [2.0, 2.0]
    other = move_value(SCENES["causal"], 0, [7.0, 7.0])
    assert other.keys.values[0].tolist() == [7.0, 7.0]
    assert other.query == SCENES["causal"].query


def test_a_word_more_sees_all_before_it_and_is_seen_by_none() -> None:
    scene = add_entry(SCENES["causal"], [0.0, 1.0], [0.0, 1.0], "again")
    assert scene.mask is not None
    assert (scene.mask.values == np.tril(np.ones((5, 5), dtype=bool))).all()
    assert scene.query_names[-1] == "again"


def test_a_word_less_takes_its_row_and_column_of_the_mask() -> None:
    scene = remove_entry(SCENES["causal"], 3)
    assert scene.mask is not None
    assert (scene.mask.values == np.tril(np.ones((3, 3), dtype=bool))).all()
    assert scene.row == 0
    assert scene.query.values.tolist() == [1.0, 0.0]


def test_a_mask_follows_its_entries() -> None:
    scene = move_entry(SCENES["padding"], 4, 0)
    assert scene.mask is not None
    assert scene.mask.values.tolist() == [False, True, True, True, False]
    assert scene.entries[0] == "(pad)"
    grown = add_entry(scene, [0.0, 0.0], [0.0, 0.0])
    assert grown.mask is not None
    assert grown.mask.values.tolist() == [False, True, True, True, False, True]


def test_a_mask_that_hides_nothing_is_none() -> None:
    scene = SCENES["rents"]
    assert allow_entry(allow_entry(scene, 1, False), 1, True) == scene


def test_a_causal_mask_changes_in_the_row_of_the_query_alone() -> None:
    scene = allow_entry(SCENES["causal"], 0, False)
    assert scene.mask is not None
    assert scene.mask.values[3].tolist() == [False, True, True, True]
    assert scene.mask.values[:3].tolist() == SCENES["causal"].mask.values[:3].tolist()  # type: ignore[union-attr]


def test_moving_and_moving_back_is_where_it_was() -> None:
    scene = SCENES["padding"]
    assert move_entry(move_entry(scene, 1, 3), 3, 1) == scene
    assert move_entry(scene, 0, -5) == scene
    assert move_entry(scene, 4, 99) == scene


def test_a_query_without_length_has_no_direction_to_be_stretched_in() -> None:
    still = move_query(SCENES["tokens"], [0.0, 0.0])
    assert stretch_query(still, 3.0) == still
    long = stretch_query(SCENES["tokens"], 3.0)
    assert np.linalg.norm(long.query.values) == pytest.approx(3)


def test_the_last_entry_stays() -> None:
    one = own_scene([[1.0]], [[2.0]], [Column("k")], [Column("v")])
    with pytest.raises(LabError, match="at least one entry"):
        remove_entry(one, 0)


@pytest.mark.parametrize("point", [[1.0, 2.0], [np.nan], [np.inf], []])
def test_a_point_that_is_none_is_refused(point: list[float]) -> None:
    for edit in (
        lambda s: move_query(s, point),
        lambda s: move_key(s, 0, point),
        lambda s: move_value(s, 0, point),
        lambda s: add_entry(s, point, [1.0]),
    ):
        with pytest.raises(LabError, match="1 finite number"):
            edit(SCENES["rents"])


def test_an_own_table_asks_at_the_mean_with_a_width_that_fits() -> None:
    scene = own_scene([40, 60, 80, 100], [9, 12, 15, 21], [Column("size", "m²")], [Column("rent")], "abcd")
    assert scene.query.values.tolist() == [70.0]
    assert scene.similarity.name == "squared_distance"
    assert 5 < scene.similarity.sigma < 20
    assert scene.entries == ("a", "b", "c", "d")


def test_an_own_table_of_many_dimensions_has_matrices_that_fit() -> None:
    scene = own_scene(np.ones((3, 5)), np.ones((3, 4)), [Column("k")] * 5, [Column("v")] * 4)
    assert scene.similarity.matrix.shape == (5, 5)
    assert scene.similarity.sigma == 1.0
    assert scene.entries == ("entry 1", "entry 2", "entry 3")


def test_an_own_table_too_large_or_with_gaps_is_refused_in_words() -> None:
    many = np.zeros((MOST_ENTRIES + 1, 1))
    with pytest.raises(LabError, match="up to 5000 entries; 5001 came"):
        own_scene(many, many, [Column("k")], [Column("v")])
    with pytest.raises(LabError, match="leave out the lines with gaps"):
        own_scene([[np.nan]], [[1.0]], [Column("k")], [Column("v")])
    with pytest.raises(LabError, match="one at least; 0 and 0 came"):
        own_scene(np.zeros((0, 1)), np.zeros((0, 1)), [Column("k")], [Column("v")])


def test_the_scenes_are_what_their_files_say_and_in_order() -> None:
    assert list(SCENES) == [
        "rents", "houses", "two-entries", "tokens", "orthonormal", "unequal-lengths", "padding", "causal", "identity",
        "database",
    ]  # fmt: skip
    for name, file in scene_files().items():
        assert SCENES[name].id == name
        assert SCENES[name].title == file.title
        assert file.summary.endswith(".")
        is_sound(SCENES[name])


def test_every_scene_is_written_as_the_program_would_write_it() -> None:
    codec = Codec(Array)
    for name, file in scene_files().items():
        tree, _ = codec.to_tree(SHELF.state(name))
        assert set(file.state) == {"scene", "lookup"}
        for part, said in file.state.items():
            assert set(said) <= set(tree[part])
            assert set(said.get("similarity", {})) <= {field.name for field in fields(Similarity)}


def test_the_choices_of_a_scene_are_the_registries() -> None:
    kinds = {field.name: field.metadata["choices"] for field in fields(Similarity) if field.name == "name"}
    assert kinds["name"] == tuple(SIMILARITIES)
    weightings = next(field for field in fields(Scene) if field.name == "weighting")
    assert weightings.metadata["choices"] == tuple(WEIGHTINGS)
    assert set(weightings.metadata) == set(parameter(0, label="").metadata)
