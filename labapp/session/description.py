"""What is inside a session file, in a few lines of text: for the command line, without any device."""

from __future__ import annotations

from dataclasses import dataclass

from labapp.session.document import FORMAT, Document, panels_of, version_text


@dataclass(frozen=True)
class ArrayLine:
    name: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Description:
    """Facts of a session file; ``text`` has them line by line."""

    name: str
    size: int
    schema: str
    min_reader: str
    app_version: str
    created: str
    parts: tuple[str, ...]
    """the fields of the state"""
    arrays: tuple[ArrayLine, ...]
    thumbnail: bool
    numbers: tuple[str, ...] = ()
    """the panels whose numbers were written beside"""

    @property
    def text(self) -> str:
        lines = [
            f"{self.name}: {FORMAT}, {self.size} bytes",
            f"format {self.schema}, needs a lab that reads format {self.min_reader}; this one reads {version_text()}",
            f"written by version {self.app_version}, created {self.created}",
            f"parts: {', '.join(self.parts)}",
            f"picture: {'yes' if self.thumbnail else 'no'}",
            f"arrays: {len(self.arrays)}",
            *(f"  {line.name}  {line.dtype}  {'×'.join(map(str, line.shape)) or 'one number'}" for line in self.arrays),
        ]
        if self.numbers:
            count = f"{len(self.numbers)} panel{'s' * (len(self.numbers) > 1)}"
            lines.append(f"numbers of {count} for other programs: {', '.join(self.numbers)}")
        return "\n".join(map(printable, lines))


def printable(line: str) -> str:
    """A line that can do nothing to the terminal that shows it: its texts come from a file."""
    return "".join(char if char.isprintable() else "\ufffd" for char in line)


def description_of(name: str, size: int, held: Document) -> Description:
    """The facts of a document that was read from a file of this name and size (bytes)."""
    schema, reader, app, created = (
        held.attributes.get(key, "unknown") for key in ("schema", "min_reader", "app_version", "created")
    )
    parts = tuple(held.state_tree) if isinstance(held.state_tree, dict) else ()
    arrays = tuple(ArrayLine(path, array.dtype.name, array.shape) for path, array in sorted(held.arrays.items()))
    numbers = panels_of(held.attributes)
    return Description(name, size, schema, reader, app, created, parts, arrays, held.thumbnail is not None, numbers)
