"""What the checklist rests on: the study's files, read once, with their digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.scored import ScoredStudy
from sampling.definition import StudyDefinition
from sampling.study_folder import StudyFolder

POWER = "power/power.json"


@dataclass(frozen=True)
class Evidence:
    """Everything the automatic answers are drawn from.

    `statuses` counts the response rows of each status; `manifest`, `freeze`, `gaps` and `power` are
    None where the study has no such file; `conflicts` counts answers that the exclusion rule
    forbids, None where nothing can be said; `sha256` maps a file's path in the study to its digest.
    """

    definition: StudyDefinition
    scored: ScoredStudy
    statuses: Mapping[str, int]
    invited: int
    planned: int | None
    sessions: Mapping[tuple[str, int], int]
    manifest: Mapping[str, Any] | None
    freeze: Mapping[str, Any] | None
    deviations: int
    conflicts: int | None
    gaps: pd.DataFrame | None
    power: Mapping[str, Any] | None = None
    sha256: Mapping[str, str] = field(default_factory=dict)


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
        study.freeze_file,
        study.root / POWER,
    )
    return {
        file.relative_to(study.root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and file.is_relative_to(study.root)
    }


def read_json(path: Path) -> Mapping[str, Any] | None:
    """Read a JSON object that may be absent."""
    if not path.is_file():
        return None
    record: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8-sig"))
    return record
