"""The usual answer, in as few statements as can be: a participant's first, to a slot they hold."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam, case, exists, func, update

from study_server.store.schema import Database, UtcTime, table
from study_server.store.submissions import Submission, add_answer, answer_values
from study_server.store.tables import ParticipantTable, SlotTable, StudyTable

_slot, _person, _study = table(SlotTable), table(ParticipantTable), table(StudyTable)
_own = (
    _slot.c.public_id == bindparam("token"),
    _slot.c.participant_id == bindparam("participant"),
    _slot.c.answered_at.is_(None),
)
_at: BindParameter[datetime] = bindparam("now", type_=UtcTime)
# Built once: every answer runs these. Who answers is locked first, and so are their other tabs.
_COUNT = (
    update(_person)
    .where(
        _person.c.id == bindparam("participant"),
        _person.c.state.in_(["active", "paused"]),
        _person.c.preview.is_(False),
        exists().where(*_own),
        exists().where(_study.c.id == 1, _study.c.state != "closed"),
    )
    .values(answered_count=_person.c.answered_count + 1, last_seen_at=_at)
)
_COUNT_BACK = (
    update(_person)
    .where(_person.c.id == bindparam("participant"))
    .values(answered_count=_person.c.answered_count - 1)
)
_FILL = (
    update(_slot)
    .where(*_own)
    .values(
        answered_at=case((_slot.c.shown_at > _at, _slot.c.shown_at), else_=_at),
        shown_at=func.coalesce(_slot.c.shown_at, _at),
        lease_expires_at=None,
    )
    .returning(_slot.c.question_id, _slot.c.response_index, _slot.c.shown_at)
)


def fill_own(session: Database, participant_id: int, submission: Submission, at: datetime) -> bool:
    """Fill the slot if all is as usual: the participant holds it unanswered, and may answer."""
    where = {"token": submission.slot, "participant": participant_id, "now": at}
    counted: Any = session.execute(_COUNT, where)
    if not counted.rowcount:
        return False
    slot = session.execute(_FILL, where).first()
    if slot is None:
        # It was taken away, or answered in another tab, while this one waited for its turn.
        session.execute(_COUNT_BACK, where)
        return False
    add_answer(session, slot, participant_id, answer_values(submission, slot.shown_at, at))
    return True
