"""What the explorer shows of its query, as a script."""

from __future__ import annotations

from models.notebook import scene_lines, script_of
from models.scene import Scene

IMPORTS = ("from models.lookup import soft_lookup", "from models.temperature import effective_number, entropy")
BODY = """

def look_up(weighting):
    return soft_lookup(query, keys, values, similarity, temperature, weighting, mask, **parameters)


soft = look_up(weighting)
print("scores", soft.scores.tolist())
print("weights", soft.weights.tolist())
print("output", soft.output.tolist() if soft.found else None)
print("entropy", float(entropy(soft.weights)))
print("effective_number", float(effective_number(soft.weights)))
for name in ("nearest", "exact"):
    hard = look_up(name)
    print(name, hard.output.tolist() if hard.found else None)
"""


def lookup_script(scene: Scene) -> str:
    """Scores, weights and answer of the soft lookup, and the answers of the two hard ones."""
    return script_of(scene.title, IMPORTS, scene_lines(scene), BODY)
