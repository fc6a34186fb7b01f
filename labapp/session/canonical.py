"""Canonical JSON: one tree, one text, in UTF-8 with sorted keys and no blanks.

Numbers come back with value and kind: floats are written as their shortest exact text (so -0.0 keeps its sign and 1.0
its point), integers whole. What JSON lacks is tagged: ``{"$float": "nan"}``, also ``inf`` and ``-inf``. A key that
begins with ``$`` gets a second one.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from labapp.errors import PlainError

MAX_DEPTH = 64
MAX_BYTES = 64 * 2**20

_NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def dumps(tree: Any) -> bytes:
    """The text of a tree of dicts with text keys, lists, tuples, text, numbers, bools and None.

    Raises ``TypeError`` for anything else.
    """
    text = json.dumps(_tagged(tree), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # Half a character pair, as pasted text may hold, has no UTF-8; JSON knows it as an escape.
    return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode()


def loads(data: bytes) -> Any:
    """The tree of a JSON text, canonical or written by hand.

    Raises ``PlainError`` for what isn't JSON, for a key that comes twice, and for too much depth or size.
    """
    if len(data) > MAX_BYTES:
        raise _wrong(f"at most {MAX_BYTES // 2**20} MB", f"{len(data) / 2**20:.0f} MB")
    try:
        tree = json.loads(
            data.decode("utf-8"), object_pairs_hook=_untagged, parse_constant=_refuse, parse_float=_finite
        )
    except (ValueError, RecursionError) as error:
        raise _wrong("well-formed JSON in UTF-8", f"something else ({error})") from error
    _check_depth(tree)
    return tree


def _tagged(tree: Any) -> Any:
    if isinstance(tree, dict):
        if not all(isinstance(key, str) for key in tree):
            raise TypeError("a key that is no text can't be saved")
        return {"$" + key if key.startswith("$") else key: _tagged(value) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_tagged(value) for value in tree]
    if isinstance(tree, float) and not math.isfinite(tree):
        return {"$float": str(float(tree))}
    return tree


def _untagged(pairs: list[tuple[str, Any]]) -> Any:
    if len(pairs) == 1 and pairs[0][0] == "$float":
        return _non_finite(pairs[0][1])
    tree: dict[str, Any] = {}
    for key, value in pairs:
        if key.startswith("$") and not key.startswith("$$"):
            raise _wrong("a key that it knows", repr(key[:40]))
        name = key[1:] if key.startswith("$") else key
        if name in tree:
            raise _wrong("each key once", f"{name[:40]!r} twice")
        tree[name] = value
    return tree


def _non_finite(name: Any) -> float:
    if not isinstance(name, str) or name not in _NON_FINITE:
        raise _wrong("nan, inf or -inf", repr(name)[:40])
    return _NON_FINITE[name]


def _refuse(constant: str) -> NoReturn:
    raise _wrong("numbers as JSON has them", constant)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _wrong("numbers below 1.8e308", text[:40])
    return value


def _check_depth(tree: Any) -> None:
    level, depth = [tree], 0
    while level := [child for node in level for child in _children(node)]:
        depth += 1
        if depth > MAX_DEPTH:
            raise _wrong(f"at most {MAX_DEPTH} levels", "more")


def _children(node: Any) -> Any:
    return node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()


def _wrong(expected: str, came: str) -> PlainError:
    return PlainError(
        f"The text of the file needs {expected}, and what came is {came}. Correct it or use another copy."
    )
