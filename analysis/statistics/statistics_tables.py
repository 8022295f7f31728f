"""Writing every statistics table of a study under `results/`, in a fixed order."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from analysis.scoring.scored import ScoredStudy
from analysis.statistics import (
    agreement_table,
    category_agreement,
    coin_table,
    difference_table,
    gap_tables,
    human_tables,
    interval_tables,
    key_tables,
    label_table,
    order_tables,
    pair_tables,
    participant_tables,
    reference_rows,
    run_tables,
    simultaneous_tables,
)
from analysis.statistics.agreement_table import AgreementTables
from analysis.statistics.printed import Row
from analysis.statistics.setting import Setting, make_setting
from analysis.statistics.table11_columns import table11_columns
from analysis.table11.overall_scores import Strata
from sampling.study.definition import StudyDefinition

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
    agreement = agreement_table.agreement_tables(
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
            difference_table.DIFFERENCE_COLUMNS,
            difference_table.difference_rows(setting),
        ),
        "simultaneous_categories": (simultaneous_tables.COLUMNS, categories),
        "simultaneous_collections": (simultaneous_tables.COLUMNS, collections),
        "agreement_coefficients": (
            category_agreement.COEFFICIENT_COLUMNS,
            _displayed(agreement.coefficients, setting.category_names),
        ),
        "agreement_labels": (
            label_table.COLUMNS,
            _displayed(agreement.labels, setting.category_names),
        ),
        "human_reference": (reference_rows.COLUMNS, human_tables.reference_rows(setting)),
        "alt_test": (human_tables.ALT_COLUMNS, human_tables.alternative_annotator_rows(setting)),
        "key_audit": (key_tables.AUDIT_COLUMNS, audit),
        "key_audit_questions": (key_tables.SUSPECT_COLUMNS, suspects),
        "dawid_skene": (coin_table.COLUMNS, coin_table.coin_rows(setting)),
        **_people_tables(setting),
        "order_effects": (order_tables.ORDER_COLUMNS, order_tables.order_rows(setting)),
        "timing": (order_tables.TIMING_COLUMNS, order_tables.timing_rows(setting)),
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
        "participant_model_pairs": (pair_tables.PAIR_COLUMNS, pair_tables.pair_rows(setting)),
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
    found = agreement_table.agreement_tables(
        scored,
        seed="" if definition is None else definition.study.seed,
        resamples=0 if analysis is None else analysis.resamples,
        level=DEFAULT_LEVEL if analysis is None else analysis.confidence_level,
    )
    frame = pd.DataFrame.from_dict(
        {category: dict(row) for category, row in found.columns.items()},
        orient="index",
        columns=list(category_agreement.COLUMNS),
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
