"""What the commands say of a session: sound or not, and what differs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import h5py
import pytest

from labapp.session.checking import check
from labapp.session.difference import differences
from labapp.session.sessions import read
from models.app_state import AppState
from models.arrays import Array
from tests.labapp.session import CODEC, Part, Toy, save, write


def lines(tmp_path: Path, a: Toy, b: Toy) -> list[str]:
    save(tmp_path / "a.h5", a)
    save(tmp_path / "b.h5", b)
    return differences(read(tmp_path / "a.h5")[0], read(tmp_path / "b.h5")[0])


def test_equal_labs_differ_in_nothing(tmp_path: Path) -> None:
    toy = Toy(offset=float("nan"), mask=Array([float("nan"), -0.0]), tables={"x": Array([1])})
    assert lines(tmp_path, toy, replace(toy)) == []


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (Toy(seed=1), Toy(seed=2), ["seed: 1 → 2"]),
        (Toy(offset=0.0), Toy(offset=-0.0), ["offset: 0.0 → -0.0"]),
        (Toy(mixed=1), Toy(mixed=1.0), ["mixed: 1 → 1.0"]),
        (Toy(parts=(Part(),)), Toy(parts=(Part(sigma=2.0),)), ["parts.0.sigma: 1.0 → 2.0"]),
        (Toy(answers={"q": 1.0}), Toy(), ["answers.q: only in the first, 1.0"]),
        (Toy(title="x" * 99), Toy(), ['title: "' + "x" * 58 + '… → ""']),
        (
            Toy(mask=Array([[1.0, 2.0], [3.0, 4.0]])),
            Toy(mask=Array([[1.0, 2.0], [0.5, -4.0]])),
            ["mask: 2 of 4 numbers differ, first at [1, 0] 3.0 → 0.5"],
        ),
        (Toy(mask=Array([0.0])), Toy(mask=Array([-0.0])), ["mask: differs, at [0] 0.0 → -0.0"]),
        (Toy(mask=Array([1])), Toy(mask=Array([1.0])), ["mask: numbers 1 (int64) → numbers 1 (float64)"]),
        (Toy(mask=Array([True, False])), Toy(mask=None), ["mask: numbers 2 (bool) → null"]),
    ],
)
def test_each_difference_is_a_line(tmp_path: Path, a: Toy, b: Toy, said: list[str]) -> None:
    assert lines(tmp_path, a, b) == said


def test_a_sound_and_a_damaged_session(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    save(path, AppState())
    assert check(path, AppState, CODEC).text == "“a.h5” is sound, in format 1.0."
    with h5py.File(path, "r+", libver=("v110", "v110")) as file:
        file["arrays/scene/keys"][0] = 41.0
    hurt = check(path, AppState, CODEC)
    assert not hurt.sound
    assert "It opens without: scene." in hurt.text
    path.write_bytes(b"junk" * 100)
    assert not check(path, AppState, CODEC).sound
    assert "“b.h5” is not there" in check(tmp_path / "b.h5", AppState, CODEC).text


def test_a_newer_one_is_sound_and_said_to_be_newer(tmp_path: Path) -> None:
    from models.scene import Scene

    path = write(tmp_path / "a.h5", schema="1.7", min_reader="1")
    assert check(path, Scene, CODEC).text == "“a.h5” is sound; a newer lab saved it, in format 1.7."
