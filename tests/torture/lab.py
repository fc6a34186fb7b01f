"""States that tell their number in every part, so that one made of two saves is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from labapp.session.faults import SessionError
from labapp.session.sessions import open_session, save_session
from models.arrays import Array
from tests.labapp.session import CODEC, Toy

SIZE = 4_000


def numbered(number: int) -> Toy:
    """About 100 KB."""
    tables = {name: Array(np.full(SIZE, number)) for name in ("a", "b", "c")}
    return Toy(title=str(number), seed=number, tables=tables, mask=Array([number]))


def save(path: Path, number: int) -> None:
    save_session(path, numbered(number), {"number": number}, b"\x89PNG%d" % number, CODEC)


def number_in(path: Path) -> int:
    """The number of a whole file. Raises ``AssertionError`` for one that is lost or mixed."""
    try:
        opened = open_session(path, Toy, CODEC)
    except SessionError as error:
        raise AssertionError(f"lost: {error} {error.details}") from error
    number = opened.state.seed
    assert opened.state == numbered(number), "mixed"
    assert opened.view == {"number": number}
    return int(number)
