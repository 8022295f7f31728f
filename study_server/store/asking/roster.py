"""Who leaves with the roster: people it names no longer, as long as they have done nothing."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, exists, select
from sqlalchemy.orm import Session

from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    LinkTable,
    OutsideAnswerTable,
    ParticipantTable,
    ProblemTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
    VisitTable,
)

KEEPS = (AnswerTable, SetAsideTable, ProblemTable, SlotTable)
GOES = (ExclusionTable, LinkTable, OutsideAnswerTable, ReleasedSlotTable, VisitTable)


def remove_participants(session: Session, folded: Collection[str], at: datetime) -> list[str]:
    """Remove people who hold nothing and have answered nothing; give their pseudonyms.

    Whoever holds a question or answered one stays: a coordinator withdraws them.
    """
    query = select(ParticipantTable.id, ParticipantTable.pseudonym).where(
        ParticipantTable.folded_pseudonym.in_(folded),
        ParticipantTable.preview.is_(False),
        *(~exists().where(table.participant_id == ParticipantTable.id) for table in KEEPS),
    )
    people = session.execute(query.order_by(ParticipantTable.pseudonym)).all()
    for person in people:
        for table in GOES:
            session.execute(delete(table).where(table.participant_id == person.id))
        session.execute(delete(ParticipantTable).where(ParticipantTable.id == person.id))
        subject = f"participant:{person.pseudonym}"
        reason = "the roster names them no longer"
        append_event(session, at, "command line", "participant.removed", subject, reason)
    return [person.pseudonym for person in people]
