"""Open mode: a participant takes a free slot for a while; one that is not answered is freed."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import BindParameter, bindparam, exists, select, update
from sqlalchemy.orm import Session

from study_server.store.handing_out import choose_slot, lock_handing_out
from study_server.store.participants import Visitor
from study_server.store.schema import table
from study_server.store.slots import assign_slot, release_slot
from study_server.store.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
)

_slot, _other = table(SlotTable), table(SlotTable).alias("other")
_exclusion, _answer, _question = table(ExclusionTable), table(AnswerTable), table(QuestionTable)
_me: BindParameter[int] = bindparam("participant")
# Built once: a slot with a lease that has run out, of a question this person may answer and has
# not.
_EXPIRED = (
    select(_slot.c.question_id)
    .join(_question, _question.c.id == _slot.c.question_id)
    .where(
        _slot.c.lease_expires_at <= bindparam("at"),
        _slot.c.answered_at.is_(None),
        _question.c.state == "active",
        ~exists().where(
            _exclusion.c.participant_id == _me, _exclusion.c.question_id == _slot.c.question_id
        ),
        ~exists().where(
            _other.c.participant_id == _me, _other.c.question_id == _slot.c.question_id
        ),
        ~exists().where(
            _answer.c.participant_id == _me, _answer.c.question_id == _slot.c.question_id
        ),
    )
    .limit(1)
)


def has_claimable(session: Session, visitor: Visitor, at: datetime) -> bool:
    """Tell whether a slot is left that this participant may take: free, or its lease run out."""
    if visitor.quota is not None and visitor.assigned_count >= visitor.quota:
        return False
    if choose_slot(session, visitor.pseudonym) is not None:
        return True
    parameters = {"participant": visitor.id, "at": at}
    return session.execute(_EXPIRED, parameters).first() is not None


def claim_slot(
    session: Session, visitor: Visitor, questions_per_session: int, lease: timedelta, at: datetime
) -> bool:
    """Take a free slot that strands nobody's question; tell whether there was one.

    Whoever asks at the same moment gets another slot: a slot has one holder, and a question
    never more holders than slots.
    """
    held = session.execute(
        select(ParticipantTable.assigned_count, ParticipantTable.quota)
        .where(ParticipantTable.id == visitor.id)
        .with_for_update()
    ).one()
    lock_handing_out(session)
    if held.quota is not None and held.assigned_count >= held.quota:
        return False
    free = choose_slot(session, visitor.pseudonym)
    if free is None:
        return False
    number = held.assigned_count // questions_per_session + 1
    taken = assign_slot(
        session,
        free.question_id,
        free.response_index,
        visitor.id,
        number,
        held.assigned_count + 1,
    )
    session.execute(
        update(SlotTable)
        .where(
            SlotTable.question_id == free.question_id,
            SlotTable.response_index == free.response_index,
        )
        .values(lease_expires_at=at + lease)
    )
    return taken


def renew_lease(session: Session, slot: str, lease: timedelta, at: datetime) -> None:
    """Start a slot's lease anew, because its page is being looked at."""
    session.execute(
        update(SlotTable)
        .where(SlotTable.public_id == slot, SlotTable.lease_expires_at.is_not(None))
        .values(lease_expires_at=at + lease)
    )


def free_expired_leases(session: Session, at: datetime) -> int:
    """Free the slots whose lease ran out unanswered; give how many. Answers are never touched.

    Whoever is submitting this very moment keeps theirs: their row is locked, and skipped here.
    """
    expired = session.execute(
        select(SlotTable.question_id, SlotTable.response_index)
        .join(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .where(SlotTable.lease_expires_at <= at, SlotTable.answered_at.is_(None))
        .with_for_update(skip_locked=True)
    ).all()
    for slot in expired:
        release_slot(session, slot.question_id, slot.response_index, at)
    return len(expired)
