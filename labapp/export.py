"""What leaves the lab: a panel or the whole window as PNG, SVG or PDF, light, with a caption; numbers as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from labapp.controls import ChoiceControl, IntegerControl, ParameterControl
from labapp.errors import PlainError
from labapp.fields import FieldInfo
from labapp.look import Look
from labapp.named_table import NamedTable, to_csv
from labapp.panel import Panel
from labapp.plots.caption import Caption
from labapp.plots.picture import Colours, pdf_of, png_of, svg_of

PICTURES = (".png", ".svg", ".pdf")
TABLE = ".csv"


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


def save_tables(tables: Iterable[NamedTable], path: Path) -> bool:
    """Write tables as CSV in UTF-8; True when it is done."""
    if path.suffix.lower() != TABLE:
        raise PlainError(f"A table's name ends in {TABLE}; what came is {path.name}. Choose such a name.")
    write_out(path, to_csv(tables).encode("utf-8"))
    return True


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


def write_out(path: Path, content: bytes) -> None:
    """Write a file beside the lab; one that can't be written is said in a sentence."""
    check_folder(path)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise PlainError(
            f"{path.name} could not be written to {path.parent} ({error.strerror}). "
            "Choose a folder that you may write to and that has room."
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
