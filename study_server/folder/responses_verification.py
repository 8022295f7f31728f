"""Compares the exported responses with the database's, row by row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.errors import Problems
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_rows
from study_server.folder.existing_database import is_there, reading_existing
from study_server.store.steering.exporting import RESPONSE_FIELDS, read_responses

PART = "responses"
PLACE = "responses/responses.jsonl"
REMEDY = "`lontar export` writes the file again"
Record = Mapping[str, Any]
Identity = tuple[str, str, str, int]


def verify_responses(study: StudyFolder) -> Verdict:
    """Compare `responses/responses.jsonl` with the database; without one nothing is compared."""
    there = study.responses_file.is_file()
    if not is_there(study):
        nothing = f"not compared: there is no database to compare {PLACE} with"
        return Verdict(PART, State.ABSENT, nothing if there else f"no {PLACE} and no database yet")
    if not there:
        return Verdict(PART, State.ABSENT, f"no {PLACE}; `lontar export` writes it")
    problems = Problems()
    exported = [row for _, row in read_rows(study.responses_file, problems, PLACE).rows]
    problems.raise_if_any()
    with reading_existing(study) as session:
        kept = read_responses(session)
    return verdict(
        PART,
        f"{len(kept)} rows, each as in the database",
        list(response_differences(exported, kept)),
    )


def response_differences(exported: Iterable[Record], kept: Iterable[Record]) -> Iterator[str]:
    """Say which rows of an export are not those of the database.

    Rows are told apart by question, person and the moment of the answer; what the person gave in
    after the last exported row is counted together.

    Examples
    --------
    >>> row = {"sample_id": "q1", "participant": "P1", "raw_response": "a",
    ...        "submitted_at": "2026-09-01T08:00:00Z", "status": "answered"}
    >>> list(response_differences([{**row, "raw_response": "b"}], [row]))
    ["responses/responses.jsonl: q1 by P1: raw_response is 'b', the database has 'a'"]
    """
    found, wanted = _by_identity(exported), _by_identity(kept)
    last = max((moment for _, _, moment, _ in found), default="")
    later = 0
    for identity, row in wanted.items():
        if identity in found:
            yield from _changed(_told(identity), found[identity], row)
        elif identity[2] > last:
            later += 1
        else:
            yield f"{PLACE}: {_told(identity)}: is in the database and not in the file; {REMEDY}"
    for identity in sorted(found.keys() - wanted.keys()):
        yield f"{PLACE}: {_told(identity)}: is not in the database; {REMEDY}"
    if later:
        what = "1 answer is" if later == 1 else f"{later} answers are"
        yield f"{PLACE}: {what} newer than the file; {REMEDY}"


def _by_identity(rows: Iterable[Record]) -> dict[Identity, Record]:
    """Number rows of the same question, person and moment, should there be several."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found: dict[Identity, Record] = {}
    for row in rows:
        names = (row.get("sample_id"), row.get("participant"), row.get("submitted_at"))
        identity = (str(names[0]), str(names[1]), str(names[2] or ""))
        seen[identity] += 1
        found[(*identity, seen[identity])] = row
    return found


def _told(identity: Identity) -> str:
    return f"{identity[0]} by {identity[1]}"


def _changed(told: str, found: Record, kept: Record) -> Iterator[str]:
    """Compare what both versions of a row say; an older export has fewer fields."""
    for field in RESPONSE_FIELDS:
        if field in found and field in kept and _json(found[field]) != _json(kept[field]):
            yield f"{PLACE}: {told}: {field} is {found[field]!r}, the database has {kept[field]!r}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
