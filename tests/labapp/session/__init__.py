"""Toy states with everything that a session may hold, and the files that they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from labapp.session import document, hdf5
from labapp.session.codec import Codec
from labapp.session.document import Document
from labapp.session.sessions import save_session
from models.arrays import Array
from models.parameters import parameter
from models.scene import Column, Scene

CODEC = Codec(Array)


@dataclass(frozen=True)
class Part:
    name: str = parameter("dot", label="Kind", choices=("dot", "cosine"))
    sigma: float = parameter(1.0, label="Bandwidth", minimum=1e-3, maximum=1e3)
    count: int = parameter(3, label="Count", minimum=0, maximum=2**70)
    on: bool = True
    matrix: Array = field(default_factory=lambda: Array([[1.0]]))


@dataclass(frozen=True)
class Toy:
    title: str = ""
    seed: int = 0
    offset: float = 0.0
    mode: Literal["scene", "own"] = "scene"
    labels: tuple[str, ...] = ()
    pair: tuple[float, int] = (0.0, 0)
    row: int | None = None
    mixed: float | int | str | None = None
    mask: Array | None = None
    parts: tuple[Part, ...] = ()
    answers: dict[str, float] = field(default_factory=dict)
    tables: dict[str, Array] = field(default_factory=dict)
    notes: Any = None


def scene() -> Scene:
    return Scene(
        id="rents",
        title="Größe m²",
        keys=Array([[40.0], [60.0], [80.0], [100.0]]),
        values=Array([[900.0], [1200.0], [1500.0], [2100.0]]),
        entries=("a", "b", "c", "d"),
        key_columns=(Column("size", "m²"),),
        value_columns=(Column("rent"),),
        query=Array([70.1]),
        mask=Array([True, True, False, True]),
    )


def save(path: Path, state: Any, **more: Any) -> Any:
    return save_session(path, state, {"zoom": 1.5}, b"\x89PNG picture", CODEC, **more)


def write(path: Path, change: Callable[[Any], Any] = lambda tree: tree, **attributes: str) -> Path:
    """A file whose digests agree, with a changed tree or other attributes: written by hand, so to speak."""
    tree, arrays = CODEC.to_tree(scene())
    path.write_bytes(bytes(hdf5.pack(document.encode(Document(change(tree), arrays, {}, None, attributes)))))
    return path


def sample(path: Path, state: Any, view: dict[str, Any], thumbnail: bytes | None = None) -> Path:
    """The small file of the present schema that ``tests/sessions/`` keeps: never written again, opened for ever.

    Called once for each schema number, by ``python -m tests.sessions``.
    """
    if path.exists():
        raise FileExistsError(f"{path} is a sample of its schema and stays as it is")
    save_session(path, state, view, thumbnail, CODEC)
    return path
