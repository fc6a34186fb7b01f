from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

from labapp.named_table import Column, NamedMap, NamedTable, cell_text, to_csv

TABLE = NamedTable("Entries", (Column("entry", ("a, b", "=1+1")), Column("size", [0.1 + 0.2, None], "m²")))
MAP = NamedMap(
    "weights", Column("query", np.array([0.1, 0.3]), "m²"), Column("entry", ("a", "=b")), np.eye(2) / 3, "percent"
)


@pytest.mark.parametrize("number", [0.1, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, math.pi, math.inf, math.nan])
def test_numbers_come_back_to_the_bit(number: float) -> None:
    back = float(cell_text(np.float64(number)))
    assert back.hex() == number.hex()


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd", "@sum", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_run_is_defused(text: str) -> None:
    assert cell_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-1.5", "+2", "-1e-6", "plain", "−2", "a=b", ""])
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert cell_text(text) == text


def test_whole_numbers_have_no_point_and_nothing_is_empty() -> None:
    assert [cell_text(cell) for cell in (np.int64(40), 3, None)] == ["40", "3", ""]


def test_blocks_of_name_header_and_rows_with_an_empty_line_between() -> None:
    lines = list(csv.reader(io.StringIO(to_csv([TABLE, TABLE]))))
    block = [["Entries"], ["entry", "size, m²"], ["a, b", "0.30000000000000004"], ["'=1+1", ""]]
    assert lines == [*block, [], *block]


def test_a_map_has_its_rows_down_and_its_columns_across() -> None:
    lines = list(csv.reader(io.StringIO(to_csv([MAP]))))
    assert lines[:2] == [["weights, percent"], ["query, m² \\ entry", "a", "'=b"]]
    assert [[float(cell) for cell in line] for line in lines[2:]] == [[0.1, 1 / 3, 0.0], [0.3, 0.0, 1 / 3]]
    assert {len(row) for row in MAP.rows} == {len(MAP.columns)}
