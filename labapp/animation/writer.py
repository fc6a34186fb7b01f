"""What writes frames into a file."""

from __future__ import annotations

from labapp.animation.palette import Pixels


class Writer:
    """Takes frame after frame; all but ``stop`` is called in one thread."""

    def add(self, frame: Pixels) -> None:
        """Write a frame."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what comes after the last frame."""
        raise NotImplementedError

    def stop(self) -> None:
        """Be ready soon, from whatever thread, although not all frames came."""

    def release(self) -> None:
        """Give back what isn't memory: after ``close``, or instead of it."""
