"""Checks that nothing of a person who was erased is left in the files made before.

Compares the exported responses with the database's, row by row.
Checks a study's bundle: by itself, against those who were erased, and against the study.
Compares a study with its freeze, and the freeze with what the log tells of it.
Checks the event log: in the database, in its export, and the one against the other.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.release.comparison import differences_from_study
from analysis.release.contents import SUMS
from analysis.release.rows import is_pooled
from analysis.release.verification import HOLDS, NOT_CHECKED, bundle_digest, verify_bundle
from analysis.results import RUN
from analysis.scoring.study import score_study
from analysis.table11.run_record import scores_digest
from sampling.assignment.roster import same_identity
from sampling.record.event_log import Event, check_chain, check_prefix, read_events
from sampling.record.freeze import (
    Freeze,
    event_deviations,
    missing_in_export,
    part_deviations,
    read_freeze,
)
from sampling.record.freeze_parts import current_parts
from sampling.record.verdicts import State, Verdict, verdict
from sampling.study.errors import Problems, StudyError
from sampling.study.folder import StudyFolder
from sampling.tables.json_lines import json_lines
from sampling.tables.row_files import read_rows
from study_server.folder.existing_database import is_there, reading_existing
from study_server.folder.secret_files import release_key
from study_server.store.assigning.run_state import load_run_state
from study_server.store.schema.events import read_log
from study_server.store.steering.exporting import RESPONSE_FIELDS, read_responses


def verify_log(study: StudyFolder) -> Verdict:
    """Check that no event was changed, taken out, put in or cut off.

    A log that was cut off at its end is intact in itself: an export made before finds it.
    """
    exported = _exported(study)
    kept = _kept(study)
    if kept is None and not exported:
        return Verdict("log", State.ABSENT, "no database and no responses/events.jsonl yet")
    differences = [f"responses/events.jsonl: {one}" for one in check_chain(exported)]
    holds = f"{len(exported)} events in the export, each following from the last"
    if kept is not None:
        differences += [f"database: {one}" for one in check_chain(kept)]
        differences += [f"database: {one}" for one in check_prefix(exported, kept)]
        holds = f"{len(kept)} events, each following from the last"
        holds += ", and every exported one is there" if exported else ""
    return verdict("log", holds, differences)


def events_of_study(study: StudyFolder) -> tuple[Event, ...]:
    """Give the log: the database's, or else the exported one."""
    kept = _kept(study)
    return _exported(study) if kept is None else kept


def _exported(study: StudyFolder) -> tuple[Event, ...]:
    path = study.responses_file.with_name("events.jsonl")
    return read_events(path) if path.exists() else ()


def _kept(study: StudyFolder) -> tuple[Event, ...] | None:
    """Read the database's log, or nothing where there is no database."""
    if not is_there(study):
        return None
    with reading_existing(study) as session:
        return tuple(read_log(session))


FROZEN = "study.frozen"


def verify_freeze(study: StudyFolder) -> Verdict:
    """Compare a study with its freeze; a freeze that the log tells of and is gone differs.

    Raises
    ------
    StudyError
        When `freeze.json` was edited, or is not the one that the log tells of.
    """
    freeze = read_freeze(study.freeze_file)
    told = [event for event in events_of_study(study) if event.action == FROZEN]
    if freeze is None and told:
        day = told[-1].at[:10]
        raise StudyError(
            f"freeze.json: is gone, and the log says that the study was frozen on {day}; "
            "restore it from a backup"
        )
    if freeze is None:
        return Verdict("freeze", State.ABSENT, "not frozen; `lontar freeze` fixes it by digest")
    if told:
        _check_told(study, freeze, told[-1])
    found = part_deviations(freeze, current_parts(study, scores=scores_digest()))
    found += event_deviations(freeze, events_of_study(study), _missing(study))
    differences = [f"{one.part}: {one.sentence}" for one in found]
    return verdict("freeze", f"as frozen on {freeze.frozen_at[:10]}", differences)


def _missing(study: StudyFolder) -> Mapping[str, int]:
    """Count what is missing by the database, or else by the exported responses."""
    if not is_there(study):
        return missing_in_export(study)
    with reading_existing(study) as session:
        return load_run_state(session).closing


def _check_told(study: StudyFolder, freeze: Freeze, told: Event) -> None:
    """Refuse a freeze of another digest than the log's last, unless the log is an older export."""
    whole = is_there(study) or freeze.frozen_at <= told.at
    if whole and told.details.get("digest") != freeze.digest:
        raise StudyError(
            f"freeze.json: is not the freeze of {told.at[:10]} that the log tells of, whose digest "
            f"is {told.details.get('digest')}; restore it from a backup"
        )


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
    count = count_gone(_rows(rows), _kept_files(study))
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
    codes = study.completion_codes_file
    if erased and codes.is_file():
        with codes.open(encoding="utf-8-sig", newline="") as rows:
            listed = {same_identity(row.get("participant") or "") for row in csv.DictReader(rows)}
        found += [
            f"{codes.parent.name}/{codes.name}: the code of {name}, who was erased on {day}; "
            f"{REMEDY}"
            for name, day in erased.items()
            if same_identity(name) in listed
        ]
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


def _kept_files(study: StudyFolder) -> list[dict[str, Any]]:
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


PART = "bundle"
FROM_STUDY = (
    "every file has its checksum, every answer is scored again, people's numbers are made again "
    "from the answers, and the data are those of the study and its results"
)
NOT_RECOMPUTED = "not made again here: models' numbers, intervals and tests; see results above"
LEFT_OUT = "not compared with the study: the datasheet, croissant.json and the instructions"
OTHER_CODES = "people's codes and the plan (secrets/release.key is not here)"


def verify_bundle_alone(folder: Path) -> Verdict:
    """Check a bundle without its study."""
    problems = verify_bundle(folder)
    notes = [] if problems else [NOT_CHECKED]
    return verdict(PART, HOLDS, problems, [*notes, *_digest(folder)])


def verify_bundle_of(study: StudyFolder) -> Verdict:
    """Check the bundle of a study, and compare it with the study."""
    folder = study.release_folder
    if not (folder / SUMS).is_file():
        return Verdict(PART, State.ABSENT, "no release/; `lontar release` builds the bundle")
    problems = verify_bundle(folder) or left_in_bundle(study)
    if problems or not (study.results_folder / RUN).is_file():
        notes = [] if problems else [NOT_CHECKED]
        notes += ["not compared with the study", *_digest(folder)]
        return verdict(PART, HOLDS, problems, notes)
    key, pooled = release_key(study.root), is_pooled(folder)
    scored = score_study(study)
    known = pooled or key is not None
    problems = list(
        differences_from_study(study, scored, key or "", own_codes=known, pooled=pooled)
    )
    left_out = LEFT_OUT if known else f"{LEFT_OUT}, {OTHER_CODES}"
    return verdict(PART, FROM_STUDY, problems, [NOT_RECOMPUTED, left_out, *_digest(folder)])


def _digest(folder: Path) -> list[str]:
    """Repeat the digest that `lontar release` printed."""
    if not (folder / SUMS).is_file():
        return []
    return [f"the digest of {SUMS} is {bundle_digest(folder)}: is it the one that was published?"]


RESPONSES_PART = "responses"
PLACE = "responses/responses.jsonl"
RESPONSES_REMEDY = "`lontar export` writes the file again"
Record = Mapping[str, Any]
Identity = tuple[str, str, str, int]


def verify_responses(study: StudyFolder) -> Verdict:
    """Compare `responses/responses.jsonl` with the database; without one nothing is compared."""
    there = study.responses_file.is_file()
    if not is_there(study):
        nothing = f"not compared: there is no database to compare {PLACE} with"
        return Verdict(
            RESPONSES_PART, State.ABSENT, nothing if there else f"no {PLACE} and no database yet"
        )
    if not there:
        return Verdict(RESPONSES_PART, State.ABSENT, f"no {PLACE}; `lontar export` writes it")
    problems = Problems()
    exported = [row for _, row in read_rows(study.responses_file, problems, PLACE).rows]
    problems.raise_if_any()
    with reading_existing(study) as session:
        kept = read_responses(session)
    return verdict(
        RESPONSES_PART,
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
            yield from _changed(_differences_told(identity), found[identity], row)
        elif identity[2] > last:
            later += 1
        else:
            told = _differences_told(identity)
            yield f"{PLACE}: {told}: is in the database and not in the file; {RESPONSES_REMEDY}"
    for identity in sorted(found.keys() - wanted.keys()):
        yield f"{PLACE}: {_differences_told(identity)}: is not in the database; {RESPONSES_REMEDY}"
    if later:
        what = "1 answer is" if later == 1 else f"{later} answers are"
        yield f"{PLACE}: {what} newer than the file; {RESPONSES_REMEDY}"


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


def _differences_told(identity: Identity) -> str:
    return f"{identity[0]} by {identity[1]}"


def _changed(told: str, found: Record, kept: Record) -> Iterator[str]:
    """Compare what both versions of a row say; an older export has fewer fields."""
    for field in RESPONSE_FIELDS:
        if field in found and field in kept and _json(found[field]) != _json(kept[field]):
            yield f"{PLACE}: {told}: {field} is {found[field]!r}, the database has {kept[field]!r}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
