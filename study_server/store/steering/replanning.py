"""Re-planning in the database: only unanswered slots change hands, as few as can be."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from sampling.assignment.plan import Slot
from sampling.plan.replan import OpenSlot, Replan, replan
from sampling.study.definition import AssignmentTable
from study_server.store.assigning.run_state import (
    RunState,
    active_questions,
    load_run_state,
    planning_capacities,
)
from study_server.store.assigning.slots import assign_slot, release_slot
from study_server.store.schema.events import append_event
from study_server.store.schema.tables import (
    ParticipantTable,
    QuestionTable,
    SlotTable,
    StudyTable,
)
from study_server.store.steering.coordination import (
    Decision,
    present_person,
    release_person,
    set_quota,
)


def replan_study(session: Session, decision: Decision, *, level: bool = False) -> Replan:
    """Give every open slot a holder again, as far as anybody may take it.

    `level` gives people who hold nothing yet an equal share. Nothing moves in open mode.
    """
    session.flush()
    settings = session.scalars(select(StudyTable.settings)).one()
    state = load_run_state(session)
    found = _plan(session, state, settings, level=level)
    if settings["assignment"]["mode"] == "open":
        return replace(found, moves=())
    if found.moves:
        _apply(session, found, decision)
        append_event(
            session,
            decision.at,
            decision.actor,
            "study.replanned",
            "study",
            decision.reason,
            {"moved": len(found.moves), "unplaced": len(found.unplaced)},
        )
    return found


def release_and_replan(session: Session, pseudonym: str, decision: Decision) -> tuple[int, Replan]:
    """Give what a person has not answered to others; their limit becomes what they answered.

    Gives how many slots were released, and the new plan: roll back when something is unplaced.
    """
    person = present_person(session, pseudonym)
    count = release_person(session, pseudonym, decision)
    session.refresh(person)
    set_quota(session, pseudonym, person.answered_count, decision)
    return count, replan_study(session, decision)


def _plan(
    session: Session, state: RunState, settings: dict[str, dict[str, object]], *, level: bool
) -> Replan:
    """Ask for the new plan of what is open."""
    answered, unanswered = _slots(session)
    return replan(
        active_questions(session),
        answered,
        unanswered,
        planning_capacities(state.people),
        state.barred,
        AssignmentTable.model_validate(settings["assignment"]),
        str(settings["order_seed"]),
        level=level,
    )


def _apply(session: Session, found: Replan, decision: Decision) -> None:
    """Move the slots that change hands."""
    questions = session.execute(select(QuestionTable.sample_id, QuestionTable.id))
    ids = {row.sample_id: row.id for row in questions}
    named = session.execute(select(ParticipantTable.pseudonym, ParticipantTable.id))
    people = {row.pseudonym: row.id for row in named}
    places = {(slot.sample_id, slot.response_index): slot for slot in found.slots}
    for move in found.moves:
        if move.giver is not None:
            release_slot(session, ids[move.sample_id], move.response_index, decision.at)
    for move in found.moves:
        if move.taker is None:
            continue
        slot = places[move.sample_id, move.response_index]
        assign_slot(
            session,
            ids[move.sample_id],
            move.response_index,
            people[move.taker],
            slot.session,
            slot.position,
        )


def _slots(session: Session) -> tuple[list[Slot], list[OpenSlot]]:
    """Give the answered slots and the others, of the active questions."""
    rows = session.execute(
        select(
            ParticipantTable.pseudonym,
            QuestionTable.sample_id,
            SlotTable.response_index,
            SlotTable.session,
            SlotTable.position,
            SlotTable.answered_at,
        )
        .join(QuestionTable, QuestionTable.id == SlotTable.question_id)
        .outerjoin(ParticipantTable, ParticipantTable.id == SlotTable.participant_id)
        .where(QuestionTable.state == "active")
        .order_by(QuestionTable.sample_id, SlotTable.response_index)
    ).all()
    answered = [Slot(*row[:5]) for row in rows if row.answered_at is not None]
    unanswered = [
        OpenSlot(
            row.sample_id,
            row.response_index,
            row.pseudonym,
            row.session if row.pseudonym else 0,
            row.position if row.pseudonym else 0,
        )
        for row in rows
        if row.answered_at is None
    ]
    return answered, unanswered
