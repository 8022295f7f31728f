"""The usual answer, in as few statements as can be: a participant's first, to a slot they hold.

Who answers is locked first, and so are their other tabs.

A submission as it comes in, and the answer it becomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    String,
    Text,
    bindparam,
    case,
    cast,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from sampling.study.errors import StudyError
from study_server.store.schema.database import Glance
from study_server.store.schema.moments import Database, UtcTime, table
from study_server.store.schema.tables import (
    AnswerTable,
    ParticipantTable,
    SetAsideTable,
    SlotTable,
    StudyTable,
)

Raw = str | int | list[str]
USED = "this page was already used; load the question again"
_ANSWER = insert(table(AnswerTable))


class SubmissionConflictError(StudyError):
    """Another submission took this key or this place; the form must be loaded again."""


@dataclass(frozen=True)
class Submission:
    """What a question page sends: its slot, a key of its own, and the answer."""

    slot: str
    key: str
    raw_response: Raw
    option_order: tuple[str, ...] | None = None
    active_seconds: float | None = None
    confidence: int | None = None
    comment: str | None = None
    adjustments: dict[str, float] | None = None


def answer_values(
    submission: Submission, shown_at: datetime | None, at: datetime
) -> dict[str, Any]:
    """Give the columns of a response; active time lies between none and the server's time."""
    submitted_at = at if shown_at is None else max(at, shown_at)
    active = submission.active_seconds
    if active is not None and shown_at is not None:
        active = min(max(active, 0.0), (submitted_at - shown_at).total_seconds())
    order = submission.option_order
    return {
        "submission_key": submission.key,
        "raw_response": submission.raw_response,
        "option_order": None if order is None else list(order),
        "shown_at": shown_at,
        "submitted_at": submitted_at,
        "active_seconds": active,
        "confidence": submission.confidence,
        "comment": submission.comment,
        "adjustments": submission.adjustments,
    }


def add_answer(session: Database, slot: Any, participant_id: int, values: dict[str, Any]) -> None:
    """Add the answer itself; the schema refuses a second one."""
    row = {
        "question_id": slot.question_id,
        "response_index": slot.response_index,
        "participant_id": participant_id,
        "edits": None,
        **values,
    }
    try:
        session.execute(_ANSWER, row)
    except IntegrityError as error:
        raise SubmissionConflictError(USED) from error


_slot, _person, _study = table(SlotTable), table(ParticipantTable), table(StudyTable)
_aside = table(SetAsideTable)
_own = (
    _slot.c.public_id == bindparam("token"),
    _slot.c.participant_id == bindparam("participant"),
    _slot.c.answered_at.is_(None),
)
_may_answer = (
    _person.c.id == bindparam("participant"),
    (_person.c.state == "active") | (_person.c.state == "paused"),
    _person.c.preview.is_(False),
    exists().where(_study.c.id == 1, _study.c.state != "closed"),
)
# A key that is set aside, as surplus, takes the longer way.
_unheard = ~exists().where(
    _aside.c.submission_key == bindparam("key"),
    _aside.c.participant_id == bindparam("participant"),
)
_at: BindParameter[datetime] = bindparam("now", type_=UtcTime)
_one_more = {"answered_count": _person.c.answered_count + 1, "last_seen_at": _at}
# Built once: every answer runs these.
_COUNT = update(_person).where(*_may_answer, _unheard, exists().where(*_own)).values(_one_more)
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
    where = {
        "token": submission.slot,
        "participant": participant_id,
        "key": submission.key,
        "now": at,
    }
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


def _given(column: Column[Any]) -> Any:
    """Give a value by its column's name and kind; a text is never cut, but refused if too long."""
    kind = Text() if isinstance(column.type, String) else column.type
    return cast(bindparam(column.name, type_=kind), kind)


def _at_once() -> Any:
    """Build the same as one statement: each part takes what the one before it gave."""
    answer = table(AnswerTable)
    given = [column for column in answer.c if column.name not in {"edits", *_slot_key}]
    locked = select(_person.c.id).where(*_may_answer, _unheard).with_for_update().cte("locked")
    # Asked anew once the person is held: whoever waited for a closing sees that it is closed, and
    # a closing waits for whoever does not.
    still_open = (
        select(locked.c.id)
        .join(_study, (_study.c.id == 1) & (_study.c.state != "closed"))
        .with_for_update(read=True, of=_study)
        .cte("still_open")
    )
    filled = (
        update(_slot)
        .where(*_own, _slot.c.participant_id == still_open.c.id)
        .where(_slot.c.shown_at.is_not_distinct_from(bindparam("seen_at", type_=UtcTime)))
        .values(
            answered_at=bindparam("submitted_at", type_=UtcTime),
            shown_at=bindparam("shown_at", type_=UtcTime),
            lease_expires_at=None,
        )
        .returning(*(_slot.c[name] for name in _slot_key))
        .cte("filled")
    )
    added = (
        insert(answer)
        .from_select(
            [*_slot_key, *(one.name for one in given)],
            select(
                *(filled.c[name] for name in _slot_key),
                *(_given(one) for one in given),
            ),
        )
        .returning(answer.c.participant_id)
        .cte("added")
    )
    return update(_person).where(_person.c.id == added.c.participant_id).values(_one_more)


_slot_key = ("question_id", "response_index", "participant_id")
_AT_ONCE = _at_once()


def fill_own_at_once(
    database: Glance,
    participant_id: int,
    submission: Submission,
    seen_at: datetime | None,
    at: datetime,
) -> bool:
    """Fill the slot as `fill_own` does, in one statement that is its own transaction.

    PostgreSQL only. `seen_at` is when the slot was first shown, as it was just read; if that has
    changed, nothing is done.

    Raises
    ------
    SubmissionConflictError
        When the key was already used for something else.
    """
    values = {
        **answer_values(submission, seen_at or at, at),
        "token": submission.slot,
        "participant": participant_id,
        "key": submission.key,
        "seen_at": seen_at,
        "now": at,
    }
    try:
        counted: Any = database.execute(_AT_ONCE, values)
    except IntegrityError as error:
        raise SubmissionConflictError(USED) from error
    return bool(counted.rowcount)
