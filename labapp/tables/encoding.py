"""From bytes to text: which encoding a file is in, or a plain sentence where it is no text at all."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from labapp.errors import PlainError

# The encodings offered in the dialog; those that spreadsheets of the last thirty years write.
ENCODINGS = (
    "utf-8", "utf-16-le", "utf-16-be", "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "cp932", "gb18030", "big5", "cp949", "mac-roman", "cp850", "cp437",
)  # fmt: skip
_PAGES = [name for name in ENCODINGS if not name.startswith("utf")]
_EASTERN = ("cp932", "gb18030", "big5", "cp949")
# Between two Latin letters, an ideogram is a pair of accented bytes misread.
_EASTERN_IN_WORD = re.compile("[A-Za-z][\u3040-\u9fff\uac00-\ud7a3\uff61-\uff9f][A-Za-z;,\t]")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_KNOWN_FILES = (
    (b"PK\x03\x04", "a spreadsheet workbook or another packed file"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet workbook"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x89HDF", "an HDF5 file, such as a saved session"),
    (b"\x1f\x8b", "a compressed file"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite format 3", "a database"),
)
_ADVICE = "In a spreadsheet, save it as CSV, or copy the cells and paste them here."
_SAMPLE = 200_000
_CHUNK = 1 << 20
# Letters and signs of western Europe. Four accented letters in a row, or a sign such as ² or £ before a small letter,
# are letters of another code page.
_WESTERN = re.compile(
    r"(?:(?![À-ÿ]{4})[\x00-\x7fÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿŒœŸ€‚„…‘’“”•–—«»·´¿¡½¼¾\xa0]"
    r"|[²³¹°µ£¥¢§±×®©ºª](?![a-zà-ÿ]))*"
)


def find_encoding(data: bytes, check: Callable[[], None] = lambda: None) -> tuple[str, int]:
    """The encoding of a text file and the length of its byte order mark.

    Tried in turn: a byte order mark, UTF-16 by its zero bytes, UTF-8 (with a few broken bytes forgiven), and at last
    the code page that the letters speak for, western Europe where that reads as plain text. ``PlainError`` for others.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    _refuse_known_files(data)
    if wide := _wide_encoding(data[:_SAMPLE]):
        return wide, 0
    if b"\x00" in data[:_SAMPLE]:
        raise PlainError(f"A text table was expected, but this file holds binary data. {_ADVICE}")
    if _is_utf8(data, check):
        return "utf-8", 0
    return _code_page(_telling_sample(data)), 0


def _refuse_known_files(data: bytes) -> None:
    for start, kind in _KNOWN_FILES:
        if data.startswith(start):
            raise PlainError(f"A text table was expected, but this is {kind}. {_ADVICE}")
    if re.match(rb"\s*<(?:!doctype|html|\?xml|table)", data[:200], re.IGNORECASE):
        raise PlainError(f"A text table was expected, but this is a web page or an XML file. {_ADVICE}")


def _wide_encoding(sample: bytes) -> str:
    """UTF-16 without a mark: in a table most letters are ASCII, so every other byte is zero."""
    pairs = len(sample) // 2
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    if pairs and odd > 0.4 * pairs and even < 0.01 * pairs:
        return "utf-16-le"
    return "utf-16-be" if pairs and even > 0.4 * pairs and odd < 0.01 * pairs else ""


def _is_utf8(data: bytes, check: Callable[[], None]) -> bool:
    """Whether the whole file is UTF-8; where sequences are broken, whether whole ones outnumber them ten to one."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK):
            check()
            decoder.decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
    except UnicodeDecodeError:
        text = _telling_sample(data).decode("utf-8", "replace")
        broken = text.count("\ufffd")
        return sum(not letter.isascii() for letter in text) - broken > 10 * broken
    return True


def _telling_sample(data: bytes) -> bytes:
    """The lines with other bytes than ASCII, as many as fit: they alone speak for a code page."""
    lines = (match.group() for match in re.finditer(rb"[^\r\n]*[\x80-\xff][^\r\n]*[\r\n]*", data[: 20 * _SAMPLE]))
    sample, size = [], 0
    for line in lines:
        sample.append(line)
        size += len(line)
        if size > _SAMPLE:
            break
    return b"".join(sample) or data[-_SAMPLE:]


def _code_page(sample: bytes) -> str:
    from chardet import detect

    try:
        if _WESTERN.fullmatch(sample.decode("cp1252")):
            return "cp1252"
    except UnicodeDecodeError:
        pass
    for pages in (_PAGES, [page for page in _PAGES if page not in _EASTERN]):
        guess = codecs.lookup(detect(sample, include_encodings=pages)["encoding"] or "cp1252").name
        if not _EASTERN_IN_WORD.search(sample.decode(guess, "replace")):
            break
    return guess
