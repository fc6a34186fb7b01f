"""Whether Qt will find a screen: asked before Qt is started, since Qt itself aborts the process without one."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

NO_SCREEN = (
    "No screen was found, so the window can't be shown. Start Lookup Lab from a desktop, or make pictures without one: "
    "lookuplab render rents -o rents.png"
)
NO_LIBRARY = (
    "A library that Qt needs for windows is missing: {name}. Install it (on Debian and Ubuntu: apt install {package}), "
    "then start again."
)
# What the libraries of Qt itself ask for, and what its plugin for X11 asks for on top.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libgthread-2.0.so.0": "libglib2.0-0",
}
XCB_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}


def missing_library() -> str:
    """A sentence about a library without which Qt can't draw at all, not even into memory; empty where all are here."""
    return _missing(QT_LIBRARIES) if sys.platform.startswith("linux") else ""


def why_no_window() -> str:
    """A sentence that says why no window can be shown here; empty where one can."""
    if not sys.platform.startswith("linux"):
        return ""
    platform = os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0].partition(";")[0]
    if platform and platform != "xcb" and not platform.startswith("wayland"):
        return ""  # drawn somewhere else than on a screen, by the user's own wish
    if platform != "xcb" and _wayland_answers():
        return ""
    if platform.startswith("wayland") or not os.environ.get("DISPLAY") or not _x_server_answers():
        return NO_SCREEN
    return _missing(XCB_LIBRARIES)


def use_no_screen() -> None:
    """Draw into memory instead of onto a screen; called before Qt is started."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _missing(libraries: dict[str, str]) -> str:
    for name, package in libraries.items():
        try:
            ctypes.CDLL(name)
        except OSError:
            return NO_LIBRARY.format(name=name, package=package)
    return ""


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    return bool(name) and Path(os.environ.get("XDG_RUNTIME_DIR", "/"), str(name)).is_socket()


def _x_server_answers() -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    answers = xcb.xcb_connection_has_error(connection) == 0
    xcb.xcb_disconnect(connection)
    return bool(answers)
