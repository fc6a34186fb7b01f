"""The ways in which people write that a cell has no value."""

from __future__ import annotations

import re

_WORDS = r"n\.?\s?/?\s?a\.?|#n/a|<na>|nan|null|none|nil|missing|k\.?\s?a\.?|\\n|\(blank\)"
_SIGNS = r"[-–—−]{1,3}|\?{1,3}|\.{1,3}|…"
_FORMULA_ERRORS = r"#(?:div/0!|value!|ref!|name\?|num!|null!)"
_MISSING = re.compile(rf"\s*(?:{_WORDS}|{_SIGNS}|{_FORMULA_ERRORS})?\s*", re.IGNORECASE)


def is_missing(text: str) -> bool:
    """Whether the cell says that there is no value: empty, NA, n/a, null, –, ? and their like."""
    return _MISSING.fullmatch(text) is not None
