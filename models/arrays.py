"""Arrays inside states: read-only, compared and hashed by a digest of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from models.errors import LabError


class Array:
    """A read-only float64, int64 or bool array that compares by value in O(1), through its digest.

    The digest covers dtype, shape and bytes, so that -0.0 and 0.0 differ and a NaN equals itself: two equal states
    save to the same bytes. ``sha256`` is the SHA-256 of the bytes alone, as a session file has it.
    """

    __slots__ = ("digest", "sha256", "values")

    values: npt.NDArray[Any]
    sha256: str
    digest: str

    def __init__(self, values: npt.ArrayLike) -> None:
        array = np.array(values)
        kind = {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}.get(array.dtype.kind)
        if kind is None:
            raise LabError(f"An array of numbers was expected; what came holds {array.dtype}. Give numbers only.")
        array = np.ascontiguousarray(array, dtype=kind).reshape(array.shape)
        self._hold(array, hashlib.sha256(array.data).hexdigest())

    def _hold(self, array: npt.NDArray[Any], sha256: str) -> None:
        array.setflags(write=False)
        object.__setattr__(self, "values", array)
        object.__setattr__(self, "sha256", sha256)
        object.__setattr__(
            self, "digest", hashlib.sha256(f"{array.dtype.str}{array.shape}{sha256}".encode()).hexdigest()
        )

    @classmethod
    def known(cls, values: npt.NDArray[Any], sha256: str) -> Array:
        """An array whose SHA-256 was just computed: nothing is computed again, nor is a large one copied.

        ``values`` are little-endian float64, int64 or bool, contiguous, and written to by nobody.
        """
        array = cls.__new__(cls)
        # A small one doesn't keep the whole file that it lies in.
        array._hold(values if values.flags.aligned and values.nbytes > 2**20 else values.copy(), sha256)
        return array

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Array is read-only; make a new one instead of setting {name}")

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        # A copy is made on request alone: torch warns of a read-only array, so those who compute ask for one.
        return np.array(self.values, dtype=dtype, copy=bool(copy) or dtype is not None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Array) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Array({np.array2string(self.values, threshold=8)})"

    def __reduce__(self) -> tuple[type[Array], tuple[npt.NDArray[Any]]]:
        return Array, (self.values,)
