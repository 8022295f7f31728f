"""The checklist as JSON for machines and as Markdown for people.

Reads what the checklist rests on and writes it under `results/`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from analysis.report.checklist_answers import (
    POWER,
    ChecklistAnswer,
    Evidence,
    Source,
    defaults,
    file_digests,
    fill_checklist,
    read_json,
    read_tables,
)
from analysis.report.checklist_findings import automatic_findings
from analysis.report.participant_flow import collected_here, read_flow
from analysis.scoring.basis import read_question_index
from analysis.scoring.scored import ScoredStudy
from analysis.table11.multiverse import read_key_makers
from analysis.table11.run_record import scores_digest
from sampling.assignment.plan import read_plan
from sampling.record.freeze import deviations
from sampling.study.checklist_items import SECTIONS
from sampling.study.folder import StudyFolder

DIGITS = 12


def checklist_json(answers: Sequence[ChecklistAnswer]) -> str:
    """Write one object an answer: number, key, question, value, source, evidence, sha256."""
    rows = [
        {
            "number": answer.item.number,
            "key": answer.item.key,
            "question": answer.item.question,
            "value": answer.value,
            "source": answer.source.value,
            "defaulted": answer.defaulted,
            "evidence": answer.evidence,
            "sha256": answer.sha256,
        }
        for answer in answers
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def checklist_markdown(answers: Sequence[ChecklistAnswer]) -> str:
    """Write a table a section, and first how much is still unreported."""
    open_count = sum(answer.source is Source.UNREPORTED for answer in answers)
    lines = [
        "# Reporting checklist for this human baseline",
        "",
        "The questions follow Wei et al. (2025), arXiv 2506.13776, in our own words.",
        f"{len(answers) - open_count} of {len(answers)} are answered; {open_count} are unreported.",
        "Automatic answers come from the study's files, a default holds because nobody said",
        "otherwise, and the rest was declared. Digests are cut to twelve signs; `checklist.json`",
        "has them whole. Add answers under `[checklist]` in `study.toml`, by the key in the last",
        "column.",
    ]
    for number, title in SECTIONS.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| | question | answer | | from | SHA-256 | key |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_row(answer) for answer in answers if answer.item.number.startswith(f"{number}.")]
    return "\n".join(lines) + "\n"


def _row(answer: ChecklistAnswer) -> str:
    value = f"**{answer.value}**" if answer.source is Source.UNREPORTED else _cell(answer.value)
    return (
        f"| {answer.item.number} | {answer.item.question} | {value} | {source_of(answer)} "
        f"| {_cell(answer.evidence)} | {short_digests(answer)} | `{answer.item.key}` |"
    )


def source_of(answer: ChecklistAnswer) -> str:
    """Say in a word where an answer comes from; what nobody filled in comes from nowhere."""
    if answer.source is Source.UNREPORTED:
        return ""
    return "default" if answer.defaulted else answer.source.value


def short_digests(answer: ChecklistAnswer) -> str:
    """Cut the digest of each file that an answer is seen in."""
    return ", ".join(digest[:DIGITS] for digest in (answer.sha256 or "").split(", "))


def _cell(text: str) -> str:
    """Keep a text inside its table cell."""
    return text.replace("|", "\\|").replace("\n", " ")


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
        deviations=len(deviations(study, scores=scores_digest())),
        makers=read_key_makers(study, scored),
        tables=read_tables(folder),
        power=read_json(study.root / POWER),
        sha256=file_digests(study),
    )
