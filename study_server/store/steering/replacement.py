"""Replacing a faulty question by the next of its stratum's reserve, while people answer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import delete, func, insert, literal, select, update
from sqlalchemy.orm import Session

from sampling.assignment.plan import Slot
from sampling.study.errors import StudyError
from study_server.store.answering.withdrawal import KEPT
from study_server.store.asking.content import public_id
from study_server.store.asking.participants import recount
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    AnswerTable,
    ExclusionTable,
    ParticipantTable,
    ProblemTable,
    QuestionTable,
    ReleasedSlotTable,
    SetAsideTable,
    SlotTable,
)
from study_server.store.steering.coordination import Decision


def reserve_of(session: Session, sample_id: str) -> list[str]:
    """List the reserve of a question's collection and category, in the order of rank."""
    question = active_question(session, sample_id)
    query = select(QuestionTable.sample_id).where(
        QuestionTable.state == "reserve",
        QuestionTable.collection == question.collection,
        QuestionTable.category == question.category,
    )
    return list(session.scalars(query.order_by(QuestionTable.reserve_rank)))


def replaced_questions(session: Session) -> set[str]:
    """Name every question that was taken out of the sample."""
    query = select(QuestionTable.sample_id).where(QuestionTable.state == "replaced")
    return set(session.scalars(query))


def sampled_questions(session: Session) -> set[str]:
    """Name every question that is in the sample now."""
    query = select(QuestionTable.sample_id).where(QuestionTable.state == "active")
    return set(session.scalars(query))


def current_plan(session: Session) -> list[Slot]:
    """Give every slot that somebody holds or has answered."""
    rows = session.execute(
        select(
            ParticipantTable.pseudonym,
            QuestionTable.sample_id,
            SlotTable.response_index,
            SlotTable.session,
            SlotTable.position,
        )
        .join(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
    )
    return [Slot(*row) for row in rows]


def replace_question(
    session: Session, sample_id: str, replacement: str, decision: Decision
) -> None:
    """Take a question out and let another stand in its place, with the same people.

    Answers to the old question are kept aside and never analysed. Whoever held or answered it
    gets the new one, unless they may not answer it: then that slot is free.
    """
    old = active_question(session, sample_id)
    new = session.scalars(
        select(QuestionTable).where(
            QuestionTable.sample_id == replacement, QuestionTable.state == "reserve"
        )
    ).first()
    if new is None:
        raise StudyError(f"{replacement}: not in the reserve")
    slots = session.execute(
        select(SlotTable.__table__)
        .where(SlotTable.question_id == old.id)
        .order_by(SlotTable.response_index)
    ).all()
    _set_answers_aside(session, old.id, decision)
    _forget_slots(session, old.id, slots, decision)
    old.state, new.state = "replaced", "active"
    session.flush()
    session.execute(insert(SlotTable), _new_slots(session, new.id, slots))
    session.execute(
        update(ProblemTable)
        .where(ProblemTable.question_id == old.id, ProblemTable.state == "open")
        .values(state="resolved", resolved_at=decision.at, resolution="question replaced")
    )
    recount(session)
    append_event(
        session,
        decision.at,
        decision.actor,
        "question.replaced",
        f"question:{sample_id}",
        decision.reason,
        {"replacement": replacement},
    )


def active_question(session: Session, sample_id: str) -> QuestionTable:
    """Find a question of the sample."""
    question = session.scalars(
        select(QuestionTable).where(
            QuestionTable.sample_id == sample_id, QuestionTable.state == "active"
        )
    ).first()
    if question is None:
        raise StudyError(f"{sample_id}: not a question of the sample")
    return question


def _set_answers_aside(session: Session, question_id: int, decision: Decision) -> None:
    """Keep the answers to a faulty question where no analysis looks."""
    columns = [AnswerTable.__table__.c[name] for name in KEPT]
    kept = select(
        *columns, literal("surplus"), literal("question replaced"), literal(decision.at)
    ).where(AnswerTable.question_id == question_id)
    names = [*KEPT, "status", "reason", "set_aside_at"]
    session.execute(insert(SetAsideTable).from_select(names, kept))
    session.execute(delete(AnswerTable).where(AnswerTable.question_id == question_id))


def _forget_slots(
    session: Session, question_id: int, slots: Collection[Any], decision: Decision
) -> None:
    """Delete the slots of a question; a page that is open somewhere will still be recognised."""
    released = [
        {
            "public_id": slot.public_id,
            "question_id": question_id,
            "participant_id": slot.participant_id,
            "shown_at": slot.shown_at,
            "released_at": decision.at,
        }
        for slot in slots
        if slot.participant_id is not None and slot.answered_at is None
    ]
    if released:
        session.execute(insert(ReleasedSlotTable), released)
    session.execute(delete(SlotTable).where(SlotTable.question_id == question_id))


def _new_slots(session: Session, question_id: int, slots: Collection[Any]) -> list[dict[str, Any]]:
    """Give the new question's slots to the people of the old ones, at their place or their end."""
    barred = set(
        session.scalars(
            select(ExclusionTable.participant_id).where(ExclusionTable.question_id == question_id)
        )
    )
    rows = []
    for slot in slots:
        holder = None if slot.participant_id in barred else slot.participant_id
        place = (slot.session, slot.position)
        if holder is not None and slot.answered_at is not None:
            place = _behind(session, holder)
        rows.append(
            {
                "question_id": question_id,
                "response_index": slot.response_index,
                "participant_id": holder,
                "session": place[0],
                "position": place[1],
                "public_id": public_id(),
            }
        )
    return rows


def _behind(session: Session, participant_id: int) -> tuple[int, int]:
    """Give the place after a person's last question."""
    last = session.execute(
        select(func.max(SlotTable.session), func.max(SlotTable.position)).where(
            SlotTable.participant_id == participant_id
        )
    ).one()
    return (last[0] or 1, (last[1] or 0) + 1)
