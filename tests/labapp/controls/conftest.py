from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.labapp.controls.toy import Bench


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    font, palette, locale = QFont(QApplication.font()), QApplication.palette(), QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield Bench()
    QApplication.setFont(font)
    QApplication.setPalette(palette)
    QLocale.setDefault(locale)
