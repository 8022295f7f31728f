"""Free slots: given at once to somebody whose answer came late."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, exists, select, update

from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    ExclusionTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
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
