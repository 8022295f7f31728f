"""Everything under `results/`, written from a scored study in a fixed order.

The columns of every table under `results/` that may have no row, so that each has a header.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analysis.report.page import write_report
from analysis.scoring.basis import read_question_index
from analysis.scoring.exact import percent_or_empty
from analysis.scoring.models import reported_differences
from analysis.scoring.scored import ScoredStudy
from analysis.statistics.tables import write_statistics
from analysis.table11.breakdowns import (
    GROUPINGS,
    breakdown,
    by_participant,
    conditions,
    model_groups,
    transcriptions,
)
from analysis.table11.chance_floors import above_chance, chance_floors
from analysis.table11.files import write_agreement, write_table11
from analysis.table11.inspect_log import write_inspect_log
from analysis.table11.latex import category_latex
from analysis.table11.multiverse import KeyMakers, multiverse, multiverse_rows, read_key_makers
from analysis.table11.overall_scores import (
    Strata,
    overall_scores,
    strata_of_benchmark,
    strata_of_manifest,
)
from analysis.table11.reported import reported_breakdown, with_reported
from analysis.table11.run_record import write_run_record
from analysis.table11.scored_files import write_scored_predictions, write_scored_responses
from analysis.table11.table11 import Table11, build_table11
from analysis.table11.wrong_answers import (
    confusions,
    error_counts,
    gap_decomposition,
    invalid_reasons,
    line_count_errors,
    normalization_effect,
)
from sampling.draw.manifest import read_manifest
from sampling.study.definition import StudyDefinition
from sampling.study.folder import StudyFolder

_WHO = ("evaluator", "condition")
BREAKDOWN = (
    *_WHO,
    "group",
    "n",
    "em",
    "precision",
    "recall",
    "f1",
    "jaccard",
    "w1",
    "n_w1",
    "count_exact",
    "n_invalid",
    "lenient_em",
    "lenient_f1",
    "ned",
    "char_f1",
    "lenient_ned",
    "lenient_char_f1",
)
GAINS = ("em_gain", "f1_gain", "w1_gain", "ned_gain", "char_f1_gain")
COLUMNS: dict[str, tuple[str, ...]] = {
    "by_category": (*BREAKDOWN, *GAINS),
    "by_collection": (*BREAKDOWN, *GAINS),
    "by_task_type": (*BREAKDOWN, *GAINS),
    "by_cardinality": (*BREAKDOWN, *GAINS),
    "by_participant": BREAKDOWN,
    "overall": BREAKDOWN,
    "conditions": (
        *_WHO,
        "n",
        "em",
        "f1",
        "w1",
        "ned",
        "char_f1",
        "headline_condition",
        "n_shared",
        *GAINS,
    ),
    "model_groups": (
        "group",
        "n_models",
        "em_mean",
        "em_lowest",
        "em_highest",
        "ned_mean",
        "char_f1_mean",
        "models",
    ),
    "line_count_errors": (
        *_WHO,
        "absolute_error",
        "n",
        "percent",
        "signed_mean",
        "absolute_mean",
    ),
    "confusions": (*_WHO, "category", "kind", "ground_truth", "answer", "n"),
    "error_counts": (
        *_WHO,
        "category",
        "n",
        "right",
        "partly_right",
        "wrong",
        "invalid",
        "out_of_vocabulary",
    ),
    "invalid_reasons": (*_WHO, "reason", "n"),
    "gap_decomposition": (
        *_WHO,
        "n_questions",
        "n_invalid",
        "human_em",
        "model_em",
        "model_em_lenient",
        "gap",
        "gap_lenient",
        "gap_from_reading",
        "invalid",
        "em_valid",
        "gap_valid",
    ),
    "normalization": (*_WHO, "n", "em_before", "em_unwrapped", "em", "em_lenient"),
    "chance_floors": (
        "category",
        "collection",
        "n",
        "distinct_keys",
        "constant_answer",
        "constant_em",
        "uniform_em",
    ),
    "above_chance": (*_WHO, "category", "n", "em", "constant_em", "em_above_chance"),
    "reported_differences": (*_WHO, "sample_id", "metric", "reported", "ours", "place"),
    "transcriptions": (
        *_WHO,
        "n",
        "n_empty",
        "ned",
        "char_f1",
        "consistent_ned",
        "consistent_char_f1",
    ),
    "multiverse": ("choice", "n", "n_questions", "human", "model", "gap"),
}


RUN = "run.json"


def write_results(
    study: StudyFolder, scored: ScoredStudy, progress: Callable[[str], None] | None = None
) -> Table11:
    """Write every table of a study and give Table 11 for the terminal.

    `progress` is told what is being worked on.
    """
    tell = progress or _say_nothing
    tell("computing intervals and tests")
    folder = study.results_folder
    folder.mkdir(parents=True, exist_ok=True)
    # Without it the tables are not taken for those of one run, should this one be interrupted.
    (folder / RUN).unlink(missing_ok=True)
    display = study.definition.benchmark.display
    strata = _strata(study)
    further = write_statistics(scored, study.definition, folder, strata)
    table = headline_table(study.definition, scored)
    tell("writing tables")
    write_table11(table, folder, further.table11)
    agreement = write_agreement(scored, folder, further.agreement, display.get("category"))
    tables = core_tables(scored, study.definition, strata, read_key_makers(study, scored))
    for name, rows in tables.items():
        write_table(folder / f"{name}.csv", rows, COLUMNS[name])
    first = table.measures[0]
    overall = {row.evaluator: percent_or_empty(row.means[first.name]) for row in table.rows}
    by_category = category_latex(tables["by_category"], agreement, overall, first.name, first.title)
    (folder / "by_category.tex").write_text(by_category, encoding="utf-8", newline="")
    write_scored_responses(scored, study.responses_file, folder / "responses_scored.jsonl")
    write_scored_predictions(scored, folder / "predictions_scored.jsonl")
    write_inspect_log(study, scored, folder / "inspect_log.json")
    write_run_record(study, folder / RUN, scored.warnings)
    tell("drawing figures and writing the report")
    write_report(study, scored)
    return table


def headline_table(definition: StudyDefinition, scored: ScoredStudy) -> Table11:
    """Compute Table 11 with the models whose numbers were typed in."""
    names = group_names(scored, definition.benchmark.display)
    table = build_table11(scored, model_groups_of(definition))
    return with_reported(table, definition.models, names)


def tables_by_group(
    scored: ScoredStudy, definition: StudyDefinition
) -> dict[str, list[dict[str, str]]]:
    """Compute the scores by category, collection, task type and cardinality, by file name."""
    display = definition.benchmark.display
    return {
        name: [
            *breakdown(scored, field, display.get(field)),
            *reported_breakdown(definition.models, scored.questions[field], display.get(field, {})),
        ]
        for name, field in GROUPINGS.items()
    }


def _strata(study: StudyFolder) -> Strata | None:
    """Take the strata of the sample's manifest, or else count them in the benchmark."""
    manifest = read_manifest(study.manifest_file)
    if manifest:
        return strata_of_manifest(manifest)
    return strata_of_benchmark(study.definition.sample.strata, read_question_index(study))


def _say_nothing(step: str) -> None:
    """Work without being watched."""


def core_tables(
    scored: ScoredStudy,
    definition: StudyDefinition,
    strata: Strata | None,
    makers: KeyMakers | None = None,
) -> dict[str, list[dict[str, str]]]:
    """Compute the tables that are counts and means, by the name of their file."""
    display = definition.benchmark.display
    return {
        **tables_by_group(scored, definition),
        "by_participant": by_participant(scored),
        "overall": overall_scores(scored, strata),
        "conditions": conditions(scored),
        "model_groups": model_groups(scored, model_groups_of(definition)),
        "line_count_errors": line_count_errors(scored),
        "confusions": displayed(confusions(scored), display),
        "error_counts": displayed(error_counts(scored), display),
        "invalid_reasons": invalid_reasons(scored),
        "gap_decomposition": gap_decomposition(scored),
        "normalization": normalization_effect(scored),
        "chance_floors": displayed(chance_floors(scored), display),
        "above_chance": displayed(above_chance(scored), display),
        "reported_differences": reported_differences(scored),
        "transcriptions": transcriptions(scored),
        "multiverse": multiverse_rows(multiverse(scored, definition, makers)),
    }


def displayed(
    rows: Sequence[Mapping[str, str]], display: Mapping[str, Mapping[str, str]]
) -> list[dict[str, str]]:
    """Name categories and collections as `[benchmark] display` says."""
    fields = {"category": "category", "collection": "script_name"}
    return [
        {
            name: display.get(fields[name], {}).get(value, value) if name in fields else value
            for name, value in row.items()
        }
        for row in rows
    ]


def group_names(scored: ScoredStudy, display: Mapping[str, Mapping[str, str]]) -> set[str]:
    """Give every name of a group that a table of groups may have, own and printed."""
    own = {str(value) for field in GROUPINGS.values() for value in scored.questions[field]}
    printed = {name for names in display.values() for name in names.values()}
    return own | set(scored.vocabularies) | printed


def write_table(path: Path, rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> None:
    """Write rows under a fixed header; a cell that does not apply is empty."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def model_groups_of(definition: StudyDefinition) -> dict[str, str]:
    """Give the declared group of each model that has one."""
    return {model.name: model.group for model in definition.models if model.group is not None}
