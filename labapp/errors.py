"""Faults that a user can do something about, in plain words."""

from __future__ import annotations


class PlainError(Exception):
    """Something that the user asked for can't be done. The text says what was expected, what came, what to do."""

    @property
    def sentence(self) -> str:
        return str(self)


def sentence_of(error: BaseException) -> str | None:
    """The sentence that an error carries for the user (``sentence``), or None if it is a fault of the program.

    The mathematics raises errors of a family of its own, which the shell doesn't import: it knows them by this
    attribute.
    """
    sentence = getattr(error, "sentence", None)
    return sentence if isinstance(sentence, str) else None
