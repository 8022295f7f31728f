"""Open mode while plenty is left: a proof that no choice can strand the study, at no cost.

The exact choice (`handing_out`) weighs every open question against everybody. It is needed only
when the end is near. By Hall's theorem all open answers can be given when, for every set T of
open questions, the answers T needs are at most the sum over people of min(room, |T| - barred in
T). A question lacks n answers and has at most k - n holders, so n + barred people <= k + e, where
e people at most are excluded from one question; min(r, t - b) >= min(r, t) - b, and nobody has
more than X exclusions. So it is enough that all rooms together are at least
(largest limit + X) * (k + e), and at least what is open.

Open mode while plenty is left: a good next question among the first free ones.
Open mode: which free slot somebody may take without stranding the rest of the study.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BindParameter, Connection, Engine, bindparam, case, exists, func, select
from sqlalchemy.orm import Session

from sampling.assignment.open_mode import choose_next, preferred_order
from sampling.assignment.order import LONGEST_RUN
from sampling.study.definition import AssignmentTable
from sampling.study.questions import Question
from study_server.store.asking.participants import Visitor
from study_server.store.assigning.run_state import GONE, HELD_BACK, active_questions, load_run_state
from study_server.store.schema.moments import Database, table
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ImageTable,
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)

# Others take slots while this is computed; so many at a time at most.
UNDER_WAY = 256
COUNTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Bounds:
    """What changes seldom: questions asked, exclusions of one question and of one person."""

    counted_at: datetime
    questions: int
    of_a_question: int
    of_a_person: int


_bounds: weakref.WeakKeyDictionary[Engine, Bounds] = weakref.WeakKeyDictionary()
_person = table(ParticipantTable)


def has_slack(session: Database, at: datetime) -> bool:
    """Tell whether anybody may take any free slot without stranding anything."""
    bounds = _bounds_of(session, at)
    k, settings = session.execute(
        select(StudyTable.responses_per_question, StudyTable.settings)
    ).one()
    most = (settings or {}).get("assignment", {}).get("max_load")
    people, held, rooms, largest = session.execute(_rooms(bounds, most)).one()
    if not people:
        return False
    return is_enough(rooms - UNDER_WAY, largest, k * bounds.questions - held, k, bounds)


def is_enough(rooms: int, largest: int, open_answers: int, k: int, bounds: Bounds) -> bool:
    """Tell whether all open answers can be given, by totals alone; False proves nothing.

    `rooms` is how many more questions all people may take together, `largest` the largest limit
    of one person, what they answered already included.
    """
    enough = (largest + bounds.of_a_person) * (k + bounds.of_a_question)
    return rooms >= max(enough, open_answers)


def _rooms(bounds: Bounds, max_load: int | None) -> Any:
    """Select how many people take part, slots held, rooms together, and the largest limit."""
    everything = bounds.questions if max_load is None else max_load
    usual = case(
        (_person.c.assigned_count > everything, _person.c.assigned_count), else_=everything
    )
    limit = func.coalesce(_person.c.quota, usual)
    stuck = _person.c.practice_ended_at.is_not(None) & _person.c.practice_passed_at.is_(None)
    present = _person.c.state.not_in([*GONE, "paused"]) & ~stuck
    room = case(
        (present & (limit > _person.c.assigned_count), limit - _person.c.assigned_count), else_=0
    )
    return select(
        func.count(), func.sum(_person.c.assigned_count), func.sum(room), func.max(limit)
    ).where(_person.c.preview.is_(False))


def _bounds_of(session: Database, at: datetime) -> Bounds:
    """Count the bounds, or give those of a moment ago."""
    engine = (session if isinstance(session, Connection) else session.connection()).engine
    known = _bounds.get(engine)
    if known is not None and abs(at - known.counted_at) < COUNTED_EVERY:
        return known
    active = select(func.count()).where(QuestionTable.state == "active")
    counted = Bounds(
        at,
        session.scalar(active) or 0,
        _most(session, ExclusionTable.question_id),
        _most(session, ExclusionTable.participant_id),
    )
    _bounds[engine] = counted
    return counted


def _most(session: Database, column: Any) -> int:
    """Count the exclusions of whichever question, or person, has the most; one more, to be sure."""
    counts = select(column, func.count().label("n")).group_by(column).subquery()
    return 1 + (session.scalar(select(func.max(counts.c.n))) or 0)


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


@dataclass(frozen=True)
class FreeSlot:
    """A slot that nobody holds."""

    question_id: int
    response_index: int


def choose_slot(session: Database, pseudonym: str) -> FreeSlot | None:
    """Choose a participant's next slot, or None when whatever they took would cost an answer.

    Leases that are out count as given. Call it in the transaction that takes the slot, with
    `lock_handing_out` before.
    """
    state = load_run_state(session)
    room = {
        person.pseudonym: max(person.limit - person.answered - person.held, 0)
        for person in state.people
        if person.state not in GONE | HELD_BACK
    }
    if not state.free or not room.get(pseudonym):
        return None
    settings = session.scalars(select(StudyTable.settings)).one()
    questions = {one.sample_id: one for one in active_questions(session)}
    chosen = choose_next(
        pseudonym,
        state.free,
        room,
        state.barred | _held(session),
        preferred_order(
            [question for name, question in questions.items() if name in state.free],
            [questions[name] for name in _theirs(session, pseudonym) if name in questions],
            AssignmentTable.model_validate(settings["assignment"]),
            str(settings.get("order_seed", "")),
            pseudonym,
        ),
    )
    return None if chosen is None else _free_slot(session, chosen)


def lock_handing_out(session: Session) -> None:
    """Let one person at a time choose: what is safe for each need not be safe for two."""
    session.execute(select(StudyTable.id).with_for_update())


def _held(session: Database) -> frozenset[tuple[str, str]]:
    """List who holds which slot, answered or not."""
    rows = session.execute(
        select(ParticipantTable.pseudonym, QuestionTable.sample_id)
        .join(SlotTable, SlotTable.participant_id == ParticipantTable.id)
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
    )
    return frozenset((row.pseudonym, row.sample_id) for row in rows)


def _theirs(session: Database, pseudonym: str) -> list[str]:
    """List what a person holds or has answered, in that order."""
    query = (
        select(QuestionTable.sample_id)
        .join(SlotTable, SlotTable.question_id == QuestionTable.id)
        .join(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .where(ParticipantTable.pseudonym == pseudonym)
        .order_by(SlotTable.position)
    )
    return list(session.scalars(query))


def _free_slot(session: Database, sample_id: str) -> FreeSlot | None:
    row = session.execute(
        select(SlotTable.question_id, SlotTable.response_index)
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
        .where(QuestionTable.sample_id == sample_id, SlotTable.participant_id.is_(None))
        .order_by(SlotTable.response_index)
        .limit(1)
    ).first()
    return None if row is None else FreeSlot(row.question_id, row.response_index)
