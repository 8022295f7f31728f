"""Checks that nothing of a person who was erased is left in the files made before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sampling.assignment.participants import same_identity
from sampling.record.event_log import Event
from sampling.study.errors import Problems
from sampling.study.folder import StudyFolder
from sampling.tables.json_lines import json_lines
from study_server.folder.existing_database import is_there, reading_existing
from study_server.folder.log_verification import events_of_study
from study_server.store.steering.exporting import read_responses

ERASED = "participant.erased"
REMEDY = "write responses/, results/ and release/ again and delete older copies"


def left_in_bundle(study: StudyFolder) -> list[str]:
    """Say how many answers of the bundle the study holds no more, since somebody was erased.

    The bundle has codes in place of pseudonyms, so that its answers are compared with those kept.
    """
    erased = erased_people(events_of_study(study))
    rows = study.release_folder / "responses.jsonl"
    if not erased or not rows.is_file():
        return []
    count = count_gone(_rows(rows), _kept(study))
    if not count:
        return []
    gone = f"{_answers(count)} not in the study any more, and {_told(erased)}"
    return [f"release/responses.jsonl: {gone}; {REMEDY}"]


def left_in_exports(study: StudyFolder) -> list[str]:
    """Say which files before the bundle still hold answers of somebody who was erased."""
    erased = erased_people(events_of_study(study))
    found = []
    files = (study.responses_file, study.results_folder / "responses_scored.jsonl")
    for path in files if erased else ():
        if path.is_file():
            names = [same_identity(str(row.get("participant"))) for row in _rows(path)]
            for name in erased:
                if count := names.count(same_identity(name)):
                    place = f"{path.parent.name}/{path.name}"
                    whose = f"of {name}, who was erased on {erased[name]}"
                    found.append(f"{place}: {_answers(count)} {whose}; {REMEDY}")
    return found


def count_gone(released: Iterable[Mapping[str, Any]], kept: Iterable[Mapping[str, Any]]) -> int:
    """Count released answers that are not among those kept.

    An answer is known by its question, what was said, on which day and in how many seconds.

    >>> row = {"sample_id": "q1", "raw_response": "a", "active_seconds": 2.5}
    >>> count_gone([{**row, "submitted_on": "2026-09-01"}],
    ...            [{**row, "submitted_at": "2026-09-01T08:00:00Z", "status": "answered"}])
    0
    """
    now = Counter(_identity(row, (row.get("submitted_at") or "")[:10]) for row in kept)
    then = Counter(_identity(row, row.get("submitted_on") or "") for row in released)
    return (then - now).total()


def _identity(row: Mapping[str, Any], day: str) -> tuple[str, str, str, float | None]:
    seconds = row.get("active_seconds")
    said = json.dumps(row.get("raw_response"), ensure_ascii=False, sort_keys=True)
    return str(row["sample_id"]), said, day, None if seconds is None else float(seconds)


def erased_people(events: Sequence[Event]) -> dict[str, str]:
    """Give the day on which each person was erased, by pseudonym."""
    return {
        event.subject.removeprefix("participant:"): event.at[:10]
        for event in events
        if event.action == ERASED
    }


def _told(erased: Mapping[str, str]) -> str:
    people = ", ".join(f"{name} (on {day})" for name, day in sorted(erased.items()))
    return f"{people} {'was' if len(erased) == 1 else 'were'} erased"


def _answers(count: int) -> str:
    return "1 answer is" if count == 1 else f"{count} answers are"


def _kept(study: StudyFolder) -> list[dict[str, Any]]:
    """Give the answers that the study holds now: its database's, or those last exported."""
    if is_there(study):
        with reading_existing(study) as session:
            return read_responses(session)
    return _rows(study.responses_file) if study.responses_file.is_file() else []


def _rows(path: Path) -> list[dict[str, Any]]:
    problems = Problems()
    with path.open("rb") as lines:
        rows = [row for chunk in json_lines(lines, path.name, problems) for row in chunk.rows]
    problems.raise_if_any()
    return rows
