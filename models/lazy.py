"""torch, loaded at its first use.

``import torch`` takes seconds, and the window is painted before it is there. The states, the registries with their
labels and the panels are therefore importable without torch; the first computation, on the worker thread, loads it.
Every module of this package takes torch from here: ``from models.lazy import torch``.
"""

from __future__ import annotations

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
