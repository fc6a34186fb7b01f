"""The dictionary being looked up, and how: the one scene that every panel may follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.arrays import Array
from models.errors import LabError
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

    def __post_init__(self) -> None:
        (m, d_k), (n, d_v) = _rows("keys", self.keys), _rows("values", self.values)
        if not m == n == len(self.entries) or m == 0:
            raise LabError(f"As many keys as values and names were expected; {m}, {n} and {len(self.entries)} came.")
        if len(self.key_columns) != d_k or len(self.value_columns) != d_v:
            raise LabError(f"Names for {d_k} columns of keys and {d_v} of values were expected.")
        if self.query.shape != (d_k,):
            raise LabError(f"A query of {d_k} numbers was expected; what came has the shape {self.query.shape}.")
        self._check_queries(m, d_k)

    def _check_queries(self, m: int, d_k: int) -> None:
        count = 0 if self.queries is None else _rows("queries", self.queries)[0]
        if self.queries is not None and self.queries.shape[1] != d_k:
            raise LabError(f"Queries of {d_k} numbers were expected; what came has the shape {self.queries.shape}.")
        if self.row is not None and not 0 <= self.row < count:
            raise LabError(f"The present query must be one of {count} listed ones; row {self.row} came.")
        if self.mask is not None and self.mask.shape not in ((m,), (count, m)):
            raise LabError(f"A mask of shape {(m,)} or {(count, m)} was expected; {self.mask.shape} came.")

    @property
    def mask_row(self) -> Array | None:
        """The mask (m,) of the present query, or None where every entry takes part."""
        if self.mask is None or self.mask.values.ndim == 1:
            return self.mask
        return None if self.row is None else Array(self.mask.values[self.row])


def _rows(what: str, table: Array) -> tuple[int, int]:
    if table.values.ndim != 2:
        raise LabError(f"Rows of numbers were expected as {what}; what came has the shape {table.shape}.")
    rows, columns = table.shape
    return rows, columns
