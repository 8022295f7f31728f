"""The event log in the database: appended in the transaction of the change it tells of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from sampling.record.event_log import GENESIS, Event, event_digest
from study_server.store.schema.tables import EventTable, StudyTable

Details = Mapping[str, str | int | float | bool | None]


def append_event(
    session: Session,
    at: datetime,
    actor: str,
    action: str,
    subject: str,
    reason: str = "",
    details: Details | None = None,
) -> Event:
    """Add one event to the chain: who (`coordinator:maria`) did what (`slots.released`) to whom.

    Never pass an answer, a link, an address or a name that is not a pseudonym.
    """
    # One writer at a time: SQLite has only one anyway, PostgreSQL waits for this row.
    session.execute(select(StudyTable.id).with_for_update())
    last = session.execute(
        select(EventTable.seq, EventTable.hash).order_by(EventTable.seq.desc()).limit(1)
    ).first()
    number, previous = (last.seq + 1, last.hash) if last else (1, GENESIS)
    unsigned = Event(
        number, utc_text(at), actor, action, subject, reason, dict(details or {}), previous
    )
    signed = replace(unsigned, digest=event_digest(unsigned))
    session.add(
        EventTable(
            seq=number,
            at=at,
            actor=actor,
            action=action,
            subject=subject,
            reason=reason,
            details=json.dumps(
                signed.details, ensure_ascii=False, sort_keys=True, separators=(",", ":")
            ),
            previous_hash=previous,
            hash=signed.digest,
        )
    )
    session.flush()
    return signed


def last_event_number(session: Session) -> int:
    """The number of the newest event, 0 in a new study."""
    return session.scalar(select(func.coalesce(func.max(EventTable.seq), 0))) or 0


def read_log(session: Session, after: int = 0) -> Iterator[Event]:
    """Give the log in its order, from the event after `after` on."""
    rows = select(EventTable).where(EventTable.seq > after).order_by(EventTable.seq)
    for row in session.scalars(rows):
        yield _event(row)


def latest_events(session: Session, limit: int, before: int | None = None) -> tuple[Event, ...]:
    """Give the newest events first, at most `limit`, older than event `before`."""
    rows = select(EventTable).order_by(EventTable.seq.desc()).limit(limit)
    if before is not None:
        rows = rows.where(EventTable.seq < before)
    return tuple(_event(row) for row in session.scalars(rows))


def events_about(session: Session, subject: str) -> tuple[Event, ...]:
    """List the events about one subject, newest first."""
    rows = select(EventTable).where(EventTable.subject == subject)
    return tuple(_event(row) for row in session.scalars(rows.order_by(EventTable.seq.desc())))


def utc_text(moment: datetime) -> str:
    """Write a moment as the log does: UTC, microseconds, `Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _event(row: EventTable) -> Event:
    return Event(
        row.seq,
        utc_text(row.at),
        row.actor,
        row.action,
        row.subject,
        row.reason,
        json.loads(row.details),
        row.previous_hash,
        row.hash,
    )
