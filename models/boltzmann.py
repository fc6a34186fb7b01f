"""Scores at a temperature: the sums from which weights, entropy and all the rest follow without NaN."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from models.errors import LabError
from models.lazy import torch
from models.tensors import together

if TYPE_CHECKING:
    from torch import Tensor

# e^{−10⁴} is 0 in every dtype, and 10⁴ times 0 is 0 where ∞ times 0 would be NaN.
COLD = 1e4


class Boltzmann:
    """The softmax of ``scores`` (…, m) at ``temperature``, a number or a tensor that spreads over the leading axes.

    With x = (max s − s)/τ all sums are of terms ≥ 0, and ``rest``, Σe^{−x} without one winner, keeps what is tiny:
    nothing cancels, so that an entropy of 1e-40 is as exact as one of 1. A score of −inf takes no part; a row in which
    none takes part has weights, entropy and counts of 0. Temperature 0, and one below the smallest normal number,
    gives the limit. Raises LabError for NaN and for a temperature that isn't finite and at least 0.
    """

    def __init__(self, scores: Any, temperature: Any = 1.0) -> None:
        scores, self.temperature = together(scores, temperature)
        if scores.ndim < 1 or not scores.shape[-1]:
            raise LabError("A row of scores, shape (m,), was expected; none came. Give one score or more.")
        if bool(scores.isnan().any()):
            raise LabError("A score is not a number. Look for NaN in the query and the keys.")
        tau = self.temperature
        if not bool((tau.isfinite() & ~tau.signbit()).all()):
            raise LabError("A temperature must be a finite number from 0 up; another came. Common is 0.01 to 100.")
        self.scores = scores.clamp(max=torch.finfo(scores.dtype).max)
        self.live = self.scores > -torch.inf
        self._winner = self.scores.argmax(dim=-1, keepdim=True)
        self.top = self.scores.gather(-1, self._winner)
        gaps = torch.where(self.live, self.top - self.scores, 0.0)
        self.safe_tau = tau.clamp(min=torch.finfo(tau.dtype).tiny)
        x = (gaps / self.safe_tau[..., None]).clamp(max=COLD)
        self.x = x if bool(self.live.all()) else torch.where(self.live, x, COLD)
        self.e = torch.exp(-self.x)

    @cached_property
    def rest(self) -> Tensor:
        """Σe^{−x} over all but one winner, (…)."""
        return self.e.scatter(-1, self._winner.expand((*self.e.shape[:-1], 1)), 0.0).sum(-1)

    @cached_property
    def z(self) -> Tensor:
        """Σe^{−x}, at least 1 (also where no score takes part), (…)."""
        return 1.0 + self.rest

    @property
    def weights(self) -> Tensor:
        """a = e^{−x}/Z, (…, m)."""
        return self.e / self.z[..., None]

    @property
    def entropy(self) -> Tensor:
        """H = ln Z + E[x], in nats, (…)."""
        return torch.log1p(self.rest) + self._mean

    @cached_property
    def _mean(self) -> Tensor:
        return (self.e * self.x).sum(-1) / self.z

    @property
    def slope(self) -> Tensor:
        """dH/dτ = Var_a(s)/τ³ = Var_a(x)/τ, never below 0, (…)."""
        off = self.x - self._mean[..., None]
        return (self.e * off * off).sum(-1) / self.z / self.safe_tau

    @property
    def perplexity(self) -> Tensor:
        """e^H, (…)."""
        return torch.where(self._any, self.entropy.exp(), 0.0)

    @property
    def effective_number(self) -> Tensor:
        """1/Σa² = Z²/Σe^{−2x}, (…)."""
        return torch.where(self._any, self.z * self.z / (self.e * self.e).sum(-1).clamp(min=1.0), 0.0)

    @property
    def largest_derivative(self) -> Tensor:
        """max |∂a_i/∂s_j| = a(1 − a)/τ of the winner, (…).

        Off the diagonal a_i a_j ≤ a_i(1 − a_i), and no a_i(1 − a_i) exceeds the winner's: no m×m matrix is needed.
        """
        return self.rest / (self.z * self.z) / self.safe_tau

    @property
    def log_sum_exp(self) -> Tensor:
        """τ ln Σe^{s/τ}, −inf where no score takes part, (…)."""
        return self.top.squeeze(-1) + self.temperature * torch.log1p(self.rest)

    @property
    def _any(self) -> Tensor:
        return self.live.any(-1)
