"""Writing every statistics table of a study under `results/`, in a fixed order.

The interval columns of Table 11.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.agreement.study_arrays import filled_arrays
from analysis.arrays import Undefined
from analysis.inference.gap import paired_gap
from analysis.inference.interval import Interval
from analysis.inference.means import human_intervals, model_interval
from analysis.inference.scored_responses import dense_codes
from analysis.scoring.runs import missing_as_wrong
from analysis.scoring.scored import ScoredStudy
from analysis.statistics import (
    agreement_tables,
    difference_tables,
    gap_tables,
    human_tables,
    interval_tables,
    key_tables,
    label_tables,
    participant_tables,
    reference_rows,
    run_tables,
    simultaneous_tables,
)
from analysis.statistics.agreement_tables import AgreementTables
from analysis.statistics.context import (
    Row,
    Setting,
    limits,
    make_setting,
    model_view,
    shared_view,
    view_of,
)
from analysis.statistics.interval_tables import agreement_for_new_people, agreement_values
from analysis.statistics.run_tables import gap_with_runs, score_with_runs
from analysis.table11.overall_scores import Strata
from analysis.table11.table11 import HUMAN, Measure, missing_name
from sampling.study.definition import StudyDefinition


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
    strata = setting.arrays.divided(positions)
    interval = model_interval(scores, images, group, setting.level, "by image", strata)
    interval = score_with_runs(interval, setting, measure, model, positions)
    return limits(interval, f"{measure.name}_t2_low", f"{measure.name}_t2_high")


def _cells(
    name: str, questions: Interval | Undefined, people: Interval | Undefined
) -> dict[str, str]:
    return limits(questions, f"{name}_t2_low", f"{name}_t2_high") | limits(
        people, f"{name}_t3_low", f"{name}_t3_high"
    )


DEFAULT_LEVEL = 0.95


@dataclass(frozen=True)
class FurtherColumns:
    """Columns for tables that others write: by evaluator, and by category or `overall`."""

    table11: Mapping[str, Mapping[str, str]]
    agreement: Mapping[str, Mapping[str, str]]


def write_statistics(
    scored: ScoredStudy,
    definition: StudyDefinition,
    folder: Path,
    strata: Strata | None = None,
) -> FurtherColumns:
    """Write `intervals.csv`, `gaps.csv` and all that stands behind them.

    Parameters
    ----------
    scored, definition : the study
    folder : `results/`, which exists
    strata : those of the sample's manifest, with their sizes in the whole test set; without them
        the strata are the values of `[sample] strata`, and nothing is weighed as the test set

    Returns
    -------
    FurtherColumns
        What belongs into `table11.csv` and `agreement.csv`; empty without any response.
    """
    if scored.responses.empty:
        return FurtherColumns({}, {})
    setting = make_setting(scored, definition, strata)
    agreement = agreement_tables.agreement_tables(
        scored, setting.seed, setting.resamples, setting.level, setting.codes
    )
    for name, (columns, rows) in statistics_tables(setting, agreement).items():
        text = as_csv(columns, rows)
        (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
    return FurtherColumns(table11_columns(setting), agreement.columns)


def statistics_tables(
    setting: Setting, agreement: AgreementTables
) -> dict[str, tuple[Sequence[str], Sequence[Row]]]:
    """Compute every table: its columns and its rows by the name of its file.

    `equivalence` is there only where a margin was declared, `model_runs` only where a model has
    several runs.
    """
    gaps = gap_tables.compared_gaps(setting)
    categories, collections = simultaneous_tables.simultaneous_rows(
        setting, (setting.arrays.category, setting.arrays.collection)
    )
    audit, suspects = key_tables.key_audit_rows(setting)
    tables: dict[str, tuple[Sequence[str], Sequence[Row]]] = {
        "intervals": (interval_tables.COLUMNS, interval_tables.interval_rows(setting)),
        "gaps": (gap_tables.GAP_COLUMNS, gap_tables.gap_rows(gaps, setting)),
        "model_differences": (
            difference_tables.DIFFERENCE_COLUMNS,
            difference_tables.difference_rows(setting),
        ),
        "simultaneous_categories": (simultaneous_tables.COLUMNS, categories),
        "simultaneous_collections": (simultaneous_tables.COLUMNS, collections),
        "agreement_coefficients": (
            agreement_tables.COEFFICIENT_COLUMNS,
            _displayed(agreement.coefficients, setting.category_names),
        ),
        "agreement_labels": (
            label_tables.COLUMNS,
            _displayed(agreement.labels, setting.category_names),
        ),
        "human_reference": (reference_rows.COLUMNS, human_tables.reference_rows(setting)),
        "alt_test": (human_tables.ALT_COLUMNS, human_tables.alternative_annotator_rows(setting)),
        "key_audit": (key_tables.AUDIT_COLUMNS, audit),
        "key_audit_questions": (key_tables.SUSPECT_COLUMNS, suspects),
        "dawid_skene": (key_tables.COLUMNS, key_tables.coin_rows(setting)),
        **_people_tables(setting),
        "order_effects": (participant_tables.ORDER_COLUMNS, participant_tables.order_rows(setting)),
        "timing": (participant_tables.TIMING_COLUMNS, participant_tables.timing_rows(setting)),
    }
    if setting.arrays.runs:
        tables["model_runs"] = (run_tables.COLUMNS, run_tables.run_rows(setting))
    if setting.margin is not None:
        equivalence = gap_tables.equivalence_rows(gaps, setting)
        tables["equivalence"] = (gap_tables.EQUIVALENCE_COLUMNS, equivalence)
    return tables


def _people_tables(setting: Setting) -> dict[str, tuple[Sequence[str], Sequence[Row]]]:
    """Compute the tables about single people and about what people differ by."""
    people = participant_tables
    return {
        "participants_forest": (people.FOREST_COLUMNS, people.forest_rows(setting)),
        "leave_one_participant_out": (people.WITHOUT_COLUMNS, people.without_rows(setting)),
        "participant_model_pairs": (
            difference_tables.PAIR_COLUMNS,
            difference_tables.pair_rows(setting),
        ),
        "variance_components": (people.COMPONENT_COLUMNS, people.component_rows(setting)),
        "d_study": (people.DESIGN_COLUMNS, people.design_rows(setting)),
    }


def _displayed(rows: Sequence[Row], names: Mapping[str, str]) -> list[Row]:
    """Name categories as tables print them."""
    return [{**row, "category": names.get(row["category"], row["category"])} for row in rows]


def agreement_columns(
    scored: ScoredStudy, definition: StudyDefinition | None = None
) -> pd.DataFrame:
    """Give the further columns of `agreement.csv`, everything printed.

    Parameters
    ----------
    definition : the seed, the resamples and the level of the intervals; without it there are none

    Returns
    -------
    DataFrame of str, indexed by category, sorted, then `overall`
    """
    analysis = None if definition is None else definition.analysis
    found = agreement_tables.agreement_tables(
        scored,
        seed="" if definition is None else definition.study.seed,
        resamples=0 if analysis is None else analysis.resamples,
        level=DEFAULT_LEVEL if analysis is None else analysis.confidence_level,
    )
    frame = pd.DataFrame.from_dict(
        {category: dict(row) for category, row in found.columns.items()},
        orient="index",
        columns=list(agreement_tables.COLUMNS),
    )
    return frame.rename_axis("category")


def interval_columns(scored: ScoredStudy, definition: StudyDefinition) -> dict[str, dict[str, str]]:
    """Give the interval columns of Table 11 by evaluator: T2 and T3, clustered by image.

    `em_t2_low`, `em_t2_high`, `em_t3_low`, ..., and the same for `em_gap`; a model's own score has
    no T3, for people have no part in it.
    """
    return table11_columns(make_setting(scored, definition))


def as_csv(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Print rows with a header, even where there is no row, each line ended by a line feed."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
