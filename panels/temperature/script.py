"""What the temperature panel shows of its row of scores, as a script: the weights, and the open section."""

from __future__ import annotations

from models.arrays import Array
from models.notebook import array_text, assigned, literal, mask_text, parameters_text, script_of
from models.scene import Scene
from models.score_row import SceneRow
from models.temperature_panel import MOST_CELLS, TemperatureResult

WEIGHTINGS = "from models.weightings import WEIGHTINGS"
BODY = """
weights = WEIGHTINGS["softmax"](scores, temperature)
print("scores:", scores.tolist())
print("weights:", weights.tolist())
print("−a ln a:", torch.special.entr(weights).tolist())
print("s/τ:", (scores / temperature).tolist())
"""
SECTIONS = {
    "weights": """
print("limit τ → 0:", WEIGHTINGS["softmax"](scores, 0.0).tolist())
print("limit τ → ∞:", WEIGHTINGS["softmax"](scores, 1e300).tolist())
""",
    "entropy": """
print("entropy, nats:", float(entropy(weights)))
print("slope dH/dτ:", float(entropy_slope(scores, temperature)))
print("perplexity:", float(perplexity(weights)))
print("effective number:", float(effective_number(weights)))
""",
    "triangle": """
three = WEIGHTINGS["softmax"](scores[corners], temperature)
print("weights in the triangle:", three.tolist())
print("point:", simplex_coordinates(three).tolist())
""",
    "softmax": """
smooth = log_sum_exp(scores, temperature)
print("log-sum-exp:", float(smooth.value))
print("max s:", float(smooth.lower))
print("max s + τ ln n:", float(smooth.upper))
print("change by the shift:", shift_difference(scores, shift, temperature))
divided = divide_by_sum(scores + shift)
print("divided by the sum:", None if divided.weights is None else divided.weights.tolist())
print("what is wrong with that:", divided.problems)
""",
    "others": """
for name in ("sparsemax", "entmax15"):
    print(f"{name}:", WEIGHTINGS[name](scores, temperature).tolist())
""",
    "learning": """
print("largest |∂a/∂s|:", float(Boltzmann(scores, temperature).largest_derivative))
""",
    "sampling": """
counts = draw_counts(weights, draws, seed)
print("draws:", counts.tolist())
print("shares:", (counts.double() / draws).tolist())
""",
}
NAMES = {
    "entropy": ("effective_number", "entropy", "entropy_slope", "perplexity"),
    "triangle": ("simplex_coordinates",),
    "softmax": ("divide_by_sum", "log_sum_exp", "shift_difference"),
    "learning": ("Boltzmann",),
    "sampling": ("draw_counts",),
}
"""What each section needs of ``models.temperature``."""


def temperature_script(result: TemperatureResult, section: str, scene: Scene) -> str:
    """Weights of the row and the numbers of a section; the scores from query and keys where the row is the scene's."""
    lines, names, body = _parts(result, section)
    title, imports, given = _row(result, scene)
    imports = [*imports, WEIGHTINGS]
    if names:
        imports.append(f"from models.temperature import {', '.join(sorted(names))}")
    return script_of(title, imports, [*given, assigned("temperature", result.temperature), *lines], BODY + body)


def _row(result: TemperatureResult, scene: Scene) -> tuple[str, list[str], list[str]]:
    """A title, imports, and the lines that give ``scores``."""
    row = result.inputs[0]
    if not isinstance(row, SceneRow):
        scores = array_text(Array(result.scores), "temperature/own/scores")
        return "A row of scores", [], [f"scores = torch.tensor({scores}, dtype=torch.float64)"]
    arguments = ", ".join(("query", "keys", *parameters_text(row.similarity)))
    lines = [
        assigned("query", row.query.values / row.length) + ("  # of length 1, at τ/‖q‖" if row.length != 1.0 else ""),
        f"keys = {array_text(row.keys, 'scene/keys')}",
        f"scores = SIMILARITIES[{literal(row.similarity.name)}]({arguments})",
    ]
    mask = mask_text(row.mask, scene)
    if mask:
        lines += [f"mask = torch.tensor({mask})", "scores = scores.masked_fill(~mask, -inf)"]
    return f"The scores of “{scene.title}”", ["from models.similarities import SIMILARITIES"], lines


def _parts(result: TemperatureResult, section: str) -> tuple[list[str], tuple[str, ...], str]:
    """What a section adds: lines that are given, names that are needed, and what it prints."""
    if not result.found:
        return [], (), ""
    _, _, inverse, why, _, sampling = result.inputs
    lines, names, body = [], NAMES.get(section, ()), SECTIONS[section]
    if section == "entropy" and result.solution is not None and not result.solution.refusal:
        solve = f"temperature_for_{inverse.quantity}"
        lines, names = [assigned("target", result.solution.target)], (*names, solve)
        body += f'print("τ for the target:", {solve}(scores, target))\n'
    if section == "triangle":
        if result.triangle is None:
            return [], (), ""
        lines = [assigned("corners", list(result.triangle.entries))]
    if section == "softmax":
        lines = [assigned("shift", why.shift)]
        if result.reasons is not None and result.reasons.ratio is not None:
            lines.append(f"i, j = {why.first}, {why.second}")
            names = (*names, "weight_ratio")
            body += 'print("aᵢ/aⱼ:", weight_ratio(scores, i, j, temperature))\n'
    if section == "learning" and len(result.scores) <= MOST_CELLS:
        names = (*names, "softmax_jacobian")
        body += 'print("∂a/∂s:", softmax_jacobian(scores, temperature).tolist())\n'
    if section == "sampling":
        lines = [assigned("draws", sampling.draws), assigned("seed", sampling.seed)]
    return lines, names, body
