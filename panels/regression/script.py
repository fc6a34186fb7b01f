"""What the kernel regression shows of its data at a bandwidth, as a script."""

from __future__ import annotations

from models.notebook import assigned, script_of
from models.regression_data import KEPT, points_of
from models.regression_fit import FitResult, queries_of

IMPORTS = ("import numpy as np", "from models.regression import leave_one_out, nadaraya_watson")
BODY = """
asked = nadaraya_watson(query, x, y, bandwidth, kernel)
print("estimate", float(asked.y))
print("effective_number", float(asked.effective_number))
curve = nadaraya_watson(np.linspace(low, high, queries), x, y, bandwidth, kernel)
print("curve", curve.y.tolist())
print("undefined", int((~curve.defined).sum()))
numbers = curve.effective_number[curve.defined]
print("fewest", float(numbers.min()) if len(numbers) else nan)
print("most", float(numbers.max()) if len(numbers) else nan)
print("training", float(np.mean((nadaraya_watson(x, x, y, bandwidth, kernel).y - y) ** 2)))
print("leave_one_out", float(leave_one_out(x, y, bandwidth, kernel)) if len(x) > 1 else nan)
"""


def fit_script(result: FitResult) -> str:
    """Estimates and errors of the section *Fit*; "" for data so many that the lab measures errors on some alone."""
    question, data = result.question, result.question.data
    if data.n > KEPT or result.summary.rows < result.summary.n:
        return ""
    x, y = points_of(data)
    queries = queries_of(data, question.beyond)
    lines = [
        f"x = np.array({x.tolist()!r})",
        f"y = np.array({y.tolist()!r})",
        assigned("query", question.query),
        assigned("bandwidth", question.bandwidth),
        assigned("kernel", question.kernel),
        f"low, high, queries = {float(queries[0])!r}, {float(queries[-1])!r}, {len(queries)}",
    ]
    return script_of("A kernel regression", IMPORTS, lines, BODY)
