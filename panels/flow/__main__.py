"""``python -m panels.flow`` opens the gradient flow panel alone."""

from labapp.preview import preview
from models.app_state import AppState
from models.arrays import Array
from models.backend import Backend
from panels.flow import SPEC

preview(SPEC, AppState, Array, Backend("auto"), "tokens")
