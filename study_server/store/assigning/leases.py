"""Open mode: a participant takes a free slot for a while; one that is not answered is freed.

Free slots: given at once to somebody whose answer came late.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, exists, select, update
from sqlalchemy.orm import Session

from study_server.store.asking.participants import Visitor
from study_server.store.assigning.slot_choice import (
    choose_slot,
    free_slots,
    has_expired,
    has_free,
    has_slack,
    lock_handing_out,
)
from study_server.store.assigning.slots import assign_slot, release_slot
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)


def take_free_slot(session: Database, question_id: int, participant_id: int) -> Row[Any] | None:
    """Take a free slot of a question that this person may answer, within their quota."""
    barred = exists().where(
        ExclusionTable.participant_id == participant_id, ExclusionTable.question_id == question_id
    )
    active = exists().where(QuestionTable.id == question_id, QuestionTable.state == "active")
    room = exists().where(
        ParticipantTable.id == participant_id,
        (ParticipantTable.quota.is_(None))
        | (ParticipantTable.assigned_count < ParticipantTable.quota),
    )
    slot = session.execute(
        select(table(SlotTable))
        .where(
            SlotTable.question_id == question_id,
            SlotTable.participant_id.is_(None),
            SlotTable.answered_at.is_(None),
            ~barred,
            active,
            room,
        )
        .order_by(SlotTable.response_index)
        .limit(1)
        .with_for_update(of=SlotTable)
    ).first()
    if slot is None:
        return None
    session.execute(
        update(SlotTable)
        .where(
            SlotTable.question_id == question_id, SlotTable.response_index == slot.response_index
        )
        .values(participant_id=participant_id)
    )
    session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id)
        .values(assigned_count=ParticipantTable.assigned_count + 1)
    )
    return slot


def has_claimable(session: Database, visitor: Visitor, at: datetime) -> bool:
    """Tell whether a slot is left that this participant may take: free, or its lease run out."""
    if visitor.quota is not None and visitor.assigned_count >= visitor.quota:
        return False
    if has_slack(session, at):
        free = has_free(session, visitor.id)
    else:
        free = choose_slot(session, visitor.pseudonym) is not None
    return free or has_expired(session, visitor.id, at)


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
    if held.quota is not None and held.assigned_count >= held.quota:
        return False
    number = held.assigned_count // questions_per_session + 1
    for question_id, response_index in _choices(session, visitor, at):
        place = (question_id, response_index)
        if assign_slot(session, *place, visitor.id, number, held.assigned_count + 1):
            _lease(session, *place, at + lease)
            return True
    return False


def _choices(session: Session, visitor: Visitor, at: datetime) -> Iterator[tuple[int, int]]:
    """Give the slots to try: any that are free while plenty is left, else the one that is safe."""
    settings = session.scalars(select(StudyTable.settings)).one()
    if has_slack(session, at) and settings["assignment"]["presentation"] == "single":
        yield from free_slots(session, visitor, settings)
        return
    lock_handing_out(session)
    chosen = choose_slot(session, visitor.pseudonym)
    if chosen is not None:
        yield chosen.question_id, chosen.response_index


def _lease(session: Session, question_id: int, response_index: int, until: datetime) -> None:
    """Say until when a slot is held."""
    session.execute(
        update(SlotTable)
        .where(SlotTable.question_id == question_id, SlotTable.response_index == response_index)
        .values(lease_expires_at=until)
    )


def renew_lease(session: Database, slot: str, lease: timedelta, at: datetime) -> None:
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
