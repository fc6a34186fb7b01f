"""The scenes of ``assets/scenes``: data files, each a part of a state, with a title and a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from labapp.errors import PlainError


@dataclass(frozen=True)
class SceneFile:
    """What a scene's file says of itself, and the part of a state that it holds as plain JSON."""

    id: str
    title: str
    summary: str
    state: dict[str, Any]


@cache
def scene_files() -> dict[str, SceneFile]:
    """All scenes by id, in the order of ``assets/scenes/order.json``."""
    folder = files("assets").joinpath("scenes")
    order = json.loads(folder.joinpath("order.json").read_text(encoding="utf-8"))
    return {name: _read(name) for name in order}


def _read(name: str) -> SceneFile:
    text = files("assets").joinpath("scenes", f"{name}.json").read_text(encoding="utf-8")
    tree = json.loads(text)
    return SceneFile(name, tree["title"], tree["summary"], tree["state"])


class Shelf:
    """Turns scenes into states of a type."""

    def __init__(self, state_type: type, array_type: type) -> None:
        from labapp.session.codec import Codec  # brings numpy; the names of scenes are asked for before it is needed

        self.state_type = state_type
        self._codec = Codec(array_type)

    def state(self, name: str) -> Any:
        """A new lab that shows the scene."""
        return self._codec.from_plain(self._file(name).state, self.state_type)

    def choose(self, name: str) -> Callable[[Any], Any]:
        """The update that puts the scene into a state: what the scene doesn't mention stays."""
        given = self._file(name).state
        state = self.state(name)
        return lambda present: replace(present, **{part: getattr(state, part) for part in given})

    @staticmethod
    def _file(name: str) -> SceneFile:
        try:
            return scene_files()[name]
        except KeyError:
            known = ", ".join(scene_files())
            raise PlainError(f"There is no scene named {name!r}. Choose one of {known}.") from None
