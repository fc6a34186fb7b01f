"""What the gradient flow shows of its dictionary, as a script."""

from __future__ import annotations

import numpy as np

from models.flow_descent import DescentResult
from models.flow_panel import Result
from models.flow_saturation import SaturationResult
from models.flow_signal import SignalResult
from models.flow_verify import VerifyResult
from models.notebook import assigned, scene_lines, script_of
from models.scene import Scene

JACOBIAN = "from models.flow import query_jacobian"
LEARNING = "from models.flow import descend, query_step"
LOOKUP = "from models.lookup import soft_lookup"
SIGNAL = """
setting = (temperature, similarity, weighting, mask)
answer = soft_lookup(query, keys, values, similarity, temperature, weighting, mask, **parameters)
print("weights", answer.weights.tolist())
print("output", answer.output.tolist())
print("jacobian", query_jacobian(query, keys, values, *setting, **parameters).tolist())
"""
DESCENT = """
setting = dict(similarity=similarity, weighting=weighting, mask=mask, **parameters)
loss, gradient = query_step(starts, keys, values, target, temperature, **setting)
print("first_loss", loss.tolist())
print("first_gradient", gradient.tolist())
learning = dict(learning_rate=learning_rate, steps=steps, optimiser=optimiser, learn=learn, momentum=momentum)
path = descend(starts, keys, values, target, temperature, **learning, **setting)
print("queries", path.queries[-1].tolist())
print("outputs", path.outputs[-1].tolist())
print("losses", path.losses.tolist())
print("gradients", path.gradient_norms.tolist())
print("temperatures", path.temperatures.tolist())
"""


def flow_script(result: Result, scene: Scene) -> str:
    """The Jacobian at the query, or the descent; "" for the sections about other things."""
    if isinstance(result, DescentResult):
        return _descent_script(result)
    if isinstance(result, SignalResult | SaturationResult | VerifyResult):
        return script_of(scene.title, (JACOBIAN, LOOKUP), scene_lines(scene), SIGNAL)
    return ""


def _descent_script(result: DescentResult) -> str:
    """Nothing for an exact lookup without an answer: it has no loss."""
    path, question = result.path, result.inputs
    if not np.isfinite(path.losses).all():
        return ""
    starts = path.queries[0]
    descent = question.descent
    lines = [
        assigned("starts", starts if len(starts) > 1 else starts[0]),
        assigned("target", question.target.values),
        assigned("learning_rate", path.learning_rate),
        assigned("steps", len(path)),
        assigned("optimiser", descent.optimiser),
        assigned("momentum", descent.momentum),
        assigned("learn", descent.learn),
    ]
    scene = question.scene
    return script_of(scene.title, (LEARNING,), [*scene_lines(scene), *lines], DESCENT)
