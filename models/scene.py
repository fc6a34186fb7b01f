"""The dictionary being looked up, and how: the one scene that every panel may follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.arrays import Array
from models.parameters import parameter


@dataclass(frozen=True)
class Column:
    """The name and the unit of one column of keys or values, as axes and tables show it."""

    name: str
    unit: str = ""


@dataclass(frozen=True)
class Similarity:
    """Which similarity scores a query against a key, and the parameters of all that have some.

    Every parameter keeps its value while another similarity is chosen.
    """

    name: str = parameter(
        "dot",
        label="Similarity",
        choices=("dot", "scaled_dot", "squared_distance", "cosine", "bilinear", "additive"),
        help="How a query is compared with a key.",
    )
    sigma: float = parameter(
        1.0,
        label="Bandwidth",
        symbol="σ",
        minimum=1e-3,
        maximum=1e3,
        log=True,
        help="Width of the Gaussian of the distance: the score is −‖q−k‖²/(2σ²).",
    )
    beta: float = parameter(
        1.0,
        label="Key strength",
        symbol="β",
        minimum=1e-3,
        maximum=1e3,
        log=True,
        help="Multiplies the cosine of the angle between query and key.",
    )
    matrix: Array = field(default_factory=lambda: Array([[1.0]]))
    """M of the bilinear form qᵀMk, (d_k, d_k)."""
    query_weights: Array = field(default_factory=lambda: Array([[1.0]]))
    """W₁ of the additive form w·tanh(W₁q + W₂k), (h, d_k)."""
    key_weights: Array = field(default_factory=lambda: Array([[1.0]]))
    """W₂ of the additive form, (h, d_k)."""
    out_weights: Array = field(default_factory=lambda: Array([1.0]))
    """w of the additive form, (h,)."""


@dataclass(frozen=True)
class Scene:
    """A dictionary of m entries and the question asked of it.

    The present query is ``query``; where ``row`` is a number, it is row ``row`` of ``queries`` and its mask is that row
    of the mask. A mask is True where the entry takes part.
    """

    id: str
    title: str
    keys: Array
    """(m, d_k)"""
    values: Array
    """(m, d_v)"""
    entries: tuple[str, ...]
    """m names"""
    key_columns: tuple[Column, ...]
    value_columns: tuple[Column, ...]
    query: Array
    """(d_k,)"""
    similarity: Similarity = Similarity()
    weighting: str = parameter(
        "softmax",
        label="Weighting",
        choices=("softmax", "sparsemax", "entmax15", "nearest", "exact"),
        help="How scores become weights that sum to 1.",
    )
    temperature: float = parameter(
        1.0,
        label="Temperature",
        symbol="τ",
        minimum=1e-3,
        maximum=1e3,
        log=True,
        help="Divides the scores: low is nearly a hard lookup, high nearly the plain average.",
    )
    mask: Array | None = None
    """(m,) for every query, or (n, m) with one row for each of ``queries``; True where the entry takes part."""
    queries: Array | None = None
    """(n, d_k): the queries of the attention map, where the scene or the user lists them."""
    query_names: tuple[str, ...] = ()
    """n names of ``queries``, or none"""
    row: int | None = None
    """The row of ``queries`` that is the present query."""
    tied: bool = False
    """True where every row of one table is query, key and value at once (self-attention)."""

    @property
    def mask_row(self) -> Array | None:
        """The mask (m,) of the present query, or None where every entry takes part."""
        if self.mask is None or self.mask.values.ndim == 1:
            return self.mask
        return None if self.row is None else Array(self.mask.values[self.row])
