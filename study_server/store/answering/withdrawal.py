"""Leaving a study: a withdrawal keeps the rows out of the analysis, an erasure deletes them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, insert, literal, select, update
from sqlalchemy.orm import Session

from study_server.store.asking.content import public_id
from study_server.store.asking.participants import GONE, record_step
from study_server.store.assigning.slots import open_slots_of, release_slot
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    AnswerTable,
    LinkTable,
    OutsideAnswerTable,
    ParticipantTable,
    ProblemTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
    VisitTable,
)

KEPT = (
    "question_id",
    "participant_id",
    "submission_key",
    "raw_response",
    "option_order",
    "shown_at",
    "submitted_at",
    "active_seconds",
    "confidence",
    "comment",
    "adjustments",
    "edits",
)


def withdraw(
    session: Session, participant_id: int, at: datetime, actor: str, reason: str = ""
) -> bool:
    """Take a person out of the study; tell whether they were still in it.

    Their answers are kept as `withdrawn`, outside every analysis, and all their slots reopen.
    """
    participant = session.get(ParticipantTable, participant_id, with_for_update=True)
    if participant is None or participant.state in GONE:
        return False
    for question_id, response_index in open_slots_of(session, participant_id):
        release_slot(session, question_id, response_index, at)
    columns = [AnswerTable.__table__.c[name] for name in KEPT]
    kept = select(*columns, literal("withdrawn"), literal("the participant withdrew"), literal(at))
    session.execute(
        insert(SetAsideTable).from_select(
            [*KEPT, "status", "reason", "set_aside_at"],
            kept.where(AnswerTable.participant_id == participant_id),
        )
    )
    _free_answered_slots(session, participant_id)
    record_step(session, participant_id, state="withdrawn", assigned_count=0, answered_count=0)
    append_event(
        session, at, actor, "participant.withdrawn", f"participant:{participant.pseudonym}", reason
    )
    return True


def erase(
    session: Session, participant_id: int, at: datetime, actor: str, reason: str = ""
) -> bool:
    """Delete everything a person ever answered or wrote; only that they took part remains.

    Run `compact` on the database afterwards, so that nothing stays in its files.
    """
    participant = session.get(ParticipantTable, participant_id, with_for_update=True)
    if participant is None or participant.state == "erased":
        return False
    for question_id, response_index in open_slots_of(session, participant_id):
        release_slot(session, question_id, response_index, at)
    _free_answered_slots(session, participant_id)
    for table in (
        SetAsideTable,
        ProblemTable,
        OutsideAnswerTable,
        ReleasedSlotTable,
        VisitTable,
        LinkTable,
    ):
        session.execute(delete(table).where(table.participant_id == participant_id))
    record_step(
        session,
        participant_id,
        state="erased",
        assigned_count=0,
        answered_count=0,
        language=None,
        consent_version=None,
        consented_at=None,
        instructions_seen_at=None,
        practice_passed_at=None,
        practice_ended_at=None,
        completion_code=None,
        completed_at=None,
        last_seen_at=None,
    )
    append_event(
        session, at, actor, "participant.erased", f"participant:{participant.pseudonym}", reason
    )
    return True


def _free_answered_slots(session: Session, participant_id: int) -> None:
    """Delete a person's answers and reopen their slots."""
    session.execute(delete(AnswerTable).where(AnswerTable.participant_id == participant_id))
    mine = SlotTable.participant_id == participant_id
    for slot in session.execute(select(SlotTable.public_id).where(mine)).all():
        session.execute(
            update(SlotTable)
            .where(SlotTable.public_id == slot.public_id)
            .values(
                participant_id=None,
                public_id=public_id(),
                shown_at=None,
                answered_at=None,
                lease_expires_at=None,
            )
        )
