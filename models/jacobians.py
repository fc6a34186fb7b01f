"""How the output answers to the query: ∂o/∂q, for one query or a field of them.

∂o/∂q = (1/τ) Σ_j w_j (v_j − v̄)(∂s_j/∂q)ᵀ, the covariance of values and score gradients under the weights of response
w, which are the weights themselves for softmax. For a field it is one matrix product: the weights (n, m) times a table
that holds for every entry the outer product of its value and its score gradient, beside the two, minus the product
of the means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from models.dictionary import Dictionary, open_dictionary
from models.errors import LabError
from models.lazy import torch
from models.score_gradients import pairwise, score_gradient_parts
from models.slopes import loss_pull, responses, score_gradient, total
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor

BLOCK = 2**18
"""About how many numbers a block of queries holds for its pairs with the entries: 2 MiB in float64, which a processor's
cache holds (measured: 1,000 queries × 1,000 keys take 1.4 times as long in one block)."""

THIN = 32

SATURATED = 0.99
"""Above this weight the table's difference of products loses digits; such queries get differences of values."""


def query_jacobian(
    q: Any,
    k: Any,
    v: Any,
    temperature: Any = 1.0,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    **parameters: Any,
) -> Tensor:
    """∂o/∂q (d_v, d_q) at a query (d_q,), or (…, d_v, d_q) at queries (…, d_q); for values (m,) d_v is gone.

    Keys (m, d_k), values (m, d_v), mask (m,) or (n, m), True where an entry takes part. 0 for a query for which none
    does. Raises LabError as ``soft_lookup`` does.
    """
    rows, book = open_dictionary(q, k, v, similarity, temperature, weighting, mask, parameters)
    jacobians = jacobian_field(rows, book)
    shape = torch.as_tensor(q).shape[:-1]
    if torch.as_tensor(v).ndim == 1:
        return jacobians.reshape(*shape, rows.shape[-1])
    return jacobians.reshape(*shape, *jacobians.shape[1:])


def jacobian_field(q: Tensor, book: Dictionary) -> Tensor:
    """∂o/∂q (n, d_v, d_q) at queries (n, d_q), a block of them at a time."""
    if not len(q):
        return q.new_zeros((0, book.v.shape[-1], q.shape[-1]))
    per_pair = pairwise(book.similarity, book.parameters)
    step = max(1, BLOCK // (len(book.k) * max(1, per_pair)))
    blocks = [(q[at : at + step], book.rows(at, at + step)) for at in range(0, len(q), step)]
    if per_pair:
        return torch.cat([_pairwise_block(rows, part) / part.divisor for rows, part in blocks])
    parts = score_gradient_parts(q, book.k, book.similarity, book.parameters)
    table = _table(book.v, parts.features)
    covariances = torch.cat([_block(rows, part, parts.features, table) for rows, part in blocks])
    return parts.to_query(covariances / book.divisor)


def query_step(
    q: Any,
    k: Any,
    v: Any,
    target: Any,
    temperature: Any = 1.0,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    **parameters: Any,
) -> tuple[Tensor, Tensor]:
    """The loss ½‖o − t‖² (…) and its gradient (…, d_q) at queries (…, d_q), for a target (d_v,) or (…, d_v)."""
    rows, book = open_dictionary(q, k, v, similarity, temperature, weighting, mask, parameters)
    goal = target_rows(target, book, len(rows))
    loss, gradient = loss_field(rows, book, goal)
    shape = torch.as_tensor(q).shape[:-1]
    return loss.reshape(shape), gradient.reshape(*shape, rows.shape[-1])


def loss_field(q: Tensor, book: Dictionary, target: Tensor) -> tuple[Tensor, Tensor]:
    """Loss (n,) and gradient (n, d_q) at queries (n, d_q), for targets (1, d_v) or (n, d_v)."""
    scores = book.scores(q)
    weights = _finite(book.weights(q, scores), q, book)
    residual = weights @ book.v - target
    pull = loss_pull(weights, responses(weights, book.weighting), book.v, residual, book.divisor)
    parts = score_gradient_parts(q, book.k, book.similarity, book.parameters)
    pulled = (pull.unsqueeze(-2) @ parts.features).squeeze(-2) if parts.features.ndim == 3 else pull @ parts.features
    return residual.square().sum(-1) / 2, parts.to_query(pulled)


def key_jacobian(
    q: Any,
    k: Any,
    v: Any,
    entry: int,
    temperature: Any = 1.0,
    similarity: str = "dot",
    weighting: str = "softmax",
    mask: Any = None,
    **parameters: Any,
) -> Tensor:
    """∂o/∂k_j (d_v, d_k) for the key of one entry at a query (d_q,): ∂o/∂s_j times the slope of its score.

    For the dot product a_j (v_j − o) qᵀ/τ.
    """
    rows, book = open_dictionary(q, k, v, similarity, temperature, weighting, mask, parameters)
    if len(rows) != 1 or not 0 <= entry < len(book.k):
        raise LabError(f"One query and an entry from 0 to {len(book.k) - 1} were expected; {len(rows)}, {entry} came.")
    allowed = None if book.mask is None else book.mask[0]
    answer = score_gradient(book.scores(rows)[0], book.v, temperature, weighting, allowed)[entry]
    with torch.enable_grad():
        key = book.k[entry : entry + 1].detach().clone().requires_grad_()
        scores = Dictionary(key, book.v, similarity, parameters, weighting, temperature, None).scores(rows.detach())
    (slope,) = torch.autograd.grad(scores.sum(), key)
    return answer.unsqueeze(-1) * slope


def target_rows(target: Any, book: Dictionary, count: int) -> Tensor:
    """The target as rows (1, d_v) or (count, d_v); a number, or (count,), where the values are one column."""
    (rows, _) = together(target, book.v)
    width = book.v.shape[-1]
    if width == 1 and rows.shape[-1:] != (1,):
        rows = rows.unsqueeze(-1)
    if rows.ndim == 0 or rows.shape[-1] != width or rows.numel() not in (width, count * width):
        raise LabError(
            f"A target of {width} numbers was expected, one for each column of the values, or one such row for each of "
            f"{count} queries; what came has the shape {tuple(together(target)[0].shape)}."
        )
    return rows.reshape(-1, width)


def _block(q: Tensor, book: Dictionary, features: Tensor, table: Tensor) -> Tensor:
    """Σ w (v − v̄)(φ − φ̄)ᵀ (n, d_v, r) of features (m, r) that all queries share."""
    weights, response = _weights_and_response(q, book)
    # A thin table multiplies in half the time this way round; a thick one would have to be turned back afterwards.
    sums = (table @ response.mT).mT if len(table) <= THIN else response @ table.mT
    covariance = _from_sums(sums, book.v.shape[-1], features.shape[-1])
    sharp = (weights.amax(-1) > SATURATED).nonzero().squeeze(-1)
    if len(sharp):
        step = max(1, BLOCK // (len(book.k) * (book.v.shape[-1] + features.shape[-1])))
        for some in torch.split(sharp, step):
            covariance[some] = _by_differences(weights[some], response[some], book.v, features)
    return covariance


def _pairwise_block(q: Tensor, book: Dictionary) -> Tensor:
    weights, response = _weights_and_response(q, book)
    parts = score_gradient_parts(q, book.k, book.similarity, book.parameters)
    return parts.to_query(_by_differences(weights, response, book.v, parts.features))


def _weights_and_response(q: Tensor, book: Dictionary) -> tuple[Tensor, Tensor]:
    weights = _finite(book.weights(q, book.scores(q)), q, book)
    return weights, responses(weights, book.weighting)


def _finite(weights: Tensor, q: Tensor, book: Dictionary) -> Tensor:
    """The weights; scores that overflow have made NaN of a row, and the full lookup says in words what is wrong."""
    if not bool(weights.sum(-1).isfinite().all()):
        checked: Tensor = book.lookup(q).weights
        return checked
    return weights


def _table(v: Tensor, features: Tensor) -> Tensor:
    """For every entry vφᵀ, v, φ and 1, one column each (d_v·r + d_v + r + 1, m).

    Both are centred first: a common shift changes no covariance, and numbers near 0 keep its digits.
    """
    v, features = v - v.mean(0), features - features.mean(0)
    products = (v.unsqueeze(-1) * features.unsqueeze(-2)).flatten(1)
    return torch.cat([products, v, features, torch.ones_like(v[:, :1])], dim=1).mT.contiguous()


def _from_sums(sums: Tensor, width: int, depth: int) -> Tensor:
    """The covariance times Σw from the weights times the table."""
    mixed, values, slopes, totals = torch.split(sums, [width * depth, width, depth, 1], dim=1)
    means = values / torch.where(totals > 0, totals, 1.0)
    return mixed.reshape(-1, width, depth) - means.unsqueeze(-1) * slopes.unsqueeze(-2)


def _by_differences(weights: Tensor, response: Tensor, v: Tensor, features: Tensor) -> Tensor:
    """The same from differences to each query's heaviest entry: all digits are kept where it has nearly all weight."""
    heaviest = weights.argmax(-1)
    v = v - v[heaviest].unsqueeze(-2)
    if features.ndim == 3:
        features = features - features.gather(-2, heaviest.view(-1, 1, 1).expand(-1, 1, features.shape[-1]))
    else:
        features = features - features[heaviest].unsqueeze(-2)
    pulled = response.unsqueeze(-1) * v
    slopes = (response.unsqueeze(-2) @ features) / total(response).unsqueeze(-1)
    return pulled.mT @ features - pulled.sum(-2).unsqueeze(-1) * slopes
