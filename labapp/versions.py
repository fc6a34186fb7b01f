"""Versions of the lab and of what it runs on."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def version_of(name: str) -> str:
    """The version of an installed distribution, or the words "not installed"; loads nothing."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def lab_version() -> str:
    return version_of("lookuplab")


def versions(computing: dict[str, str]) -> dict[str, str]:
    """Names and versions for the about box; ``computing`` are those of the libraries that compute."""
    return {
        "Lookup Lab": lab_version(),
        "Python": platform.python_version(),
        "Qt (PySide6)": version_of("PySide6-Essentials"),
        "pyqtgraph": version_of("pyqtgraph"),
        **computing,
        "System": platform.platform(),
    }
