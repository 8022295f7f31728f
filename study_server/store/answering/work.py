"""What a participant is to answer next: a slot of theirs, an attention question, or a preview.

A request arrives: who it is from and the slot it is about, in one question to the database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, func, select

from study_server.store.asking.participants import Visitor, visitor_select
from study_server.store.asking.practice_and_attention import attention_due
from study_server.store.assigning.leases import has_claimable
from study_server.store.assigning.slots import SessionProgress, SlotView, slot_columns
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import ImageTable, ParticipantTable, QuestionTable, SlotTable

SLOT = "slot"
ATTENTION = "attention"
PREVIEW = "preview"
CLAIM = "claim"
PREVIEW_TOKEN = "preview-"  # noqa: S105 - a prefix, not a secret


@dataclass(frozen=True)
class NextWork:
    """A question to show: its page's token, what it asks, and which session it belongs to.

    `kind` is `slot`, `attention`, `preview`, or `claim` when a free slot has to be taken first.
    """

    kind: str
    public_id: str
    session: int
    source: str = "benchmark"
    category: str = ""
    question_en: str = ""
    image: str = ""
    width: int | None = None
    height: int | None = None
    shown_at: datetime | None = None
    next_image: str | None = None
    progress: SessionProgress | None = None


def next_work(
    session: Database,
    visitor: Visitor,
    slot: SlotView | None,
    settings: Mapping[str, Any],
    at: datetime,
) -> NextWork | None:
    """Give what comes next, or None when there is nothing left for this participant.

    `slot` is their first unanswered one.
    """
    if visitor.preview:
        return _preview(session, visitor.preview_position)
    if slot is None:
        assignment = settings["assignment"]
        if assignment["mode"] == "open" and has_claimable(session, visitor, at):
            number = visitor.assigned_count // assignment["questions_per_session"] + 1
            return NextWork(CLAIM, "", number)
        return None
    attention = settings.get("attention")
    if attention:
        due = attention_due(session, visitor.id, visitor.answered_count, attention["every"])
        if due is not None:
            return NextWork(
                ATTENTION,
                due.public_id,
                slot.session,
                "attention",
                due.category,
                due.question_en,
                due.image,
                due.width,
                due.height,
                next_image=slot.image,
                progress=slot.progress,
            )
    return slot_work(slot)


def slot_work(slot: SlotView) -> NextWork:
    """Show a slot as work."""
    return NextWork(
        SLOT,
        slot.public_id,
        slot.session,
        "benchmark",
        slot.category,
        slot.question_en,
        slot.image,
        slot.width,
        slot.height,
        slot.shown_at,
        slot.next_image,
        slot.progress,
    )


def _preview(session: Database, position: int) -> NextWork | None:
    """Give the question at a place of the sample, held by nobody."""
    row = session.execute(
        select(
            QuestionTable.category,
            QuestionTable.question_en,
            ImageTable.public_id.label("image"),
            ImageTable.width,
            ImageTable.height,
        )
        .join(ImageTable, ImageTable.id == QuestionTable.image_id)
        .where(QuestionTable.state == "active")
        .order_by(QuestionTable.id)
        .offset(position)
        .limit(1)
    ).first()
    if row is None:
        return None
    return NextWork(PREVIEW, f"{PREVIEW_TOKEN}{position}", 1, **row._mapping)


@dataclass(frozen=True)
class Arrival:
    """A signed-in participant, and a slot of theirs: the current one, or the one a form names."""

    visitor: Visitor
    slot: SlotView | None


_person, _slot = table(ParticipantTable), table(SlotTable)
_question, _image = table(QuestionTable), table(ImageTable)
_open, _next, _own = _slot.alias("open"), _slot.alias("next"), _slot.alias("own")
_next_question, _next_image = _question.alias("next_question"), _image.alias("next_image")
_current = (
    select(_open.c.public_id)
    .where(_open.c.participant_id == _person.c.id, _open.c.answered_at.is_(None))
    .order_by(_open.c.position)
    .limit(1)
    .scalar_subquery()
)
_following = (
    select(_next_image.c.public_id)
    .select_from(_next)
    .join(_next_question, _next_question.c.id == _next.c.question_id)
    .join(_next_image, _next_image.c.id == _next_question.c.image_id)
    .where(
        _next.c.participant_id == _person.c.id,
        _next.c.answered_at.is_(None),
        _next.c.session == _slot.c.session,
        _next.c.position > _slot.c.position,
    )
    .order_by(_next.c.position)
    .limit(1)
    .scalar_subquery()
)
_mine = _own.c.participant_id == _person.c.id
_in_session = (_mine, _own.c.session == _slot.c.session)
_progress = (
    select(func.count(_own.c.answered_at)).where(*_in_session).scalar_subquery(),
    select(func.count()).select_from(_own).where(*_in_session).scalar_subquery(),
    select(func.max(_own.c.session)).where(_mine).scalar_subquery(),
)


def _with_slot(which: Any, *columns: Any) -> Select[Any]:
    """Select a visitor, and the slot for which a condition holds, if there is one."""
    return visitor_select(
        (*slot_columns, *columns),
        lambda visitors: (
            visitors.outerjoin(_slot, which)
            .outerjoin(_question, _question.c.id == _slot.c.question_id)
            .outerjoin(_image, _image.c.id == _question.c.image_id)
        ),
    )


# Built once: every page and every answer runs one of these.
_AT_WORK = _with_slot(_slot.c.public_id == _current, _following, *_progress)
_SENDING = _with_slot(
    (_slot.c.public_id == bindparam("slot")) & (_slot.c.participant_id == _person.c.id)
)
_VISITOR_COLUMNS, _SLOT_COLUMNS = 16, len(slot_columns)


def arrive(session: Database, link_id: int, participant_id: int) -> Arrival | None:
    """Give who is signed in, and the slot they are at with how far they are."""
    who = {"link": link_id, "participant": participant_id}
    row: Any = session.execute(_AT_WORK, who).first()
    if row is None:
        return None
    found = _arrival(row)
    if found.slot is None:
        return found
    *_columns, following, answered, assigned, sessions = row
    progress = SessionProgress(answered, assigned, sessions)
    return replace(found, slot=replace(found.slot, next_image=following, progress=progress))


def arrive_with(session: Database, link_id: int, participant_id: int, slot: str) -> Arrival | None:
    """Give who is signed in, and the slot of theirs that a form names, answered or not."""
    who = {"link": link_id, "participant": participant_id, "slot": slot}
    row: Any = session.execute(_SENDING, who).first()
    return None if row is None else _arrival(row)


def _arrival(row: Any) -> Arrival:
    end = _VISITOR_COLUMNS + _SLOT_COLUMNS
    slot = row[_VISITOR_COLUMNS:end]
    return Arrival(Visitor(*row[:_VISITOR_COLUMNS]), None if slot[0] is None else SlotView(*slot))
