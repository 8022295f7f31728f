"""What the checklist rests on: the study's files, read once, with their digests.

The checklist filled in: automatic answers first, declared ones beside them, gaps left open.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.report.participant_flow import FLOW, ParticipantFlow
from analysis.scoring.scored import ScoredStudy
from analysis.table11.multiverse import KeyMakers
from analysis.table11.table11 import TEXT_MEASURES, measures_of
from sampling.study.checklist_items import ITEMS, ChecklistItem
from sampling.study.definition import StudyDefinition
from sampling.study.folder import StudyFolder

UNREPORTED = "Unreported"


class Source(StrEnum):
    """Where an answer comes from."""

    AUTOMATIC = "automatic"
    DECLARED = "declared"
    UNREPORTED = "unreported"


@dataclass(frozen=True)
class Finding:
    """What the study's files say: a value, where it can be seen, and the digests of those files.

    Several files, and their digests, are separated by a comma.
    """

    value: str
    evidence: str
    sha256: str | None = None


@dataclass(frozen=True)
class ChecklistAnswer:
    """One answered question. `defaulted` marks what holds only because nobody said otherwise."""

    item: ChecklistItem
    value: str
    source: Source
    evidence: str = ""
    sha256: str | None = None
    defaulted: bool = False


def fill_checklist(
    findings: Mapping[str, Finding],
    declared: Mapping[str, Any],
    defaults: Mapping[str, str],
    definition_sha256: str | None = None,
) -> tuple[ChecklistAnswer, ...]:
    """Answer every question of the checklist, in its order.

    A declared value is printed with what the files say beside it, so that a contradiction shows;
    a default is marked as one; what nobody filled in is "Unreported".

    Parameters
    ----------
    findings : by key, what the files show
    declared : by key, `[checklist]` of `study.toml`
    defaults : by key, what the tool itself brings about unless somebody says otherwise
    definition_sha256 : the digest of `study.toml`, the evidence of what is declared
    """
    return tuple(_answer(item, findings, declared, defaults, definition_sha256) for item in ITEMS)


def _answer(
    item: ChecklistItem,
    findings: Mapping[str, Finding],
    declared: Mapping[str, Any],
    defaults: Mapping[str, str],
    definition_sha256: str | None,
) -> ChecklistAnswer:
    finding = findings.get(item.key)
    if item.key in declared:
        evidence = "study.toml [checklist]"
        if finding is not None:
            evidence += f"; the files show: {finding.value} ({finding.evidence})"
        value = as_text(declared[item.key])
        return ChecklistAnswer(item, value, Source.DECLARED, evidence, definition_sha256)
    if finding is not None:
        return ChecklistAnswer(
            item, finding.value, Source.AUTOMATIC, finding.evidence, finding.sha256
        )
    if item.key in defaults:
        return ChecklistAnswer(
            item, defaults[item.key], Source.AUTOMATIC, "the tool's default", defaulted=True
        )
    return ChecklistAnswer(item, UNREPORTED, Source.UNREPORTED)


def as_text(value: Any) -> str:
    """Print a declared value: yes and no for booleans, a comma list for lists.

    >>> as_text(True), as_text(["a", "b"]), as_text(3)
    ('Yes', 'a, b', '3')
    """
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return ", ".join(as_text(part) for part in value)
    return str(value)


POWER = "power/power.json"
RESPONSES = "responses/responses.jsonl"
FLOW_FILE = f"responses/{FLOW}"
MANIFEST = "sample/manifest.json"
QUESTIONS = "sample/questions.jsonl"
PLAN = "plan/assignment.csv"
RUN = "results/run.json"
# The tables of `results/` that answers are drawn from, written before the checklist is.
TABLES = ("table11", "gaps", "intervals", "multiverse", "reported_differences", "timing")


@dataclass(frozen=True)
class Evidence:
    """Everything the automatic answers are drawn from.

    `collected_here` tells whether the answers came through this tool's pages, which `flow.json` or
    a log beside them shows; `flow` counts people and responses at each step; `planned` is how many
    answers each participant was to give, None without a plan; `benchmark_size` counts the
    benchmark's questions, None where its files are away; `tables` are those of `results/` that are
    there, by name; `manifest`, `freeze` and `power` are None where the study has no such file;
    `makers` tells who had a part in keys, None where nothing can be said; `sha256` maps a file's
    path in the study to its digest.
    """

    definition: StudyDefinition
    scored: ScoredStudy
    collected_here: bool
    flow: ParticipantFlow
    planned: Mapping[str, int] | None
    sessions: Mapping[tuple[str, int], int]
    benchmark_size: int | None
    manifest: Mapping[str, Any] | None
    freeze: Mapping[str, Any] | None
    deviations: int
    makers: KeyMakers | None
    tables: Mapping[str, pd.DataFrame]
    power: Mapping[str, Any] | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)

    def finding(self, value: str, *files: str) -> Finding:
        """Say what files show together, with their digests in the same order.

        A file that the study does not have is not named, unless it is the only one.
        """
        seen = [file for file in files if file in self.sha256]
        digests = ", ".join(self.sha256[file] for file in seen)
        return Finding(value, ", ".join(seen or files), digests or None)


# What the tool's own pages bring about unless a study says otherwise.
DEFAULTS_OF_PAGES = {
    "instructions_published": "Prepared: `lontar release` puts them into the bundle, word for word",
}
DEFAULTS_BESIDE_MODELS = {
    "instrument_adapted": (
        "Partial: people choose from the vocabulary that `lontar prompts` gives models; a form "
        "cannot send an answer that no rule reads, a model can (see the decomposition of the gap)"
    ),
    "same_interface": "No: people answer in a web page, models are read from files of outputs",
}
PER_PARTICIPANT = (
    "Prepared: `lontar release` writes them under codes drawn at random, or pooled and without any "
    "where it is asked to (`--pool-participants`)"
)
PER_PARTICIPANT_CODES = (
    "Yes: under codes drawn at random; the datasheet says what these may still give away"
)
PER_PARTICIPANT_POOLED = "No: the answers are pooled, and nothing says which are one person's"
DEFAULTS = {
    "data_available": (
        "Prepared: `lontar release` writes every analysed response and its scores, without "
        "comments; whether that is published, the files do not say"
    ),
    "data_per_participant": PER_PARTICIPANT,
}


def defaults(evidence: Evidence) -> dict[str, str]:
    """Give what holds because of the tool, where its pages and its texts were used."""
    if not evidence.collected_here:
        return DEFAULTS
    found = DEFAULTS | DEFAULTS_OF_PAGES
    if evidence.scored.predictions:
        found |= DEFAULTS_BESIDE_MODELS
        if measures_of(evidence.scored.questions) == TEXT_MEASURES:
            del found["instrument_adapted"]
        if (evidence.scored.questions["image_name"] != "").all():
            found["interface_difference"] = "People can zoom into the image in a web page"
    if evidence.definition.instructions.folder is None:
        found["ai_tools"] = "None permitted (the built-in instructions say so)"
    return found


def file_digests(study: StudyFolder) -> dict[str, str]:
    """Digest each file that an answer may point at."""
    files = (
        study.definition_file,
        study.vocabularies_file,
        study.roster_file,
        study.questions_file,
        study.manifest_file,
        study.assignment_file,
        study.responses_file,
        study.responses_file.with_name(FLOW),
        study.freeze_file,
        *([] if study.annotators_file is None else [study.annotators_file]),
        *(study.root / name for name in study.definition.benchmark.questions),
        study.root / POWER,
        *(study.results_folder / f"{name}.csv" for name in TABLES),
        study.results_folder / "run.json",
    )
    return {
        file.relative_to(study.root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and file.is_relative_to(study.root)
    }


def read_tables(folder: Path) -> dict[str, pd.DataFrame]:
    """Read the tables that answers are drawn from, of those that are there and have rows."""
    found = {name: read_table(folder / f"{name}.csv") for name in TABLES}
    return {name: table for name, table in found.items() if table is not None and len(table)}


def read_table(path: Path) -> pd.DataFrame | None:
    """Read a CSV as text, `None` and `NA` kept as the words they are."""
    if not path.is_file():
        return None
    return pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8-sig")


def read_json(path: Path) -> Mapping[str, Any] | None:
    """Read a JSON object that may be absent."""
    if not path.is_file():
        return None
    record: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8-sig"))
    return record
