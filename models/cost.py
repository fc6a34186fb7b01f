"""What a lookup costs: shapes, multiply-adds, exponentials, bytes, and parameters beside those of a dense layer."""

from __future__ import annotations

from dataclasses import dataclass

from models.errors import LabError
from models.similarities import SIMILARITIES


@dataclass(frozen=True)
class LookupCost:
    """n queries among m entries. A multiply-add counts as two floating point operations ("flops")."""

    query_shape: tuple[int, int]
    key_shape: tuple[int, int]
    value_shape: tuple[int, int]
    score_shape: tuple[int, int]
    weight_shape: tuple[int, int]
    output_shape: tuple[int, int]
    score_matrix_entries: int
    score_matrix_bytes: int
    multiply_adds_scores: int
    multiply_adds_output: int
    exponentials: int
    flops_two_matmuls: int


@dataclass(frozen=True)
class ParameterCounts:
    """Learnable numbers of a bilinear lookup, qᵀMk, and of one dense layer over the query and all m pairs at once.

    The lookup's don't depend on m; the dense layer needs ``dense_growth_per_pair`` more for every pair.
    """

    bilinear_parameters: int
    scores_per_query: int
    dense_input_length: int
    dense_weights: int
    dense_parameters_with_bias: int
    dense_growth_per_pair: int


def lookup_cost(
    n: int, m: int, d_k: int, d_v: int, bytes_per_score: int = 8, similarity: str = "dot", hidden: int = 0
) -> LookupCost:
    """The cost of n queries (d_k,) among m entries with values (d_v,); ``hidden`` is the width h of "additive"."""
    _need_counts(n=n, m=m, d_k=d_k, d_v=d_v, bytes_per_score=bytes_per_score)
    scores, output = score_multiply_adds(n, m, d_k, similarity, hidden), n * m * d_v
    return LookupCost(
        query_shape=(n, d_k),
        key_shape=(m, d_k),
        value_shape=(m, d_v),
        score_shape=(n, m),
        weight_shape=(n, m),
        output_shape=(n, d_v),
        score_matrix_entries=n * m,
        score_matrix_bytes=n * m * bytes_per_score,
        multiply_adds_scores=scores,
        multiply_adds_output=output,
        exponentials=n * m,
        flops_two_matmuls=2 * (scores + output),
    )


def score_multiply_adds(n: int, m: int, d_k: int, similarity: str = "dot", hidden: int = 0) -> int:
    """Multiply-adds of all scores, what is done once for each query and key included; ``hidden`` is h of "additive"."""
    pairs = n * m * d_k
    if similarity == "additive":
        _need_counts(hidden=hidden)
        return n * m * hidden + (n + m) * hidden * d_k
    once = {"bilinear": n * d_k * d_k, "cosine": (n + m) * d_k}
    return pairs + once.get(SIMILARITIES[similarity].name, 0)


def parameter_counts(d_k: int, d_v: int, m: int) -> ParameterCounts:
    """Parameters of a bilinear lookup (d_k²) and of a dense layer from (q, k₁, v₁, …, k_m, v_m) to (d_v,)."""
    _need_counts(d_k=d_k, d_v=d_v, m=m)
    length = d_k + m * (d_k + d_v)
    return ParameterCounts(
        bilinear_parameters=d_k * d_k,
        scores_per_query=m,
        dense_input_length=length,
        dense_weights=length * d_v,
        dense_parameters_with_bias=length * d_v + d_v,
        dense_growth_per_pair=d_v * (d_k + d_v),
    )


def _need_counts(**counts: int) -> None:
    for name, count in counts.items():
        if count != int(count) or count < 1:
            raise LabError(f"{name} must be a whole number of at least 1; {count} came.")
