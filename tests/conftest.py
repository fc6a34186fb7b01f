"""Tests draw into memory, and keep away from the settings and the log of whoever runs them."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_API", "pyside6")
_HOME = tempfile.TemporaryDirectory(prefix="lookuplab-tests-")
for _name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
    os.environ[_name] = _HOME.name

from hypothesis import settings  # noqa: E402  the environment comes first

from labapp.garbage import GarbageCollector  # noqa: E402

settings.register_profile("lab", deadline=None)
settings.load_profile("lab")

_GARBAGE = GarbageCollector()  # as in the application: never in a thread that typesets a formula


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Windows that a test closed go at its end. Left to the next event loop, hundreds of them would hold it up."""
    yield
    _GARBAGE.tick()
    core = sys.modules.get("PySide6.QtCore")
    if core is not None and core.QCoreApplication.instance() is not None:
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)


@pytest.fixture
def look(qapp: object) -> Iterator[object]:
    """The look of a test, after which font and palette are what they were."""
    from PySide6.QtWidgets import QApplication

    from labapp.look import Look

    font, palette = QApplication.font(), QApplication.palette()
    look = Look("light")
    yield look
    QApplication.setFont(font)
    QApplication.setPalette(palette)


@pytest.fixture
def repository() -> Path:
    """The folder of the checkout."""
    return Path(__file__).parent.parent
