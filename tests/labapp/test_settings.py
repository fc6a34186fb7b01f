"""What is remembered between runs; junk in it does no harm."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings

from labapp.settings import RECENT_MOST, Settings
from tests.labapp.toy import toy_settings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.ini"


def test_what_is_kept_comes_back(path: Path) -> None:
    first = toy_settings(path)
    first.theme = "dark"
    first.text_scale = 1.331
    first.keep_layout(QByteArray(b"where"), QByteArray(b"which"))
    again = toy_settings(path)
    assert (again.theme, again.text_scale) == ("dark", 1.331)
    assert again.layout() == (QByteArray(b"where"), QByteArray(b"which"))


def test_defaults(path: Path) -> None:
    fresh = toy_settings(path)
    assert (fresh.theme, fresh.text_scale, fresh.recent, fresh.layout()) == ("system", 1.0, [], (None, None))


@pytest.mark.parametrize("value", ["", "large", "³", [1], None, "1,5"])
def test_junk_gives_the_default(path: Path, value: object) -> None:
    store = QSettings(str(path), QSettings.Format.IniFormat)
    for name in ("theme", "text_scale", "recent", "geometry", "docks"):
        store.setValue(name, value)
    kept = Settings(store)
    assert (kept.theme, kept.text_scale, kept.recent, kept.layout()) == ("system", 1.0, [], (None, None))


def test_recent_files_newest_first_without_the_missing(path: Path, tmp_path: Path) -> None:
    kept = toy_settings(path)
    files = [tmp_path / f"{number}.h5" for number in range(RECENT_MOST + 2)]
    for file in files:
        file.touch()
        kept.add_recent(file)
    kept.add_recent(files[5])
    files[-1].unlink()
    again = toy_settings(path).recent
    assert again[0] == files[5]
    assert len(again) == RECENT_MOST - 1
    assert len(set(again)) == len(again)


def test_a_single_recent_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "a.h5").touch()
    toy_settings(path).add_recent(tmp_path / "a.h5")
    assert toy_settings(path).recent == [tmp_path / "a.h5"]
