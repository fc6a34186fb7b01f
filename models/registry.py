"""Named functions of one kind (similarities, weightings, kernels), each with its label and its formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from models.errors import LabError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry(Generic[F]):
    """One function of a registry; calling the entry calls the function.

    ``tex`` is the formula; ``parameters`` names the keyword parameters that a user sets.
    """

    name: str
    label: str
    tex: str
    help: str
    function: F
    parameters: tuple[str, ...] = ()

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.function(*args, **keywords)


class Registry(Mapping[str, Entry[F]]):
    """Entries in the order in which they were added. Refuses duplicates; an unknown name lists the known ones."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._entries: dict[str, Entry[F]] = {}

    def add(
        self, name: str, *, label: str, tex: str, help: str = "", parameters: tuple[str, ...] = ()
    ) -> Callable[[F], F]:
        """Decorator: ``@SIMILARITIES.add("dot", label="Dot product", tex=r"q\\cdot k")``."""
        if name in self._entries:
            raise LabError(f"There is already a {self.what} named {name!r}; give the new one another name.")

        def register(function: F) -> F:
            self._entries[name] = Entry(name, label, tex, help, function, parameters)
            return function

        return register

    def __getitem__(self, name: str) -> Entry[F]:
        try:
            return self._entries[name]
        except KeyError:
            known = ", ".join(self._entries)
            raise LabError(f"There is no {self.what} named {name!r}; choose one of {known}.") from None

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
