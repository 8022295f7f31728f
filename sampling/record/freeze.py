"""Freezing a study: what was fixed by digest before the first answer, and what differs since."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from sampling.answers.vocabularies import OLD_RULE
from sampling.benchmark.question_files import read_questions
from sampling.record.event_log import Event, read_events
from sampling.record.freeze_parts import (
    CODE,
    OWN,
    READING,
    RULE,
    SCORES,
    SEED,
    Parts,
    current_parts,
    parts_digest,
)
from sampling.record.scoring_code import FIRST_FILES, FIRST_READING, FIRST_SCORES, reading_digest
from sampling.study.errors import Problems, StudyError
from sampling.study.files import write_whole
from sampling.study.folder import StudyFolder
from sampling.tables.row_files import read_rows

FORMAT = "lontar freeze 1"
KEYS = "sample/keys.jsonl"

# Events after which the study is no longer quite the one that was frozen.
# What changes who answers what, in words; a log has further actions.
DEVIATING_ACTIONS = {
    "limits.raised": "limits raised",
    "participant.added": "joined",
    "participant.erased": "withdrew, all answers erased",
    "participant.quota_changed": "limit changed",
    "participant.withdrawn": "withdrew",
    "practice.let_through": "let through practice",
    "question.replaced": "replaced",
    "slots.released": "open questions released",
    "study.replanned": "open questions given to others",
}
# Closing is one only while answers are missing.
CLOSED = "study.closed"
RESUMED = "study.resumed"
Missing = Mapping[str, int]


@dataclass(frozen=True)
class Freeze:
    """What was fixed: per part, each item with its digest or, for a setting, its value."""

    frozen_at: str
    lontar_version: str
    answers_before: int
    parts: Parts
    digest: str


@dataclass(frozen=True)
class Deviation:
    """One difference from the frozen study, in a sentence a reviewer understands."""

    part: str
    item: str
    sentence: str


def make_freeze(
    study: StudyFolder,
    frozen_at: str,
    answers_before: int,
    *,
    with_keys: bool = True,
    scores: str | None = None,
) -> Freeze:
    """Fix the study as it stands; what must exist first is named in a `StudyError`.

    `scores` digests what scoring does, from whoever scores.
    """
    needed = {study.questions_file: "lontar sample", study.assignment_file: "lontar assign"}
    if study.definition.assignment.mode == "open":
        del needed[study.assignment_file]
    missing = [
        f"{path.relative_to(study.root).as_posix()}: not there yet; run `{command}` first"
        for path, command in needed.items()
        if not path.exists()
    ]
    if missing:
        raise StudyError(*missing)
    parts = current_parts(study, with_keys=with_keys, scores=scores)
    return Freeze(frozen_at, version("lontar"), answers_before, parts, parts_digest(parts))


def write_freeze(path: Path, freeze: Freeze) -> None:
    """Write `freeze.json`."""
    record = {
        "format": FORMAT,
        "frozen_at": freeze.frozen_at,
        "lontar_version": freeze.lontar_version,
        "answers_before": freeze.answers_before,
        "digest": freeze.digest,
        "parts": freeze.parts,
    }
    write_whole(path, json.dumps(record, ensure_ascii=False, sort_keys=True, indent=2) + "\n")


def read_freeze(path: Path) -> Freeze | None:
    """Read `freeze.json`, or nothing when the study is not frozen; refuse an edited one."""
    if not path.exists():
        return None
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
        freeze = Freeze(
            record["frozen_at"],
            record["lontar_version"],
            record["answers_before"],
            record["parts"],
            record["digest"],
        )
    except (json.JSONDecodeError, KeyError, TypeError):
        raise StudyError(f"{path.name}: not a freeze; restore it from a backup") from None
    if freeze.digest != parts_digest(freeze.parts):
        raise StudyError(f"{path.name}: was edited after it was written; restore it from a backup")
    return freeze


def deviations(
    study: StudyFolder, *, with_keys: bool = True, scores: str | None = None
) -> list[Deviation]:
    """List every difference between the study and its freeze; empty when there is no freeze.

    Reads the folder as it stands, and `responses/` where it was exported.

    >>> from sampling.study.study_toml import parse_definition
    >>> definition = parse_definition({
    ...     "study": {"name": "A study", "seed": "s"},
    ...     "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json"},
    ...     "sample": {"strata": ["category"], "per_stratum": 1}})
    >>> deviations(StudyFolder(Path("not-there"), definition))
    []
    """
    freeze = read_freeze(study.freeze_file)
    if freeze is None:
        return []
    now = current_parts(study, with_keys=with_keys, scores=scores)
    found = part_deviations(freeze, now, with_keys=with_keys)
    log = study.responses_file.with_name("events.jsonl")
    events = read_events(log) if log.exists() else ()
    return found + event_deviations(freeze, events, missing_in_export(study))


def missing_in_export(study: StudyFolder) -> Missing:
    """Count what is missing of the sample's answers in `responses/responses.jsonl`.

    >>> from sampling.study.study_toml import parse_definition
    >>> definition = parse_definition({
    ...     "study": {"name": "A study", "seed": "s"},
    ...     "benchmark": {"questions": "q.jsonl", "vocabularies": "v.json"},
    ...     "sample": {"strata": ["category"], "per_stratum": 1}})
    >>> missing_in_export(StudyFolder(Path("not-there"), definition))
    {}
    """
    if not (study.questions_file.exists() and study.responses_file.exists()):
        return {}
    problems = Problems()
    table = read_rows(study.responses_file, problems)
    problems.raise_if_any()
    rows = (row for _, row in table.places())
    given = Counter(row.get("sample_id") for row in rows if row.get("status") == "answered")
    most = study.definition.assignment.responses_per_question
    needs = [most - given[one.sample_id] for one in read_questions(study.questions_file)]
    return closing_numbers([need for need in needs if need > 0], most * len(needs))


def closing_numbers(needs: Collection[int], needed: int) -> Missing:
    """Give what the event of a closing holds: answers missing, needed, questions incomplete.

    >>> closing_numbers([2, 1], 72)
    {'missing': 3, 'needed': 72, 'incomplete': 2}
    """
    return {"missing": sum(needs), "needed": needed, "incomplete": len(needs)}


def part_deviations(freeze: Freeze, now: Parts, *, with_keys: bool = True) -> list[Deviation]:
    """Compare what was frozen with what is there, item by item.

    The keys are passed over where they were not read: a server froze, or a server asks. So is the
    seed where it was not fixed yet.
    """
    found = []
    if freeze.answers_before:
        sentence = f"frozen only after {freeze.answers_before} answers had come in"
        found.append(Deviation("freeze", "freeze.json", sentence))
    same_labels = freeze.parts.get("vocabularies") == now.get("vocabularies")
    for part in sorted(freeze.parts.keys() | now.keys()):
        before, after = freeze.parts.get(part, {}), now.get(part, {})
        for item in sorted(before.keys() | after.keys()):
            unread = item == KEYS and not (with_keys and KEYS in before)
            unread = unread or _is_as_then(item, freeze, before, after, same_labels=same_labels)
            unread = unread or (item == SEED and SEED not in before)
            if unread or before.get(item) == after.get(item):
                continue
            found.append(Deviation(part, item, _difference(item, before, after)))
    return found


def _is_as_then(
    item: str,
    freeze: Freeze,
    before: Mapping[str, str],
    after: Mapping[str, str],
    *,
    same_labels: bool,
) -> bool:
    """Tell whether an item of the scoring rules holds though it is written otherwise.

    Code is compared within one version; across versions what it does is. A freeze of 0.1.0 names
    files instead: it holds while rule 1 is kept, and reads and scores answers as it did. What
    another rule or another vocabulary reads otherwise is told by that alone.
    """
    if item in (OWN, SCORES) and not (item in before and item in after):
        return True
    if RULE in before:
        if item in (READING, OWN) and before[RULE] != after.get(RULE):
            return True
        if item == OWN and not same_labels:
            return True
        return item == CODE and freeze.lontar_version != version("lontar")
    if item in FIRST_FILES:
        intact = reading_digest(OLD_RULE) == FIRST_READING
        intact = intact and after.get(SCORES, FIRST_SCORES) == FIRST_SCORES
        return before.get(item) == FIRST_FILES[item] and intact
    return item in (READING, CODE) or (item == RULE and after[RULE] == str(OLD_RULE))


def event_deviations(
    freeze: Freeze, events: tuple[Event, ...], missing: Missing | None = None
) -> list[Deviation]:
    """List the interventions since the freeze that changed who answers what.

    `missing` is what is missing now: it stands for the numbers that the last event of a closing
    lacks where version 0.1.0 wrote it and the study did not go on.
    """
    return [
        Deviation("run", f"event {event.number}", _sentence(event))
        for event in _with_numbers(events, missing or {})
        if event.at > freeze.frozen_at and (event.action in DEVIATING_ACTIONS or _early(event))
    ]


def _with_numbers(events: tuple[Event, ...], missing: Missing) -> tuple[Event, ...]:
    """Add its numbers to a closing that has none, if it was the last that opened or closed."""
    turns = [n for n, event in enumerate(events) if event.action in (CLOSED, RESUMED)]
    if not turns or events[turns[-1]].action != CLOSED or "missing" in events[turns[-1]].details:
        return events
    last = events[turns[-1]]
    counted = replace(last, details={**last.details, **missing})
    return (*events[: turns[-1]], counted, *events[turns[-1] + 1 :])


def _early(event: Event) -> bool:
    """Tell whether a study was closed before everything was answered."""
    return event.action == CLOSED and bool(event.details.get("missing"))


def _sentence(event: Event) -> str:
    """Say what was done, to whom and why.

    >>> at, subject = "2026-02-01T12:00:00Z", "participant:P03"
    >>> details = {"before": None, "after": 0}
    >>> _sentence(Event(7, at, "", "participant.quota_changed", subject, "gone", details))
    '2026-02-01 participant P03: limit changed, before: none, after: 0 (gone)'
    >>> details = {"missing": 347, "needed": 768, "incomplete": 211}
    >>> _sentence(Event(8, at, "", "study.closed", "study", "", details))
    '2026-02-01 study: closed with 347 of 768 answers missing, 211 questions incomplete'
    """
    reason = f" ({event.reason})" if event.reason else ""
    subject = event.subject.replace(":", " ", 1)
    if event.action == CLOSED:
        missing, needed, incomplete = (
            event.details.get(name) for name in ("missing", "needed", "incomplete")
        )
        questions = "1 question" if incomplete == 1 else f"{incomplete} questions"
        return (
            f"{event.at[:10]} {subject}: closed with {missing} of {needed} answers missing, "
            f"{questions} incomplete{reason}"
        )
    details = "".join(
        f", {name.replace('_', ' ')}: {'none' if value is None else value}"
        for name, value in event.details.items()
    )
    return f"{event.at[:10]} {subject}: {DEVIATING_ACTIONS[event.action]}{details}{reason}"


def _difference(item: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    if item.startswith("["):
        return (
            f"{item}: {before.get(item, 'not set')} when frozen, now {after.get(item, 'not set')}"
        )
    if item not in after:
        return f"{item}: was there when frozen and is gone"
    if item not in before:
        return f"{item}: was not there when frozen"
    return f"{item}: changed since it was frozen"
