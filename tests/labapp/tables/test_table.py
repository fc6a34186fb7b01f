"""Choosing from a table."""

from __future__ import annotations

import numpy as np

from labapp.tables.choice import ImportChoice, Role, usual_roles
from labapp.tables.read import read_text

ROLES = (Role("key", "Key"), Role("value", "Value"), Role("name", "Name", many=False, numeric=False, required=False))


def test_select_asks_only_for_the_chosen_columns() -> None:
    table = read_text("a;b;c\n1;;x\n;2;y\n3;4;\n")
    assert table.select(["a"]).rows.tolist() == [0, 2]
    assert table.select(["a", "b"]).rows.tolist() == [2]
    assert table.select(["c"]).rows.tolist() == [0, 1, 2]


def test_two_gaps_in_a_line_are_one_reason() -> None:
    table = read_text("a;b;c\n1;2;x\n?;no;y\n3;4;z\n5;6;z\n")
    assert [entry.sentence for entry in table.select(["a", "b"]).left_out] == ['line 3 has no a and says "no" under b']


def test_left_out_lines_come_in_the_order_of_the_file_and_can_be_cut() -> None:
    table = read_text("a,b\n1,2\n,3\n4,5,6\n,7\n8,9\n8,9\n8,9\n")
    selection = table.select(["a"])
    assert [entry.line for entry in selection.left_out] == [3, 4, 5]
    assert [entry.line for entry in selection.first_left_out(2)] == [3, 4]
    assert selection.count_left_out == 3


def test_usual_roles_pass_over_gaps_dates_and_taken_columns() -> None:
    table = read_text("when;gaps;place;size;rent\n1.2.2031;;A;1;2\n2.2.2031;;B;3;4\n3.2.2031;5;C;6;7\n")
    assert usual_roles(table, ROLES) == {3: "key", 4: "value", 2: "name"}


def test_choice_gives_arrays() -> None:
    table = read_text("size (m²),rent,place\n40,900,A\n60,1200,B\n80,1500,C\n")
    size, rent, place = table.columns
    choice = ImportChoice(
        table, {"key": (size,), "value": (size, rent), "name": (place,), "none": ()}, np.array([0, 2])
    )
    assert choice.values("value").tolist() == [[40, 900], [80, 1500]]
    assert choice.values("none").shape == (2, 0)
    assert choice.names("key") == ("size (m²)",)
    assert choice.units("key") == ("m²",)
    assert choice.texts("name") == ("A", "C")
    assert choice.texts("none") == ("", "")
