"""The subject of the temperature, gathered: what the panel and a notebook ask of scores, weights and τ."""

from models.bisection import Bisection, bisection_steps
from models.boltzmann import Boltzmann
from models.entropy import (
    TemperatureCurve,
    effective_number,
    entropy,
    entropy_of_scores,
    entropy_slope,
    perplexity,
    temperature_curve,
)
from models.inverse import temperature_for_effective_number, temperature_for_entropy, temperature_for_perplexity
from models.reach import OutOfReachError
from models.sampling import MOST_DRAWS, draw, draw_counts
from models.simplex import (
    CORNERS,
    EntropyGrid,
    entropy_contour,
    entropy_grid,
    simplex_coordinates,
    simplex_path,
    simplex_weights,
)
from models.sparsity import entry_temperatures, support_sizes
from models.why_softmax import (
    CLIP_FLOOR,
    CLIP_START,
    DividedBySum,
    LogSumExp,
    cross_entropy,
    divide_by_sum,
    log_sum_exp,
    logit_scale,
    shift_difference,
    softmax_jacobian,
    weight_ratio,
)

__all__ = [
    "CLIP_FLOOR",
    "CLIP_START",
    "CORNERS",
    "MOST_DRAWS",
    "Bisection",
    "Boltzmann",
    "DividedBySum",
    "EntropyGrid",
    "LogSumExp",
    "OutOfReachError",
    "TemperatureCurve",
    "bisection_steps",
    "cross_entropy",
    "divide_by_sum",
    "draw",
    "draw_counts",
    "effective_number",
    "entropy",
    "entropy_contour",
    "entropy_grid",
    "entropy_of_scores",
    "entropy_slope",
    "entry_temperatures",
    "log_sum_exp",
    "logit_scale",
    "perplexity",
    "shift_difference",
    "simplex_coordinates",
    "simplex_path",
    "simplex_weights",
    "softmax_jacobian",
    "support_sizes",
    "temperature_curve",
    "temperature_for_effective_number",
    "temperature_for_entropy",
    "temperature_for_perplexity",
    "weight_ratio",
]
