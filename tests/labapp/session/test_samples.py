"""The sample of every schema opens, today and whatever is added."""

from __future__ import annotations

from pathlib import Path

import pytest

from labapp.session.document import version_text
from labapp.session.sessions import open_session
from models.app_state import AppState
from tests.labapp.session import CODEC
from tests.sessions import FOLDER

SAMPLES = sorted(FOLDER.glob("*.h5"))


def test_the_present_schema_has_its_sample() -> None:
    assert FOLDER / f"{version_text()}.h5" in SAMPLES


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_sample_opens_whole(path: Path) -> None:
    opened = open_session(path, AppState, CODEC)
    assert version_text(opened.info.schema) == path.stem
    assert opened.state.scene.id == "rents"
    assert opened.info.left_out == ()
