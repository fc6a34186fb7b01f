"""Reading a text table: ``read_table`` for a file, ``read_text`` for what was pasted."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from labapp.errors import PlainError
from labapp.tables import columns, dialect, structure
from labapp.tables.columns import Evidence, Quiet, ReadJob
from labapp.tables.dialect import Record, UnclosedQuoteError
from labapp.tables.encoding import find_encoding
from labapp.tables.report import notes_of, question_of
from labapp.tables.table import Column, LeftOut, Recognised, Table

_HEAD_RECORDS = 200
_HEAD_LETTERS = 40_000
_PIECE = 1 << 20
_READ_SHARE = 0.6  # of the progress bar: the rest is for turning text into numbers
_END_OF_FILE = b"\x1a"  # as programs of the DOS days wrote it
_MOST_CELLS = 60  # of a refused line that the preview keeps


@dataclass(frozen=True)
class ReadOptions:
    """What the person chose instead of what would be recognised. ``header_line`` 0 means: there is none."""

    encoding: str | None = None
    separator: str | None = None
    decimal: str | None = None
    header_line: int = structure.AUTOMATIC


@dataclass(frozen=True)
class Source:
    """Bytes to read. ``encoding`` is set where they are known to be text of that encoding."""

    name: str
    data: bytes = field(repr=False)
    encoding: str | None = None


def read_table(path: Path | str, options: ReadOptions = ReadOptions(), job: ReadJob = Quiet()) -> Table:  # noqa: B008
    """Read a CSV, TSV or other separated text file. ``PlainError`` where it can't be opened or is no text table."""
    return read_source(open_source(Path(path), job), options, job)


def read_text(text: str, options: ReadOptions = ReadOptions(), job: ReadJob = Quiet()) -> Table:  # noqa: B008
    """Read a table from text, say from the clipboard."""
    return read_source(text_source(text), options, job)


def text_source(text: str, name: str = "pasted table") -> Source:
    return Source(name, text.removeprefix("\ufeff").encode("utf-8", "replace"), "utf-8")


def open_source(path: Path, job: ReadJob) -> Source:
    """The bytes of the file, read in pieces so that the job can be stopped."""
    try:
        with path.open("rb") as file:
            pieces = []
            while piece := file.read(_PIECE):
                job.check()
                pieces.append(piece)
    except OSError as error:
        raise PlainError(
            f"The table {path.name} can't be opened: {error.strerror or error}. Choose another file."
        ) from error
    return Source(path.name, b"".join(pieces))


def read_source(source: Source, options: ReadOptions, job: ReadJob) -> Table:
    """Read the table; a quotation mark that is never closed is taken as an ordinary sign, and the table says so."""
    if not source.data.strip():
        raise PlainError(f"A table with columns and rows was expected, but {source.name} is empty.")
    text = _Text.of(source, options, job)
    try:
        return _read(text, options, job, quoted=True)
    except UnclosedQuoteError as error:
        table = _read(text, options, job, quoted=False)
        note = (
            f"A quotation mark opened in line {error.line} is never closed, so quotation marks were read as they stand."
        )
        return replace(table, notes=(*table.notes, note))


@dataclass(frozen=True)
class _Text:
    """The bytes behind the byte order mark, the way to read them, and what a ``sep=`` line said."""

    name: str
    data: bytes = field(repr=False)
    encoding: str
    announced: str | None
    head: str = field(repr=False)

    @classmethod
    def of(cls, source: Source, options: ReadOptions, job: ReadJob) -> _Text:
        found, mark = (source.encoding, 0) if source.encoding else find_encoding(source.data, job.check)
        encoding = options.encoding or found
        data = source.data[mark:].removesuffix(_END_OF_FILE)
        stream = _stream(io.BytesIO(data), encoding)
        head = "".join(itertools.islice(stream, 5 * _HEAD_RECORDS))[:_HEAD_LETTERS]
        announced = dialect.announced_separator(head.split("\n", 1)[0])
        return cls(source.name, data, encoding, announced, head)

    def separator(self) -> str:
        if self.announced is not None:
            return self.announced
        whole_lines = self.head if len(self.head) < _HEAD_LETTERS else self.head.rpartition("\n")[0]
        return dialect.find_separator(whole_lines or self.head)

    def lines(self, job: ReadJob) -> Iterator[str]:
        """The lines, of which a ``sep=`` line becomes a blank one; tells progress."""
        data = io.BytesIO(self.data)
        stream = _stream(data, self.encoding)
        for number, line in enumerate(stream):
            if number % columns.CHUNK == 0:
                job.check()
                job.progress(_READ_SHARE * data.tell() / len(self.data))
            yield "\n" if number == 0 and self.announced is not None else line


def _stream(data: io.BytesIO, encoding: str) -> io.TextIOWrapper:
    """Text with every line end as "\\n"; bytes that are no letters of the encoding become U+FFFD."""
    return io.TextIOWrapper(data, encoding=encoding, errors="replace", newline=None)


def _read(text: _Text, options: ReadOptions, job: ReadJob, quoted: bool) -> Table:
    separator = text.separator() if options.separator is None else options.separator
    stream = dialect.records(text.lines(job), separator, quoted)
    head = list(itertools.islice(stream, max(_HEAD_RECORDS, options.header_line + 1)))
    if all(structure.is_blank(fields) for _, fields in head):
        head += list(itertools.islice((record for record in stream if not structure.is_blank(record[1])), 1))
    if all(structure.is_blank(fields) for _, fields in head):
        raise PlainError(f"A table with columns and rows was expected, but {text.name} holds only blank lines.")
    layout = structure.judge(head, options.header_line)
    body = _Body(layout)
    for record in itertools.chain(head[layout.first :], stream):
        body.add(record)
    if not body.lines:
        raise PlainError(
            f"Rows under the column names were expected, but {text.name} has none. Is the header line right?"
        )
    recognised = Recognised(
        encoding=text.encoding,
        separator=separator,
        decimal="",
        title_lines=layout.title_lines,
        header_line=layout.header[0] if layout.header else 0,
        units_line=layout.units[0] if layout.units else 0,
        first_lines=structure.first_lines(head),
    )
    return _assemble(text.name, body, recognised, options.decimal, job)


class _Body:
    """The rows as columns of text, and the lines that are none."""

    def __init__(self, layout: structure.Layout) -> None:
        self.layout = layout
        self.width = layout.width
        self.cells: list[list[str]] = [[] for _ in range(layout.width)]
        self.lines: list[int] = []
        self.left_out: list[LeftOut] = []
        self.remarks: dict[int, str] = {}
        self._header = layout.header[1] if layout.header else []

    def add(self, record: Record) -> None:
        line, fields = record
        if structure.is_blank(fields):
            return
        if len(fields) != self.width:
            fields = self._fitted(line, fields)
        elif fields == self._header:
            self.left_out.append(LeftOut(line, "repeats the column names", tuple(fields)))
            return
        if fields:
            self.lines.append(line)
            for cells, cell in zip(self.cells, fields, strict=True):
                cells.append(cell)

    def _fitted(self, line: int, fields: list[str]) -> list[str]:
        """A short row filled up with empty cells, a long one cut; nothing where that would cut off more than gaps."""
        count = f"has {len(fields)} field{'s' * (len(fields) != 1)} instead of {self.width}"
        if len(fields) < self.width:
            self.remarks[line] = count
            return fields + [""] * (self.width - len(fields))
        if structure.is_blank(fields[self.width :]):
            return fields[: self.width]
        self.left_out.append(LeftOut(line, count, tuple(fields[:_MOST_CELLS])))
        return []

    def used_columns(self) -> list[tuple[str, str, list[str]]]:
        """Name, unit of the units row, and trimmed cells of each column; those without name and cells are dropped."""
        header, units = self._header, self.layout.units[1] if self.layout.units else []
        names = structure.column_names(header, self.width)
        used = []
        for position, name in enumerate(names):
            texts = [cell.strip() for cell in self.cells[position]]  # a loop, in which the window gets its turn
            named = position < len(header) and header[position].strip()
            if named or any(texts):
                unit = structure.unit_in_cell(units[position]) if position < len(units) else ""
                used.append((name, unit, texts))
        return used


def _assemble(name: str, body: _Body, recognised: Recognised, decimal: str | None, job: ReadJob) -> Table:
    job.progress(_READ_SHARE)
    parts = body.used_columns()
    evidence = [columns.weigh(texts, job) for _, _, texts in parts]
    pooled = sum(evidence, Evidence())
    common = decimal or pooled.mark(recognised.separator)
    built: list[Column] = []
    thousands = ""
    for done, ((title, unit, texts), own) in enumerate(zip(parts, evidence, strict=True), 1):
        mark = own.mark(recognised.separator) if own.decides and not decimal else common
        is_open = Evidence() if pooled.decides or not _asks(pooled, recognised.separator) else own
        column, numbered = columns.build(title, texts, is_open, mark, job)
        unit = unit or column.unit or structure.unit_in_name(title)
        built.append(replace(column, unit=unit))
        thousands = thousands or numbered.thousands
        job.progress(_READ_SHARE + (1 - _READ_SHARE) * done / len(parts))
    recognised = replace(recognised, decimal=common, thousands=thousands)
    return Table(
        name=name,
        columns=tuple(built),
        lines=np.array(body.lines, dtype=np.int64),
        left_out=tuple(body.left_out),
        recognised=recognised,
        notes=notes_of(recognised, built),
        question=question_of(built, common, pooled.example),
        remarks=body.remarks,
    )


def _asks(pooled: Evidence, separator: str) -> bool:
    """Whether an open mark is worth a question: between commas, a point can only be a decimal point."""
    return pooled.either > 0 and (separator != "," or pooled.with_comma > 0)
