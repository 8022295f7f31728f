"""Open mode while plenty is left: a good next question among the first free ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import BindParameter, bindparam, exists, select
from sqlalchemy.orm import Session

from sampling.assignment.open_mode import preferred_order
from sampling.assignment.order import LONGEST_RUN
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question
from study_server.store.asking.participants import Visitor
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ImageTable,
    QuestionTable,
    SlotTable,
)

CANDIDATES = 32
_slot, _other = table(SlotTable), table(SlotTable).alias("other")
_question, _image = table(QuestionTable), table(ImageTable)
_exclusion, _answer = table(ExclusionTable), table(AnswerTable)
_me: BindParameter[int] = bindparam("participant")
_ASKED = (
    _question.c.sample_id,
    _image.c.image_name,
    _question.c.category,
    _question.c.question_en,
    _question.c.collection,
)
_may_answer = (
    _question.c.state == "active",
    ~exists().where(
        _exclusion.c.participant_id == _me, _exclusion.c.question_id == _slot.c.question_id
    ),
    ~exists().where(_other.c.participant_id == _me, _other.c.question_id == _slot.c.question_id),
    ~exists().where(_answer.c.participant_id == _me, _answer.c.question_id == _slot.c.question_id),
)
# Built once. Slots wait in an order in which every question comes once before any comes twice.
_FREE = (
    select(_slot.c.question_id, _slot.c.response_index, *_ASKED)
    .join(_question, _question.c.id == _slot.c.question_id)
    .join(_image, _image.c.id == _question.c.image_id)
    .where(_slot.c.participant_id.is_(None), *_may_answer)
    .order_by(_slot.c.position, _slot.c.question_id, _slot.c.response_index)
    .limit(bindparam("most"))
)
_DONE = (
    select(*_ASKED)
    .select_from(_slot)
    .join(_question, _question.c.id == _slot.c.question_id)
    .join(_image, _image.c.id == _question.c.image_id)
    .where(_slot.c.participant_id == _me)
    .order_by(_slot.c.session.desc(), _slot.c.position.desc())
    .limit(bindparam("most"))
)
_EXPIRED = (
    select(_slot.c.question_id)
    .join(_question, _question.c.id == _slot.c.question_id)
    .where(_slot.c.lease_expires_at <= bindparam("at"), _slot.c.answered_at.is_(None), *_may_answer)
    .limit(1)
)


def has_free(session: Database, participant_id: int) -> bool:
    """Tell whether a slot is free that somebody may take."""
    parameters = {"participant": participant_id, "most": 1}
    return session.execute(_FREE, parameters).first() is not None


def has_expired(session: Database, participant_id: int, at: Any) -> bool:
    """Tell whether a lease has run out on a slot that somebody may take."""
    parameters = {"participant": participant_id, "at": at}
    return session.execute(_EXPIRED, parameters).first() is not None


def free_slots(
    session: Session, visitor: Visitor, settings: Mapping[str, Any]
) -> Iterator[tuple[int, int]]:
    """Give (question id, response index) of free slots, what suits this person best first."""
    parameters: dict[str, Any] = {"participant": visitor.id, "most": CANDIDATES}
    rows = session.execute(_FREE, parameters).all()
    assignment = AssignmentTable.model_validate(settings["assignment"])
    places = {row.sample_id: (row.question_id, row.response_index) for row in reversed(rows)}
    asked = {row.sample_id: Question(*row[2:]) for row in rows}
    parameters["most"] = _remembered(visitor.assigned_count, assignment)
    done = [Question(*row) for row in session.execute(_DONE, parameters)][::-1]
    seed = str(settings.get("order_seed", ""))
    for name in preferred_order(list(asked.values()), done, assignment, seed, visitor.pseudonym):
        yield places[name]


def _remembered(count: int, assignment: AssignmentTable) -> int:
    """Say how many of a person's questions decide the next: this session's, and some before."""
    per_session = assignment.questions_per_session
    before = max(assignment.image_gap, LONGEST_RUN)
    return count % per_session + per_session * -(-before // per_session)
