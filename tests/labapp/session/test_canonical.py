"""Canonical JSON: exact numbers, one text for one tree, and refusals."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labapp.errors import PlainError
from labapp.session import canonical

TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def same(a: Any, b: Any) -> bool:
    """Equal in value and kind, with the sign of zero, and NaN like NaN."""
    return repr(a) == repr(b)


@given(TREES)
def test_a_tree_comes_back_with_values_and_kinds(tree: Any) -> None:
    text = canonical.dumps(tree)
    assert canonical.loads(text) == tree
    assert canonical.dumps(canonical.loads(text)) == text


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.0, 1, True, 2**64, -(2**63), 10**300])
def test_special_numbers_keep_value_kind_and_sign(value: Any) -> None:
    assert same(canonical.loads(canonical.dumps([value])), [value])


def test_keys_are_sorted_and_dollar_keys_are_no_tags() -> None:
    assert canonical.dumps({"b": 1, "a": "Größe"}) == '{"a":"Größe","b":1}'.encode()
    tree = {"$float": "nan", "$": {"$$x": math.nan}}
    assert same(canonical.loads(canonical.dumps(tree)), {"$": {"$$x": math.nan}, "$float": "nan"})


def test_half_a_character_pair_survives() -> None:
    assert canonical.loads(canonical.dumps({"a\udc80": "\ud800x"})) == {"a\udc80": "\ud800x"}


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1,"a":2}',
        b'{"$$a":1,"$$a":2}',
        b"NaN",
        b"[Infinity]",
        b"1e999",
        b'{"$float":"7"}',
        b'{"$float":[1]}',
        b'{"$import":"os"}',
        b"[1,",
        b"\xff",
        b"[" * 100_000,
        b"[" * 66 + b"]" * 66,
        b"1" * 5000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_plain_json_is_refused(text: bytes) -> None:
    with pytest.raises(PlainError, match=r"\. .*\.$"):
        canonical.loads(text)


def test_too_long_a_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canonical, "MAX_BYTES", 10)
    with pytest.raises(PlainError, match="at most"):
        canonical.loads(b" " * 11)


def test_keys_must_be_texts() -> None:
    with pytest.raises(TypeError):
        canonical.dumps({1: 2})
