"""``python -m panels.regression`` opens the kernel regression alone."""

from labapp.preview import preview
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from panels.regression import SPEC

preview(SPEC, AppState, Array, Backend("auto"), "rents")
