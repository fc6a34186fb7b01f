"""torch, loaded at its first use.

``import torch`` takes seconds, and the window is painted before it is there. The states, the registries with their
labels and the panels are therefore importable without torch; the first computation, on the worker thread, loads it.
Every module of this package takes torch from here: ``from models.lazy import torch``.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch as torch
else:

    class _Torch:
        def __getattr__(self, name: str) -> Any:
            import torch as module

            value = getattr(module, name)
            self.__dict__[name] = value
            return value

    torch = _Torch()

LIBRARIES = ("libc10", "libtorch_cpu", "libtorch", "libtorch_python")


def load() -> None:
    """Load torch on the thread that calls.

    Opening its libraries inside ``import torch`` holds the interpreter lock for up to half a second, and the window
    stands still. Called through ctypes, the same opening runs with the lock free; the import then finds them open.
    """
    if sys.platform.startswith("linux") and "torch" not in sys.modules:
        spec = importlib.util.find_spec("torch")
        folder = os.path.join(os.path.dirname(spec.origin), "lib") if spec and spec.origin else ""
        opened = ctypes.CDLL(None).dlopen
        for name in LIBRARIES:
            path = os.path.join(folder, f"{name}.so")
            if os.path.exists(path):
                opened(path.encode(), os.RTLD_NOW | os.RTLD_GLOBAL)
    import torch  # noqa: F401
