"""Coordinators and analysts: their accounts, as far as they may sign in.

Links and passcodes that were tried and are none: counted for a while, so nobody can guess.

An attempt is counted as failed before it is checked, in the transaction that looks whether there
were too many: of a hundred at once, no more are checked than of a hundred one after another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sampling.assignment.roster import same_identity
from sampling.study.errors import StudyError
from study_server.store.schema.moments import Database
from study_server.store.schema.tables import AttemptTable, CoordinatorTable, ParticipantTable

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


# A sign-in that was ended is kept beside failed ones, by its digest, for as long as it could last.
ENDED = "signed out"


@dataclass(frozen=True)
class Account:
    """Someone who may sign in. Raising `session_epoch` ends every session they have."""

    id: int
    name: str
    role: str
    session_epoch: int
    disabled: bool


def add_account(session: Session, name: str, role: str, passcode_hash: str, at: datetime) -> None:
    """Add a coordinator or an analyst; a name is taken whatever its case and spaces.

    Raises
    ------
    StudyError
        When the name is empty or taken.
    """
    if not same_identity(name):
        raise StudyError("coordinator: a name has at least one character")
    try:
        session.execute(
            insert(CoordinatorTable).values(
                name=name.strip(),
                folded_name=same_identity(name),
                passcode_hash=passcode_hash,
                role=role,
                created_at=at,
            )
        )
    except IntegrityError:
        raise StudyError(
            f"coordinator {name.strip()!r}: there already; "
            "`lontar coordinator passcode NAME` gives them a new passcode"
        ) from None


def set_passcode(session: Session, name: str, passcode_hash: str) -> None:
    """Give somebody a new passcode; whoever signed in with the old one is signed out."""
    _change(
        session,
        name,
        passcode_hash=passcode_hash,
        session_epoch=CoordinatorTable.session_epoch + 1,
        disabled_at=None,
    )


def disable_account(session: Session, name: str, at: datetime) -> None:
    """End somebody's sign-in; what they did stays in the log under their name."""
    _change(session, name, disabled_at=at, session_epoch=CoordinatorTable.session_epoch + 1)


def accounts(session: Session) -> tuple[Account, ...]:
    """List everyone who has or had a sign-in, by name."""
    rows = session.execute(_ACCOUNT.order_by(CoordinatorTable.folded_name))
    return tuple(Account(*row) for row in rows)


def account_by_id(session: Session, account_id: int, session_epoch: int) -> Account | None:
    """Give the account of a session that still counts."""
    row = session.execute(
        _ACCOUNT.where(
            CoordinatorTable.id == account_id,
            CoordinatorTable.session_epoch == session_epoch,
            CoordinatorTable.disabled_at.is_(None),
        )
    ).first()
    return None if row is None else Account(*row)


def account_and_hash(session: Session, name: str) -> tuple[Account, str] | None:
    """Give an account that may sign in, and its passcode's hash."""
    row = session.execute(
        _ACCOUNT.add_columns(CoordinatorTable.passcode_hash).where(
            CoordinatorTable.folded_name == same_identity(name),
            CoordinatorTable.disabled_at.is_(None),
        )
    ).first()
    return None if row is None else (Account(*row[:-1]), row[-1])


def end_sign_in(session: Session, sign_in_hash: str, at: datetime, lasts: timedelta) -> None:
    """End one sign-in before its time; those that are over by themselves are forgotten."""
    forget_failures(session, at - lasts, ENDED)
    session.execute(insert(AttemptTable).values(kind=ENDED, source_hash=sign_in_hash, at=at))


def has_ended(session: Session, sign_in_hash: str) -> bool:
    """Tell whether somebody signed out."""
    ended = exists().where(AttemptTable.kind == ENDED, AttemptTable.source_hash == sign_in_hash)
    return bool(session.scalar(select(ended)))


def is_preview(session: Session, participant_id: int) -> bool:
    """Tell whether a participant is a coordinator looking at the pages."""
    query = select(ParticipantTable.preview).where(ParticipantTable.id == participant_id)
    return bool(session.scalar(query))


_ACCOUNT = select(
    CoordinatorTable.id,
    CoordinatorTable.name,
    CoordinatorTable.role,
    CoordinatorTable.session_epoch,
    CoordinatorTable.disabled_at.is_not(None),
)


def _change(session: Session, name: str, **values: object) -> None:
    changed = session.execute(
        update(CoordinatorTable)
        .where(CoordinatorTable.folded_name == same_identity(name))
        .values(**values)
        .returning(CoordinatorTable.id)
    ).first()
    if changed is None:
        known = ", ".join(account.name for account in accounts(session)) or "nobody yet"
        raise StudyError(f"coordinator {name.strip()!r}: not known (known: {known})")
