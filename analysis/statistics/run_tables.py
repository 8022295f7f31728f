"""`model_runs.csv`, and intervals of models with several runs, widened by what runs differ by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.arrays import IntArray, Undefined
from analysis.inference.gap import PairedGap
from analysis.inference.interval import Interval
from analysis.inference.run_variance import RunVariance, run_variance, with_runs
from analysis.inference.scored_responses import dense_codes
from analysis.statistics.context import Row, Setting, exact_estimate, points
from analysis.table11.table11 import Measure

COLUMNS = (
    "model",
    "metric",
    "run",
    "n",
    "score",
    "standard_deviation",
    "standard_error_of_runs",
)
MEAN = "mean"
GAP_BOUNDS = (-1.0, 1.0)


def variance_of_runs(
    setting: Setting, measure: Measure, model: str, positions: IntArray
) -> tuple[RunVariance, ...]:
    """Return what a model's runs add on some questions; nothing where it has a single run."""
    runs = setting.arrays.runs.get(model)
    if runs is None:
        return ()
    group = dense_codes(setting.arrays.category.codes[positions]) if measure.macro else None
    images = dense_codes(setting.arrays.image[positions])
    return (run_variance(runs[measure.column][:, positions], images, group),)


def score_with_runs(
    interval: Interval | Undefined,
    setting: Setting,
    measure: Measure,
    model: str,
    positions: IntArray,
) -> Interval | Undefined:
    """Widen the interval of a model's own score."""
    found = variance_of_runs(setting, measure, model, positions)
    return with_runs(interval, found, _degrees(setting, positions), setting.level)


def gap_with_runs(
    gap: PairedGap, setting: Setting, measure: Measure, model: str, positions: IntArray
) -> PairedGap:
    """Widen both intervals of the gap between people and a model with several runs."""
    found = variance_of_runs(setting, measure, model, positions)
    if not found:
        return gap
    degrees = _degrees(setting, positions)
    return replace(
        gap,
        new_questions=with_runs(gap.new_questions, found, degrees, setting.level, GAP_BOUNDS),
        new_people=with_runs(gap.new_people, found, degrees, setting.level, GAP_BOUNDS),
    )


def difference_with_runs(
    interval: Interval | Undefined,
    setting: Setting,
    measure: Measure,
    models: tuple[str, str],
    positions: IntArray,
) -> Interval | Undefined:
    """Widen the interval of the difference between two models."""
    found = tuple(
        one for model in models for one in variance_of_runs(setting, measure, model, positions)
    )
    return with_runs(interval, found, _degrees(setting, positions), setting.level, GAP_BOUNDS)


def run_rows(setting: Setting) -> list[Row]:
    """List the score of every declared run, and of each model the mean over them.

    `standard_deviation` is that of the runs' scores; `standard_error_of_runs` is √B, what other
    runs as wholes add to the standard error of the mean beyond the differences within questions.
    """
    rows: list[Row] = []
    for model, runs in setting.arrays.runs.items():
        for measure in setting.measures:
            rows += _rows_of(setting, measure, model, runs[measure.column])
    return rows


def _rows_of(setting: Setting, measure: Measure, model: str, runs: np.ndarray) -> list[Row]:
    category = setting.arrays.category.codes
    answered = [np.flatnonzero(~np.isnan(run)) for run in runs]
    asked = np.flatnonzero(~np.isnan(setting.arrays.models[model][measure.column]))
    if not asked.size:
        return []

    def mean(scores: np.ndarray, where: np.ndarray) -> float:
        group = dense_codes(category[where]) if measure.macro else None
        return float(exact_estimate(scores[where], group))

    own = {"model": model, "metric": measure.name}
    names = setting.scored.repeats[model]
    scores = [mean(run, where) for run, where in zip(runs, answered, strict=True) if where.size]
    rows: list[Row] = [
        own
        | {
            "run": name,
            "n": str(where.size),
            "score": points(mean(run, where)) if where.size else "",
            "standard_deviation": "",
            "standard_error_of_runs": "",
        }
        for name, run, where in zip(names, runs, answered, strict=True)
    ]
    (found,) = variance_of_runs(setting, measure, model, asked.astype(np.int64))
    whole = {
        "run": MEAN,
        "n": str(asked.size),
        "score": points(mean(setting.arrays.models[model][measure.column], asked)),
        "standard_deviation": points(float(np.std(scores, ddof=1))) if len(scores) > 1 else "",
        "standard_error_of_runs": points(float(np.sqrt(found.variance))),
    }
    return [*rows, own | whole]


def _degrees(setting: Setting, positions: IntArray) -> int:
    return max(1, int(np.unique(setting.arrays.image[positions]).size) - 1)
