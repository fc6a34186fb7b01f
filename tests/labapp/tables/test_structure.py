"""Separators, line ends, headers, names, rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from labapp.errors import PlainError
from labapp.tables.read import ReadOptions, read_table, read_text
from labapp.tables.table import Table


def names_and_rows(table: Table) -> tuple[list[str], list[list[str]]]:
    return list(table.names), [list(row) for row in zip(*(column.texts for column in table.columns), strict=True)]


TWO = (["size", "rent"], [["40", "900"], ["60", "1200"]])


@pytest.mark.parametrize(
    "text",
    [
        "size,rent\n40,900\n60,1200\n",
        "size;rent\r\n40;900\r\n60;1200",
        "size\trent\r40\t900\r60\t1200\r",
        "size|rent\n40|900\n60|1200\n",
        "size rent\n40 900\n60 1200\n",
        "size   rent\n40     900\n60    1200\n",
        "\ufeffsize;rent\n40;900\n60;1200\n",
        "sep=;\nsize;rent\n40;900\n60;1200\n",
        "sep=\t\nsize\trent\n40\t900\n60\t1200\n",
        '"sep=|"\nsize|rent\n40|900\n60|1200\n',
        "# made by hand, twice\n# again\nsize,rent\n40,900\n60,1200\n",
        "#size,rent\n40,900\n60,1200\n",
        "\n\nsize,rent,\n40,900,\n\n60,1200,\n,,\n",
        "size,rent\n40,900\nsize,rent\n60,1200\n",
        "size, rent\n40, 900\n60, 1200\n\x1a",
        "A title\n;;\nsize;rent;\n40;900;\n60;1200;\n",
        "size;rent\n m² ; € \n40;900\n60;1200\n",
    ],
)
def test_the_same_table_in_many_dresses(text: str) -> None:
    assert names_and_rows(read_text(text)) == TWO


def test_quoted_line_breaks_keep_line_numbers() -> None:
    table = read_text('size,note\r\n40,"a\r\nb"\r\n,c\r\n')
    assert table.column("note").texts == ("a\nb", "c")
    assert [entry.sentence for entry in table.select(["size"]).left_out] == ["line 4 has no size"]


def test_quotation_mark_that_is_never_closed() -> None:
    table = read_text('size,note\n40,"a\n60,b\n')
    assert table.column("note").texts == ('"a', "b")
    assert any("line 2 is never closed" in note for note in table.notes)


def test_space_before_a_quotation_mark() -> None:
    assert read_text('a, b\n1, 2\n3, "x, y"\n').column("b").texts == ("2", "x, y")


def test_quotation_mark_inside_a_cell() -> None:
    assert read_text('size,note\n40,5" pipe\n60,6" pipe\n').column("note").texts == ('5" pipe', '6" pipe')


def test_numbers_with_inch_marks_or_tags_stay_text_as_they_stand() -> None:
    assert read_text("<b>size</b>,n\n<i>a</i>,3\n").names == ("<b>size</b>", "n")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("40,900\n60,1200\n", ["column 1", "column 2"]),
        ("The\t-0.9\t-0.9\ncat\t1.7\t0.2\n", ["column 1", "column 2", "column 3"]),
        ("40\n60\n80\n", ["column 1"]),
        ("size\n40\n60\n", ["size"]),
        ("size\n40,5\n60,5\n", ["size"]),
        ("a,a,a 2,\n1,2,3,4\n5,6,7,8\n", ["a", "a 3", "a 2", "column 4"]),
        (",2019,2020\nA,1,2\nB,3,4\n", ["column 1", "2019", "2020"]),
        ("city,2019,2020\nA,1,2\nB,3,4\n", ["city", "2019", "2020"]),
        ('"size","rent"\n"1",40,900\n"2",60,1200\n', ["column 1", "size", "rent"]),
        ('"two\nlines",b\n1,2\n', ["two lines", "b"]),
        ("word,class\nred,a\nblue,b\n", ["word", "class"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert list(read_text(text).names) == names


def test_unnamed_empty_columns_are_dropped_wherever_they_stand() -> None:
    assert read_text("size,,rent,\n40,,900,\n60,,1200,\n").names == ("size", "rent")


def test_header_line_chosen_by_the_person() -> None:
    text = "size,rent\n40,900\n60,1200\n"
    assert read_text(text, ReadOptions(header_line=0)).names == ("column 1", "column 2")
    assert read_text(text, ReadOptions(header_line=2)).names == ("40", "900")
    with pytest.raises(PlainError, match="header line"):
        read_text(text, ReadOptions(header_line=3))


def test_separator_chosen_by_the_person() -> None:
    assert read_text("a,b;c\n1,2;3\n", ReadOptions(separator=";")).names == ("a,b", "c")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a,b\n1,true\n2,false\n", ["number", "text"]),
        ("a;b\n12 %;(1,234.50)\n13%;7\n", ["number", "number"]),
        ("a;b\n1st;A1\n2nd;A2\n", ["text", "text"]),
        ("a;b\n2031-05-18;18 May 2031\n2031-05-19;19 May 2031\n", ["date", "date"]),
        ("a;b\n;x\n;y\n", ["text", "text"]),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    assert [column.kind for column in read_text(text).columns] == kinds


@pytest.mark.parametrize(
    ("text", "values", "other"),
    [
        ("a\tb\n1,250\t2\n1,480\t3\n", [1250, 1480], [1.25, 1.48]),
        ("a;b\n1.250;2\n1.480;3\n", [1.25, 1.48], [1250, 1480]),
        ("a;b\n1,250;2\n1,480;3\n", [1.25, 1.48], [1250, 1480]),
        ("a;b\n0,250;2\n1,480;3\n", [0.25, 1.48], None),
        ("a;b\n1,250;2,5\n1,480;3\n", [1.25, 1.48], None),
        ("a;b\n1,250;2.5\n1,480;3\n", [1250, 1480], None),
        ("a,b\n1.250,2\n1.480,3\n", [1.25, 1.48], None),
    ],
)
def test_a_mark_that_may_be_either(text: str, values: list[float], other: list[float] | None) -> None:
    column = read_text(text).columns[0]
    assert column.values.tolist() == values
    assert (None if column.other_values is None else column.other_values.tolist()) == other


def test_each_column_may_have_its_own_decimal_mark() -> None:
    table = read_text("a;b\n1,5;2.5\n2,5;3.25\n")
    assert [column.values.tolist() for column in table.columns] == [[1.5, 2.5], [2.5, 3.25]]


def test_another_unit_is_not_taken_for_the_same() -> None:
    table = read_text("a;b\n1 m;5\n2 m;6\n3 ft;7\n")
    assert table.columns[0].unit == "m"
    assert [entry.sentence for entry in table.select(["a"]).left_out] == ['line 4 says "3 ft" under a']


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Miete (€)", "€"),
        ("rent [€/month]", "€/month"),
        ("size (in m²)", "m²"),
        ("size, m²", "m²"),
        ("length, cm", "cm"),
        ("area (heated rooms only)", ""),
        ("Rooms, kitchen", ""),
        ("(m²)", ""),
    ],
)
def test_unit_in_a_name(name: str, unit: str) -> None:
    column = read_text(f"{name};b\n40;5\n60;6\n").columns[0]
    assert (column.name, column.unit) == (name, unit)


def test_words_in_the_first_row_are_no_units() -> None:
    table = read_text("a;b\nunknown;unknown\n1;2\n3;4\n")
    assert table.rows == 3
    assert table.recognised.units_line == 0


def test_open_order_of_day_and_month_is_said() -> None:
    assert any("day is read before the month" in note for note in read_text("d;v\n03/02/2031;1\n02/01/2031;2\n").notes)


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(PlainError, match="can't be opened"):
        read_table(tmp_path / "none.csv")
