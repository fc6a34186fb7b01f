"""The one family of errors that the mathematics raises."""

from __future__ import annotations


class LabError(ValueError):
    """Input that has no answer. The text says what was expected, what came and what to do, for a student to read."""

    @property
    def sentence(self) -> str:
        return str(self)
