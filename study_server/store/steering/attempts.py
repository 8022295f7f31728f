"""Links and passcodes that were tried and are none: counted for a while, so nobody can guess.

An attempt is counted as failed before it is checked, in the transaction that looks whether there
were too many: of a hundred at once, no more are checked than of a hundred one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from study_server.store.schema.moments import Database
from study_server.store.schema.tables import AttemptTable

KIND = "link"


@dataclass(frozen=True)
class Limit:
    """How many failures may come from one source."""

    source_hash: str
    most: int


def is_blocked(
    database: Database, limits: Iterable[Limit], since: datetime, kind: str = KIND
) -> bool:
    """Tell whether any of the sources has failed too often since a moment."""
    return any(_failures(database, one.source_hash, since, kind) >= one.most for one in limits)


def take_attempt(
    session: Session, limits: Sequence[Limit], since: datetime, at: datetime, kind: str = KIND
) -> list[int] | None:
    """Count an attempt as failed, or return None when too many have failed since a moment.

    Return what `give_back` takes once the attempt proves right. Attempts of the kind that no
    longer count are deleted.
    """
    if session.get_bind().dialect.name == "postgresql":
        # Whoever counts the same source waits; in one order, so that nobody meets head on.
        for number in sorted(int(one.source_hash[:15], 16) for one in limits):
            session.execute(select(func.pg_advisory_xact_lock(number)))
    forget_failures(session, since, kind)
    if is_blocked(session, limits, since, kind):
        return None
    return [
        session.scalars(
            insert(AttemptTable)
            .values(kind=kind, source_hash=one.source_hash, at=at)
            .returning(AttemptTable.id)
        ).one()
        for one in limits
    ]


def give_back(session: Session, taken: Iterable[int]) -> None:
    """Delete an attempt that was right."""
    session.execute(delete(AttemptTable).where(AttemptTable.id.in_(list(taken))))


def forget_failures(session: Session, before: datetime, kind: str = KIND) -> None:
    """Delete failures that no longer count."""
    session.execute(delete(AttemptTable).where(AttemptTable.kind == kind, AttemptTable.at < before))


def _failures(database: Database, source_hash: str, since: datetime, kind: str) -> int:
    query = select(func.count()).where(
        AttemptTable.kind == kind,
        AttemptTable.source_hash == source_hash,
        AttemptTable.at >= since,
    )
    return database.scalar(query) or 0
