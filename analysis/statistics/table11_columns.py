"""The interval columns of Table 11."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.agreement.study_arrays import filled_arrays
from analysis.inference.gap import paired_gap
from analysis.inference.interval import Interval
from analysis.inference.means import human_intervals, model_interval
from analysis.inference.scored_responses import dense_codes
from analysis.scoring.runs import missing_as_wrong
from analysis.statistics.agreement_people import agreement_for_new_people
from analysis.statistics.interval_tables import agreement_values
from analysis.statistics.printed import limits
from analysis.statistics.run_tables import gap_with_runs, score_with_runs
from analysis.statistics.setting import Setting, model_view, shared_view, view_of
from analysis.table11.table11 import HUMAN, Measure, missing_name
from analysis.undefined import Undefined


def table11_columns(setting: Setting) -> dict[str, dict[str, str]]:
    """Give every evaluator the limits of its scores and gaps, clustered by image.

    Every evaluator has the same columns; what does not apply is empty.
    """
    found = {HUMAN: _human_cells(setting)}
    for model in setting.arrays.models:
        found[model] = _model_cells(setting, model)
        filled = _missing_as_wrong(setting, model)
        if filled is not None:
            found[missing_name(model)] = _model_cells(filled, model)
    names = list(dict.fromkeys(name for cells in found.values() for name in cells))
    return {
        evaluator: {name: cells.get(name, "") for name in names}
        for evaluator, cells in found.items()
    }


def _missing_as_wrong(setting: Setting, model: str) -> Setting | None:
    """Return the setting in which a model's missing answers are wrong; None where none is."""
    filled = missing_as_wrong(setting.scored, model)
    if filled is None:
        return None
    arrays, columns = setting.arrays, [measure.column for measure in setting.measures]
    whole = filled_arrays(filled, columns, arrays.sample_ids)
    runs = dict(arrays.runs)
    if model in runs:
        runs[model] = {
            metric: np.where(np.isnan(scores) & ~np.isnan(whole[metric]), 0.0, scores)
            for metric, scores in runs[model].items()
        }
    changed = replace(arrays, models={**arrays.models, model: whole}, runs=runs)
    return replace(setting, arrays=changed)


def _human_cells(setting: Setting) -> dict[str, str]:
    cells: dict[str, str] = {}
    for measure in setting.measures:
        view = view_of(setting, measure)
        if view is not None:
            people = view.responses
            both = human_intervals(people, people.image, setting.level, "by image")
            cells |= _cells(measure.name, both.new_questions, both.new_people)
    agreement = agreement_values(setting)
    if agreement is not None:
        interval = model_interval(
            agreement.values, agreement.images, agreement.categories, setting.level, "by image"
        )
        others = agreement_for_new_people(setting)
        cells |= _cells("agreement", interval, Undefined("no pair") if others is None else others)
    return cells


def _model_cells(setting: Setting, model: str) -> dict[str, str]:
    cells: dict[str, str] = {}
    for measure in setting.measures:
        cells |= _own_cells(setting, measure, model)
    for measure in setting.measures:
        shared = shared_view(setting, measure, model)
        if shared is not None:
            people = shared.responses
            gap = paired_gap(people, shared.model, people.image, setting.level)
            gap = gap_with_runs(gap, setting, measure, model, shared.positions)
            cells |= _cells(f"{measure.name}_gap", gap.new_questions, gap.new_people)
    return cells


def _own_cells(setting: Setting, measure: Measure, model: str) -> dict[str, str]:
    scores, positions = model_view(setting, measure, model)
    if scores.size == 0:
        return {}
    group = dense_codes(setting.arrays.category.codes[positions]) if measure.macro else None
    images = dense_codes(setting.arrays.image[positions])
    interval = model_interval(scores, images, group, setting.level, "by image")
    interval = score_with_runs(interval, setting, measure, model, positions)
    return limits(interval, f"{measure.name}_t2_low", f"{measure.name}_t2_high")


def _cells(
    name: str, questions: Interval | Undefined, people: Interval | Undefined
) -> dict[str, str]:
    return limits(questions, f"{name}_t2_low", f"{name}_t2_high") | limits(
        people, f"{name}_t3_low", f"{name}_t3_high"
    )
