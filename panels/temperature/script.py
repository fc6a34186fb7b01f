"""What the temperature panel shows of its row of scores, as a script."""

from __future__ import annotations

from models.notebook import assigned, script_of
from models.score_row import SceneRow
from models.similarities import score_parameters
from models.temperature_panel import TemperatureResult

IMPORTS = (
    "import torch",
    "from models.temperature import effective_number, entropy, entropy_slope, log_sum_exp, perplexity",
    "from models.weightings import WEIGHTINGS",
)
SIMILARITIES = "from models.similarities import SIMILARITIES"
SCORED = """scores = SIMILARITIES[similarity](query, keys, **parameters)
if mask is not None:
    scores = scores.masked_fill(~torch.tensor(mask), -inf)"""
OWN = "scores = torch.tensor(scores, dtype=torch.float64)"
BODY = """
weights = WEIGHTINGS["softmax"](scores, temperature)
print("scores", scores.tolist())
print("weights", weights.tolist())
print("entropy", float(entropy(weights)))
print("slope", float(entropy_slope(scores, temperature)))
print("perplexity", float(perplexity(weights)))
print("effective_number", float(effective_number(weights)))
print("log_sum_exp", float(log_sum_exp(scores, temperature).value))
for name in ("sparsemax", "entmax15"):
    print(name, WEIGHTINGS[name](scores, temperature).tolist())
"""


def temperature_script(result: TemperatureResult) -> str:
    """Weights, entropy and its slope; the scores from query and keys where the row is the scene's."""
    row = result.inputs[0]
    if not isinstance(row, SceneRow):
        scores = [assigned("scores", result.scores), OWN]
        return script_of("A row of scores", IMPORTS, [*scores, _temperature(result)], BODY)
    given = [
        assigned("query", row.query.values / row.length),
        assigned("keys", row.keys.values),
        assigned("mask", None if row.mask is None else row.mask.values),
        assigned("similarity", row.similarity.name),
        assigned("parameters", score_parameters(row.similarity)),
        SCORED,
    ]
    return script_of("The scores of a scene", (*IMPORTS, SIMILARITIES), [*given, _temperature(result)], BODY)


def _temperature(result: TemperatureResult) -> str:
    return assigned("temperature", result.temperature)
