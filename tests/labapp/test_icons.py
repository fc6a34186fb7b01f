from importlib.resources import files

import pytest
from PySide6.QtCore import QSize

from labapp.icons import icon
from panels import panels


@pytest.mark.parametrize("name", ["lookuplab", *(spec.icon for spec in panels())])
def test_every_panel_has_a_picture(qapp: object, name: str) -> None:
    image = icon(name).pixmap(QSize(32, 32)).toImage()
    seen = {image.pixelColor(x, y).name() for x in range(32) for y in range(32) if image.pixelColor(x, y).alpha() > 200}
    assert len(seen) > 1


def test_no_picture_is_left_over() -> None:
    used = {"lookuplab", *(spec.icon for spec in panels())}
    there = {file.name.removesuffix(".svg") for file in files("assets").joinpath("icons").iterdir()}
    assert there - {"flow", "regression"} <= used
