"""States to trees and back: every value strictly of its declared type, in its declared range."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pytest

from labapp.errors import PlainError
from labapp.session import canonical
from labapp.session.writing import stored_name
from models.arrays import Array
from models.errors import LabError
from models.scene import Scene
from tests.labapp.session import CODEC, Part, Toy, scene

FULL = Toy(
    title="Übung",
    seed=2**64,
    offset=-0.0,
    mode="own",
    labels=("m/s", "", "."),
    pair=(0.5, 2),
    row=3,
    mixed=4,
    mask=Array([True, False]),
    parts=(Part(), Part("cosine", 2.5, 0, False, Array(np.zeros((0, 2))))),
    answers={"a/b": 1.0, "": math.inf},
    tables={"a/b": Array([1]), ".": Array([2.5]), "": Array([3]), "x\0y": Array([4]), "a": Array([5]), "A": Array([6])},
    notes={"list": [1, 2.5, "x", None, True, []], "$float": "no tag"},
)


def through(state: Any) -> Any:
    tree, arrays = CODEC.to_tree(state)
    return CODEC.from_tree(canonical.loads(canonical.dumps(tree)), arrays, type(state))


def changed(**fields: Any) -> Any:
    tree, arrays = CODEC.to_tree(FULL)
    return CODEC.from_tree({**tree, **fields}, arrays, Toy)


@pytest.mark.parametrize("state", [FULL, Toy(), scene()], ids=["full", "defaults", "scene"])
def test_a_state_comes_back_equal_and_of_the_same_kinds(state: Any) -> None:
    assert through(state) == state
    assert repr(through(through(state))) == repr(through(state))


def test_numpy_scalars_become_numbers() -> None:
    state = Toy(seed=np.int64(3), offset=np.float64(0.1), row=np.int64(1), notes=[np.bool_(True)])  # type: ignore[arg-type]
    assert repr(through(state)) == repr(Toy(seed=3, offset=0.1, row=1, notes=[True]))


def test_an_int_where_a_float_belongs_becomes_one() -> None:
    assert repr(through(Toy(offset=3)).offset) == "3.0"
    assert repr(changed(offset=3).offset) == "3.0"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("offset", "3"),
        ("offset", True),
        ("offset", 10**400),
        ("seed", True),
        ("seed", 1.0),
        ("title", 3),
        ("title", None),
        ("mode", "other"),
        ("mode", ["own"]),
        ("labels", "abc"),
        ("labels", [1]),
        ("labels", {"a": "b"}),
        ("pair", [1.0]),
        ("pair", [1.0, 2, 3]),
        ("row", "1"),
        ("row", False),
        ("mixed", True),
        ("mask", [True]),
        ("mask", {"array": "nowhere"}),
        ("mask", {"array": ["mask"]}),
        ("mask", {"array": "mask", "more": 1}),
        ("parts", [[]]),
        ("answers", []),
        ("answers", {"a": "b"}),
        ("nonsense", 1),
    ],
)
def test_a_value_of_another_type_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(PlainError, match=rf"“{field}[.\w]*”.*\. .*\.$"):
        changed(**{field: value})


@pytest.mark.parametrize(
    ("field", "value"), [("sigma", 0), ("sigma", math.nan), ("sigma", math.inf), ("name", "x"), ("count", -1)]
)
def test_range_and_choices_of_the_declaration_hold(field: str, value: Any) -> None:
    tree, arrays = CODEC.to_tree(Part())
    with pytest.raises(PlainError, match=f"“{field}” is out of bounds. .* what came is"):
        CODEC.from_tree({**tree, field: value}, arrays, Part)


def test_missing_fields_take_their_defaults_or_are_named() -> None:
    assert CODEC.from_tree({}, {}, Toy) == Toy()
    tree, arrays = CODEC.to_tree(scene())
    del tree["query"], arrays["query"]
    with pytest.raises(PlainError, match="“query” is missing"):
        CODEC.from_tree(tree, arrays, Scene)


def test_an_array_belongs_to_one_field() -> None:
    tree, arrays = CODEC.to_tree(scene())
    with pytest.raises(PlainError, match="“values”"):
        CODEC.from_tree({**tree, "values": tree["keys"]}, arrays, Scene)
    with pytest.raises(PlainError, match="extra belongs to no field"):
        CODEC.from_tree(tree, {**arrays, "extra": np.zeros(2)}, Scene)


def test_unknown_fields_are_put_aside_where_asked() -> None:
    tree, arrays = CODEC.to_tree(FULL)
    tree["parts"][1]["later"] = [1]
    unknown: dict[Any, Any] = {}
    assert CODEC.from_tree(tree, arrays, Toy, unknown) == FULL
    assert unknown == {("parts", 1, "later"): [1]}


def test_a_literal_tells_true_from_one() -> None:
    @dataclass(frozen=True)
    class Choice:
        n: Literal[1, "a"] = "a"

    assert CODEC.from_tree({"n": 1}, {}, Choice) == Choice(1)
    for value in (True, 1.0, "1"):
        with pytest.raises(PlainError, match="“n” needs one of 1, a"):
            CODEC.from_tree({"n": value}, {}, Choice)


def test_what_a_state_itself_refuses_becomes_a_sentence() -> None:
    @dataclass(frozen=True)
    class Fussy:
        n: int = 0

        def __post_init__(self) -> None:
            if self.n:
                raise LabError("Nothing but 0 was expected.")

    with pytest.raises(PlainError, match=r"not right\. Nothing but 0 was expected\."):
        CODEC.from_tree({"n": 1}, {}, Fussy)


@pytest.mark.parametrize(
    "state",
    [
        replace(FULL, row="1"),  # type: ignore[arg-type]
        replace(FULL, offset="1"),  # type: ignore[arg-type]
        replace(FULL, parts=[Part()]),  # type: ignore[arg-type]
        replace(FULL, parts=(scene(),)),  # type: ignore[arg-type]
        replace(FULL, pair=(1.0,)),  # type: ignore[arg-type]
        replace(FULL, mask=[1]),  # type: ignore[arg-type]
        replace(FULL, mode="x"),  # type: ignore[arg-type]
        replace(FULL, notes=(1, 2)),
        replace(FULL, title=None),  # type: ignore[arg-type]
    ],
)
def test_a_state_that_belies_its_types_is_a_fault_of_the_program(state: Toy) -> None:
    with pytest.raises(TypeError):
        CODEC.to_tree(state)


def test_plain_trees_have_lists_for_arrays() -> None:
    tree, arrays = CODEC.to_tree(scene())
    for name, array in arrays.items():
        *groups, last = name.split("/")
        (tree[groups[0]] if groups else tree)[last] = array.tolist()
    tree["keys"] = [[40], [60], [80], [100]]
    assert CODEC.from_plain(tree, Scene) == scene()


@pytest.mark.parametrize("rows", [[[1], [2, 3]], [1, "2"], [True, 1], [None], 3, {"array": "keys"}, ["1e5"], [{}]])
def test_lists_that_are_no_arrays_are_refused(rows: Any) -> None:
    with pytest.raises(PlainError, match=r"“mask” .*\. .*\.$"):
        CODEC.from_plain({"mask": rows}, Toy)


def test_names_of_arrays_mean_nothing_to_the_file_format() -> None:
    names = ["a/b", ".", "", "x\0y", " size ", "size", "Size", "Miete €/m²", "%", "a%2Fb", "..", "x" * 500, "\ud800"]
    stored = [stored_name(("tables", name)) for name in names]
    assert len(set(stored)) == len(names)
    assert all(name.count("/") == 1 and name.isascii() and "\0" not in name for name in stored)
    assert stored_name(("scene", "similarity", "matrix")) == "scene/similarity/matrix"
    assert stored_name(tuple("abcdefg")) == "a/b/c/d/e.f.g"
