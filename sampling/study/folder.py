"""A study is a folder: the names of its files, fixed for everyone who builds on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from sampling.answers.vocabularies import OLD_RULE, READING_RULE
from sampling.study.definition import StudyDefinition
from sampling.study.study_toml import read_definition


@dataclass(frozen=True)
class StudyFolder:
    """Where everything of one study lives."""

    root: Path
    definition: StudyDefinition

    @property
    def reading_rule(self) -> int:
        """The rule by which answers are read: as set, else as frozen, else as drawn, else today's.

        A freeze or sample that names no rule was made with 0.1.0: rule 1.
        """
        chosen = self.definition.analysis.reading_rule
        if chosen is not None:
            return chosen
        for path in (self.freeze_file, self.manifest_file):
            if path.is_file():
                return _recorded_rule(path)
        return READING_RULE

    @property
    def definition_file(self) -> Path:
        return self.root / "study.toml"

    @property
    def vocabularies_file(self) -> Path:
        return self.root / self.definition.benchmark.vocabularies

    @property
    def images_folder(self) -> Path | None:
        """The folder of images on this machine; None where a store has them (`s3://...`)."""
        images = self.definition.benchmark.images
        return None if images is None or "://" in images else self.root / images

    @property
    def annotators_file(self) -> Path | None:
        annotators = self.definition.benchmark.annotators
        return None if annotators is None else self.root / annotators

    @property
    def roster_file(self) -> Path:
        return self.root / self.definition.participants.roster

    @property
    def questions_file(self) -> Path:
        return self.root / "sample" / "questions.jsonl"

    @property
    def keys_file(self) -> Path:
        return self.root / "sample" / "keys.jsonl"

    @property
    def reserve_file(self) -> Path:
        return self.root / "sample" / "reserve.jsonl"

    @property
    def manifest_file(self) -> Path:
        return self.root / "sample" / "manifest.json"

    @property
    def assignment_file(self) -> Path:
        return self.root / "plan" / "assignment.csv"

    @property
    def plan_report_file(self) -> Path:
        return self.root / "plan" / "report.md"

    @property
    def freeze_file(self) -> Path:
        return self.root / "freeze.json"

    @property
    def database_file(self) -> Path:
        return self.root / "study.db"

    @property
    def responses_file(self) -> Path:
        return self.root / "responses" / "responses.jsonl"

    @property
    def completion_codes_file(self) -> Path:
        """Who has which completion code: for coordinators, never for a bundle."""
        return self.root / "responses" / "completion_codes.csv"

    @property
    def results_folder(self) -> Path:
        return self.root / "results"

    @property
    def release_folder(self) -> Path:
        return self.root / "release"

    @property
    def prompts_folder(self) -> Path:
        return self.root / "prompts"


def _recorded_rule(path: Path) -> int:
    """Read the rule that a freeze or manifest names; one that cannot be read is refused later."""
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        return READING_RULE
    if not isinstance(record, dict):
        return READING_RULE
    parts = record.get("parts", {})
    frozen = parts.get("scoring rules", {}).get("reading rule")
    found = record.get("reading_rule", frozen)
    return READING_RULE if str(found) == str(READING_RULE) else OLD_RULE


def open_study(root: Path) -> StudyFolder:
    """Read `study.toml` in a folder; a `StudyError` says all that is wrong with it."""
    return StudyFolder(root, read_definition(root / "study.toml"))
