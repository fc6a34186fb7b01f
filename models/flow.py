"""Gradient flow: why a soft lookup can be learned, and when it can't. The names that notebooks call."""

from __future__ import annotations

from models.descent import Trajectory, advance, begin, checkpoint_at, descend
from models.jacobians import key_jacobian, query_jacobian, query_step
from models.score_gradients import score_gradients
from models.slopes import score_gradient, softmax_jacobian

__all__ = [
    "Trajectory",
    "advance",
    "begin",
    "checkpoint_at",
    "descend",
    "key_jacobian",
    "query_jacobian",
    "query_step",
    "score_gradient",
    "score_gradients",
    "softmax_jacobian",
]
