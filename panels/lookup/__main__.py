"""``python -m panels.lookup`` opens the explorer alone."""

from labapp.preview import preview
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from panels.lookup import SPEC

preview(SPEC, AppState, Array, Backend("auto"), "rents")
