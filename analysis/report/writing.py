"""Reads what the checklist rests on and writes it under `results/`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from analysis.report.answers import ChecklistAnswer, fill_checklist
from analysis.report.evidence import (
    POWER,
    Evidence,
    file_digests,
    read_json,
    read_tables,
)
from analysis.report.findings import automatic_findings, defaults
from analysis.report.participant_flow import collected_here, read_flow
from analysis.report.rendering import checklist_json, checklist_markdown
from analysis.scoring.question_index import read_question_index
from analysis.scoring.scored import ScoredStudy
from analysis.table11.conflicts import read_key_makers
from sampling.assignment.plan_files import read_plan
from sampling.record.freeze import deviations
from sampling.study.folder import StudyFolder


def write_checklist(
    study: StudyFolder, scored: ScoredStudy, folder: Path
) -> tuple[ChecklistAnswer, ...]:
    """Write `checklist.json` and `checklist.md`, and give the answers for the report."""
    evidence = gather_evidence(study, scored, folder)
    answers = fill_checklist(
        automatic_findings(evidence),
        study.definition.checklist,
        defaults(evidence),
        evidence.sha256.get(study.definition_file.name),
    )
    for name, text in (
        ("checklist.json", checklist_json(answers)),
        ("checklist.md", checklist_markdown(answers)),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return answers


def gather_evidence(study: StudyFolder, scored: ScoredStudy, folder: Path) -> Evidence:
    """Read the study's files; the manifest, the plan, the freeze and the tables may be absent."""
    plan = read_plan(study.assignment_file) if study.assignment_file.is_file() else None
    index = read_question_index(study)
    return Evidence(
        definition=study.definition,
        scored=scored,
        collected_here=collected_here(study),
        flow=read_flow(study, scored),
        planned=None if plan is None else Counter(slot.participant for slot in plan),
        sessions=Counter((slot.participant, slot.session) for slot in plan or ()),
        benchmark_size=len(index.questions) if index.complete else None,
        manifest=read_json(study.manifest_file),
        freeze=read_json(study.freeze_file),
        deviations=len(deviations(study)),
        makers=read_key_makers(study, scored),
        tables=read_tables(folder),
        power=read_json(study.root / POWER),
        sha256=file_digests(study),
    )
