"""Puts the report together and writes `results/report.html`."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from analysis.report.blocks import LONG, Section, kind_of
from analysis.report.check_sections import (
    checklist_section,
    deviations_section,
    flow_section,
    invalid_section,
    multiverse_section,
    provenance_section,
    secondary_section,
)
from analysis.report.checklist import write_checklist
from analysis.report.participant_flow import read_flow
from analysis.report.pictures import Pictures
from analysis.report.result_sections import only_texts, result_sections
from analysis.scoring.scored import ScoredStudy
from analysis.table11.multiverse import multiverse, read_key_makers
from analysis.table11.run_record import scores_digest
from sampling.record.freeze import deviations
from sampling.study.folder import StudyFolder


def write_report(study: StudyFolder, scored: ScoredStudy) -> Path:
    """Write the checklist, the figures and the page from the tables that `results/` holds."""
    folder = study.results_folder
    environment = Environment(
        loader=PackageLoader("templates", ""), autoescape=True, undefined=StrictUndefined
    )
    page = environment.get_template("report/report.html").render(
        title=study.definition.study.name,
        lead=lead_sentence(scored),
        sections=_sections(study, scored),
        kind_of=kind_of,
        long=LONG,
        version=version("lontar"),
    )
    target = folder / "report.html"
    target.write_text(page + "\n", encoding="utf-8", newline="\n")
    return target


def lead_sentence(scored: ScoredStudy) -> str:
    """Say in one sentence how much was asked of how many."""
    responses, questions = scored.responses, scored.questions
    given = _counted(len(responses), "response", "responses")
    people = _counted(responses["participant"].nunique(), "person", "people")
    answered = responses["sample_id"].nunique()
    of_all = "" if answered == len(questions) else f"{answered} of the "
    images = _counted(questions["image_name"].nunique(), "image", "images")
    models = _counted(len(scored.predictions), "model", "models")
    return (
        f"{given} by {people} to {of_all}{len(questions)} questions about {images}, beside "
        f"{models} on the same questions."
    )


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _sections(study: StudyFolder, scored: ScoredStudy) -> list[Section]:
    definition, folder = study.definition, study.results_folder
    level = f"{definition.analysis.confidence_level * 100:g} %"
    makers = read_key_makers(study, scored)
    choices = multiverse(scored, definition, makers)
    answers = write_checklist(study, scored, folder)
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    return [
        *result_sections(scored, folder, Pictures(folder / "figures", level)),
        flow_section(read_flow(study, scored)),
        multiverse_section(choices, told=makers is not None),
        invalid_section(folder, only_texts=only_texts(scored)),
        secondary_section(folder, only_texts=only_texts(scored)),
        deviations_section(study.freeze_file.is_file(), deviations(study, scores=scores_digest())),
        checklist_section(answers),
        provenance_section(run, scored.warnings),
    ]
