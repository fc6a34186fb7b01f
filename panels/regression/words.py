"""What the kernel regression says in words and in formulas: pure functions of the results."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np

from labapp.numbers import format_number, format_percent
from models.kernels import KERNELS
from models.metric_lesson import MetricResult
from models.regression_errors import ErrorsResult, can_learn
from models.regression_fit import MAP_KEYS, FitResult, Summary
from models.regression_kernels import KernelsResult
from models.regression_panel import Result
from models.regression_spread import SpreadResult
from models.scene import Column

TERMS = 4
SETTLED = 1e-3
"""A descent whose last step changed σ by less than this part has settled."""
DAYS = "days since 1970-01-01"
CURVE_NAMES = {"training": "training error", "leave_one_out": "leave-one-out error", "truth": "error against the truth"}
FORMULAS = {
    "kernels": (
        r"\mathrm{Gaussian}\ e^{-u^2/2}\qquad\mathrm{boxcar}\ [\,|u|\le 1\,]\qquad"
        r"\mathrm{triangular}\ \max(0,1-|u|)\qquad\mathrm{Epanechnikov}\ \max(0,1-u^2)",
        "The kernels of u, the distance over the bandwidth.",
    ),
    "errors": (
        r"E_{\mathrm{loo}}(\sigma)=\frac{1}{n}\sum_i(\output{\hat y_{-i}}(\key{x_i})-\value{y_i})^2",
        "The leave-one-out error is the mean square of what is missed when each point is estimated by all others.",
    ),
    "spread": (
        r"\mathrm{sd}\,\output{\hat y}(\query{q})=s\sqrt{\sum_i a_i^2}=\frac{s}{\sqrt{n_{\mathrm{eff}}}}",
        "The standard deviation of an estimate is that of the noise over the root of the effective number of points.",
    ),
    "metric": (
        r"a_i\propto\exp(-\frac{1}{2}\sum_k w_k^2(\query{q_k}-\key{x_{ik}})^2)",
        "The weights fall with the squared distance, each coordinate with a scale of its own.",
    ),
}


def axis_title(column: Column) -> str:
    """ "size, m²"; a date is shown as such."""
    return f"{column.name}, {column.unit}" if column.unit and column.unit != DAYS else column.name


def is_date(column: Column) -> bool:
    return column.unit == DAYS


def date_text(days: float) -> str:
    """The day of a number of days since 1970-01-01."""
    try:
        return (date(1970, 1, 1) + timedelta(days=round(days))).isoformat()
    except OverflowError:
        return format_number(days)


def _unit_text(column: Column) -> str:
    unit = "days" if is_date(column) else column.unit
    return f", {unit}" if unit else ""


def place_text(x: float, column: Column) -> str:
    return date_text(x) if is_date(column) else format_number(x)


def formula_tex(section: str, kernel: str) -> str:
    if section in FORMULAS:
        return FORMULAS[section][0]
    u = KERNELS[kernel].tex
    return (
        r"\output{\hat y}(\query{q})=\sum_i a_i\value{y_i}\qquad a_i=\frac{K(u_i)}{\sum_j K(u_j)}\qquad "
        rf"u_i=\frac{{\query{{q}}-\key{{x_i}}}}{{\sigma}}\qquad K(u)={u}"
    )


def formula_plain(section: str, kernel: str) -> str:
    if section in FORMULAS:
        return FORMULAS[section][1]
    return (
        "The estimate is the average of the labels, weighted by the kernel of the distance over the bandwidth. "
        f"Kernel: {KERNELS[kernel].label}."
    )


def numbers_line(result: Result) -> str:
    """The formula with the present numbers put in; marked for colours."""
    if isinstance(result, FitResult):
        return _fit_numbers(result)
    if isinstance(result, ErrorsResult):
        return _error_numbers(result.question.bandwidth, result.summary)
    if isinstance(result, SpreadResult):
        s, few, many = (format_number(x, 3) for x in (result.noise, result.summary.fewest, result.summary.most))
        known = "" if result.is_known else ", estimated by leaving each point out"
        return f"s = {s}{known}; n_eff from {few} to {many}"
    if isinstance(result, KernelsResult):
        return f"u = (q − x) / σ; {len(result.curves)} kernels at {len(result.widths)} bandwidths each"
    scales = "; ".join(format_number(float(w), 3) for w in np.abs(result.learned.scales))
    return f"w after {result.step} steps = ({scales})"


def _error_numbers(sigma: float, summary: Summary) -> str:
    loo, training, truth = (format_number(x) for x in (summary.leave_one_out, summary.training, summary.truth))
    known = "" if np.isnan(summary.truth) else f"; against the truth {truth}"
    return f"At σ = {format_number(sigma)}: leave-one-out error {loo}; training error {training}{known}"


def _fit_numbers(result: FitResult) -> str:
    question, asked = result.question, result.asked
    q = place_text(question.query, question.data.x_column)
    if np.isnan(asked.estimate):
        return rf"\output{{ŷ}}(\query{{{q}}}) is undefined: nobody is in the window"
    answer = rf"\output{{{format_number(asked.estimate)}}}"
    if asked.weights is None:
        return (
            rf"\output{{ŷ}}(\query{{{q}}}) = {answer}, from {format_number(asked.effective_number, 3)} points in effect"
        )
    order = np.argsort(-asked.weights, kind="stable")
    order = order[asked.weights[order] > 0]
    terms = [
        rf"{format_number(float(asked.weights[j]), 3)}·\value{{{format_number(float(result.y[j]), 3)}}}"
        for j in order[:TERMS]
    ]
    rest = " + …" if len(order) > TERMS else ""
    return rf"\output{{ŷ}}(\query{{{q}}}) = {' + '.join(terms)}{rest} = {answer}"


def sentence(result: Result) -> str:
    """What the open section shows, in plain words."""
    if isinstance(result, FitResult):
        return _fit_sentence(result)
    if isinstance(result, ErrorsResult):
        return _errors_sentence(result)
    if isinstance(result, SpreadResult):
        return _spread_sentence(result)
    if isinstance(result, KernelsResult):
        return _kernels_sentence(result)
    return metric_sentence(result)


def query_sentence(result: FitResult, q: float, estimate: float, number: float) -> str:
    """The query that the pointer is on, or the present one."""
    place = place_text(q, result.question.data.x_column)
    if np.isnan(estimate):
        return f"At q = {place} the window holds nobody: the estimate is undefined."
    return (
        f"At q = {place} the estimate is {format_number(estimate)}, from {format_number(number, 3)} points in effect."
    )


def _fit_sentence(result: FitResult) -> str:
    question = result.question
    parts = [
        _averages(result),
        _gaps(result.summary),
    ]
    if question.beyond and question.kernel == "gaussian":
        first, last = (float(result.estimate.y[i]) for i in (0, -1))
        parts.append(
            f"Beyond the data the estimate levels off at {format_number(first)} and {format_number(last)}: "
            "a weighted average never leaves the range of the labels."
        )
    if question.naive and not np.isnan(result.breaks_at):
        at = place_text(result.breaks_at, question.data.x_column)
        parts.append(f"In single precision every kernel value is 0 from q ≈ {at} on: the naive quotient is 0/0.")
    if question.naive and result.naive is None:
        parts.append("The naive quotient is drawn for up to 20,000 points.")
    if result.map is None:
        parts.append(f"The attention map is drawn for up to {format_number(MAP_KEYS)} points.")
    return " ".join(part for part in parts if part)


def _averages(result: FitResult) -> str:
    summary = result.summary
    if np.isnan(summary.fewest):
        return "No query has anybody in its window."
    few, many = format_number(summary.fewest, 2), format_number(summary.most, 2)
    error = format_number(summary.leave_one_out)
    return (
        f"With σ = {format_number(result.question.bandwidth)} each estimate averages {few} to {many} points in effect; "
        f"the leave-one-out error is {error}."
    )


def _gaps(summary: Summary) -> str:
    if not summary.undefined:
        return ""
    return f"{format_number(summary.undefined)} of {summary.queries} queries have an empty window: undefined, a gap."


def _errors_sentence(result: ErrorsResult) -> str:
    parts = []
    for curve in result.curves:
        name = CURVE_NAMES[curve.name]
        if np.isnan(curve.best):
            continue
        if curve.name == "training" and curve.at_edge:
            parts.append("the training error only falls as σ shrinks, since every point then copies itself: a trap")
        elif curve.at_edge:
            parts.append(f"the {name} is least at the end of the range")
        else:
            parts.append(f"the {name} is least at σ = {format_number(curve.best)} ({format_number(curve.best_error)})")
    text = _capitalised("; ".join(parts)) + "." if parts else "Every bandwidth gives the plain mean."
    if result.summary.rows < result.summary.n:
        text += f" Measured at {format_number(result.summary.rows)} of the points."
    return f"{text} {_learning_text(result)}"


def _learning_text(result: ErrorsResult) -> str:
    widths, learning = result.path.widths, result.question.learning
    if not len(widths):
        return can_learn(result.question.data, result.question.kernel)
    first, last = format_number(learning.start, 3), format_number(float(widths[-1]), 3)
    settled = abs(np.log(widths[-1] / widths[-2])) < SETTLED
    return (
        f"Gradient descent on the {CURVE_NAMES[learning.objective]} leads from σ = {first} to {last} in "
        f"{learning.steps} steps and {'has settled' if settled else 'is still on its way'}."
    )


def _spread_sentence(result: SpreadResult) -> str:
    if result.measured is None:
        return "The noise is redrawn for up to 5,000 points; the band is the prediction s/√n_eff."
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = result.measured / result.predicted
    ratio = ratio[np.isfinite(ratio)]
    if not len(ratio):
        return "No spread can be compared: there is no noise, or no query is defined."
    low, high = format_percent(float(ratio.min())), format_percent(float(ratio.max()))
    return (
        f"Over 200 redraws of the noise the estimates spread by {low} to {high} of the predicted s/√n_eff. "
        "A narrow bandwidth averages few points and spreads most."
    )


def _kernels_sentence(result: KernelsResult) -> str:
    fine = [curve for curve in result.curves if curve.kernel != "constant" and np.isfinite(curve.best_error)]
    if not fine:
        return "No kernel is defined at any of these bandwidths."
    ranges, bests = [curve.range for curve in fine], [curve.best_error for curve in fine]
    return (
        f"The bandwidth changes the error by {format_number(min(ranges), 2)} to {format_number(max(ranges), 2)}; "
        f"the kernels at their best differ by {format_number(max(bests) - min(bests), 2)}. "
        "The width matters more than the shape."
    )


def metric_sentence(result: MetricResult) -> str:
    tests = [format_number(fit.test, 3) for fit in (result.isotropic, result.learned, result.oracle)]
    return (
        f"Test error: {tests[0]} with one bandwidth for all five inputs, {tests[1]} with scales learned for "
        f"{result.step} steps, {tests[2]} where the first input alone is looked at."
    )


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def summary_rows(result: Result) -> tuple[list[str], list[object]]:
    """The read-out of the sections about one setting: names and numbers."""
    summary: Summary | None = getattr(result, "summary", None)
    if summary is None or isinstance(result, KernelsResult | MetricResult):
        return [], []
    rows: list[tuple[str, object]] = [
        ("points n", summary.n),
        (f"bandwidth σ{_unit_text(result.question.data.x_column)}", result.question.bandwidth),
        ("leave-one-out", summary.leave_one_out),
        ("training", summary.training),
        ("n_eff from", summary.fewest),
        ("n_eff to", summary.most),
        ("undefined", f"{summary.undefined} of {summary.queries}"),
    ]
    if not np.isnan(summary.truth):
        rows.insert(4, ("MSE to the truth", summary.truth))
    if summary.rows < summary.n:
        rows.append(("rows measured", summary.rows))
    if summary.alone:
        rows.append(("alone in a window", summary.alone))
    return [name for name, _ in rows], [number for _, number in rows]
