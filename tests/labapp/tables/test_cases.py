"""The data files that broke other programs (tests/cases, F-01 to F-09)."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from labapp.tables.choice import Role, usual_roles
from labapp.tables.read import ReadOptions, read_table
from labapp.tables.table import Table
from tests.cases import case, data_file


def read(name: str, **chosen: str) -> Table:
    return read_table(data_file(name), ReadOptions(**chosen))


def numbers(table: Table, name: str) -> list[float]:
    return table.column(name).values.tolist()


def pairs(table: Table, *names: str) -> list[list[float]]:
    rows = table.select(names).rows
    return np.stack([table.column(name).values[rows] for name in names], axis=1).tolist()


def test_byte_order_mark_before_quoted_header() -> None:
    expected = case("F-01")["expected"]
    table = read("f01_bom_quoted.csv")
    assert list(table.names) == expected["columns"]
    assert table.rows == expected["rows"]
    assert all(numbers(table, name) == expected[name] for name in expected["columns"])


@pytest.mark.parametrize("key", ["f02a", "f02b"])
def test_decimal_comma_and_units_in_cells(key: str) -> None:
    expected = case("F-02")["expected"][key]
    name = next(file for file in case("F-02")["input"] if file.startswith(key))
    table = read(name)
    assert numbers(table, "size") == expected["size"]
    assert numbers(table, "rent") == expected["rent"]
    assert table.recognised.decimal == ","
    assert [column.unit for column in table.columns] == expected.get("units noticed", ["", ""])


def test_quoted_thousands() -> None:
    expected = case("F-03")["expected"]["f03a"]
    table = read("f03a_quoted_thousands.csv")
    assert {name: numbers(table, name) for name in table.names} == expected
    assert table.recognised.thousands == ","


def test_ambiguous_comma_offers_both_readings() -> None:
    expected = case("F-03")["expected"]["f03b"]
    table = read("f03b_ambiguous_comma.csv")
    for name in table.names:
        column = table.column(name)
        assert column.values.tolist() == expected["as decimals"][name]
        assert column.other_values is not None
        assert column.other_values.tolist() == expected["as thousands"][name]
    assert table.question == '"1,250" may mean 1.25 or 1,250. It is read as 1.25.'


@pytest.mark.parametrize(("mark", "reading"), [(",", "as decimals"), (".", "as thousands")])
def test_ambiguous_comma_as_the_person_says(mark: str, reading: str) -> None:
    expected = case("F-03")["expected"]["f03b"][reading]
    table = read("f03b_ambiguous_comma.csv", decimal=mark)
    assert {name: numbers(table, name) for name in table.names} == expected
    assert table.question, "the person can still change the answer"


def test_windows_1252() -> None:
    expected = case("F-04")["expected"]
    table = read("f04_cp1252.csv")
    area, rent, place = expected["columns"]
    assert list(table.names) == expected["columns"]
    assert numbers(table, area) == expected[area]
    assert numbers(table, rent) == expected[rent]
    assert list(table.column(place).texts) == expected[place]
    assert [column.unit for column in table.columns] == ["m²", "€", ""]
    assert table.recognised.encoding == "cp1252"
    assert "cp1252" in table.notes[0]


def test_commas_in_the_names_of_a_tab_file() -> None:
    expected = case("F-05")["expected"]["f05a"]
    table = read("f05a_tab_long_header.tsv")
    assert list(table.names) == expected["columns"]
    assert [column.values.tolist() for column in table.columns] == expected["values"]


def test_longer_than_a_sniffed_sample() -> None:
    expected = case("F-05")["expected"]["f05b"]
    table = read("f05b_longer_than_sniff.csv")
    size, rent, note = table.columns
    assert list(table.names) == expected["columns"]
    assert table.rows == expected["rows"]
    assert [size.values[-1], rent.values[-1], note.texts[-1]] == expected["last row"]
    assert (size.values.sum(), rent.values.sum()) == (expected["sum size"], expected["sum rent"])


def test_separator_line() -> None:
    expected = case("F-06")["expected"]["f06a"]
    table = read("f06a_sep_line.csv")
    assert list(table.names) == expected["columns"]
    assert pairs(table, "size", "rent") == [list(row) for row in zip(expected["size"], expected["rent"], strict=True)]


def test_title_lines_and_units_row() -> None:
    expected = case("F-06")["expected"]["f06b"]
    table = read("f06b_title_units.csv")
    assert list(table.names) == expected["columns"]
    assert [column.unit for column in table.columns] == expected["units"]
    assert all(numbers(table, name) == expected[name] for name in table.names)
    told = " ".join(table.notes)
    assert "2 title lines" in told
    assert "1 units row" in told
    assert table.recognised.header_line == 4


def test_blank_rows() -> None:
    expected = case("F-07")["expected"]["f07a"]
    table = read("f07a_blank_rows.csv")
    assert list(table.names) == expected["columns"]
    assert all(numbers(table, name) == expected[name] for name in table.names)
    assert table.select(table.names).left_out == ()


def test_missing_cells_and_words_among_numbers() -> None:
    expected = case("F-07")["expected"]["f07b"]
    table = read("f07b_missing_tokens.csv")
    selection = table.select(["size", "rent"])
    assert pairs(table, "size", "rent") == expected["size against rent"]
    assert selection.count_left_out == expected["left out"]
    assert [entry.sentence for entry in selection.left_out] == [
        "line 4 has no size",
        'line 5 says "no data" under rent',
    ]
    floor = [float(number) for number in expected["floor"]]
    np.testing.assert_array_equal(table.column("floor").values, floor)


def test_short_and_long_rows() -> None:
    table = read("f07c_ragged.csv")
    assert pairs(table, "size", "rent") == case("F-07")["expected"]["f07c"]["kept"]
    assert [entry.sentence for entry in table.select(["size", "rent"]).left_out] == [
        "line 4 has 3 fields instead of 2",
        "line 6 has 1 field instead of 2",
    ]


def test_empty_and_repeated_names() -> None:
    expected = case("F-08")["expected"]
    table = read("f08_headers.csv")
    assert table.names == ("column 1", "size", "rent", "Rent", "rent 2", "EUR/m²")
    assert numbers(table, "rent 2") == expected["second rent"]
    assert all(numbers(table, name) == expected[name] for name in ("size", "rent", "Rent", "EUR/m²"))
    assert not Role("key", "Key").takes(table.column("column 1"))
    assert usual_roles(table, [Role("key", "Key"), Role("value", "Value")]) == {1: "key", 2: "value"}


def test_rent_table_of_a_teacher() -> None:
    expected = case("F-09")["expected"]
    table = read("f09_classroom_rent.csv")
    assert table.rows == expected["rows"]
    assert [column.name for column in table.columns if column.is_numeric] == expected["numeric columns"]
    assert [column.name for column in table.columns if not column.is_numeric] == expected["not numeric"]
    note = table.column("note").texts
    assert note[1] == "quiet\nback yard"
    assert note[2] == '"as new"'
    days = [(date(2031, month, day) - date(1970, 1, 1)).days for month, day in _DAYS]
    assert numbers(table, "posted") == days


_DAYS = [(5, 18), (5, 13), (7, 4), (5, 9), (6, 16), (5, 30)]


@pytest.mark.parametrize(("dropped", "key"), [([], "all rows"), ([4, 5], "without the two slips")])
def test_slips_stay_until_they_are_left_out(dropped: list[int], key: str) -> None:
    expected = case("F-09")["expected"]["kernel regression size to rent, sigma 10, q=75"][key]
    table = read("f09_classroom_rent.csv")
    rows = np.delete(table.select(["size", "rent"]).rows, dropped)
    size, rent = table.column("size").values[rows], table.column("rent").values[rows]
    kernel = np.exp(-((75 - size) ** 2) / 200)
    assert kernel @ rent / kernel.sum() == pytest.approx(expected, abs=case("F-09")["tolerance"]["abs"])


def test_numbers_are_read_only() -> None:
    values = read("f01_bom_quoted.csv").columns[0].values
    with pytest.raises(ValueError, match="read-only"):
        values[0] = 1
