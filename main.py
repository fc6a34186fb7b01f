"""The entry point: hands the lesson (models, panels) to the shell (labapp)."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    # torch 2.9 and later fail to load there (WinError 1114) after Qt. Elsewhere it comes after the first paint.
    import torch  # noqa: F401

from labapp.command import run


def make_parts() -> object:
    """Everything that the shell must be told; loads neither torch nor the panels."""
    from labapp.parts import Parts
    from models.app_state import AppState
    from models.arrays import Array
    from models.backend import DEVICES, Backend, warm_up

    return Parts(
        state_type=AppState,
        array_type=Array,
        panels=_panels,
        backend=Backend,
        devices=DEVICES,
        warm_up=warm_up,
        versions=_versions,
        first_scene="rents",
    )


def _panels() -> object:
    from panels import panels

    return panels()


def _versions() -> dict[str, str]:
    from labapp.versions import version_of

    return {name: version_of(name) for name in ("torch", "numpy", "h5py")}


def main() -> int:
    return run(sys.argv[1:], make_parts)


if __name__ == "__main__":
    sys.exit(main())
