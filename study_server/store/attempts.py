"""Links and passcodes that were tried and are none: counted for a while, so nobody can guess."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session

from study_server.store.schema import Database
from study_server.store.tables import AttemptTable

KIND = "link"


def record_failure(session: Session, source_hash: str, at: datetime, kind: str = KIND) -> None:
    """Note a link, or a passcode, that opened nothing."""
    session.execute(insert(AttemptTable).values(kind=kind, source_hash=source_hash, at=at))


def failures_since(session: Database, source_hash: str, since: datetime, kind: str = KIND) -> int:
    """Count the failures from one source."""
    query = select(func.count()).where(
        AttemptTable.kind == kind,
        AttemptTable.source_hash == source_hash,
        AttemptTable.at >= since,
    )
    return session.scalar(query) or 0


def forget_failures(session: Session, before: datetime, kind: str = KIND) -> None:
    """Delete failures that no longer count."""
    session.execute(delete(AttemptTable).where(AttemptTable.kind == kind, AttemptTable.at < before))
