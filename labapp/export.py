"""What leaves the lab: a panel or the whole window as PNG, SVG or PDF, light, with a caption; tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from labapp.controls import ChoiceControl, IntegerControl, ParameterControl
from labapp.errors import PlainError
from labapp.fields import FieldInfo
from labapp.kinds import SESSION
from labapp.look import Look
from labapp.named_table import PanelNumbers, to_csv
from labapp.panel import Panel
from labapp.plots.caption import Caption
from labapp.plots.picture import Colours, pdf_of, png_of, svg_of

if TYPE_CHECKING:
    from labapp.session.pieces import Pieces

PICTURES = (".png", ".svg", ".pdf")
NUMBERS = (".csv", SESSION)
FAULTS = {
    "disk_full": (
        ": the disk is full, it has {free} MB left and {size} MB are needed",
        "make room, or choose another disk",
    ),
    "no_permission": (": this account has no permission", "choose a folder that you may write to"),
    "read_only": (": the file or its disk is read-only", "choose another name or folder"),
    "not_a_file": (": there is a folder or a device of that name", "choose another name"),
    "bad_name": (": the disk doesn't allow that name", "choose a simpler one"),
    "in_use": (": another program has it open", "close that program and try again"),
    "medium_gone": (": its disk, stick or network drive doesn't answer", "connect it again, or choose another folder"),
}
"""Why a file could not be written, and what to do, by the reason."""


def save_picture(
    widget: QWidget,
    look: Look,
    path: Path,
    *,
    width: int | None = None,
    colours: Colours = "light",
    caption: Caption | None = None,
) -> None:
    """Write the picture of a widget, in the kind that the ending of the name says; ``width`` is that of a PNG."""
    check_picture(path)
    kinds: dict[str, Callable[[], bytes]] = {
        ".png": lambda: png_of(widget, look, width, colours, caption),
        ".svg": lambda: svg_of(widget, look, colours, caption),
        ".pdf": lambda: pdf_of(widget, look, colours, caption),
    }
    write_out(path, kinds[path.suffix.lower()]())


def save_numbers(numbers: PanelNumbers, path: Path) -> None:
    """Write the numbers of a panel, as CSV in UTF-8 or as HDF5."""
    ending = path.suffix.lower()
    if ending not in NUMBERS:
        raise PlainError(f"A name for numbers ends in .csv or .h5; what came is {path.name}. Choose such a name.")
    write_out(path, to_csv(numbers.tables).encode("utf-8") if ending == ".csv" else _hdf5(numbers))


def _hdf5(numbers: PanelNumbers) -> Pieces:
    from labapp.session.faults import SessionError
    from labapp.session.sessions import numbers_file

    try:
        return numbers_file([numbers])
    except SessionError as error:
        raise PlainError(
            f"The numbers of “{numbers.title}” are too many for one file: {error.values['size']} MB, and "
            f"{error.values['limit']} MB is the most. Work with less data, or close a map that you don't need."
        ) from error


def check_picture(path: Path) -> None:
    """Raise ``PlainError`` for a name that no picture can have."""
    if path.suffix.lower() not in PICTURES:
        came = f"ends in {path.suffix}" if path.suffix else "has no ending"
        raise PlainError(f"A picture's name ends in .png, .svg or .pdf; {path.name} {came}. Choose one of the three.")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Raise ``PlainError`` where there is no folder for the file."""
    if not path.parent.is_dir():
        raise PlainError(f"The folder {path.parent} does not exist. Make it, or name a file in another folder.")


def write_out(path: Path, content: bytes | Pieces) -> None:
    """Write a whole file or none: one that can't be written is said in a sentence, and an older one stays."""
    from labapp.session.faults import SessionError
    from labapp.session.files import write_atomically

    check_folder(path)
    try:
        write_atomically(path, content)
    except SessionError as error:
        why, advice = FAULTS.get(error.reason, ("", ""))
        raise PlainError(
            f"{path.name} could not be written to {path.parent}{why.format(**error.values)}. "
            f"What was there before is untouched; {advice or 'try again, or choose another folder'}."
        ) from error


def caption_of(panel: Panel, title: str) -> Caption:
    """A panel's title, what it says at present, and the settings that are seen in it."""
    return Caption(title, tuple(words for words in (panel.sentence(), settings_of(panel)) if words))


def settings_of(panel: QWidget) -> str:
    """What the controls of a panel say: "Similarity: dot; Temperature τ = 0.5"."""
    said = []
    for control in panel.findChildren(QWidget):
        if not isinstance(control, ParameterControl | IntegerControl | ChoiceControl):
            continue
        if control.isVisibleTo(panel) and (text := _setting(control)):
            said.append(text)
    return "; ".join(said)


def _setting(control: ParameterControl | IntegerControl | ChoiceControl) -> str:
    info: FieldInfo = control.binding.info
    if isinstance(control, ChoiceControl):
        return f"{info.title}: {control.combo.currentText()}"
    shown = control.box.text()
    return f"{info.title} = {shown}" if shown else ""
