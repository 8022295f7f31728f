"""Everything under `results/`, written from a scored study in a fixed order."""

from __future__ import annotations

from analysis.scored import ScoredStudy
from analysis.table11 import Table11, build_table11
from analysis.table11_files import write_table11
from sampling.definition import StudyDefinition
from sampling.study_folder import StudyFolder


def write_results(study: StudyFolder, scored: ScoredStudy) -> Table11:
    """Write every table of a study and give Table 11 for the terminal."""
    folder = study.results_folder
    folder.mkdir(parents=True, exist_ok=True)
    table = build_table11(scored, model_groups(study.definition))
    write_table11(table, folder)
    return table


def model_groups(definition: StudyDefinition) -> dict[str, str]:
    """Give the declared group of each model that has one."""
    return {model.name: model.group for model in definition.models if model.group is not None}
