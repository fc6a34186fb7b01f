"""``python -m panels.temperature`` opens the temperature panel alone."""

from labapp.preview import preview
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from panels.temperature import SPEC

preview(SPEC, AppState, Array, Backend("auto"), "rents")
