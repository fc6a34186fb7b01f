"""What the kernel regression shows in its open section, as a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from models.app_state import AppState
from models.data_recipes import BOOK
from models.metric_lesson import MetricResult
from models.notebook import assigned, is_many, literal, mask_text, script_of
from models.regression_data import SCENE, DataSet, points_of, recipe_points
from models.regression_errors import ErrorsResult
from models.regression_fit import FitResult, grid_of, queries_of
from models.regression_kernels import KernelsResult
from models.regression_spread import SpreadResult

RECIPES = "from models.data_recipes import draw, recipe"
TRUTH = "from models.data_recipes import recipe"
COMPARED = "  # where an estimate is compared with the truth"
PREPARED = "from models.regression import Prepared"
READ_OUT = """
points = Prepared.of(x, y)
errors = errors_at(points, bandwidth, kernel)
fit = points.estimate(queries, bandwidth, kernel)
print("points n:", len(x))
print("leave-one-out:", errors.leave_one_out)
print("training:", errors.training)
numbers = fit.effective_number[fit.defined]
print("n_eff from:", float(numbers.min()) if len(numbers) else np.nan)
print("n_eff to:", float(numbers.max()) if len(numbers) else np.nan)
print("undefined:", fit.undefined)
"""
AGAINST = """print("MSE to the truth:", float(truth_errors(points, grid, truth(grid), [bandwidth], kernel).error[0]))
"""
ROWS = 'print("rows measured:", rows_measured(points))\n'
ALONE = 'print("alone in a window:", errors.alone)\n'
FIT = """
asked = points.estimate(query, bandwidth, kernel)
print("estimate at the query:", float(asked.y))
print("its n_eff:", float(asked.effective_number))
print("estimate at the queries:", fit.y.tolist())
"""
NAIVE = 'print("naive quotient:", naive_quotient(queries, x, y, bandwidth, kernel).tolist())\n'
CURVES = """
for curve in error_curves(points, widths, kernel{grid}):
    print(f"{{curve.name}} over σ:", curve.errors.tolist())
    print(f"{{curve.name}}, best σ:", curve.best)
    print(f"{{curve.name}}, least error:", curve.best_error)
"""
LEARNING = """path = descend_bandwidth(points, start, kernel=kernel, **learning)
print("σ of every step:", path.bandwidths.tolist())
print("error of every step:", path.error.tolist())
"""
KNOWN_NOISE = """noise = {noise} * recipe({recipe}).spread(x)
s = float(np.sqrt(np.mean(noise**2)))
"""
ESTIMATED_NOISE = """noise = s = errors.leave_one_out ** 0.5  # no recipe says it: estimated by leaving each point out
"""
PREDICTED = """print("s:", s)
predicted = predicted_spread(band.effective_number, s)
print("estimate:", band.y.tolist())
print("n_eff:", band.effective_number.tolist())
print("predicted s/√n_eff:", predicted.tolist())
"""
MEASURED = """measured = measured_spread(places, x, bandwidth, noise, kernel=kernel, seed={seed})
print("measured over 200 redraws:", measured.tolist())
"""
KERNELS = """
points = Prepared.of(x, y)
for kernel in KERNELS:
    errors = {measure}.error
    best = int(np.nan_to_num(errors, nan=np.inf).argmin())
    print(f"{{kernel}} over σ:", errors.tolist())
    print(f"{{kernel}}, best σ:", float(widths[best]))
    print(f"{{kernel}}, least error:", float(errors[best]))
"""
METRIC = """
found = learn_metric(metric_data(n, seed), steps=steps)
for name, fit in (("one σ", found.isotropic), ("learned", found.learned), ("oracle", found.oracle)):
    print(f"{name}, scales w:", np.abs(fit.scales).tolist())
    print(f"{name}, leave-one-out:", fit.leave_one_out)
    print(f"{name}, test error:", fit.test)
"""


def regression_script(result: Any, state: AppState) -> str:
    """The numbers of the section that gave the result; ``state`` says where its data lie."""
    writers: dict[type, Callable[[Any, AppState], str]] = {
        FitResult: _fit_script,
        ErrorsResult: _errors_script,
        SpreadResult: _spread_script,
        KernelsResult: _kernels_script,
        MetricResult: _metric_script,
    }
    return writers[type(result)](result, state)


def _fit_script(result: FitResult, state: AppState) -> str:
    question = result.question
    imports, lines, body = _setting(result, state, question.beyond)
    lines.append(assigned("query", question.query))
    body += FIT
    if result.naive is not None:
        imports.append("from models.regression_fit import naive_quotient")
        body += NAIVE
    return script_of("A kernel regression", imports, lines, body)


def _errors_script(result: ErrorsResult, state: AppState) -> str:
    question = result.question
    imports, lines, body = _setting(result, state)
    imports.append("from models.error_curves import error_curves")
    lines.append(_range("widths", result.widths, "geomspace"))
    body += CURVES.format(grid=", grid, truth(grid)" if question.data.truth else "")
    if len(result.path.widths):
        learning = question.learning
        given = f"objective={literal(learning.objective)}, learning_rate={learning.rate}, steps={learning.steps}"
        imports.append("from models.bandwidth import descend_bandwidth")
        lines += [assigned("start", learning.start), f"learning = dict({given})"]
        body += LEARNING
    return script_of("Error against bandwidth", _joined(imports), lines, body)


def _spread_script(result: SpreadResult, state: AppState) -> str:
    data = result.question.data
    imports, lines, body = _setting(result, state)
    lines.append(_range("places", result.queries))
    body += "\nband = points.estimate(places, bandwidth, kernel)\n"
    body += KNOWN_NOISE.format(noise=data.noise, recipe=literal(data.recipe)) if result.is_known else ESTIMATED_NOISE
    body += PREDICTED
    names = ["predicted_spread"]
    if result.measured is not None:
        names.append("measured_spread")
        body += MEASURED.format(seed=result.question.seed)
    imports.append(f"from models.noise_spread import {', '.join(sorted(names))}")
    return script_of("The spread of a kernel regression", imports, lines, body)


def _kernels_script(result: KernelsResult, state: AppState) -> str:
    imports, lines = _data_lines(result.question.data, state)
    imports += ["from models.kernels import KERNELS", PREPARED]
    lines.append(_range("widths", result.widths, "geomspace"))
    measure = "row_errors(points, widths, kernel, leave_out=True)"
    if result.against_truth:
        measure = "truth_errors(points, grid, truth(grid), widths, kernel)"
        imports.append("from models.bandwidth import truth_errors")
    else:
        imports.append("from models.row_errors import row_errors")
    return script_of("Kernel against bandwidth", imports, lines, KERNELS.format(measure=measure))


def _metric_script(result: MetricResult, state: AppState) -> str:
    metric = result.question.metric
    lines = [assigned("n", int(metric.size)), assigned("seed", metric.seed), assigned("steps", result.step)]
    imports = ("from models.learned_metric import learn_metric, metric_data",)
    return script_of("A learned metric", imports, lines, METRIC)


def _setting(result: Any, state: AppState, beyond: bool = False) -> tuple[list[str], list[str], str]:
    """Imports, given lines and the read-out of a section that is about one bandwidth."""
    question = result.question
    imports, lines = _data_lines(question.data, state)
    lines += [
        f"bandwidth, kernel = {literal(question.bandwidth)}, {literal(question.kernel)}",
        _range("queries", queries_of(question.data, beyond)),
    ]
    imports.append(PREPARED)
    body, names = READ_OUT, ["errors_at"]
    if question.data.truth:
        imports.append("from models.bandwidth import truth_errors")
        body += AGAINST
    if result.summary.rows < result.summary.n:
        names.append("rows_measured")
        body += ROWS
    if result.summary.alone:
        body += ALONE
    imports.append(f"from models.row_errors import {', '.join(names)}")
    return imports, lines, body


def _data_lines(data: DataSet, state: AppState) -> tuple[list[str], list[str]]:
    """Imports, and the lines that give x and y, the truth, and the 50 queries at which it is compared."""
    imports, lines = _points_lines(data, state)
    if data.truth:
        low, high = (float(end) for end in grid_of(data)[0][[0, -1]])
        imports = imports or [TRUTH]
        lines += [
            f"truth = recipe({literal(data.recipe)}).truth",
            f"grid = np.linspace({low!r}, {high!r}, 50){COMPARED}",
        ]
    return imports, lines


def _points_lines(data: DataSet, state: AppState) -> tuple[list[str], list[str]]:
    """The recipe where the points are its own; else the points, or many of them from the session's file."""
    if _is_drawn(data):
        return [RECIPES], [f"data = draw({_arguments(data)})", "x, y = data.x, data.y"]
    x, y = points_of(data)
    if not is_many(data.n):
        return [], [f"x = np.array({literal(x)})", f"y = np.array({literal(y)})"]
    if data.recipe == SCENE:
        scene = state.scene
        mask = mask_text(scene.mask_row, scene)
        chosen = f"[{mask}]" if mask else ""
        return [], [f'x = saved["scene/keys"][:, 0]{chosen}', f'y = saved["scene/values"][:, 0]{chosen}']
    return [], ['x = saved["regression/data/x"][:]', 'y = saved["regression/data/y"][:]']


def _is_drawn(data: DataSet) -> bool:
    if data.made_by is None or data.edited:
        return False
    return not data.is_kept or all(map(np.array_equal, points_of(data), recipe_points(data)))


def _arguments(data: DataSet) -> str:
    """What ``draw`` is told: of the book's points only what was changed."""
    given = {"n": data.n, "noise": data.noise, "seed": data.seed, "redraw": data.redraw}
    if data.recipe == BOOK:
        del given["n"]
        if data.noise == 1.0 and not data.redraw:
            given = {}
    if not data.redraw:
        given.pop("redraw", None)
    return ", ".join([literal(data.recipe), *(f"{name}={literal(value)}" for name, value in given.items())])


def _range(name: str, values: np.ndarray, kind: str = "linspace") -> str:
    return f"{name} = np.{kind}({float(values[0])!r}, {float(values[-1])!r}, {len(values)})"


def _joined(imports: list[str]) -> list[str]:
    """One line for each module."""
    names: dict[str, set[str]] = {}
    for line in imports:
        module, _, parts = line.removeprefix("from ").partition(" import ")
        names.setdefault(module, set()).update(parts.split(", "))
    return [f"from {module} import {', '.join(sorted(parts))}" for module, parts in names.items()]
