"""Slots: which one a participant is at, and how one changes hands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from study_server.store.asking.content import public_id
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    ImageTable,
    ParticipantTable,
    QuestionTable,
    ReleasedSlotTable,
    SlotTable,
)


@dataclass(frozen=True)
class SessionProgress:
    """How many questions of one session of work are answered, of how many; how many sessions."""

    answered: int
    assigned: int
    sessions: int


@dataclass(frozen=True)
class SlotView:
    """A slot with all that its page shows; `next_image` is the following slot's, to load ahead."""

    public_id: str
    question_id: int
    response_index: int
    session: int
    position: int
    shown_at: datetime | None
    category: str
    question_en: str
    image: str
    width: int | None
    height: int | None
    next_image: str | None = None
    progress: SessionProgress | None = None


_slot, _question, _image = table(SlotTable), table(QuestionTable), table(ImageTable)
_other = _slot.alias("other")
# In the order of `SlotView`.
slot_columns = (
    _slot.c.public_id,
    _slot.c.question_id,
    _slot.c.response_index,
    _slot.c.session,
    _slot.c.position,
    _slot.c.shown_at,
    _question.c.category,
    _question.c.question_en,
    _image.c.public_id.label("image"),
    _image.c.width,
    _image.c.height,
)
# Built once: pages ask these every time.
_VIEW = (
    select(*slot_columns)
    .join(_question, _question.c.id == _slot.c.question_id)
    .join(_image, _image.c.id == _question.c.image_id)
    .where(_slot.c.participant_id == bindparam("participant"))
)
_SLOT = _VIEW.where(_slot.c.public_id == bindparam("slot"))
_mine = _other.c.participant_id == bindparam("participant")
_in_session = (_mine, _other.c.session == _slot.c.session)
_CURRENT = (
    _VIEW.where(_slot.c.answered_at.is_(None))
    .add_columns(
        select(func.count(_other.c.answered_at)).where(*_in_session).scalar_subquery(),
        select(func.count()).select_from(_other).where(*_in_session).scalar_subquery(),
        select(func.max(_other.c.session)).where(_mine).scalar_subquery(),
    )
    .order_by(_slot.c.position)
    .limit(2)
)
_PROGRESS = select(
    func.count(_slot.c.answered_at),
    func.count(),
    select(func.max(_other.c.session)).where(_mine).scalar_subquery(),
).where(_slot.c.participant_id == bindparam("participant"), _slot.c.session == bindparam("session"))

_SHOWN = (
    update(_slot)
    .where(
        _slot.c.public_id == bindparam("slot"),
        _slot.c.participant_id == bindparam("participant"),
        _slot.c.shown_at.is_(None),
    )
    .values(shown_at=bindparam("at"))
)


def current_slot(session: Session, participant_id: int) -> SlotView | None:
    """Give a participant's first unanswered slot and how far they are, or None when all is done."""
    rows = session.execute(_CURRENT, {"participant": participant_id}).all()
    if not rows:
        return None
    columns: list[Any]
    *columns, answered, assigned, sessions = rows[0]
    ahead = len(rows) > 1 and rows[1].session == rows[0].session
    columns += [rows[1].image if ahead else None, SessionProgress(answered, assigned, sessions)]
    return SlotView(*columns)


def slot_view(session: Database, slot: str, participant_id: int) -> SlotView | None:
    """Give a slot that this participant holds, answered or not."""
    row = session.execute(_SLOT, {"slot": slot, "participant": participant_id}).first()
    return None if row is None else SlotView(*row)


def released_view(session: Database, slot: str, participant_id: int) -> SlotView | None:
    """Give a slot that this participant held and lost, as they last saw it."""
    query = (
        select(
            ReleasedSlotTable.public_id,
            ReleasedSlotTable.question_id,
            ReleasedSlotTable.shown_at,
            QuestionTable.category,
            QuestionTable.question_en,
            ImageTable.public_id.label("image"),
            ImageTable.width,
            ImageTable.height,
        )
        .join(QuestionTable, QuestionTable.id == ReleasedSlotTable.question_id)
        .join(ImageTable, ImageTable.id == QuestionTable.image_id)
        .where(
            ReleasedSlotTable.public_id == slot,
            ReleasedSlotTable.participant_id == participant_id,
        )
    )
    row = session.execute(query).first()
    if row is None:
        return None
    return SlotView(**row._mapping, response_index=0, session=0, position=0)


def session_progress(session: Database, participant_id: int, number: int) -> SessionProgress:
    """Count the questions of one session of a participant, and their sessions."""
    row = session.execute(_PROGRESS, {"participant": participant_id, "session": number}).one()
    return SessionProgress(row[0], row[1], row[2] or 0)


def mark_shown(session: Database, slot: str, participant_id: int, at: datetime) -> None:
    """Note when a slot's page was first shown to its holder."""
    session.execute(_SHOWN, {"slot": slot, "participant": participant_id, "at": at})


def release_slot(session: Session, question_id: int, response_index: int, at: datetime) -> None:
    """Take an unanswered slot from its holder; their late answer will still be recognised."""
    where = (
        SlotTable.question_id == question_id,
        SlotTable.response_index == response_index,
        SlotTable.answered_at.is_(None),
        SlotTable.participant_id.is_not(None),
    )
    slot = session.execute(
        select(SlotTable.public_id, SlotTable.participant_id, SlotTable.shown_at)
        .where(*where)
        .with_for_update()
    ).first()
    if slot is None:
        return
    session.execute(
        insert(ReleasedSlotTable).values(
            public_id=slot.public_id,
            question_id=question_id,
            participant_id=slot.participant_id,
            shown_at=slot.shown_at,
            released_at=at,
        )
    )
    session.execute(
        update(SlotTable)
        .where(*where)
        .values(
            participant_id=None,
            public_id=public_id(),
            shown_at=None,
            lease_expires_at=None,
        )
    )
    _count_assigned(session, slot.participant_id, -1)


def assign_slot(
    session: Session,
    question_id: int,
    response_index: int,
    participant_id: int,
    work_session: int,
    position: int,
) -> bool:
    """Give a free slot to a participant; tell whether it was free."""
    taken = session.execute(
        update(SlotTable)
        .where(
            SlotTable.question_id == question_id,
            SlotTable.response_index == response_index,
            SlotTable.participant_id.is_(None),
        )
        .values(participant_id=participant_id, session=work_session, position=position)
        .returning(SlotTable.question_id)
    ).first()
    if taken is None:
        return False
    _count_assigned(session, participant_id, 1)
    return True


def open_slots_of(session: Session, participant_id: int) -> list[tuple[int, int]]:
    """List (question id, response index) of what a participant holds and has not answered."""
    rows = session.execute(
        select(SlotTable.question_id, SlotTable.response_index)
        .where(SlotTable.participant_id == participant_id, SlotTable.answered_at.is_(None))
        .order_by(SlotTable.position)
    )
    return [(row.question_id, row.response_index) for row in rows]


def _count_assigned(session: Session, participant_id: int, change: int) -> None:
    """Keep a participant's count of slots in step."""
    session.execute(
        update(ParticipantTable)
        .where(ParticipantTable.id == participant_id)
        .values(assigned_count=ParticipantTable.assigned_count + change)
    )
