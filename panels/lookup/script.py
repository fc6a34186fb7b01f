"""What the explorer shows of its query, as a script."""

from __future__ import annotations

from models.notebook import array_text, scene_lines, script_of
from models.scene import Scene

IMPORTS = ("from models.lookup import soft_lookup", "from models.temperature import effective_number, entropy")
BODY = """
soft = soft_lookup(query, keys, values, temperature=temperature, **scoring, **weighing)
print("scores:", soft.scores.tolist())
print("weights:", soft.weights.tolist())
print("weight × value:", (soft.weights.numpy()[:, None] * values).tolist())
print("output:", soft.output.tolist() if soft.found else None)
print("entropy, nats:", float(entropy(soft.weights)))
print("effective number:", float(effective_number(soft.weights)) if soft.found else 0.0)

for weighting in ("nearest", "exact"):
    hard = soft_lookup(query, keys, values, **scoring, **(weighing | {"weighting": weighting}))
    print(f"{weighting}:", hard.output.tolist() if hard.found else None)
"""
MAP = """
everyone = soft_lookup(queries, keys, values, temperature=temperature, **scoring, **weighing)
print("attention map:", everyone.weights.tolist())
"""
OWN_MASKS = """
weighing["mask"] = masks  # each query has its own"""


def lookup_script(scene: Scene) -> str:
    """Scores, weights and answer of the soft lookup, both hard answers, and the attention map of listed queries."""
    if scene.queries is None:
        return script_of(scene.title, IMPORTS, scene_lines(scene), BODY)
    lines = [*scene_lines(scene), f"queries = {array_text(scene.queries, 'scene/queries')}"]
    if scene.mask is None or scene.mask.values.ndim == 1:
        return script_of(scene.title, IMPORTS, lines, BODY + MAP)
    masks = array_text(scene.mask, "scene/mask")
    lines.append(f"masks = {masks}{' > 0' if masks.startswith('saved') else ''}")
    return script_of(scene.title, IMPORTS, lines, BODY + OWN_MASKS + MAP)
