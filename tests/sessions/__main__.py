"""Writes the sample of the present schema."""

from __future__ import annotations

from labapp.scenes import Shelf
from labapp.session.document import version_text
from models.app_state import AppState
from models.arrays import Array
from tests.labapp.session import sample
from tests.sessions import FOLDER

SCENE = "rents"

if __name__ == "__main__":
    sample(FOLDER / f"{version_text()}.h5", Shelf(AppState, Array).state(SCENE), {})
