"""Participants: who they are, their personal links, and how far they have come."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from sampling.assignment.roster import Participant, pseudonym_problem, same_identity
from sampling.study.errors import StudyError
from study_server.store.schema.events import append_event
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    AnswerTable,
    LinkTable,
    ParticipantTable,
    SlotTable,
    StudyTable,
    VisitTable,
)

TOKEN_BYTES = 20
GONE = ("withdrawn", "erased")


@dataclass(frozen=True)
class Visitor:
    """A signed-in participant and the study's state, as every page needs them."""

    id: int
    pseudonym: str
    state: str
    study_state: str
    preview: bool
    preview_position: int
    language: str | None
    consent_version: str | None
    instructions_seen_at: datetime | None
    practice_passed_at: datetime | None
    session_reached: int
    assigned_count: int
    answered_count: int
    completion_code: str | None
    quota: int | None
    practice_ended_at: datetime | None = None


_link, _person, _study = table(LinkTable), table(ParticipantTable), table(StudyTable)
# In the order of `Visitor`.
_COLUMNS = (
    _person.c.id,
    _person.c.pseudonym,
    _person.c.state,
    _study.c.state,
    _person.c.preview,
    _person.c.preview_position,
    _person.c.language,
    _person.c.consent_version,
    _person.c.instructions_seen_at,
    _person.c.practice_passed_at,
    _person.c.session_reached,
    _person.c.assigned_count,
    _person.c.answered_count,
    _person.c.completion_code,
    _person.c.quota,
    _person.c.practice_ended_at,
)


def visitor_select(columns: Iterable[Any], joined: Callable[[Any], Any]) -> Select[Any]:
    """Select a visitor by `link` and `participant`, and more columns of what is joined to them."""
    visitors = _link.join(_person, _person.c.id == _link.c.participant_id).join(
        _study, _study.c.id == 1
    )
    return (
        select(*_COLUMNS, *columns)
        .select_from(joined(visitors))
        .where(
            _link.c.id == bindparam("link"),
            _link.c.participant_id == bindparam("participant"),
            _link.c.revoked_at.is_(None),
        )
    )


# Built once: a page asks this every time.
_VISITOR = visitor_select((), lambda visitors: visitors)


def add_participants(session: Session, participants: Iterable[Participant], at: datetime) -> bool:
    """Add who is new; tell whether anybody was.

    One person has one spelling: `p01 ` is `P01`. Nobody is ever changed or removed here, and who
    is there already keeps a pseudonym that nobody new may have.

    Raises
    ------
    StudyError
        When somebody new has no proper pseudonym; all of them are named.
    """
    known = set(session.scalars(select(ParticipantTable.folded_pseudonym)))
    added = False
    people = tuple(participants)
    new = [one.pseudonym.strip() for one in people if same_identity(one.pseudonym) not in known]
    problems = [problem for problem in map(pseudonym_problem, new) if problem is not None]
    if problems:
        raise StudyError(*(f"the roster: {problem}" for problem in problems))
    for participant in people:
        folded = same_identity(participant.pseudonym)
        if folded not in known:
            session.execute(
                insert(ParticipantTable).values(
                    pseudonym=participant.pseudonym.strip(),
                    folded_pseudonym=folded,
                    quota=participant.quota,
                    created_at=at,
                )
            )
            known.add(folded)
            added = True
    return added


def take_quotas(session: Session, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Take over the quotas that changed in the roster since it was last read."""
    for folded, quota in now.items():
        if folded in before and before[folded] != quota:
            session.execute(
                update(ParticipantTable)
                .where(ParticipantTable.folded_pseudonym == folded)
                .values(quota=quota)
            )


def read_quotas(session: Session) -> dict[str, int | None]:
    """Map who takes part to their quota."""
    rows = session.execute(
        select(ParticipantTable.pseudonym, ParticipantTable.quota).where(
            ParticipantTable.preview.is_(False)
        )
    )
    return {row.pseudonym: row.quota for row in rows}


def find_participant(session: Session, pseudonym: str) -> ParticipantTable | None:
    """Find a person by pseudonym, whatever its case and spaces."""
    folded = same_identity(pseudonym)
    query = select(ParticipantTable).where(ParticipantTable.folded_pseudonym == folded)
    return session.scalars(query).one_or_none()


def token_hash(token: str) -> str:
    """Hash a link's token as the database keeps it."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


def add_link(session: Session, participant_id: int, at: datetime) -> str:
    """Make a new personal link; its token is given here once and never again."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    session.execute(
        insert(LinkTable).values(
            token_hash=token_hash(token), participant_id=participant_id, created_at=at
        )
    )
    return token


def revoke_links(session: Session, participant_id: int, at: datetime) -> None:
    """Make a person's links worthless at once, their open pages included."""
    session.execute(
        update(LinkTable)
        .where(LinkTable.participant_id == participant_id, LinkTable.revoked_at.is_(None))
        .values(revoked_at=at)
    )


def without_link(session: Session) -> list[ParticipantTable]:
    """List who takes part and has no link that works."""
    linked = select(LinkTable.participant_id).where(LinkTable.revoked_at.is_(None))
    query = (
        select(ParticipantTable)
        .where(
            ParticipantTable.id.not_in(linked),
            ParticipantTable.state.not_in(GONE),
            ParticipantTable.preview.is_(False),
        )
        .order_by(ParticipantTable.folded_pseudonym)
    )
    return list(session.scalars(query))


def find_link(session: Database, token: str) -> tuple[int, int] | None:
    """Give (link id, participant id) of a token whose link still works."""
    row = session.execute(
        select(LinkTable.id, LinkTable.participant_id).where(
            LinkTable.token_hash == token_hash(token), LinkTable.revoked_at.is_(None)
        )
    ).first()
    return None if row is None else (row.id, row.participant_id)


def record_visit(session: Session, link_id: int, participant_id: int, at: datetime) -> None:
    """Note a sign-in; the first one makes an invited person active."""
    session.execute(insert(VisitTable).values(participant_id=participant_id, at=at))
    session.execute(
        update(LinkTable)
        .where(LinkTable.id == link_id, LinkTable.first_used_at.is_(None))
        .values(first_used_at=at)
    )
    session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id)
        .values(last_seen_at=at)
    )
    started = session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id, ParticipantTable.state == "invited")
        .values(state="active")
        .returning(ParticipantTable.pseudonym, ParticipantTable.preview)
    ).first()
    if started is not None and not started.preview:
        subject = f"participant:{started.pseudonym}"
        append_event(session, at, subject, "participant.started", subject)


def visitor_by_link(session: Database, link_id: int, participant_id: int) -> Visitor | None:
    """Give who is signed in by a link, or None once the link is revoked or the person erased."""
    row: Any = session.execute(_VISITOR, {"link": link_id, "participant": participant_id}).first()
    return None if row is None else Visitor(*row)


def hold_everyone(session: Session) -> None:
    """Wait until nobody is submitting, and let nobody until this transaction ends.

    Whatever moves slots between people begins with this. Everybody locks in one order, so that
    nobody meets anybody head on: participants, then the study's row (the log), then slots. On
    SQLite there is one writer anyway.
    """
    session.execute(select(_person.c.id).order_by(_person.c.id).with_for_update()).all()


def record_step(session: Session, participant_id: int, **values: Any) -> None:
    """Set columns that say how far a person has come."""
    session.execute(
        update(ParticipantTable).where(ParticipantTable.id == participant_id).values(**values)
    )


def finish(session: Session, participant_id: int, code: str, at: datetime) -> str | None:
    """Give a person a completion code unless they have one; return the one that they have.

    Of several pages opened at once, one writes its code and the event; the others read it.
    """
    finished = session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id, ParticipantTable.completion_code.is_(None))
        .values(completion_code=code, completed_at=at)
        .returning(ParticipantTable.pseudonym)
        .execution_options(synchronize_session=False)
    ).first()
    if finished is None:
        kept = select(ParticipantTable.completion_code).where(ParticipantTable.id == participant_id)
        return session.scalar(kept)
    subject = f"participant:{finished.pseudonym}"
    append_event(session, at, subject, "participant.finished", subject)
    return code


def recount(session: Session, participant_id: int | None = None) -> None:
    """Set the counts of slots held and answers given to what the tables hold."""
    assigned = (
        select(func.count())
        .select_from(SlotTable)
        .where(SlotTable.participant_id == ParticipantTable.id)
        .scalar_subquery()
    )
    answered = (
        select(func.count())
        .select_from(AnswerTable)
        .where(AnswerTable.participant_id == ParticipantTable.id)
        .scalar_subquery()
    )
    change = update(ParticipantTable).values(assigned_count=assigned, answered_count=answered)
    if participant_id is not None:
        change = change.where(ParticipantTable.id == participant_id)
    session.execute(change.execution_options(synchronize_session=False))
