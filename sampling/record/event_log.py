"""The event log: every change of a study's state, chained by digests so that an edit shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sampling.study.errors import StudyError

GENESIS = hashlib.sha256(b"lontar event log 1").hexdigest()


@dataclass(frozen=True)
class Event:
    """One change: who did what to whom, when and why; never an answer or contact data.

    `number` runs from 1 without gaps; `at` is ISO 8601 UTC; `previous` is the digest of the event
    before, or `GENESIS`; `digest` covers every other field.
    """

    number: int
    at: str
    actor: str
    action: str
    subject: str
    reason: str
    details: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    previous: str = GENESIS
    digest: str = ""


def event_digest(event: Event) -> str:
    """Digest an event and, through `previous`, everything before it.

    Parameters
    ----------
    event : Event
        Its own `digest` field is not covered.

    Returns
    -------
    str
        SHA-256 in hexadecimal, over canonical JSON (UTF-8, sorted keys, no spaces).

    Examples
    --------
    >>> event = Event(1, "2026-01-02T03:04:05Z", "system", "study.opened", "study", "")
    >>> event_digest(event)[:12]
    'd8c60ba47870'
    """
    covered = {name: value for name, value in asdict(event).items() if name != "digest"}
    return hashlib.sha256(_canonical(covered).encode("utf-8")).hexdigest()


def check_chain(events: Iterable[Event]) -> tuple[str, ...]:
    """Say everything that shows the log was edited; nothing when it is intact.

    Parameters
    ----------
    events : iterable of Event, in the order of their numbers

    Returns
    -------
    tuple of str
        One sentence for each gap, broken link or changed event. A log cut off at its end is
        intact in itself: `check_prefix` against an earlier export finds that.

    Examples
    --------
    >>> check_chain([])
    ()
    >>> check_chain([Event(2, "", "", "", "", "")])[0]
    'event 2: event 1 is missing before it'
    """
    problems = []
    expected_number, expected_previous = 1, GENESIS
    for event in events:
        if event.number != expected_number:
            problems.append(f"event {event.number}: event {expected_number} is missing before it")
        elif event.previous != expected_previous:
            problems.append(f"event {event.number}: does not follow from the event before it")
        if event.digest != event_digest(event):
            problems.append(f"event {event.number}: was changed after it was written")
        expected_number, expected_previous = event.number + 1, event.digest
    return tuple(problems)


def check_prefix(earlier: Iterable[Event], log: Iterable[Event]) -> tuple[str, ...]:
    """Say where a log no longer holds what an earlier export of it held.

    Examples
    --------
    >>> first = Event(1, "2026-01-02T03:04:05Z", "system", "study.opened", "study", "")
    >>> check_prefix([first], [first])
    ()
    >>> check_prefix([first], [])
    ('event 1: was in the earlier export and is gone',)
    """
    now = {event.number: event.digest for event in log}
    problems = []
    for event in earlier:
        if event.number not in now:
            problems.append(f"event {event.number}: was in the earlier export and is gone")
        elif now[event.number] != event.digest:
            problems.append(f"event {event.number}: is not what the earlier export holds")
    return tuple(problems)


def event_line(event: Event) -> str:
    """Write an event as one line of `events.jsonl`, without the line break."""
    return _canonical(asdict(event))


def read_events(path: Path) -> tuple[Event, ...]:
    """Read an exported `events.jsonl`; a `StudyError` names every line that is no event."""
    events, problems = [], []
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                events.append(Event(**json.loads(line)))
            except (json.JSONDecodeError, TypeError):
                problems.append(f"{path.name} line {number}: not an event; export the log again")
    if problems:
        raise StudyError(*problems)
    return tuple(events)


def _canonical(record: Mapping[str, object]) -> str:
    """Write JSON that is the same wherever it is written."""
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
