"""Open mode: a participant takes a free slot for a while; one that is not answered is freed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import exists, select, update
from sqlalchemy.orm import Session, aliased

from study_server.store.participants import Visitor
from study_server.store.slots import assign_slot, release_slot
from study_server.store.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
)


def has_claimable(session: Session, visitor: Visitor) -> bool:
    """Tell whether a free slot is left that this participant may take."""
    if visitor.quota is not None and visitor.assigned_count >= visitor.quota:
        return False
    return session.execute(_claimable(visitor.id)).first() is not None


def claim_slot(
    session: Session, visitor: Visitor, questions_per_session: int, lease: timedelta, at: datetime
) -> bool:
    """Take the next free slot this participant may answer; tell whether there was one.

    Whoever asks at the same moment gets another slot: a slot has one holder, and a question
    never more holders than slots.
    """
    held = session.execute(
        select(ParticipantTable.assigned_count, ParticipantTable.quota)
        .where(ParticipantTable.id == visitor.id)
        .with_for_update()
    ).one()
    if held.quota is not None and held.assigned_count >= held.quota:
        return False
    free = session.execute(
        _claimable(visitor.id).with_for_update(of=SlotTable, skip_locked=True)
    ).first()
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
    """Free the slots whose lease ran out unanswered; give how many. Answers are never touched."""
    expired = session.execute(
        select(SlotTable.question_id, SlotTable.response_index)
        .where(SlotTable.lease_expires_at <= at, SlotTable.answered_at.is_(None))
        .with_for_update(skip_locked=True)
    ).all()
    for slot in expired:
        release_slot(session, slot.question_id, slot.response_index, at)
    return len(expired)


def _claimable(participant_id: int) -> Any:
    """Select the first free slot of a question this person may answer and has not."""
    barred = exists().where(
        ExclusionTable.participant_id == participant_id,
        ExclusionTable.question_id == SlotTable.question_id,
    )
    other = aliased(SlotTable)
    held = exists().where(
        other.participant_id == participant_id, other.question_id == SlotTable.question_id
    )
    answered = exists().where(
        AnswerTable.participant_id == participant_id,
        AnswerTable.question_id == SlotTable.question_id,
    )
    query: Any = select(SlotTable.question_id, SlotTable.response_index)
    return (
        query.join(QuestionTable, QuestionTable.id == SlotTable.question_id)
        .where(
            SlotTable.participant_id.is_(None),
            QuestionTable.state == "active",
            ~barred,
            ~held,
            ~answered,
        )
        .order_by(SlotTable.position, SlotTable.question_id, SlotTable.response_index)
        .limit(1)
    )
