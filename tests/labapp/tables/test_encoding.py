"""Encodings, and files that are no text."""

from __future__ import annotations

import pytest

from labapp.errors import PlainError
from labapp.tables.read import Quiet, ReadOptions, Source, read_source
from labapp.tables.table import Table


def read(data: bytes) -> Table:
    return read_source(Source("table.csv", data), ReadOptions(), Quiet())


@pytest.mark.parametrize(
    ("encoding", "names", "said"),
    [
        ("utf-8", "Fläche;Größe", "utf-8"),
        ("utf-8-sig", "Fläche;Größe", "utf-8"),
        ("utf-16", "Fläche;Größe", "utf-16-le"),
        ("utf-16-le", "Fläche;Größe", "utf-16-le"),
        ("utf-16-be", "Fläche;Größe", "utf-16-be"),
        ("utf-32", "Fläche;Größe", "utf-32-le"),
        ("cp1252", "Fläche (m²);Miete (€)", "cp1252"),
        ("cp1252", "surface;loyer à l’été", "cp1252"),
        ("cp1252", "área;São João", "cp1252"),
        ("cp1250", "Długość;Czynsz", "cp1250"),
        ("cp1250", "Plocha;Nájem žluťoučký", "cp1250"),
        ("cp1251", "Площадь;Аренда", "cp1251"),
        ("cp1253", "Εμβαδόν;Ενοίκιο", "cp1253"),
        ("cp932", "面積;家賃", "cp932"),
        ("gb18030", "面积;租金", "gb18030"),
        ("cp949", "면적;임대료", "cp949"),
        ("mac-roman", "Größe;Süd", "mac-roman"),
    ],
)
def test_encoding(encoding: str, names: str, said: str) -> None:
    table = read(f"{names}\n40;900\n60;1200\n".encode(encoding))
    assert table.names == tuple(names.split(";"))
    assert table.columns[1].values.tolist() == [900, 1200]
    assert table.recognised.encoding == said


def test_the_letter_may_come_late() -> None:
    rows = "".join(f"{number};no\n" for number in range(60_000))
    table = read(f"size;place\n{rows}7;Süd\n".encode("cp1252"))
    assert table.columns[1].texts[-1] == "Süd"


def test_a_broken_byte_does_not_change_the_encoding() -> None:
    table = read("Größe äöüß éèê ñ;Straße\n1;ä\n".encode() + b"2;\xff\n")
    assert table.names[0] == "Größe äöüß éèê ñ"
    assert table.columns[1].texts == ("ä", "\ufffd")


def test_the_person_decides() -> None:
    table = read_source(Source("t", "İstanbul;şehir\n1;2\n".encode("cp1254")), ReadOptions(encoding="cp1254"), Quiet())
    assert table.names == ("İstanbul", "şehir")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \r\n \n", "empty"),
        (b"PK\x03\x04rest", "workbook"),
        (b"\xd0\xcf\x11\xe0rest", "workbook"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"\x89HDF\r\n", "HDF5"),
        (bytes(range(256)) * 4, "binary"),
        (b"<!DOCTYPE html><table>", "web page"),
        (b",,,\n,,,\n", "blank"),
        (b"size,rent\n", "none"),
        (b'a,b\n1,"' + b"x" * 200_000 + b'"\n', "line 2"),
    ],
)
def test_plain_sentence_for_what_is_no_table(data: bytes, said: str) -> None:
    with pytest.raises(PlainError) as caught:
        read(data)
    assert said in caught.value.sentence
    assert "expected" in caught.value.sentence
