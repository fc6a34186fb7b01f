"""Controls made from what a state's fields declare. They show the state and send what the user asks for."""

from labapp.controls.binding import Binding, default_at
from labapp.controls.choice import ChoiceControl, QuietCombo
from labapp.controls.column import ControlColumn
from labapp.controls.factory import Control, control_for
from labapp.controls.integer import IntegerControl
from labapp.controls.matrix import MatrixEditor
from labapp.controls.number_box import NumberBox
from labapp.controls.parameter import ParameterControl
from labapp.controls.play import PlayBar
from labapp.controls.scale import Scale
from labapp.controls.text import TextControl
from labapp.controls.toggle import ToggleControl
from labapp.controls.value_slider import ValueSlider

__all__ = [
    "Binding",
    "ChoiceControl",
    "Control",
    "ControlColumn",
    "IntegerControl",
    "MatrixEditor",
    "NumberBox",
    "ParameterControl",
    "PlayBar",
    "QuietCombo",
    "Scale",
    "TextControl",
    "ToggleControl",
    "ValueSlider",
    "control_for",
    "default_at",
]
