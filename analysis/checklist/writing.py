"""Reads what the checklist rests on and writes it under `results/`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd

from analysis.checklist.answers import ChecklistAnswer, fill_checklist
from analysis.checklist.evidence import POWER, Evidence, file_digests, read_json
from analysis.checklist.findings import DEFAULTS, automatic_findings
from analysis.checklist.rendering import checklist_json, checklist_markdown
from analysis.conflicts import count_forbidden
from analysis.responses import read_responses
from analysis.scored import ScoredStudy
from sampling.freeze import deviations
from sampling.study_folder import StudyFolder


def write_checklist(
    study: StudyFolder, scored: ScoredStudy, folder: Path
) -> tuple[ChecklistAnswer, ...]:
    """Write `checklist.json` and `checklist.md`, and give the answers for the report."""
    answers = fill_checklist(
        automatic_findings(gather_evidence(study, scored, folder)),
        study.definition.checklist,
        DEFAULTS,
    )
    for name, text in (
        ("checklist.json", checklist_json(answers)),
        ("checklist.md", checklist_markdown(answers)),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return answers


def gather_evidence(study: StudyFolder, scored: ScoredStudy, folder: Path) -> Evidence:
    """Read the study's files; the manifest, the plan, the freeze and `gaps.csv` may be absent."""
    plan = _read_table(study.assignment_file)
    roster = _read_table(study.roster_file)
    people = scored.responses["participant"].nunique()
    sessions: Counter[tuple[str, int]] = Counter()
    if plan is not None:
        sessions.update(zip(plan["participant"], plan["session"].astype(int), strict=True))
    return Evidence(
        definition=study.definition,
        scored=scored,
        statuses=Counter(read_responses(study.responses_file)["status"]),
        invited=people if roster is None else len(roster),
        planned=None if plan is None else len(plan),
        sessions=sessions,
        manifest=read_json(study.manifest_file),
        freeze=read_json(study.freeze_file),
        deviations=len(deviations(study)),
        conflicts=count_forbidden(study, scored),
        gaps=_read_table(folder / "gaps.csv"),
        power=read_json(study.root / POWER),
        sha256=file_digests(study),
    )


def _read_table(path: Path) -> pd.DataFrame | None:
    """Read a CSV as text, `None` and `NA` kept as the words they are."""
    if not path.is_file():
        return None
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")
