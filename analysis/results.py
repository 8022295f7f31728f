"""Everything under `results/`, written from a scored study in a fixed order."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from analysis.report.page import write_report
from analysis.result_columns import COLUMNS
from analysis.scoring.percentages import percent_or_empty
from analysis.scoring.question_index import read_question_index
from analysis.scoring.reported_scores import reported_differences
from analysis.scoring.scored import ScoredStudy
from analysis.statistics.statistics_tables import write_statistics
from analysis.table11.agreement_file import write_agreement
from analysis.table11.breakdowns import (
    GROUPINGS,
    breakdown,
    by_participant,
    conditions,
    model_groups,
)
from analysis.table11.chance_floors import above_chance, chance_floors
from analysis.table11.conflicts import KeyMakers, read_key_makers
from analysis.table11.errors_made import (
    confusions,
    error_counts,
    invalid_reasons,
    line_count_errors,
)
from analysis.table11.inspect_log import write_inspect_log
from analysis.table11.invalid_answers import gap_decomposition, normalization_effect
from analysis.table11.latex import category_latex
from analysis.table11.multiverse import multiverse, multiverse_rows
from analysis.table11.overall_scores import (
    Strata,
    overall_scores,
    strata_of_benchmark,
    strata_of_manifest,
)
from analysis.table11.reported_models import reported_breakdown, with_reported
from analysis.table11.run_record import write_run_record
from analysis.table11.scored_files import write_scored_predictions, write_scored_responses
from analysis.table11.table11 import Table11, build_table11
from analysis.table11.table11_files import write_table11
from analysis.table11.transcription_table import transcriptions
from sampling.draw.manifest import read_manifest
from sampling.study.definition import StudyDefinition
from sampling.study.folder import StudyFolder

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
